"""`why_not`: reasons for refused actions, which do not affect the decision."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any
from unittest import mock

import pytest

from tabletop import (
    Game,
    IllegalAction,
    Match,
    Options,
    Outcome,
    Seat,
    State,
    Streams,
    Table,
    state,
)

ACTIONS = ("left", "right", "up")


@state
class Spot(State):
    """The number of moves."""

    moves: int = 0


class Wander(Game[Spot, str]):
    """Moves left or right. `why_not` returns a reason for every action and records its calls."""

    name = "wander"
    seats = range(1, 2)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def setup(self, options: Options, seats: int, rng: Streams) -> Spot:
        return Spot()

    def to_act(self, state: Spot) -> Sequence[Seat]:
        return (0,)

    def legal_actions(self, state: Spot, seat: Seat) -> Sequence[str]:
        return ACTIONS[:2]

    def all_actions(self, options: Options, seats: int) -> Sequence[str] | None:
        return ACTIONS

    def why_not(self, state: Spot, action: str) -> Any:
        self.asked.append(action)
        return f"nobody goes {action} here"

    def apply(self, state: Spot, action: str, table: Table) -> None:
        state.moves += 1

    def outcome(self, state: Spot) -> Outcome | None:
        return None


def refusal(game: Wander, action: str = "up") -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        Match(game, seed="old oak").play(action)
    return caught.value


def test_an_action_at_the_wrong_moment_is_refused_with_the_reason() -> None:
    error = refusal(Wander(), Match(Wander()).parse("UP"))
    assert str(error) == "nobody goes up here"
    assert (error.action, error.seat) == ("up", 0)


@pytest.mark.parametrize("listed", [False, True])
def test_a_reason_does_not_make_a_legal_action_illegal(*, listed: bool) -> None:
    game = Wander()
    match = Match(game, seed="old oak")
    match.play(match.legal_actions()[0] if listed else "left")
    assert match.ply == 1
    assert game.asked == []


@pytest.mark.parametrize("answer", [None, "", " \n", 0, True, ["no"], Game.why_not])
def test_without_a_reason_the_error_names_the_action(answer: object) -> None:
    class Vague(Wander):
        why_not: Any = answer if answer is Game.why_not else lambda self, state, action: answer

    assert str(refusal(Vague())).startswith("up ")


@pytest.mark.parametrize("failure", [KeyError("up"), IllegalAction("not I"), RecursionError()])
def test_an_action_is_refused_even_if_why_not_raises(failure: Exception) -> None:
    class Failing(Wander):
        def why_not(self, state: Spot, action: str) -> str:
            raise failure

    error = refusal(Failing())
    assert str(error).startswith("up ")
    assert error.__cause__ is failure


def test_a_check_for_free_form_actions_can_use_the_default_for_others() -> None:
    class Free(Wander):
        lists_every_action = False

        def check(self, state: Spot, action: str) -> None:
            if not action.isdecimal():
                super().check(state, action)

    game = Free()
    match = Match(game, seed="old oak")
    for action in ("17", "left"):
        match.play(action)
    assert str(refusal(game)) == "nobody goes up here"
    assert match.ply == 2


@pytest.mark.parametrize("alike", [1.0, True, mock.ANY])
def test_a_value_equal_to_a_legal_action_with_another_text_is_refused(alike: Any) -> None:
    class Steps(Wander):
        def legal_actions(self, state: Spot, seat: Seat) -> Any:
            return (1, 2)

    game: Any = Steps()
    match = Match[Spot, Any](game, seed="old oak")
    with pytest.raises(IllegalAction):
        match.play(alike)
    assert match.ply == 0


def test_a_value_equal_to_a_legal_action_with_the_same_text_is_played() -> None:
    class Side(StrEnum):
        LEFT = "left"

    match = Match(Wander(), seed="old oak")
    match.play(Side.LEFT)
    assert match.actions == ("left",)
