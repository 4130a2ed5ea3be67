"""The interface of random streams, and a stream that reports every draw."""

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
    """A random stream: a sequence of random draws. Base class of all implementations.

    Rules get their streams from `Streams`, such as `rng["dice"]`. A subclass implements `below`,
    `offset` and `copy`. All other methods draw with `below`. The unit of the offset depends on the
    implementation (32-bit words in `HashStream`). The offset can be set, which lets a match save,
    undo and look ahead.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def offset(self) -> int:
        """The offset of the stream, which is 0 at the start.

        It can be set to a higher or lower value.

        Raises:
            SeedError: The stream has no such offset.
        """

    @offset.setter
    @abstractmethod
    def offset(self, value: int) -> None: ...

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent stream at the same offset, with the same draws from there on."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """Draw an integer from 0 to `bound` - 1. All integers in this range are equally likely.

        Raises:
            SeedError: `bound` is less than 1.
        """

    def between(self, low: int, high: int) -> int:
        """Draw an integer from `low` to `high`, both included.

        Raises:
            SeedError: `high` is less than `low`.
        """
        if high < low:
            raise SeedError(f"between({low}, {high}): the upper bound is less than the lower bound")
        return low + self.below(high - low + 1)

    def roll(self, sides: int, dice: int = 1) -> int:
        """Roll `dice` dice with the faces 1 to `sides`, and return their sum.

        Raises:
            SeedError: `sides` is less than 1, or `dice` is negative.

        >>> from tabletop import Streams
        >>> stream = Streams("old oak")["dice"]
        >>> stream.roll(6), stream.roll(6, dice=2)
        (3, 9)
        """
        if dice < 0:
            raise SeedError(f"roll({sides}, {dice}): the number of dice must be at least 0")
        if sides < 1:
            raise SeedError(f"roll({sides}, {dice}): a die needs at least one side")
        below = self.below
        total = dice
        for _ in range(dice):
            total += below(sides)
        return total

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of `items`, all equally likely. `items` is not changed.

        Raises:
            SeedError: `items` is empty.
        """
        if not items:
            raise SeedError("choice: the sequence is empty")
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Draw `count` distinct items without replacement, and return them in random order.

        Raises:
            SeedError: `count` is negative or exceeds the number of items.
        """
        if not 0 <= count <= len(items):
            raise SeedError(f"sample: cannot draw {count} of {plural(len(items), 'item')}")
        # The first `count` steps of a shuffle. Vectors pin the draws.
        pool = list(items)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle `items` in place. All orders are equally likely.

        >>> from tabletop import Streams
        >>> deck = ["ace", "king", "queen", "jack"]
        >>> Streams("old oak")["deck"].shuffle(deck)
        >>> deck
        ['king', 'jack', 'queen', 'ace']
        """
        below = self.below
        # Fisher-Yates. `random.shuffle` is not used because its draws may change between versions.
        for place in range(len(items) - 1, 0, -1):
            other = below(place + 1)
            items[place], items[other] = items[other], items[place]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """Draw one of `items` with probabilities in proportion to `weights`.

        Args:
            items: The items to choose from.
            weights: An integer of at least 0 for each item.

        Raises:
            SeedError: The lengths differ, a weight is negative, or all weights are 0.

        >>> from tabletop import Streams
        >>> Streams("old oak")["weather"].weighted(["sun", "rain"], [3, 1])
        'sun'
        """
        if len(items) != len(weights):
            raise SeedError(
                f"weighted: {plural(len(items), 'item')}, but {plural(len(weights), 'weight')}"
            )
        if any(weight < 0 for weight in weights):
            raise SeedError("weighted: weights must be at least 0")
        total = sum(weights)
        if total == 0:
            raise SeedError("weighted: at least one weight must be greater than 0")
        rest = self.below(total)
        for item, weight in zip(items, weights, strict=True):
            if rest < weight:
                return item
            rest -= weight
        raise AssertionError("unreachable: the rest is below the sum of the weights")

    def chance(self, times: int, of: int) -> bool:
        """Return True with a probability of `times` / `of`, such as 1/3 for `chance(1, 3)`.

        Raises:
            SeedError: `times` is negative or greater than `of`, or `of` is less than 1.
        """
        if not 0 <= times <= of:
            raise SeedError(f"chance({times}, {of}): the first number must be from 0 to the second")
        return self.below(of) < times

    def deal(
        self,
        things: Iterable[T],
        places: Sequence[P],
        *,
        fits: Callable[[T, P], object] | None = None,
        capacity: Capacity[P] | None = None,
    ) -> dict[P, list[T]]:
        """Deal limited or unique items to places, one after another.

        All places that an item may go to are equally likely, except those that would leave no place
        for a later item. A possible deal therefore succeeds with every seed.

        Args:
            things: The items to deal.
            places: The possible places, without duplicates.
            fits: A function that returns whether an item may go to a place. By default, any item
                may go anywhere.
            capacity: The maximum number of items at a place: one number for all places, or a
                mapping with a number for each. By default, there is no maximum.

        Returns:
            A dictionary that maps each place to its items, in the order of `things`.

        Raises:
            SeedError: There is no place for an item, a place is given twice, or the keys of
                `capacity` are not the places. Nothing has been drawn.

        >>> from tabletop import Streams
        >>> stream, most = Streams("old oak")["hands"], {"Ann": 3, "Bo": 2}
        >>> stream.deal("abcde", ["Ann", "Bo"], capacity=most)
        {'Ann': ['a', 'b', 'c'], 'Bo': ['d', 'e']}
        """
        return deal(self.below, things, places, fits=fits, capacity=capacity)


class Draw(NamedTuple):
    """A draw from a stream, as reported to a listener.

    Attributes:
        stream: The name of the stream, as in `Streams.state`.
        offset: The offset of the stream before the draw.
        bound: The bound of the draw. The result is an integer from 0 to `bound` - 1.
        result: The number drawn.
    """

    stream: str
    offset: int
    bound: int
    result: int


DrawListener: TypeAlias = Callable[[Draw], object]
"""A function that is called after every draw."""


class ObservedStream(Stream):
    """A stream that draws from an inner stream and reports every draw to a listener.

    Args:
        inner: The stream to draw from.
        name: The name of the stream in the reports.
        listener: A function that is called with a `Draw` after each draw.

    Attributes:
        inner: The stream to draw from.
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
        # All other draws call `below`, so each draw is reported exactly once.
        offset = self.inner.offset
        result = self.inner.below(bound)
        self._listener(Draw(self._name, offset, bound, result))
        return result
