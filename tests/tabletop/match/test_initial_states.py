"""A match that starts from a given state, for tests and puzzles."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import cards, race, rps, walk

from tabletop import IllegalAction, Match, Random, RecordError, TabletopError
from tabletop.errors import RecordVersionError, ScoresError, StateError
from tabletop.host import load_file
from tabletop.match import CHECKPOINT_PLIES, AnyMatch
from tabletop.records import Header, Journal, compare, open_source, read, replay, with_check
from tabletop.registry import installed, load
from tabletop.rng import Draw
from tabletop.rules import AnyGame
from tabletop.scores import ScoreSheet, ranked, verified
from tabletop.scores.sheets import key_of
from tabletop.states.codec import to_builtins

GAMES: list[AnyGame] = [cards.GAME, race.GAME, rps.GAME, walk.GAME]

tictactoe: Any = load_file(Path(__file__).parents[3] / "examples" / "tictactoe.py")
Board, Place = tictactoe.Board, tictactoe.Place

PUZZLE = Board(["x", "x", ".", "o", "o", ".", ".", ".", "."], seat=0, free=5)
"""Two in a row for either side, and x is to move."""


def puzzle(seed: str = "a puzzle", **more: Any) -> AnyMatch:
    """Return a match that starts from the puzzle."""
    return Match(tictactoe.GAME, seed=seed, state=PUZZLE, **more)


def midgame_state(game: AnyGame, plies: int, seats: int | None = None) -> Any:
    """Return a state from the middle of a match of the game."""
    match = Match(game, seed="Old Oak", seats=seats)
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    match.run(plies)
    return match.state


# The start.


def test_a_seat_can_be_renamed_until_an_action_is_played() -> None:
    match = puzzle(seats=["Ada", "Bo"])
    before = match.digest()
    match.rename(1, "Cy")
    assert match.names == ("Ada", "Cy")
    assert match.digest() == before
    assert Header.of(match).seats == ("Ada", "Cy")
    with pytest.raises(ValueError, match="seat"):
        match.rename(2, "Di")
    match.play(Place(2))
    with pytest.raises(TabletopError, match="cannot be renamed"):
        match.rename(0, "Di")
    assert match.names == ("Ada", "Cy")
    match.undo()
    match.rename(0, "Di")
    assert match.names == ("Di", "Cy")


def test_a_match_starts_from_the_given_state() -> None:
    match = puzzle()
    assert (match.state, match.ply, match.to_act) == (PUZZLE, 0, (0,))
    assert match.first_state == PUZZLE
    assert Match(tictactoe.GAME, seed=1).first_state is None
    match.play(Place(2))
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_several_matches_start_from_one_state_and_do_not_change_it() -> None:
    before = PUZZLE.clone()
    for cell in (2, 5, 8):
        match = puzzle()
        match.play(Place(cell))
        assert match.state != PUZZLE
    assert before == PUZZLE


def test_a_match_starts_from_json_data() -> None:
    data = json.loads(json.dumps(to_builtins(PUZZLE)))
    assert Match(tictactoe.GAME, seed=1, state=data).digest() == puzzle("1").digest()
    match = Match(tictactoe.GAME, seed=1, state={"seat": 1})
    assert match.state == Board(seat=1), "fields that are left out have their defaults"


def test_the_draws_of_the_setup_are_reported_once_and_the_streams_start_after_them() -> None:
    draws: list[Draw] = []
    match = Match(cards.GAME, seed="x", state=midgame_state(cards.GAME, 3), on_draw=draws.append)
    usual: list[Draw] = []
    other = Match(cards.GAME, seed="x", on_draw=usual.append)
    assert draws == usual != []
    assert match.streams() == other.streams() != {}


# Undo and redo.


def test_undo_cannot_go_back_before_the_given_state() -> None:
    match = puzzle()
    with pytest.raises(ValueError, match="from 0 to 0, not 1"):
        match.undo()
    match.play(Place(8))
    match.undo()
    assert match.state == PUZZLE
    match.redo()
    assert match.state.cells[8] == "x"


@given(
    game=st.sampled_from(GAMES),
    begun=st.integers(0, 30),
    plies=st.integers(0, 3 * CHECKPOINT_PLIES),
    data=st.data(),
)
def test_a_match_from_a_given_state_can_be_undone_and_redone(
    game: AnyGame, begun: int, plies: int, data: st.DataObject
) -> None:
    state = midgame_state(game, begun, seats=2)
    players = (Random(1), Random(2))
    match = Match(game, seed="Old Oak", seats=2, state=state, players=players)
    first = match.digest()
    match.run(plies)
    last, played = match.digest(), match.ply
    back = data.draw(st.integers(0, played))
    match.undo(back)
    match.redo(back)
    assert match.digest() == last
    match.undo(played)
    assert match.digest() == first
    twin = match.clone()
    twin.redo(played)
    assert twin.digest() == last
    assert twin.first_state == match.first_state
    assert match.digest() == first


# Impossible states.


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(StateError, match=r"\bBoard\b.* not from a "):
        Match(tictactoe.GAME, seed=1, state=midgame_state(race.GAME, 1))


FORGED: list[tuple[dict[str, Any], str]] = [
    ({"seat": 2}, r"to_act returns \[2\], not distinct seats from 0 to 1"),
    ({"seat": -1}, r"to_act returns \[-1\], not distinct seats from 0 to 1"),
    ({"seat": "x"}, r"Expected `int`, got `str` - at `\$.seat`"),
    ({"cells": ["x"]}, "IndexError"),
    ({"cells": ["x"] * 9}, "seat 0 is to act, but has no legal action"),
    ({"winner": 7}, "there is no seat 8"),
    ({"sett": 1}, r"Board has no field `\$\.sett`"),
]


@pytest.mark.parametrize(("changes", "wrong"), FORGED)
def test_an_impossible_state_is_refused_with_the_reason(
    changes: dict[str, Any], wrong: str
) -> None:
    data = to_builtins(PUZZLE) | changes
    with pytest.raises(StateError, match=f"^tictactoe: .*{wrong}"):
        Match(tictactoe.GAME, seed=1, state=data)


def test_an_unknown_field_is_reported_with_its_path() -> None:
    game = load("constructor").game
    data = to_builtins(midgame_state(game, 12))
    data["tiles"][3]["coler"] = 1
    with pytest.raises(StateError, match=r" `\$\.tiles\[3\]\.coler`$"):
        Match(game, seed=1, state=data)


def changed(**methods: Any) -> AnyGame:
    """Return tic-tac-toe with changed rules."""
    game: AnyGame = type("Changed", (tictactoe.TicTacToe,), methods)()
    return game


@pytest.mark.parametrize(
    ("game", "wrong"),
    [
        (changed(to_act=lambda self, state: (0,)), r"\bhas the outcome\b"),
        (changed(outcome=lambda self, state: None), r"\bno outcome\b"),
    ],
)
def test_a_state_needs_a_seat_to_act_or_an_outcome(game: AnyGame, wrong: str) -> None:
    with pytest.raises(StateError, match=wrong):
        Match(game, seed=1, state=replace(PUZZLE, winner=1))


@dataclass
class Shy:
    """A state whose JSON data contains another seat than the state."""

    seat: int = 0

    def __post_init__(self) -> None:
        self.seat = 0

    def clone(self) -> Shy:
        """Return a copy."""
        return Shy(self.seat)


def test_a_state_that_json_changes_is_refused() -> None:
    state = Shy()
    state.seat = 1
    with pytest.raises(StateError, match=r"\bchanges\b.*\bJSON\b"):
        Match(changed(setup=lambda self, options, seats, rng: Shy()), seed=1, state=state)


def test_a_match_can_start_from_a_final_state() -> None:
    match = Match(tictactoe.GAME, seed=1, state=replace(PUZZLE, winner=1))
    assert match.over
    with pytest.raises(IllegalAction) as caught:
        match.play(Place(2))
    assert caught.value.action == Place(2)


# Records.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "puzzle.jsonl"


def solved(path: Path) -> AnyMatch:
    """Play the puzzle to its end, and return the path of its record."""
    match = puzzle(seats=["Ann", "Bo"])
    with Journal.create(path, match):
        match.play(Place(8))
        match.undo()
        match.play(Place(2))
    return match


def test_a_record_contains_the_given_state_and_replays(path: Path) -> None:
    match = solved(path)
    first = json.loads(path.read_text().splitlines()[0])
    assert first["state"] == to_builtins(PUZZLE)
    again = replay(read(path), tictactoe.GAME)
    assert (again.digest(), again.first_state) == (match.digest(), PUZZLE)
    assert again.actions == match.actions
    Journal.create(path.with_name("set-up.jsonl"), Match(tictactoe.GAME, seed=1)).close()
    assert "state" not in json.loads(path.with_name("set-up.jsonl").read_text().splitlines()[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", installed())
def test_every_bundled_game_can_start_from_any_of_its_states(name: str, tmp_path: Path) -> None:
    game = load(name).game
    for plies in (0, 1, 7, 40, 10_000):
        state = midgame_state(game, plies)
        path = tmp_path / f"{plies}.jsonl"
        players = [Random(seat) for seat in range(Match(game, seed=1).seats)]
        match = Match(game, seed="On From Here", state=state, players=players)
        with Journal.create(path, match):
            match.run(50)
        again = replay(read(path), game)
        assert again.digest() == match.digest()
        again.undo(again.ply)
        assert to_builtins(again.state) == to_builtins(state)


@pytest.mark.parametrize(
    ("state", "wrong"),
    [*((to_builtins(PUZZLE) | changes, wrong) for changes, wrong in FORGED), (5, r"\bint\b")],
)
def test_an_impossible_state_in_a_record_counts_as_damage(
    path: Path, state: object, wrong: str
) -> None:
    solved(path)
    header, *rest = path.read_text().splitlines()
    data = json.loads(header) | {"state": state}
    del data["check"]
    path.write_text("\n".join([json.dumps(with_check(data)), *rest]) + "\n")
    damage = f"line 1: the initial state is damaged: .*{wrong}"
    with pytest.raises(RecordError, match=f"puzzle.jsonl: {damage}") as caught:
        replay(read(path), tictactoe.GAME)
    assert caught.value.line == 1


def test_compare_reports_different_initial_states(tmp_path: Path) -> None:
    sides = []
    for number, state in enumerate((None, PUZZLE)):
        path = tmp_path / f"{number}.jsonl"
        Journal.create(path, Match(tictactoe.GAME, seed=1, state=state)).close()
        sides.append(open_source(path, lambda record: tictactoe.GAME))
    ((name, one, other),) = compare(*sides).headers
    assert (name, one) == ("first state", "the setup")
    assert str(other).startswith("given, ")


# Scores.


def test_a_match_from_a_given_state_is_marked_on_its_sheet_and_not_ranked(
    path: Path,
) -> None:
    solved(path)
    sheet = verified(read(path), tictactoe.GAME)
    assert sheet.given_state
    assert not ScoreSheet.of(Header.of(Match(tictactoe.GAME)), (), sheet.outcome).given_state
    other = replace(sheet, given_state=False)
    assert ranked([sheet, other]) == [other]


@pytest.mark.parametrize("origin", ["weekly", "daily"])
def test_a_match_from_a_given_state_does_not_count_for_the_weekly_or_daily_seed(
    path: Path, origin: str
) -> None:
    match = puzzle()
    with Journal.create(path, match, Header.of(match, seed_origin=origin)):
        match.play(Place(2))
    with pytest.raises(ScoresError, match=f"match of the {origin}"):
        verified(read(path), tictactoe.GAME)


def test_matches_from_different_states_have_different_keys() -> None:
    header = Header.of(puzzle())
    others = [replace(header, state=state) for state in (None, to_builtins(Board()))]
    assert len({key_of(it, ()) for it in (header, *others)}) == 3


def test_another_version_of_the_rules_is_reported_before_a_damaged_state(path: Path) -> None:
    solved(path)
    with pytest.raises(RecordVersionError):
        replay(read(path), changed(version="2"))
