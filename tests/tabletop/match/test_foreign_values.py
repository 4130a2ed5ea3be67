"""Values of foreign types, such as NumPy numbers, never get into a state through an action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tabletop.games import rps

from tabletop import Game, Match, Outcome, State, state
from tabletop.errors import NotAnAction
from tabletop.match import AnyMatch
from tabletop.records import Journal, read
from tabletop.registry import load

EXAMPLES = Path(__file__).parents[3] / "examples"


@state
class Heap(State):
    stones: int = 21
    seat: int = 0


class Nim(Game[Heap, Any]):
    """Take one stone to three."""

    name = "heap"

    def setup(self, options: Any, seats: int, rng: Any) -> Heap:
        return Heap()

    def to_act(self, state: Heap) -> Sequence[int]:
        return (state.seat,) if state.stones else ()

    def legal_actions(self, state: Heap, seat: int) -> Sequence[Any]:
        return range(1, min(3, state.stones) + 1)

    def apply(self, state: Heap, action: Any, table: Any) -> None:
        state.stones -= action
        state.seat = 1 - state.seat

    def outcome(self, state: Heap) -> Outcome | None:
        return None if state.stones else Outcome.win(1 - state.seat, seats=2)


@dataclass(frozen=True)
class Take:
    """An action whose text shows the type of its number."""

    stones: Any


class Takes(Nim):
    def legal_actions(self, state: Heap, seat: int) -> Sequence[Any]:
        return tuple(map(Take, super().legal_actions(state, seat)))

    def apply(self, state: Heap, action: Any, table: Any) -> None:
        super().apply(state, action.stones, table)


class TakesAny(Takes):
    """Accepts any number of stones, but parses only the listed ones."""

    lists_every_action = False

    def check(self, state: Heap, action: Any) -> Any:
        if action.stones > state.stones:
            raise self.refusal(state, action)


class TakesMany(Nim):
    """Accepts any number of stones as a bare number."""

    lists_every_action = False

    def check(self, state: Heap, action: Any) -> Any:
        if action > state.stones:
            raise self.refusal(state, action)


class Chooses:
    """A bot that returns one fixed value."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def choose(self, view: Any, actions: Any) -> Any:
        return self._value


def assert_plain(match: AnyMatch, action: Any) -> None:
    """Check that the last action is `action`, of its exact types, and that the state is plain."""
    assert repr(match.actions[-1]) == repr(action)
    assert type(match.state.stones) is int
    assert match.digest()


@pytest.mark.parametrize("number", [np.int64(2), np.uint8(2), np.array(2)])
def test_a_numpy_number_is_replaced_by_the_legal_action(number: Any) -> None:
    match = Match(Nim(), seed=1)
    match.play(number)
    assert_plain(match, 2)


def test_a_numpy_number_in_an_action_is_replaced_with_the_action() -> None:
    match = Match(Takes(), seed=1)
    match.play(Take(np.int64(2)))
    assert_plain(match, Take(2))


def test_the_choice_of_a_bot_is_replaced_by_the_legal_action() -> None:
    match = Match(Nim(), seed=1, players=[Chooses(np.int64(3))])
    assert type(match.step()) is int
    assert_plain(match, 3)


def test_a_simultaneous_choice_is_replaced_by_the_legal_action() -> None:
    match = Match(rps.GAME, seed=1)
    seat: Any = np.int64(1)
    match.play(rps.Show(seat, "rock"))
    assert type(match.actions[-1].seat) is int
    assert match.digest()


def test_a_free_form_action_is_replaced_by_what_its_text_means() -> None:
    match: AnyMatch = Match(load(str(EXAMPLES / "flotsam.py")).game, seed=1)
    match.play(match.legal_actions()[0])
    bid = match.parse("bid 3")
    assert bid not in match.legal_actions()
    match.play(replace(bid, number=np.int64(3)))
    assert match.actions[-1] == bid
    assert type(match.actions[-1].number) is int
    assert match.digest()


def test_a_listed_action_is_found_where_the_check_of_the_game_returns_nothing() -> None:
    match = Match(TakesAny(), seed=1)
    match.play(Take(np.int64(2)))
    assert_plain(match, Take(2))


def test_a_free_form_action_that_cannot_be_parsed_must_not_contain_a_foreign_value() -> None:
    match = Match(TakesAny(), seed=1)
    match.play(Take(9))
    assert_plain(match, Take(9))
    with pytest.raises(NotAnAction):
        match.play(Take(np.int64(9)))
    assert match.ply == 1


def test_a_bare_free_form_number_of_a_foreign_type_is_refused() -> None:
    match = Match(TakesMany(), seed=1)
    match.play(9)
    for refuse in (match.check, match.play):
        with pytest.raises(NotAnAction, match="8"):
            refuse(np.int64(8))
    assert (match.ply, match.state.stones) == (1, 12)


@pytest.mark.parametrize("value", [2.0, True, np.float64(2), np.bool_(1), np.array([1, 2]), "2"])
def test_a_value_that_is_not_spelt_like_a_legal_number_is_refused(value: Any) -> None:
    match = Match(Nim(), seed=1)
    with pytest.raises(NotAnAction):
        match.play(value)
    assert match.ply == 0


def test_a_record_of_numpy_actions_is_that_of_plain_ones(tmp_path: Path) -> None:
    records = []
    for make in (int, np.int64):
        path = tmp_path / f"{make.__name__}.jsonl"
        match = Match(Nim(), seed="old oak")
        with Journal.create(path, match):
            for number in (1, 2, 3):
                match.play(make(number))
        records.append(read(path).entries)
    assert records[0] == records[1]
