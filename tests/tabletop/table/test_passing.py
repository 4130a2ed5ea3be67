"""Passes that a table plays for people: without another action, and until the end of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop import Plugin
from tabletop.errors import RecordError
from tabletop.protocol import ActIn, PassIn, RefusedOut, StateOut, UndoIn
from tabletop.table.inputs import Freeze
from tabletop.table.limits import TableLimits
from tabletop.table.passing import FIRST_TIMES
from tabletop.table.votes import PAUSED
from tabletop.testing import LawBroken, check_game
from tests.tabletop.games.guards import GAME, Act, Guards
from tests.tabletop.table.sittings import Sitting, at_game, table_of

FILE = "tests/tabletop/games/guards.py"
WITHOUT, WITH = 2, 1
"""The seats without and with a guard, of those that react to the first seat."""


def asked(**settings: Any) -> Sitting:
    """Return a table where the first player has taken a coin."""
    sitting = table_of(FILE, **settings)
    sitting.open(0, 1, 2)
    act(sitting, 0, "take")
    return sitting


def act(sitting: Sitting, seat: int, line: str) -> None:
    sitting.ask(seat, ActIn(line, seat=seat))


def to_act(sitting: Sitting) -> list[int]:
    return list(sitting.match.to_act)


def passes(sitting: Sitting, seat: int) -> bool | None:
    """Return `passes` of the newest state of a seat."""
    newest: StateOut = sitting.told(seat, StateOut)[-1]
    return newest.passes


def test_a_player_without_a_choice_passes_after_the_time_of_a_decision() -> None:
    sitting = asked()
    sitting.wait(min(FIRST_TIMES) - 0.1)
    assert to_act(sitting) == [1, 2]
    sitting.wait(max(FIRST_TIMES))
    assert to_act(sitting) == [WITH]
    sitting.wait(1000)
    assert to_act(sitting) == [WITH]


def test_such_passes_take_as_long_as_earlier_decisions() -> None:
    sitting = asked()
    for seat in (0, 2, 2):  # the turns in which the second player decides
        sitting.wait(6)
        act(sitting, WITH, "pass")
        for _ in range(2 * (sitting.match.state.turns == 1)):
            act(sitting, 1, "take")
            sitting.wait(10)
        act(sitting, seat, "take")
    sitting.wait(5.9)
    assert to_act(sitting) == [0, 1]
    sitting.wait(0.2)
    assert to_act(sitting) == [WITH]


def test_a_player_passes_until_the_end_of_the_turn() -> None:
    sitting = asked()
    sitting.ask(WITH, PassIn())
    sitting.wait()
    assert to_act(sitting) == [WITHOUT]
    sitting.wait(max(FIRST_TIMES))
    act(sitting, 0, "take")
    sitting.wait(max(FIRST_TIMES))
    assert sitting.match.state.coins == [2, 0, 0]


def test_a_player_who_is_to_move_cannot_pass_instead() -> None:
    sitting = table_of(FILE, players=["human", "random", "human"], casual=True, seating={0: [0, 2]})
    sitting.open(0)
    sitting.ask(0, PassIn(seat=0, id=4))
    [refused] = sitting.told(0, RefusedOut)
    assert (refused.id, refused.reason) == (4, "refused")
    assert sitting.table.passing.until_end == set()


def test_in_the_next_turn_a_player_decides_again() -> None:
    sitting = asked()
    sitting.ask(WITHOUT, PassIn())
    sitting.ask(WITH, PassIn())
    sitting.wait()
    act(sitting, 0, "take")
    sitting.wait(max(FIRST_TIMES))
    assert passes(sitting, WITH) is None
    act(sitting, 1, "take")
    assert sitting.table.passing.until_end == set()


def test_a_player_who_stops_passing_decides_again() -> None:
    sitting = asked()
    sitting.ask(WITH, PassIn())
    sitting.wait(max(FIRST_TIMES))
    act(sitting, 0, "take")
    sitting.ask(WITH, PassIn(on=False))
    sitting.wait(1000)
    assert to_act(sitting) == [WITH]


def test_the_state_of_a_player_contains_whether_the_player_passes() -> None:
    sitting = asked()
    assert passes(sitting, 0) is None
    assert passes(sitting, WITH) is False
    sitting.ask(WITH, PassIn())
    assert passes(sitting, WITH) is True
    assert passes(sitting, 0) is None


def test_the_clocks_are_paused_so_nobody_passes() -> None:
    sitting = asked(clock=100)
    sitting.table.requests.set_hold(PAUSED)
    sitting.wait(1000)
    assert to_act(sitting) == [1, 2]


def test_nobody_passes_at_a_closed_table() -> None:
    sitting = asked()
    sitting.receive(Freeze())
    sitting.wait(1000)
    assert to_act(sitting) == [1, 2]


def test_a_closed_table_refuses_to_pass() -> None:
    sitting = asked()
    sitting.receive(Freeze())
    sitting.ask(WITH, PassIn(id=4))
    [refused] = sitting.told(WITH, RefusedOut)
    assert (refused.id, refused.reason) == (4, "illegal")
    assert sitting.table.passing.until_end == set()


def test_undo_goes_back_to_the_last_decision_and_not_to_a_pass() -> None:
    sitting = table_of(FILE, players=["human", "random", "human"], casual=True, seating={0: [0, 2]})
    sitting.open(0)
    act(sitting, 0, "take")
    sitting.wait(max(FIRST_TIMES))
    assert to_act(sitting) == [0]
    sitting.ask(0, UndoIn())
    assert sitting.match.ply == 0


def test_a_game_without_reactions_refuses_to_pass() -> None:
    sitting = table_of()
    sitting.open(0)
    sitting.ask(0, PassIn(id=4))
    [refused] = sitting.told(0, RefusedOut)
    assert (refused.id, refused.reason) == (4, "refused")


@pytest.mark.parametrize("left", [1.5, 0.1])
def test_a_player_without_a_choice_passes_before_the_time_is_up(left: float) -> None:
    sitting = asked(clock=60, left=[60, 60, left])
    sitting.wait(left)
    assert to_act(sitting) == [WITH]
    assert sitting.match.lost == ()


class Unsaved:
    """A recorder that cannot record what one seat plays."""

    plies = 0

    def played(self, match: object, seat: int, action: object) -> None:
        if seat == WITHOUT:
            raise RecordError("no room")

    def _ignore(self, *_: object) -> None: ...

    undone = seated = conceded = _ignore


@pytest.mark.parametrize("save_again", [0, 5])
def test_a_pass_that_cannot_be_saved_is_tried_again_later(save_again: int) -> None:
    players = ["random", "random", "human"]
    limits = TableLimits(save_again=save_again, pause=0)
    sitting = table_of(FILE, players=players, hosted=False, limits=limits)
    sitting.match.set_recorder(Unsaved())
    sitting.open(WITHOUT)
    sitting.wait(1)
    assert (to_act(sitting), sitting.match.ply) == ([WITHOUT], 2)
    sitting.match.set_recorder(None)
    sitting.wait(max(save_again, *FIRST_TIMES))
    assert sitting.match.ply > 2


class Failing(Guards):
    """The rules fail when they are asked for a pass."""

    def passing(self, state: Any, seat: int) -> Act:
        raise RuntimeError("a mistake in the rules")


def test_a_table_plays_on_without_passes_if_the_rules_fail(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sitting = at_game(Plugin(Failing()), ["human"] * 3)
    sitting.open(0, 1, 2)
    act(sitting, 0, "take")
    act(sitting, 1, "stop")
    act(sitting, 2, "pass")
    assert sitting.match.ply == 3
    assert passes(sitting, 2) is None
    assert "a mistake in the rules" in caplog.text


class Wrong(Guards):
    """A seat passes although it is not asked."""

    def passing(self, state: Any, seat: int) -> Act:
        return Act(seat, "pass")


def test_the_pass_of_a_game_is_legal() -> None:
    with pytest.raises(LawBroken, match="passing returns pass"):
        check_game(Wrong(), matches=1)


@pytest.mark.slow
def test_the_game_with_reactions_keeps_the_contract() -> None:
    assert check_game(GAME, matches=2).matches == 2
