"""Resuming a recorded match does not change it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import cards, walk
from tests.tabletop.long_walk import walked

from tabletop import ContractError, Match, Random
from tabletop.match import AnyMatch
from tabletop.records import Journal, read, replay


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def play_and_undo(match: AnyMatch, steps: Sequence[int]) -> None:
    """Play a number of actions, or undo them if the number is negative."""
    for count in steps:
        if count >= 0:
            match.run(count)
        else:
            match.undo(min(-count, match.ply))


@given(
    steps=st.lists(st.integers(-70, 90), min_size=1, max_size=7),
    later=st.lists(st.integers(-90, 30), max_size=3),
)
def test_a_resumed_match_continues_as_if_it_had_never_stopped(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int], later: list[int]
) -> None:
    path = tmp_path_factory.mktemp("undone") / "match.jsonl"
    match = Match(walk.GAME, seed=3, players=[Random(1), Random(2)])
    with Journal.create(path, match):
        play_and_undo(match, steps)
    match.set_recorder(None)
    again = replay(read(path), walk.GAME)
    assert (again.ply, again.digest()) == (match.ply, match.digest())
    chances = [(Random(5), Random(6)) for _ in range(2)]
    for one, players in zip((match, again), chances, strict=True):
        for seat, player in enumerate(players):
            one.set_player(seat, player)
    with Journal.resume(read(path), again):
        play_and_undo(again, later)
    play_and_undo(match, later)
    assert again.digest() == match.digest()
    whole = replay(read(path), walk.GAME)
    assert whole.digest() == match.digest()
    assert whole.actions == match.actions


def test_a_record_is_the_same_whether_written_in_one_session_or_in_several(path: Path) -> None:
    match = walked(path, 500)
    other = path.with_suffix(".parts")
    Journal.create(other, Match(walk.GAME, seed="Old Oak")).close()
    for end in range(0, match.ply + 1, 100):
        part = replay(read(other), walk.GAME)
        with Journal.resume(read(other), part):
            for action in match.actions[part.ply : end]:
                part.play(action)
    assert other.read_bytes() == path.read_bytes()


def test_a_resumed_match_has_its_players_and_its_duration(path: Path) -> None:
    moments = iter([100.0, 107.25, 400.0, 402.5])
    match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)])
    with Journal.create(path, match, clock=lambda: next(moments)) as journal:
        journal.seated(0, "random")
        match.run(100)
    record = read(path)
    assert (record.seconds, record.ended) == (7.25, False)
    with Journal.resume(record, match):
        match.run(50)
    record = read(path)
    assert (record.seconds, record.players) == (7.25, ("random", "human"))
    assert replay(record, walk.GAME).ply == 50 + 100
    with Journal.resume(record, match, clock=lambda: next(moments)):
        pass
    assert read(path).seconds == 9.75


def test_the_duration_is_written_after_the_end(path: Path) -> None:
    match = Match(cards.GAME, seed=1, players=[Random(1), Random(2)])
    ticks = iter(range(10))
    with Journal.create(path, match, clock=lambda: float(next(ticks))):
        match.run()
    record = read(path)
    assert record.ended
    assert (record.seconds, record.entries[-1].played) == (1.0, 1.0)
    assert replay(record, cards.GAME).over


def test_without_a_clock_a_record_contains_no_duration(path: Path) -> None:
    walked(path, 50)
    assert b"played" not in path.read_bytes()
    assert read(path).seconds == 0


def test_a_replay_can_stop_at_an_action_after_an_undo(path: Path) -> None:
    match: AnyMatch = Match(walk.GAME, seed="oak", seats=2)
    with Journal.create(path, match):
        for _ in range(2):
            match.play(match.legal_actions()[0])
        match.undo(1)
        match.play(match.legal_actions()[-1])
    record = read(path)
    for until in (0, 1):
        assert replay(record, walk.GAME, until=until).actions == match.actions[:until]
    assert replay(record, walk.GAME, until=2).actions == replay(record, walk.GAME).actions
    assert replay(record, walk.GAME, until=2).undone == 0


def test_no_record_is_created_for_a_state_that_is_not_plain_data(path: Path) -> None:
    match: AnyMatch = Match(walk.GAME, seed="oak", seats=2)
    odd: Any = object()
    match.state.place = odd
    with pytest.raises(ContractError):
        Journal.create(path, match)
    assert not path.exists()
