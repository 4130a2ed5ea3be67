"""Piles and hands of cards: lists whose last card is on top."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from tabletop.codec import in_fixed_order
from tabletop.rng import Stream
from tabletop.wording import counted

T = TypeVar("T")


def draw(pile: list[T], count: int = 1) -> list[T]:
    """Take up to `count` cards from the top of a pile, the topmost first.

    >>> pile = ["low", "middle", "top"]
    >>> draw(pile, 2), pile
    (['top', 'middle'], ['low'])
    """
    count = min(max(count, 0), len(pile))
    return [pile.pop() for _ in range(count)]


def deal(pile: list[T], hands: int, each: int) -> list[list[T]]:
    """Deal `each` cards to so many hands, one at a time in turn, from the top of a pile.

    Raises:
        ValueError: the pile has fewer cards than that; none has been dealt.
    """
    if len(pile) < hands * each:
        raise ValueError(
            f"{counted(hands * each, 'card')} cannot be dealt from a pile of {len(pile)}"
        )
    dealt = draw(pile, hands * each)
    return [dealt[hand::hands] for hand in range(hands)]


def mix(rng: Stream, piles: Sequence[MutableSequence[T]]) -> None:
    """Shuffle several piles into each other, in place; each keeps its size.

    What `redeal` needs, for piles that a seat cannot see into: what comes of it does not depend on
    which card was where.

    >>> from tabletop import Streams
    >>> hands = [["a", "b"], [], ["c"]]
    >>> mix(Streams("old oak")["cards"], hands)
    >>> [len(hand) for hand in hands], sorted(sum(hands, []))
    ([2, 0, 1], ['a', 'b', 'c'])
    """
    pool = in_fixed_order(thing for pile in piles for thing in pile)
    rng.shuffle(pool)
    for pile in piles:
        pile[:] = [pool.pop() for _ in range(len(pile))]
