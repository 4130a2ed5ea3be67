"""The flow of a turn: pending tasks, windows to answer, simultaneous choices, hands passed on.

A stack of `Todo` in the state, the next one last, holds interruptions, reactions, and questions in
the middle of a turn: an interruption is put on top, and what was interrupted goes on when it is
done. The state of a draft keeps what each seat has put aside so far: one list a seat.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from tabletop.rules.secrets import Known
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


def asked(
    stack: Sequence[Todo], *, in_turn: bool = False, said: Sequence[object | None] = ()
) -> tuple[Seat, ...]:
    """Return the seats that the top of the stack waits for; none if it waits for nobody.

    With `in_turn` they answer one after the other: return the first of them alone. With `said`,
    the answer of each seat or None, those are left out that have answered; see `hear`.

    >>> stack = [Todo("steal", 0), Todo("challenge", 0, (1, 2))]
    >>> asked(stack), asked(stack, in_turn=True)
    ((1, 2), (1,))
    >>> asked(stack, said=[None, "pass", None])
    (2,)
    """
    seats = stack[-1].seats if stack else ()
    if said:
        seats = tuple(seat for seat in seats if said[seat] is None)
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


def hear(stack: list[Todo], said: MutableSequence[T | None], passing: T) -> T | None:
    """Close the window on top of the stack once its answers decide it; until then do nothing.

    A window is a task whose `seats` answer at the same time, each by its item of `said`. The first
    of them in the order of `seats` that does not pass counts: it becomes the `target`. If all pass
    there is none. Who answers sooner has no advantage: bots need not wait for people, and people
    have all the time they want. A closed window asks nobody, so that `settle` does it, and `said`
    is empty for the next one.

    Returns:
        The answer that counts; None if all pass, or as long as the window is open.

    >>> stack = [Todo("object?", 0, (1, 2, 3))]
    >>> said = [None, None, "object", None]
    >>> hear(stack, said, passing="pass"), asked(stack, said=said)
    (None, (1, 3))
    >>> said[1] = "pass"
    >>> hear(stack, said, passing="pass"), stack
    ('object', [Todo(what='object?', by=0, seats=(), about=None, target=2)])
    """
    first = next((seat for seat in asked(stack) if said[seat] != passing), None)
    if not asked(stack) or (first is not None and said[first] is None):
        return None
    answer = None if first is None else said[first]
    stack[-1] = replace(stack[-1], seats=(), target=first)
    said[:] = [None] * len(said)
    return answer


def settle(stack: list[Todo], do: Callable[[Todo], object]) -> None:
    """Take the top off the stack and `do` it, as long as it asks nobody. `do` may put more on it.

    >>> stack = [Todo("draw", 1), Todo("steal", 0)]
    >>> settle(stack, lambda todo: print(todo.what))
    steal
    draw
    """
    while stack and not stack[-1].seats:
        do(stack.pop())


def call_off(stack: list[Todo], by: Seat) -> None:
    """Take off the stack what is on top and done by this seat; what others do below it stays.

    A claim that proves false is called off with the act that it stands for, and a false claim to
    block with the block alone.

    >>> stack = [Todo("steal", 0), Todo("stop", 1), Todo("doubt", 1, (0,))]
    >>> call_off(stack, 1)
    >>> [todo.what for todo in stack]
    ['steal']
    """
    while stack and stack[-1].by == by:
        stack.pop()


# Choices that are made at the same time, in secret, and hands that are passed on.


def choosing(chosen: Sequence[Sized], each: int = 1) -> tuple[Seat, ...]:
    """Return the seats that have put aside fewer than `each` things: those that are to act.

    `chosen` has what each seat has put aside so far, in the order of seats.

    >>> choosing([["oar"], [], ["net"]])
    (1,)
    """
    return tuple(seat for seat, own in enumerate(chosen) if len(own) < each)


def pass_cards(
    hands: Sequence[list[T]],
    aside: Sequence[list[T]],
    steps: int = 1,
    known: Known[T] | None = None,
) -> list[tuple[Seat, Seat, list[T]]]:
    """Add what each seat has put aside to the hand `steps` places to the left, and clear it there.

    Args:
        hands: the hand of each seat.
        aside: what each seat has put aside.
        steps: how many places to the left it goes (negative: to the right).
        known: notes that whoever gave a card away knows where it lies.

    Returns:
        For each seat, in their order: who gave to it, the seat, and the cards.

    >>> hands, aside = [["oar"], ["net"]], [["rope"], ["sail"]]
    >>> pass_cards(hands, aside), aside
    ([(1, 0, ['sail']), (0, 1, ['rope'])], [[], []])
    >>> hands
    [['oar', 'sail'], ['net', 'rope']]
    """
    passed = []
    for seat, hand in enumerate(hands):
        giver = (seat - steps) % len(hands)
        cards = aside[giver].copy()
        hand.extend(cards)
        if known is not None:
            for card in cards:
                known.show(giver, card, seat)
        passed.append((giver, seat, cards))
    for own in aside:
        own.clear()
    return passed


def pass_on(hands: MutableSequence[list[T]], steps: int = 1) -> None:
    """Pass every hand on to the seat `steps` places to the left (negative: to the right).

    >>> hands = [["a"], ["b"], ["c"]]
    >>> pass_on(hands)
    >>> hands
    [['c'], ['a'], ['b']]
    """
    hands[:] = [hands[(seat - steps) % len(hands)] for seat in range(len(hands))]
