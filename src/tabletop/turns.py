"""Orders of turns: who comes next, which phase, and what is still to do.

Plain functions over plain data, so that what they decide stays in the state of a game. The stack of
what is still to do is a list of `Todo` in the state, the next one last: an interruption is put on
top, and what was interrupted goes on when it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tabletop.outcome import Seat

P = TypeVar("P")


def clockwise(seat: Seat, seats: int, steps: int = 1) -> Seat:
    """The seat `steps` places to the left of `seat` (negative: to the right), round the table.

    >>> clockwise(3, 4)
    0
    >>> clockwise(0, 4, -1)
    3
    """
    return (seat + steps) % seats


def next_seat(seat: Seat, seats: int, plays: Callable[[Seat], object]) -> Seat | None:
    """The next seat clockwise for which `plays` is true; `seat` itself comes last.

    Returns:
        None when `plays` is true for nobody.

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
    """The order of a draft that turns round at its ends: 0, 1, 2, 2, 1, 0, 0, ...

    >>> snake(4)
    (0, 1, 2, 3, 3, 2, 1, 0)
    """
    forth = tuple(range(seats))
    return tuple(seat for lap in range(rounds) for seat in (forth[::-1] if lap % 2 else forth))


def from_seat(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in clockwise order, `first` in front: the active player first.

    >>> from_seat(1, 3)
    (1, 2, 0)
    """
    return tuple((first + steps) % seats for steps in range(seats))


def next_phase(phase: P, phases: Sequence[P]) -> P | None:
    """The phase after `phase`, or None after the last: the turn is over.

    Raises:
        ValueError: `phase` is none of `phases`.

    >>> next_phase("roll", ["roll", "build"])
    'build'
    """
    place = phases.index(phase) + 1
    return phases[place] if place < len(phases) else None


@dataclass(frozen=True, slots=True)
class Todo:
    """A task still to do, or a question to be answered first.

    A list of these is plain data: `list.copy` is enough to clone it.

    Attributes:
        what: a word of the game's own: "challenge", "steal".
        by: whose doing it is.
        seats: who may still answer; nobody when it only has to be done.
        about: what it is about: a card, a number.
        target: the seat that it is aimed at, if any.
    """

    what: str
    by: Seat
    seats: tuple[Seat, ...] = ()
    about: int | str | None = None
    target: Seat | None = None


def asked(stack: Sequence[Todo]) -> tuple[Seat, ...]:
    """The seats that the top of the stack waits for; empty when the stack is.

    >>> asked([Todo("steal", 0), Todo("challenge", 0, (1, 2))])
    (1, 2)
    """
    return stack[-1].seats if stack else ()


def passes(stack: list[Todo], seat: Seat) -> None:
    """Note that `seat` passes on the top of the stack; once all have passed it is removed.

    Raises:
        ValueError: `seat` is not asked.

    >>> stack = [Todo("steal", 0), Todo("challenge", 0, (1, 2))]
    >>> passes(stack, 2)
    >>> asked(stack)
    (1,)
    >>> passes(stack, 1)
    >>> stack
    [Todo(what='steal', by=0, seats=(), about=None, target=None)]
    """
    top = asked(stack)
    if seat not in top:
        raise ValueError(f"seat {seat + 1} is not asked")
    todo = stack.pop()
    if len(top) > 1:
        stack.append(replace(todo, seats=tuple(other for other in top if other != seat)))


def settle(stack: list[Todo], do: Callable[[Todo], object]) -> None:
    """Resolve the top of the stack as long as it asks nobody. `do` may push more.

    >>> stack = [Todo("draw", 1), Todo("steal", 0)]
    >>> settle(stack, lambda todo: print(todo.what))
    steal
    draw
    """
    while stack and not stack[-1].seats:
        do(stack.pop())
