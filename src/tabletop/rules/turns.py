"""Orders of turns: the next seat, and the next phase.

Plain functions over plain data: their results stay in the state of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tabletop.states.bounds import Seat

P = TypeVar("P")


def clockwise(seat: Seat, seats: int, steps: int = 1) -> Seat:
    """Return the seat `steps` places left of `seat` (negative: right), round the table.

    >>> clockwise(3, 4)
    0
    >>> clockwise(0, 4, -1)
    3
    """
    return (seat + steps) % seats


def next_seat(seat: Seat, seats: int, plays: Callable[[Seat], object]) -> Seat | None:
    """Return the next seat clockwise for which `plays` is true; None when it is so for nobody.

    The search begins after `seat`, which comes last itself.

    >>> chips = [2, 0, 0, 5]
    >>> next_seat(0, 4, lambda seat: chips[seat] > 0)
    3
    """
    for steps in range(1, seats + 1):
        other = (seat + steps) % seats
        if plays(other):
            return other
    return None


def snake(seats: int, rounds: int = 2) -> tuple[Seat, ...]:
    """Return the order of a draft that turns round at its ends: 0, 1, 2, 2, 1, 0, 0, ...

    Each seat comes once in every one of the `rounds`.

    >>> snake(4)
    (0, 1, 2, 3, 3, 2, 1, 0)
    """
    forth = tuple(range(seats))
    return tuple(seat for lap in range(rounds) for seat in (forth[::-1] if lap % 2 else forth))


def from_seat(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats in clockwise order, `first` in front: the active player first.

    >>> from_seat(1, 3)
    (1, 2, 0)
    """
    return tuple((first + steps) % seats for steps in range(seats))


def others(seat: Seat, plays: Sequence[object] | int) -> tuple[Seat, ...]:
    """Return the other seats that still play, clockwise from the left of `seat`.

    Args:
        seat: the seat that is left out.
        plays: for each seat what is true or not empty as long as it plays: its hand, its coins; or
            the number of seats, where all of them play.

    >>> hands = [["oar"], [], ["net"], ["rope"]]
    >>> others(2, hands), others(2, 4)
    ((3, 0), (3, 0, 1))
    """
    if isinstance(plays, int):
        return from_seat(seat, plays)[1:]
    return tuple(it for it in from_seat(seat, len(plays))[1:] if plays[it])


def next_phase(phase: P, phases: Sequence[P]) -> P | None:
    """Return the phase after `phase`, or None after the last: the turn is over.

    Raises:
        ValueError: `phase` is none of `phases`.

    >>> next_phase("roll", ["roll", "build"])
    'build'
    """
    if phase not in phases:
        raise ValueError(f"{phase!r} is no phase; they are {', '.join(map(repr, phases))}")
    place = phases.index(phase) + 1
    return phases[place] if place < len(phases) else None
