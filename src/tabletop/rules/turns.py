"""Turn orders: the next seat and the next phase.

The functions return plain data for a game to store in its state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tabletop.states.bounds import Seat

P = TypeVar("P")


def clockwise(seat: Seat, seats: int, steps: int = 1) -> Seat:
    """Return the seat `steps` places clockwise from `seat`. Negative steps go counterclockwise.

    >>> clockwise(3, 4)
    0
    >>> clockwise(0, 4, -1)
    3
    """
    return (seat + steps) % seats


def next_seat(seat: Seat, seats: int, plays: Callable[[Seat], object]) -> Seat | None:
    """Return the next seat clockwise for which `plays` is true, or None if there is none.

    The search begins after `seat` and ends with `seat` itself.

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
    """Return the order of a draft that reverses after each round: 0, 1, 2, 2, 1, 0, 0, ...

    Args:
        seats: The number of seats.
        rounds: The number of rounds. Each seat has one turn in each round.

    >>> snake(4)
    (0, 1, 2, 3, 3, 2, 1, 0)
    """
    forth = tuple(range(seats))
    return tuple(seat for lap in range(rounds) for seat in (forth[::-1] if lap % 2 else forth))


def from_seat(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats in clockwise order from `first`.

    >>> from_seat(1, 3)
    (1, 2, 0)
    """
    return tuple((first + steps) % seats for steps in range(seats))


def others(seat: Seat, plays: Sequence[object] | int) -> tuple[Seat, ...]:
    """Return the other seats that are still playing, clockwise, starting after `seat`.

    Args:
        seat: The seat to leave out.
        plays: For each seat, a value that is true while the seat is still playing, such as a
            non-empty hand or the number of its coins. If all seats are playing, pass the number of
            seats instead.

    >>> hands = [["oar"], [], ["net"], ["rope"]]
    >>> others(2, hands), others(2, 4)
    ((3, 0), (3, 0, 1))
    """
    if isinstance(plays, int):
        return from_seat(seat, plays)[1:]
    return tuple(other for other in from_seat(seat, len(plays))[1:] if plays[other])


def next_phase(phase: P, phases: Sequence[P]) -> P | None:
    """Return the phase after `phase`, or None after the last phase.

    Raises:
        ValueError: `phase` is not one of `phases`.

    >>> next_phase("roll", ["roll", "build"])
    'build'
    """
    if phase not in phases:
        raise ValueError(f"{phase!r} is not one of the phases {', '.join(map(repr, phases))}")
    place = phases.index(phase) + 1
    return phases[place] if place < len(phases) else None
