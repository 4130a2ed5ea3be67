"""Choices that are made at the same time, in secret, and hands that are passed on.

The state of a draft keeps what each seat has put aside so far: one list a seat.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence, Sized
from typing import TypeVar

from tabletop.outcome import Seat

T = TypeVar("T")


def choosing(chosen: Sequence[Sized], each: int = 1) -> tuple[Seat, ...]:
    """The seats that have put aside fewer than `each`: those that are to act.

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
