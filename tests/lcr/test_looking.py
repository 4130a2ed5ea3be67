"""What the picture of Left, Center, Right is drawn from."""

from __future__ import annotations

import pytest

from lcr import ChipPassed, DieRolled, Face, LcrState, TurnEnded
from lcr.looking import CROWDED, FEW, NARROW, WIDE, Layout, Looking
from tabletop import ActionsUndone, Event, Seat
from tabletop.picture import Scene

NAMES = ("Ann", "Bo", "Cid", "Dee")
ROLLED: list[Event] = [
    DieRolled(2, 1, Face.RIGHT),
    ChipPassed(2, 1),
    DieRolled(2, 2, Face.CENTER),
    ChipPassed(2, None),
    TurnEnded(2, 1),
]


def looking(seat: Seat | None, told: list[Event] | None = None) -> Looking:
    events = told or []
    return Looking(LcrState.start(4), Scene(NAMES, seat, recent=events, told=events))


@pytest.mark.parametrize("seat", range(4))
def test_whoever_looks_sits_below_and_the_next_one_to_the_left(seat: Seat) -> None:
    x, y = looking(seat).direction(seat)
    assert (round(x, 9), round(y, 9)) == (0, 1)
    left, middle = looking(seat).direction((seat + 1) % 4)
    assert (round(left, 9), round(middle, 9)) == (-1, 0)


def test_a_spectator_sees_the_first_seat_below() -> None:
    assert looking(None).direction(0)[1] == 1


def test_the_dice_of_the_last_turn_are_shown_in_the_order_in_which_they_were_rolled() -> None:
    assert looking(0, ROLLED).rolled == (2, [Face.RIGHT, Face.CENTER])
    earlier: list[Event] = [DieRolled(1, 0, Face.LEFT), TurnEnded(1, 3)]
    assert looking(0, [*earlier, *ROLLED]).rolled == (2, [Face.RIGHT, Face.CENTER])


def test_no_dice_are_shown_when_none_were_rolled_or_the_roll_was_taken_back() -> None:
    assert looking(0).rolled is None
    assert looking(0, [*ROLLED, ActionsUndone(1, 0)]).rolled is None


def test_changes_count_chips_given_and_got_also_those_of_the_pot() -> None:
    assert looking(0, ROLLED).changes == {2: -2, 1: 1, None: 1}


@pytest.mark.parametrize(
    ("seats", "narrow", "layout"),
    [(4, False, WIDE), (12, False, WIDE), (FEW, True, NARROW), (FEW + 1, True, CROWDED)],
)
def test_a_phone_has_a_higher_picture_for_many_players(
    seats: int, narrow: bool, layout: Layout
) -> None:
    scene = Scene([""] * seats, narrow=narrow)
    assert Looking(LcrState.start(seats), scene).layout is layout
