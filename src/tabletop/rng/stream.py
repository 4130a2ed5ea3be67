"""A stream of chance with its draws, and a stream that reports every draw."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, MutableSequence, Sequence
from typing import NamedTuple, Self, TypeAlias, TypeVar

from typing_extensions import override

from tabletop.errors import SeedError
from tabletop.rng.deal import Capacity, deal
from tabletop.wording import plural

T = TypeVar("T")
P = TypeVar("P", bound=Hashable)


class Stream(ABC):
    """A sequence of random draws; the base of every implementation.

    Rules are given one by `Streams`: `rng["dice"]`. A subclass supplies `below`, `offset` and
    `copy`; all other draws are made of `below`. The unit of the offset depends on the
    implementation (`HashStream`: words of 32 bits). It can be set: so a match saves, undoes and
    looks ahead.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def offset(self) -> int:
        """The offset of the stream; 0 at its start. Settable, in either direction.

        Setting it raises a `SeedError` where the stream has no such offset.
        """

    @offset.setter
    @abstractmethod
    def offset(self, value: int) -> None: ...

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent stream at the same offset, with the same draws to come."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to `bound` - 1, each equally likely.

        Raises:
            SeedError: `bound` is less than 1.
        """

    def between(self, low: int, high: int) -> int:
        """Draw a whole number from `low` to `high`, both included.

        Raises:
            SeedError: `high` is less than `low`.
        """
        if high < low:
            raise SeedError(f"between({low}, {high}): the upper bound lies below the lower one")
        return low + self.below(high - low + 1)

    def roll(self, sides: int, dice: int = 1) -> int:
        """Draw the sum of `dice` dice with the faces 1 to `sides`.

        Raises:
            SeedError: `sides` is less than 1, or `dice` is negative.

        >>> from tabletop import Streams
        >>> stream = Streams("old oak")["dice"]
        >>> stream.roll(6), stream.roll(6, dice=2)
        (3, 9)
        """
        if dice < 0:
            raise SeedError(f"roll({sides}, {dice}): the number of dice is negative")
        if sides < 1:
            raise SeedError(f"roll({sides}, {dice}): a die has at least one side")
        below = self.below
        total = dice
        for _ in range(dice):
            total += below(sides)
        return total

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of `items`, each place equally likely; `items` stays as it is.

        Raises:
            SeedError: `items` is empty.
        """
        if not items:
            raise SeedError("choice: there is nothing to choose from")
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Draw what stands at `count` different places of `items`, in random order, as a new list.

        Raises:
            SeedError: `count` is negative or more than there are items.
        """
        if not 0 <= count <= len(items):
            raise SeedError(f"sample: {count} of {plural(len(items), 'item')} cannot be drawn")
        # As many steps of a shuffle as needed; the draws are pinned by vectors.
        pool = list(items)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put `items` into random order, in place; each order is equally likely.

        >>> from tabletop import Streams
        >>> deck = ["ace", "king", "queen", "jack"]
        >>> Streams("old oak")["deck"].shuffle(deck)
        >>> deck
        ['king', 'jack', 'queen', 'ace']
        """
        below = self.below
        # Fisher and Yates, written out: no version promises the draws of `random.shuffle`.
        for place in range(len(items) - 1, 0, -1):
            other = below(place + 1)
            items[place], items[other] = items[other], items[place]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """Draw one of `items`, each as likely as its weight (whole numbers, none negative).

        Raises:
            SeedError: the lengths differ, a weight is negative, or all weights are 0.

        >>> from tabletop import Streams
        >>> Streams("old oak")["weather"].weighted(["sun", "rain"], [3, 1])
        'sun'
        """
        if len(items) != len(weights):
            raise SeedError(
                f"weighted: {plural(len(items), 'item')}, but {plural(len(weights), 'weight')}"
            )
        if any(weight < 0 for weight in weights):
            raise SeedError("weighted: a weight is negative")
        total = sum(weights)
        if total == 0:
            raise SeedError("weighted: all weights are 0")
        rest = self.below(total)
        for item, weight in zip(items, weights, strict=True):
            if rest < weight:
                return item
            rest -= weight
        raise AssertionError("unreachable: the rest is below the sum of the weights")

    def chance(self, times: int, of: int) -> bool:
        """Draw True `times` times in `of`, on average: `chance(1, 3)` one time in three.

        Raises:
            SeedError: not 0 <= `times` <= `of`, or `of` is less than 1.
        """
        if not 0 <= times <= of:
            raise SeedError(f"chance({times}, {of}): that is not between never and always")
        return self.below(of) < times

    def deal(
        self,
        things: Iterable[T],
        places: Sequence[P],
        *,
        fits: Callable[[T, P], object] | None = None,
        capacity: Capacity[P] | None = None,
    ) -> dict[P, list[T]]:
        """Deal limited or unique things to places, one after the other.

        All places that a thing may go to are equally likely; those that would leave no place for a
        later one are not among them, so that dealing never fails for some seeds only.

        Args:
            things: the things to deal, each exactly once.
            places: the possible places, none twice.
            fits: whether a thing may go to a place; anything anywhere when not given.
            capacity: maximum things at a place: one number for all of them, or a mapping with one
                for each.

        Returns:
            The things at each place, in the order of `things`; every place is included.

        Raises:
            SeedError: there is no place for a thing, a place is given twice, or `capacity` names
                other places; nothing has been drawn.

        >>> from tabletop import Streams
        >>> stream, most = Streams("old oak")["hands"], {"Ann": 3, "Bo": 2}
        >>> stream.deal("abcde", ["Ann", "Bo"], capacity=most)
        {'Ann': ['a', 'b', 'c'], 'Bo': ['d', 'e']}
        """
        return deal(self.below, things, places, fits=fits, capacity=capacity)


class Draw(NamedTuple):
    """A draw from a stream, as reported to a listener.

    Attributes:
        stream: the name of the stream, spelled as in `Streams.state`.
        offset: the offset of the stream before the draw.
        bound: the bound of the draw: a whole number from 0 to `bound` - 1.
        result: the number drawn.
    """

    stream: str
    offset: int
    bound: int
    result: int


DrawListener: TypeAlias = Callable[[Draw], object]
"""A function called with every draw, after it was made."""


class ObservedStream(Stream):
    """A stream that reports every draw to a listener; it draws what the inner stream draws.

    Args:
        inner: the stream to draw from.
        name: its name in the reports.
        listener: called with a `Draw` after each.

    Attributes:
        inner: the stream drawn from.
    """

    __slots__ = ("_listener", "_name", "inner")

    def __init__(self, inner: Stream, name: str, listener: DrawListener) -> None:
        self.inner: Stream = inner
        self._name = name
        self._listener = listener

    @property
    @override
    def offset(self) -> int:
        """The offset of the inner stream."""
        return self.inner.offset

    @offset.setter
    def offset(self, value: int) -> None:
        self.inner.offset = value

    @override
    def copy(self) -> Self:
        return type(self)(self.inner.copy(), self._name, self._listener)

    @override
    def below(self, bound: int) -> int:
        # Every kind of draw is made of `below`: one place is enough, and none is reported twice.
        offset = self.inner.offset
        result = self.inner.below(bound)
        self._listener(Draw(self._name, offset, bound, result))
        return result
