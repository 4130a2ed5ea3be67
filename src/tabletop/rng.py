"""Named, keyed, counter-mode streams of chance.

The words of a stream are SHAKE-128 of its key and a block number, so the whole state of a stream
is a key and a position. The key is derived (BLAKE2b) from a root key and the stream's *name*: what
one stream draws cannot move another, in whatever order they are used.

Nothing here depends on Python's own `random` or `hash`: the same seed gives the same draws on
every Python, platform and day. The numbers are pinned by vectors in the test suite.
"""

from __future__ import annotations

import re
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, MutableSequence, Sequence
from functools import lru_cache
from hashlib import blake2b, shake_128
from typing import Final, NamedTuple, Self, TypeAlias, TypeVar

from typing_extensions import override

from tabletop.errors import SeedError
from tabletop.seeds import Seed

T = TypeVar("T")
P = TypeVar("P", bound=Hashable)

NamePart: TypeAlias = str | int
"""One part of a stream's name: a text or a whole number."""

StreamName: TypeAlias = NamePart | tuple[NamePart, ...]
"""The name of a stream: one part, or several."""

WORD_BITS: Final = 32
BLOCK_WORDS: Final = 64
_WORD_MASK: Final = (1 << WORD_BITS) - 1
_FAST_BELOW: Final = 1 << 31
_BLOCK_BYTES: Final = BLOCK_WORDS * WORD_BITS // 8
_MOST_WORDS: Final = BLOCK_WORDS << 64  # a block's number has 64 bits
_unpack_block: Final = struct.Struct(f"<{BLOCK_WORDS}I").unpack
_PLAIN_PART: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class Stream(ABC):
    """One sequence of random draws; the base of every implementation.

    A subclass supplies `below`, `position` and `copy`; all other draws are made of `below`. The
    position counts what the implementation counts (`HashStream`: words of 32 bits) and can be set,
    which is how a match saves, undoes and looks ahead.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def position(self) -> int:
        """How far the stream has been drawn; 0 at its start. Settable, in either direction."""

    @position.setter
    @abstractmethod
    def position(self, value: int) -> None: ...

    @abstractmethod
    def copy(self) -> Self:
        """An independent stream that will draw what this one would."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each equally likely.

        Raises:
            SeedError: `bound` is less than 1.
        """

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included.

        Raises:
            SeedError: `high` is less than `low`.
        """
        if high < low:
            raise SeedError(f"between({low}, {high}): the upper bound lies below the lower one")
        return low + self.below(high - low + 1)

    def roll(self, sides: int, dice: int = 1) -> int:
        """The sum of `dice` dice with the faces 1 to `sides`.

        Raises:
            SeedError: `sides` is less than 1, or `dice` is negative.
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
        """One of `items`, each place equally likely.

        Raises:
            SeedError: `items` is empty.
        """
        if not items:
            raise SeedError("choice: there is nothing to choose from")
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """`count` different places of `items`, in random order.

        Raises:
            SeedError: `count` is negative or more than there are items.
        """
        if not 0 <= count <= len(items):
            raise SeedError(f"sample: {count} of {len(items)} items cannot be drawn")
        pool = list(items)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put `items` into random order, in place; each order is equally likely."""
        below = self.below
        for place in range(len(items) - 1, 0, -1):
            other = below(place + 1)
            items[place], items[other] = items[other], items[place]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """One of `items`, each as likely as its weight (whole numbers, none negative).

        Raises:
            SeedError: the lengths differ, a weight is negative, or all weights are 0.
        """
        if len(items) != len(weights):
            raise SeedError(f"weighted: {len(items)} items, but {len(weights)} weights")
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
        """True `times` times in `of`, on average: `chance(1, 3)` one time in three.

        Raises:
            SeedError: not 0 <= `times` <= `of`, or `of` is less than 1.
        """
        if not 0 <= times <= of:
            raise SeedError(f"chance({times}, {of}): that is not between never and always")
        return self.below(of) < times


class HashStream(Stream):
    """A stream whose words are SHAKE-128 of a key and a block number.

    Args:
        key: 32 bytes; two streams with the same key draw the same.
        position: how many words of 32 bits have been drawn already.
    """

    __slots__ = ("_block", "_index", "_key", "_words")

    def __init__(self, key: bytes, position: int = 0) -> None:
        self._key = key
        self._block = -1
        self._words: tuple[int, ...] = ()
        self._index = BLOCK_WORDS
        if position:
            self.position = position

    @property
    def position(self) -> int:
        """How many words of 32 bits have been drawn."""
        return self._block * BLOCK_WORDS + self._index

    @position.setter
    def position(self, value: int) -> None:
        if not 0 <= value < _MOST_WORDS:
            raise SeedError(f"a stream has no position {value}")
        block, index = divmod(value, BLOCK_WORDS)
        if index == 0:  # the block before, used up: nothing need be computed until a word is drawn
            block, index = block - 1, BLOCK_WORDS
        if block != self._block:
            self._block = block
            self._words = () if index == BLOCK_WORDS else self._read(block)
        elif not self._words and index < BLOCK_WORDS:
            self._words = self._read(block)
        self._index = index

    @override
    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin._key = self._key
        twin._block = self._block
        twin._words = self._words
        twin._index = self._index
        return twin

    def _read(self, block: int) -> tuple[int, ...]:
        digest = shake_128(self._key + block.to_bytes(8, "little")).digest(_BLOCK_BYTES)
        return _unpack_block(digest)

    def _next_block(self) -> int:
        self._block += 1
        self._words = self._read(self._block)
        self._index = 1
        return self._words[0]

    def word(self) -> int:
        """The next word: a whole number from 0 to 2**32 - 1."""
        index = self._index
        if index == BLOCK_WORDS:
            return self._next_block()
        self._index = index + 1
        return self._words[index]

    @override
    def below(self, bound: int) -> int:
        # Multiply and shift (Lemire): the high half of word * bound is the draw, and the low half
        # tells the few words that would make some draws likelier than others.
        if bound > _FAST_BELOW or bound < 1:
            return self._below_rare(bound)
        index = self._index
        if index == BLOCK_WORDS:
            product = self._next_block() * bound
        else:
            self._index = index + 1
            product = self._words[index] * bound
        if product & _WORD_MASK < bound:
            unfair = (_WORD_MASK + 1) % bound
            while product & _WORD_MASK < unfair:
                product = self.word() * bound
        return product >> WORD_BITS

    def _below_rare(self, bound: int) -> int:
        if bound < 1:
            raise SeedError(f"below({bound}): the bound must be at least 1")
        words = -(-bound.bit_length() // WORD_BITS)
        excess = words * WORD_BITS - bound.bit_length()
        while True:  # at least every second try lies below the bound
            number = 0
            for _ in range(words):
                number = number << WORD_BITS | self.word()
            number >>= excess
            if number < bound:
                return number


class Draw(NamedTuple):
    """One draw from a stream, for those who look for where two matches part.

    Attributes:
        stream: the name of the stream, spelled as in `Streams.state`.
        position: how far it had been drawn before.
        bound: what was asked for: a whole number from 0 to `bound` - 1.
        result: what was drawn.
    """

    stream: str
    position: int
    bound: int
    result: int


DrawListener: TypeAlias = Callable[[Draw], object]
"""Told of every draw, after it was made."""


class ToldStream(Stream):
    """A stream that tells of every draw; it draws what the stream inside does."""

    __slots__ = ("_listener", "_name", "inner")

    def __init__(self, inner: Stream, name: str, listener: DrawListener) -> None:
        self.inner = inner
        self._name = name
        self._listener = listener

    @property
    @override
    def position(self) -> int:
        """Where the stream inside is."""
        return self.inner.position

    @position.setter
    def position(self, value: int) -> None:
        self.inner.position = value

    @override
    def copy(self) -> Self:
        return type(self)(self.inner.copy(), self._name, self._listener)

    @override
    def below(self, bound: int) -> int:
        position = self.inner.position
        result = self.inner.below(bound)
        self._listener(Draw(self._name, position, bound, result))
        return result


class Streams:
    """All streams that hang off one root, by name.

    `streams["dice"]` and `streams["deck", 1]` open a stream, or give the one opened before; how far
    it has been drawn is part of `state`. `streams.at("cave", x, y)` is a fresh stream at its start
    each time: for what belongs to a place rather than to a sequence. `streams.child("bots")` is a
    family with a root of its own, whose positions are kept with these.

    Args:
        root: any seed (a `Seed`, text, or a whole number).
    """

    __slots__ = ("_children", "_key", "_listener", "_open", "_root", "_waiting")

    def __init__(self, root: Seed | str | int) -> None:
        self._root = root
        self._key: bytes | None = None
        self._open: dict[StreamName, Stream] = {}
        self._children: dict[str, Streams] = {}
        self._waiting: dict[str, int] = {}
        self._listener: DrawListener | None = None

    def __getitem__(self, name: StreamName) -> Stream:
        """The stream called `name`: a text, a whole number, or a tuple of these.

        Raises:
            SeedError: the name is made of anything else, or of nothing.
        """
        if type(name) is not str:  # only what is a name can be looked up: a list cannot
            name = _checked(name)
        stream = self._open.get(name)
        return self._open_stream(name) if stream is None else stream

    def at(self, name: str, *coordinates: int | str) -> Stream:
        """A fresh stream for a place: the same draws whenever it is asked for.

        It is not part of `state`: what is drawn from it is a fact of the seed, not of the match.
        """
        text = _spell(_checked((name, *coordinates)))
        stream: Stream = HashStream(_derive(self._root_key(), "at", text))
        return stream if self._listener is None else ToldStream(stream, text, self._listener)

    def child(self, name: StreamName) -> Streams:
        """A family of streams with a root of its own, derived from this one and `name`."""
        text = _spell(_checked(name))
        family = self._children.get(text)
        if family is None:
            family = Streams("")
            family._key = _derive(self._root_key(), "child", text)
            family.listen(_prefixed(self._listener, text))
            self._children[text] = family
            family._waiting = _below(text, self._waiting)
            self._waiting = _beside(text, self._waiting)
        return family

    def deal(
        self,
        name: StreamName,
        things: Iterable[T],
        places: Sequence[P],
        *,
        fits: Callable[[T, P], object] | None = None,
        room: int | None = None,
    ) -> dict[P, list[T]]:
        """Deal limited or unique things out to places, each place that a thing fits equally likely.

        Call it from `Game.setup`: what is dealt out there is the same for everybody with the seed,
        and cannot depend on who looks where first (Working with Seeds, Preserving Consistency).

        Args:
            name: the stream to draw from.
            things: what is to be dealt out, each exactly once.
            places: where it may go, none twice.
            fits: whether a thing may go to a place; anything anywhere when not given.
            room: how many things a place holds at most.

        Returns:
            What lies at each place, in the order of `things`; every place is there.

        Raises:
            SeedError: there is no place left for a thing.

        >>> streams = Streams("old oak")
        >>> streams.deal("keys", ["red key", "blue key"], ["attic", "cellar", "hall"], room=1)
        {'attic': ['red key'], 'cellar': [], 'hall': ['blue key']}
        """
        dealt: dict[P, list[T]] = {place: [] for place in places}
        chance = self[name]
        for thing in things:
            free = [
                place
                for place in places
                if (room is None or len(dealt[place]) < room)
                and (fits is None or fits(thing, place))
            ]
            if not free:
                raise SeedError(f"deal {name!r}: there is no place left for {thing!r}")
            dealt[chance.choice(free)].append(thing)
        return dealt

    def install(self, name: StreamName, stream: Stream) -> None:
        """Let `stream` be what `name` opens: a generator of the game's own, for instance.

        From now on it is saved, undone and copied like any other. Call it from `Game.setup`.
        """
        name = _checked(name)
        self._open[name] = self._told(stream, _spell(name))
        waiting = self._waiting.pop(_spell(name), 0)
        if waiting:
            stream.position = waiting

    def state(self) -> dict[str, int]:
        """The position of every stream that has been drawn from, by name, in a fixed order."""
        positions = {
            _spell(name): stream.position for name, stream in self._open.items() if stream.position
        }
        positions.update(self._waiting)
        for text, family in self._children.items():
            for name, position in family.state().items():
                positions[f"{text}>{name}"] = position
        return dict(sorted(positions.items()))

    def restore(self, state: Mapping[str, int]) -> None:
        """Put every stream where `state` says; those it does not name go back to their start.

        Raises:
            SeedError: a position is negative or beyond what a stream can count; nothing has
                changed.
        """
        for text, position in state.items():
            if not 0 <= position < _MOST_WORDS:
                raise SeedError(f"stream {text}: a stream has no position {position}")
        waiting = {text: position for text, position in state.items() if position}
        for name, stream in self._open.items():
            stream.position = waiting.pop(_spell(name), 0)
        for text, family in self._children.items():
            family.restore(_below(text, waiting))
            waiting = _beside(text, waiting)
        self._waiting = waiting

    def listen(self, listener: DrawListener | None) -> None:
        """Tell `listener` of every draw from now on, or nobody."""
        self._listener = listener
        self._open = {
            name: self._told(_inner(stream), _spell(name)) for name, stream in self._open.items()
        }
        for text, family in self._children.items():
            family.listen(_prefixed(listener, text))

    def _told(self, stream: Stream, text: str) -> Stream:
        return stream if self._listener is None else ToldStream(stream, text, self._listener)

    def clone(self) -> Streams:
        """Independent streams that will draw what these would; nobody listens to them."""
        twin = Streams(self._root)
        twin._key = self._key
        twin._open = {name: _inner(stream).copy() for name, stream in self._open.items()}
        twin._waiting = self._waiting.copy()
        if self._children:
            twin._children = {text: family.clone() for text, family in self._children.items()}
        return twin

    def _root_key(self) -> bytes:
        if self._key is None:
            self._key = Seed.of(self._root).key
        return self._key

    def _open_stream(self, name: StreamName) -> Stream:
        text = _spell(name)
        key = _derive(self._root_key(), "stream", text)
        stream: Stream = HashStream(key, self._waiting.pop(text, 0))
        if self._listener is not None:
            stream = self._told(stream, text)
        self._open[name] = stream
        return stream


def _inner(stream: Stream) -> Stream:
    """`stream` itself, without whoever listens to it."""
    return stream.inner if isinstance(stream, ToldStream) else stream


def _prefixed(listener: DrawListener | None, text: str) -> DrawListener | None:
    """A listener to the streams of the child called `text`."""
    if listener is None:
        return None
    return lambda draw: listener(draw._replace(stream=f"{text}>{draw.stream}"))


def _is_name(name: object) -> bool:
    """Whether `name` is made of texts and whole numbers alone.

    True and 1.0 equal 1, so a dictionary would find for them what was opened for 1.
    """
    for part in name if type(name) is tuple else (name,):
        if type(part) is not str and type(part) is not int:
            return False
    return name != ()


def _checked(name: StreamName) -> StreamName:
    """`name`, with a tuple of one part unpacked."""
    if not _is_name(name):
        message = "is no name of a stream: that is a text, a whole number, or several of these"
        raise SeedError(f"{name!r} {message}")
    return name[0] if isinstance(name, tuple) and len(name) == 1 else name


@lru_cache(maxsize=4096)
def _spell(name: StreamName) -> str:
    """`name`, which has been checked, as one text; different names have different texts."""
    parts = name if isinstance(name, tuple) else (name,)
    return "/".join(_spell_part(part) for part in parts)


def _spell_part(part: NamePart) -> str:
    if isinstance(part, int):
        return str(part)
    if _PLAIN_PART.fullmatch(part):
        return part
    escaped = part.encode("unicode_escape").decode("ascii")
    return '"' + escaped.replace('"', '\\"').replace(">", "\\x3e") + '"'


def _below(text: str, positions: Mapping[str, int]) -> dict[str, int]:
    """The positions of the child called `text`, with its name taken off."""
    start = f"{text}>"
    return {name[len(start) :]: at for name, at in positions.items() if name.startswith(start)}


def _beside(text: str, positions: Mapping[str, int]) -> dict[str, int]:
    """The positions of all but the child called `text`."""
    return {name: at for name, at in positions.items() if not name.startswith(f"{text}>")}


def _derive(root: bytes, kind: str, text: str) -> bytes:
    """The key of what is called `text` below `root`: 32 bytes."""
    person = b"tt." + kind.encode("ascii")
    return blake2b(text.encode("ascii"), digest_size=32, key=root, person=person).digest()
