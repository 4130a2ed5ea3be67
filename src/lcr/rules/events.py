"""Events of LCR."""

from __future__ import annotations

from functools import cache
from typing import assert_never

from lcr.rules.dice import DIE, Face
from tabletop import Event, Seat, event
from tabletop.rules import clockwise


@event
class DieRolled(Event):
    """A die has been rolled, and its face is applied before the next die (LCR §3.1).

    `roll` is from 0 to 5.
    """

    seat: Seat
    roll: int
    face: Face


@event
class ChipPassed(Event):
    """A chip has been passed to a neighbour, or into the pot if `to` is None."""

    seat: Seat
    to: Seat | None


@event
class TurnEnded(Event):
    """A seat has rolled all of its dice and ended its turn with `chips` chips."""

    seat: Seat
    chips: int


@cache
def chip_moves(seats: int) -> tuple[tuple[ChipPassed | None, ...], ...]:
    """Return the event of passing a chip for each seat and roll.

    The event of a roll is `chip_moves(seats)[seat][roll]`, or None if the player keeps the chip.
    The left neighbour is the seat with the next higher number, and the right neighbour the seat
    with the next lower number (LCR §2).
    """
    return tuple(tuple(_event_of_face(seat, face, seats) for face in DIE) for seat in range(seats))


def _event_of_face(seat: Seat, face: Face, seats: int) -> ChipPassed | None:
    match face:
        case Face.DOT:
            return None
        case Face.CENTER:
            return ChipPassed(seat, None)
        case Face.LEFT:
            return ChipPassed(seat, clockwise(seat, seats, 1))
        case Face.RIGHT:
            return ChipPassed(seat, clockwise(seat, seats, -1))
    assert_never(face)
