"""The laws of learning environments, and games that break them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import pytest

from tabletop import Game, Options, Outcome, Seat, State, Streams, Table, state
from tabletop.errors import MissingExtra
from tabletop.states import PER_SEAT, Range
from tabletop.testing import LawBroken, check_game


@state
class Points(State):
    points: list[int]
    turn: int = 0


@state
class HalfBoundedPoints(Points):
    points: Annotated[list[Annotated[int, Range(0, 18)]], PER_SEAT]
    turn: int = 0


@state
class BoundedPoints(Points):
    points: Annotated[list[Annotated[int, Range(0, 18)]], PER_SEAT]
    turn: Annotated[int, Range(0, 6)] = 0


@state
class NarrowPoints(Points):
    points: Annotated[list[Annotated[int, Range(0, 2)]], PER_SEAT]
    turn: Annotated[int, Range(0, 6)] = 0


class Dice(Game[Points, str]):
    """Three throws each."""

    name = "dice"
    kind: type[Points] = BoundedPoints

    def setup(self, options: Options, seats: int, rng: Streams) -> Points:
        return self.kind([0] * seats)

    def to_act(self, state: Points) -> Sequence[Seat]:
        return (state.turn % 2,) if state.turn < 6 else ()

    def legal_actions(self, state: Points, seat: Seat) -> Sequence[Any]:
        return ("roll",)

    def all_actions(self, options: Options, seats: int) -> Sequence[Any] | None:
        return ("roll", "wait")

    def apply(self, state: Points, action: str, table: Table) -> None:
        state.points[state.turn % 2] += table.rng["dice"].roll(6)
        state.turn += 1

    def outcome(self, state: Points) -> Outcome | None:
        return Outcome.by_score(state.points) if state.turn == 6 else None


class WithoutBounds(Dice):
    kind = Points


class HalfBounded(Dice):
    kind = HalfBoundedPoints


class Narrow(Dice):
    kind = NarrowPoints


class BonusAtTheEnd(Dice):
    """Exceeds its bounds only after the last action."""

    def apply(self, state: Points, action: str, table: Table) -> None:
        super().apply(state, action, table)
        state.points[0] += 20 * (state.turn == 6)


class Confused(Dice):
    """Lists an action that is equal, but not identical, to one in `all_actions`."""

    def legal_actions(self, state: Points, seat: Seat) -> Sequence[Any]:
        return (1,)

    def all_actions(self, options: Options, seats: int) -> Sequence[Any] | None:
        return (True, False)

    def parse(self, text: str, state: Points, seat: Seat) -> Any:
        return 1


class Own:
    """An encoder of the game that writes `number`."""

    size = 2
    low, high = (0, 0), (1, 1)

    def __init__(self, number: float = 1.0, places: slice = slice(0, 2)) -> None:
        self.number = number
        self.places = places
        self.asked = 0

    def encode(self, view: Any, seat: Seat | None, out: Any) -> None:
        self.asked += 1
        out[self.places] = self.number


class Restless(Own):
    def encode(self, view: Any, seat: Seat | None, out: Any) -> None:
        super().encode(view, seat, out)
        out[0] = self.asked % 2


class Failing(Own):
    def encode(self, view: Any, seat: Seat | None, out: Any) -> None:
        raise ZeroDivisionError


def unmade(game: Any, options: Any, seats: int) -> Any:
    raise KeyError(seats)


def test_a_game_with_bounds_passes() -> None:
    report = check_game(Dice(), matches=1)
    assert report.no_observations == ""
    assert "observations" not in str(report)


def test_a_game_with_its_own_encoder_passes() -> None:
    assert check_game(WithoutBounds(), matches=1, encoder=Own()).no_observations == ""


def test_the_report_says_why_observations_were_not_tested() -> None:
    report = check_game(HalfBounded(), matches=1)
    assert report.no_observations.startswith("HalfBoundedPoints.turn: int ")
    assert str(report).endswith(f"\nobservations not tested: {report.no_observations}")


def test_the_report_names_the_library_that_observations_lack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = "a learning environment needs pettingzoo: pip install 'tabletop-rules[envs]'"

    def lacking(*_: object) -> None:
        raise MissingExtra(said)

    for name in [it for it in sys.modules if it.startswith("tabletop.envs")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("tabletop.host.extras.require", lacking)
    assert check_game(Dice(), matches=1).no_observations == said


def test_a_game_without_bounds_is_not_mentioned() -> None:
    assert check_game(WithoutBounds(), matches=1).no_observations == ""


def test_a_game_that_does_not_list_its_actions_is_not_mentioned() -> None:
    class Unlisted(WithoutBounds):
        def all_actions(self, options: Options, seats: int) -> Sequence[Any] | None:
            return None

    assert check_game(Unlisted(), matches=1).no_observations == ""


@pytest.mark.parametrize(
    ("law", "game", "encoder", "message"),
    [
        (
            "observation",
            Narrow(),
            None,
            r"points\[\+\d\] .*\b2, not \d: ",
        ),
        ("observation", BonusAtTheEnd(), None, r"points\[\+\d\] .*\b18, not \d+: "),
        ("observation", Dice(), Own(2.0), r"\bnumber 0 for seat 0\b.* 2\b"),
        ("observation", Dice(), Own(places=slice(0, 1)), r"\bnumber 1 for seat 0\b.* nan\b"),
        ("observation", Dice(), Restless(), r"\bredealt .*\bencoding\b"),
        ("observation", Dice(), Failing(), r"\bencode .*ZeroDivisionError"),
        ("observation", Dice(), unmade, r"\bencoder .*KeyError\(2\)"),
        ("all actions", Confused(), None, r"\b1 .*\ball_actions.* dice"),
    ],
)
def test_a_broken_game_fails_for_its_own_law(
    law: str, game: Dice, encoder: object, message: str
) -> None:
    with pytest.raises(LawBroken, match=message) as caught:
        check_game(game, matches=1, encoder=encoder)
    assert caught.value.law == law
