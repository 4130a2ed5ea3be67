"""A match that begins again with another seed is the match that a new one would be."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Event, Match, Random, SeedError, TabletopError
from tabletop.records.journal import Journal
from tabletop.registry import load
from tabletop.rng import Draw

SALT = bytes(range(16))


@given(st.sampled_from(["lcr", "sorcery", "constructor"]), st.integers(), st.integers(0, 200))
def test_it_goes_on_as_a_new_match(name: str, seed: int, plies: int) -> None:
    game = load(name).game
    match = Match(game, seed="former", players=[Random(each) for each in range(4)][: game.seats[0]])
    match.run(plies)
    match.undo(match.ply // 3)
    match.restart(seed, salt=SALT)
    new = Match(game, seed=seed, salt=SALT)
    assert (match.ply, match.undone, match.actions) == (0, 0, ())
    assert (match.digest(), match.seed, match.salt) == (new.digest(), new.seed, new.salt)
    for _ in range(70):
        if not match.over:
            new.play(match.step())
    assert match.digest() == new.digest()
    match.undo(match.ply)
    assert match.digest() == Match(game, seed=seed, salt=SALT).digest()


def test_the_state_to_begin_from_stays() -> None:
    game = load("lcr").game
    first = Match(game, seed="x").state
    first.chips[0] = 7
    match = Match(game, seed="x", state=first)
    match.play(match.legal_actions()[0])
    match.restart("y")
    assert match.state == first


def test_players_and_observers_stay() -> None:
    seen: list[Event] = []
    match = Match(load("lcr").game, seed="x", players=[Random(seat) for seat in range(3)])
    match.observe(seen.append)
    match.run(1)
    match.restart("y")
    seen.clear()
    match.run()
    assert match.over
    assert seen


def test_an_observer_may_begin_again_in_the_middle_of_a_run() -> None:
    match = Match(load("lcr").game, seed="x", players=[Random(seat) for seat in range(3)])
    left = [3]

    def again(event: Event) -> None:
        if left[0] and match.ply == 2:
            left[0] -= 1
            match.restart(left[0])

    match.observe(again)
    match.run()
    replayed = Match(load("lcr").game, seed=0)
    for action in match.actions:
        replayed.play(action)
    assert (left, match.digest()) == ([0], replayed.digest())


def test_draws_of_the_new_setup_are_told() -> None:
    draws: list[Draw] = []
    match = Match(load("sorcery").game, seed="x", on_draw=draws.append)
    told = len(draws)
    match.restart("x")
    assert len(draws) == 2 * told > 0


def test_a_wrong_salt_changes_nothing() -> None:
    match = Match(load("lcr").game, seed="x")
    before = match.digest()
    with pytest.raises(SeedError):
        match.restart("y", salt=b"short")
    assert (match.seed.text, match.salt, match.digest()) == ("x", None, before)


def test_a_recorded_match_cannot_begin_again(tmp_path: Path) -> None:
    match = Match(load("lcr").game, seed="x")
    journal = Journal.create(tmp_path / "record", match)
    with journal, pytest.raises(TabletopError, match="being recorded"):
        match.restart("y")
    match.restart("y")
    assert match.seed.text == "y"
