"""The events of a game.

There are few different events, and very many of each, so the rules emit shared objects out
of the functions and tables below.
"""

from __future__ import annotations

from functools import cache
from typing import Final, assert_never

from lcr.rules.dice import DIE, Face
from lcr.rules.state import CHIPS_AT_START, SEATS
from tabletop import Event, Seat, event
from tabletop.rules import clockwise


@event
class DieRolled(Event):
    """A die has shown `roll`, 0 to 5; it is acted on at once, before the next one (LCR §3.1)."""

    seat: Seat
    roll: int
    face: Face


@event
class ChipPassed(Event):
    """A chip has gone from `seat` to a neighbour; `to` is None when it went into the pot."""

    seat: Seat
    to: Seat | None


@event
class TurnEnded(Event):
    """A seat has rolled all its dice, and ends its turn with so many chips."""

    seat: Seat
    chips: int


ROLLED: Final = tuple(
    tuple(DieRolled(seat, roll, face) for roll, face in enumerate(DIE)) for seat in range(SEATS[-1])
)
"""The event of each roll: `ROLLED[seat][roll]`."""

ENDED: Final = tuple(
    tuple(TurnEnded(seat, chips) for chips in range(CHIPS_AT_START * SEATS[-1] + 1))
    for seat in range(SEATS[-1])
)
"""The event that ends a turn: `ENDED[seat][chips]`."""


@cache
def chip_moves(seats: int) -> tuple[tuple[ChipPassed | None, ...], ...]:
    """Return the effect of each roll on a chip among `seats`: `chip_moves(seats)[seat][roll]`.

    None means that the roller keeps it. Left is the next higher seat, right the next lower one,
    round the table (LCR §2).
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
