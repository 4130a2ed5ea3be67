"""The flow of a turn: pending tasks, simultaneous choices, hands passed on.

A stack of `Todo` in the state, the next one last, holds interruptions, reactions, and questions in
the middle of a turn: an interruption is put on top, and what was interrupted goes on when it is
done. The state of a draft keeps what each seat has put aside so far: one list a seat.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from tabletop.states.bounds import Length, Seat

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Todo:
    """A task still to do, or a question to be answered first.

    A list of these is plain data: `list.copy` is enough to clone it.

    Attributes:
        what: a word of the game's own: "challenge", "steal".
        by: the seat that does it.
        seats: the seats that may still answer; none when it only has to be done.
        about: its subject: a card, a number.
        target: the seat that it is aimed at, if any.
    """

    what: str
    by: Seat
    seats: Annotated[tuple[Seat, ...], Length(lambda match: match.seats)] = ()
    about: int | str | None = None
    target: Seat | None = None


def asked(stack: Sequence[Todo], *, in_turn: bool = False) -> tuple[Seat, ...]:
    """Return the seats that the top of the stack waits for; none if it waits for nobody.

    With `in_turn` they answer one after the other: return the first of them alone.

    >>> stack = [Todo("steal", 0), Todo("challenge", 0, (1, 2))]
    >>> asked(stack), asked(stack, in_turn=True)
    ((1, 2), (1,))
    """
    seats = stack[-1].seats if stack else ()
    return seats[:1] if in_turn else seats


def passes(stack: list[Todo], seat: Seat) -> None:
    """Note in `stack` that `seat` passes on its top, which is removed once all have passed.

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
    if seat not in asked(stack):
        raise ValueError(f"seat {seat + 1} is not asked")
    todo = stack.pop()
    left = tuple(other for other in todo.seats if other != seat)
    if left:
        stack.append(replace(todo, seats=left))


def settle(stack: list[Todo], do: Callable[[Todo], object]) -> None:
    """Take the top off the stack and `do` it, as long as it asks nobody. `do` may put more on it.

    >>> stack = [Todo("draw", 1), Todo("steal", 0)]
    >>> settle(stack, lambda todo: print(todo.what))
    steal
    draw
    """
    while stack and not stack[-1].seats:
        do(stack.pop())


# Choices that are made at the same time, in secret, and hands that are passed on.


def choosing(chosen: Sequence[Sized], each: int = 1) -> tuple[Seat, ...]:
    """Return the seats that have put aside fewer than `each` things: those that are to act.

    `chosen` has what each seat has put aside so far, in the order of seats.

    >>> choosing([["oar"], [], ["net"]])
    (1,)
    """
    return tuple(seat for seat, own in enumerate(chosen) if len(own) < each)


def pass_on(hands: MutableSequence[list[T]], steps: int = 1) -> None:
    """Pass every hand on to the seat `steps` places to the left (negative: to the right).

    >>> hands = [["a"], ["b"], ["c"]]
    >>> pass_on(hands)
    >>> hands
    [['c'], ['a'], ['b']]
    """
    hands[:] = [hands[(seat - steps) % len(hands)] for seat in range(len(hands))]
