"""Control flow inside a turn: pending tasks, response windows, simultaneous choices, passed hands.

A state keeps a stack of `Pending` tasks in a list, with the next task last. An interruption, a
reaction or a question in the middle of a turn is pushed on top. The task below it continues when
the interruption is resolved. For a draft, the state keeps one list per seat with the cards that
the seat has set aside.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from tabletop.rules.secrets import Known
from tabletop.states.bounds import Length, Seat

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pending:
    """A task to carry out, possibly after some seats have responded to it.

    Tasks are immutable, so `list.copy` is enough to clone a stack of them.

    Attributes:
        what: The kind of task, a word that the game chooses, such as "challenge" or "steal".
        by: The seat that causes the task.
        seats: The seats that may still respond. Empty if no response is possible.
        about: The subject of the task, such as a card or a number.
        target: The seat that the task is aimed at, or None.
    """

    what: str
    by: Seat
    seats: Annotated[tuple[Seat, ...], Length(lambda match: match.seats)] = ()
    about: int | str | None = None
    target: Seat | None = None


def awaiting(
    stack: Sequence[Pending], *, in_turn: bool = False, answers: Sequence[object | None] = ()
) -> tuple[Seat, ...]:
    """Return the seats that must respond to the top task, or () if there are none.

    Args:
        stack: The pending tasks, with the next task last.
        in_turn: Whether the seats respond one after the other. If so, only the first seat is
            returned.
        answers: The answer of each seat, or None if it has not answered yet. Seats that have
            answered are omitted. By default, no seat has answered.

    >>> stack = [Pending("steal", 0), Pending("challenge", 0, (1, 2))]
    >>> awaiting(stack), awaiting(stack, in_turn=True)
    ((1, 2), (1,))
    >>> awaiting(stack, answers=[None, "pass", None])
    (2,)
    """
    seats = stack[-1].seats if stack else ()
    if answers:
        seats = tuple(seat for seat in seats if answers[seat] is None)
    return seats[:1] if in_turn else seats


def record_pass(stack: list[Pending], seat: Seat) -> None:
    """Record that `seat` passes on the top task, and remove the task once every seat has passed.

    Raises:
        ValueError: The top task does not await a response of `seat`.

    >>> stack = [Pending("steal", 0), Pending("challenge", 0, (1, 2))]
    >>> record_pass(stack, 2)
    >>> awaiting(stack)
    (1,)
    >>> record_pass(stack, 1)
    >>> stack
    [Pending(what='steal', by=0, seats=(), about=None, target=None)]
    """
    if seat not in awaiting(stack):
        raise ValueError(f"seat {seat + 1} is not asked to respond")
    task = stack.pop()
    remaining = tuple(other for other in task.seats if other != seat)
    if remaining:
        stack.append(replace(task, seats=remaining))


def record_answer(stack: list[Pending], answers: MutableSequence[T | None], passing: T) -> T | None:
    """Close the response window on top of the stack if the answers so far are decisive.

    Call this function after storing an answer in `answers`. All seats of the window answer at the
    same time. Of the seats that do not pass, the first in the order of `Pending.seats` wins the
    window, so a fast answer has no advantage over a slow one. Once the winner is certain or every
    seat has passed, the function resets `answers` and replaces the top task with a task without
    `seats`. The `target` of this task is the winner, or None. `resolve` then carries out that task.
    If the window is still open, nothing changes.

    Args:
        stack: The pending tasks, with the window on top.
        answers: The answer of each seat, or None for a seat that has not answered.
        passing: The answer that means "pass".

    Returns:
        The answer of the winner, or None if every seat passed or the window is still open.

    >>> stack = [Pending("object?", 0, (1, 2, 3))]
    >>> answers = [None, None, "object", None]
    >>> record_answer(stack, answers, passing="pass")
    >>> awaiting(stack, answers=answers)
    (1, 3)
    >>> answers[1] = "pass"
    >>> record_answer(stack, answers, passing="pass")
    'object'
    >>> stack[-1].target, stack[-1].seats
    (2, ())
    """
    first = next((seat for seat in awaiting(stack) if answers[seat] != passing), None)
    if not awaiting(stack) or (first is not None and answers[first] is None):
        return None
    answer = None if first is None else answers[first]
    stack[-1] = replace(stack[-1], seats=(), target=first)
    answers[:] = [None] * len(answers)
    return answer


def resolve(stack: list[Pending], do: Callable[[Pending], object]) -> None:
    """Pop tasks and call `do` with each, until a task awaits a response or the stack is empty.

    `do` may push further tasks.

    >>> stack = [Pending("draw", 1), Pending("steal", 0)]
    >>> resolve(stack, lambda task: print(task.what))
    steal
    draw
    """
    while stack and not stack[-1].seats:
        do(stack.pop())


def cancel(stack: list[Pending], by: Seat) -> None:
    """Remove tasks from the top of the stack until the top task was caused by a different seat.

    For example, a false claim cancels the action that depends on the claim, and a false claim to
    block cancels only the block.

    >>> challenge = Pending("challenge", 1, (0,))
    >>> stack = [Pending("steal", 0), Pending("block", 1), challenge]
    >>> cancel(stack, 1)
    >>> [task.what for task in stack]
    ['steal']
    """
    while stack and stack[-1].by == by:
        stack.pop()


# Simultaneous secret choices, and passing hands or cards to other seats.


def choosing(chosen: Sequence[Sized], each: int = 1) -> tuple[Seat, ...]:
    """Return the seats that have set aside fewer than `each` cards, and so still have to choose.

    Args:
        chosen: The cards that each seat has set aside.
        each: The number of cards that each seat chooses.

    >>> choosing([["oar"], [], ["net"]])
    (1,)
    """
    return tuple(seat for seat, cards in enumerate(chosen) if len(cards) < each)


def pass_cards(
    hands: Sequence[list[T]],
    aside: Sequence[list[T]],
    steps: int = 1,
    known: Known[T] | None = None,
) -> list[tuple[Seat, Seat, list[T]]]:
    """Move the cards that each seat has set aside to the hand of the seat `steps` to its left.

    Args:
        hands: The hand of each seat.
        aside: The cards that each seat has set aside. Every list is empty afterwards.
        steps: The number of seats to the left. A negative number passes to the right.
        known: A `Known` in which to record that each giver has seen the passed cards, or None to
            record nothing.

    Returns:
        One tuple per receiving seat, in seat order: the giver, the receiver, and the cards.

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
    for cards in aside:
        cards.clear()
    return passed


def pass_on(hands: MutableSequence[list[T]], steps: int = 1) -> None:
    """Pass every hand to the seat `steps` to the left. A negative number passes to the right.

    >>> hands = [["a"], ["b"], ["c"]]
    >>> pass_on(hands)
    >>> hands
    [['c'], ['a'], ['b']]
    """
    hands[:] = [hands[(seat - steps) % len(hands)] for seat in range(len(hands))]
