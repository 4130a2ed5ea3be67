"""The named random streams of a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeAlias, TypeVar

from tabletop.errors import SeedError
from tabletop.rng.deal import Capacity
from tabletop.rng.hash_stream import MOST_WORDS, HashStream
from tabletop.rng.seeds import Seed, check_salt, root_key
from tabletop.rng.stream import DrawListener, ObservedStream, Stream

T = TypeVar("T")
P = TypeVar("P", bound=Hashable)

NamePart: TypeAlias = str | int
"""A part of a stream's name: a string or an integer."""

StreamName: TypeAlias = NamePart | tuple[NamePart, ...]
"""The name of a stream: one part or a tuple of several, such as `"dice"`, `7`, `("deck", 1)`."""

_PLAIN_PART: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class Streams:
    """The named random streams that are derived from one root.

    - `streams["dice"]` and `streams["deck", 1]` return the stream with that name, which is created
      on first use. Its offset is part of `state`.
    - `streams.at("cave", x, y)` returns a new stream on each call, always at its start. Use this if
      the contents of a place must not depend on the order of exploration.
    - `streams.child("bots")` returns a family of streams with its own root. Its offsets are part
      of the `state` of its parent.

    Args:
        root: The seed: a `Seed`, a string, or an integer.
        salt: 16 bytes. If given, all streams also depend on the salt.

    Raises:
        SeedError: The root is not a valid seed, or the salt is not a `bytes` object of length 16.

    >>> streams = Streams("old oak")
    >>> streams["dice"].roll(6), streams["deck", 1].below(52)
    (3, 40)
    >>> depth = [streams.at("cave", 3, y).below(9) for y in (1, 2, 1)]
    >>> depth, streams.state()
    ([8, 0, 8], {'deck/1': 1, 'dice': 1})
    """

    __slots__ = ("_children", "_key", "_listener", "_open", "_root", "_salt", "_waiting")

    def __init__(self, root: Seed | str | int, salt: bytes | None = None) -> None:
        # For speed, most strings and integers become a `Seed` only if a stream draws.
        is_valid = type(root) is int or (type(root) is str and root.isascii())
        self._root = root if is_valid else Seed.of(root)
        self._salt = salt if salt is None else check_salt(salt)
        self._key: bytes | None = None
        self._open: dict[StreamName, Stream] = {}
        self._children: dict[str, Streams] = {}
        # Restored offsets of streams that have not been opened again.
        self._waiting: dict[str, int] = {}
        self._listener: DrawListener | None = None

    def __getitem__(self, name: StreamName) -> Stream:
        """Return the stream called `name`: a string, an integer, or a tuple of these.

        Raises:
            SeedError: The name is of a different type, or an empty tuple.
        """
        if type(name) is not str:  # validate first, because a list cannot be looked up
            name = _validate_name(name)
        stream = self._open.get(name)
        return self._open_stream(name) if stream is None else stream

    def at(self, name: str, *coordinates: int | str) -> Stream:
        """Return a new stream for a place. Each call returns the same draws.

        The stream is not part of `state`, because its draws depend only on the seed, not on the
        course of the match.

        Raises:
            SeedError: The name or a coordinate is neither a string nor an integer.
        """
        text = _to_text(_validate_name((name, *coordinates)))
        stream: Stream = HashStream(_derive(self._root_key(), "at", text))
        return stream if self._listener is None else ObservedStream(stream, text, self._listener)

    def child(self, name: StreamName) -> Streams:
        """Return a family of streams with its own root, derived from this root and `name`.

        Each call returns the same family. Its offsets are part of `state`, as in `bots>dice`.

        Raises:
            SeedError: The name contains something other than strings and integers.
        """
        text = _to_text(_validate_name(name))
        family = self._children.get(text)
        if family is None:
            # The key is set directly, so the root is not used.
            family = Streams("")
            family._key = _derive(self._root_key(), "child", text)
            family.set_listener(_prefix_draws(self._listener, text))
            self._children[text] = family
            family._waiting = _take_child(text, self._waiting)
        return family

    def deal(
        self,
        name: StreamName,
        things: Iterable[T],
        places: Sequence[P],
        *,
        fits: Callable[[T, P], object] | None = None,
        capacity: Capacity[P] | None = None,
    ) -> dict[P, list[T]]:
        """Deal limited or unique items to places, drawing from the stream `name`.

        Call it from `Game.setup`. The deal then depends only on the seed, and not on the order in
        which players explore (see "Working with Seeds", section "Preserving Consistency").

        See `Stream.deal` for the other arguments. The message of a `SeedError` names the deal.

        >>> streams = Streams("old oak")
        >>> keys, places = ["red key", "blue key"], ["attic", "cellar", "hall"]
        >>> streams.deal("keys", keys, places, capacity=1)
        {'attic': ['red key'], 'cellar': [], 'hall': ['blue key']}
        """
        try:
            return self[name].deal(things, places, fits=fits, capacity=capacity)
        except SeedError as error:
            raise SeedError(f"deal {name!r}: {error}") from error

    def install(self, name: StreamName, stream: Stream) -> None:
        """Install `stream` under `name`, for example a random generator of the game.

        The stream is then saved, undone and copied like all others. Call it from `Game.setup`.

        Raises:
            SeedError: The name contains something other than strings and integers.
        """
        name = _validate_name(name)
        self._open[name] = self._observe(stream, _to_text(name))
        waiting = self._waiting.pop(_to_text(name), 0)
        if waiting:
            stream.offset = waiting

    def state(self) -> dict[str, int]:
        """Return the offsets of all streams that have been drawn from, sorted by name.

        The parts of a name are joined by `/`, as in `deck/1`. Each call returns a new dictionary.
        """
        # A stream without draws is left out, so that merely opening a stream changes no digest.
        offsets = self._waiting.copy()
        for name, stream in self._open.items():
            if offset := stream.offset:
                offsets[_to_text(name)] = offset
        for text, family in self._children.items():
            for name, offset in family.state().items():
                offsets[f"{text}>{name}"] = offset
        # Sorted, because a digest must not depend on the order in which streams were opened.
        return dict(sorted(offsets.items()))

    def restore(self, state: Mapping[str, int]) -> None:
        """Set each stream in `state` to its offset, and all other streams to their start.

        Raises:
            SeedError: An offset is negative, or 2**70 or more. Nothing has changed.
        """
        for text, offset in state.items():
            if not 0 <= offset < MOST_WORDS:
                raise SeedError(
                    f"stream {text}: the offset must be from 0 to 2**70 - 1, not {offset}"
                )
        waiting = {text: offset for text, offset in state.items() if offset}
        for name, stream in self._open.items():
            stream.offset = waiting.pop(_to_text(name), 0)
        for text, family in self._children.items():
            family.restore(_take_child(text, waiting))
        self._waiting = waiting

    def set_listener(self, listener: DrawListener | None) -> None:
        """Call `listener` after each draw, in place of the previous listener. None removes it."""
        self._listener = listener
        self._open = {
            name: self._observe(_inner_of(stream), _to_text(name))
            for name, stream in self._open.items()
        }
        for text, family in self._children.items():
            family.set_listener(_prefix_draws(listener, text))

    def _observe(self, stream: Stream, text: str) -> Stream:
        return stream if self._listener is None else ObservedStream(stream, text, self._listener)

    def clone(self) -> Streams:
        """Return independent streams at the same offsets, without a listener."""
        twin = Streams(self._root, self._salt)
        twin._key = self._key
        # Draws on a copy are not draws of the match, so the listener is left out.
        twin._open = {name: _inner_of(stream).copy() for name, stream in self._open.items()}
        twin._waiting = self._waiting.copy()
        twin._children = {text: family.clone() for text, family in self._children.items()}
        return twin

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        """Return the state for pickling and copying, which is the state of a clone."""
        twin = self.clone()
        return None, {name: getattr(twin, name) for name in self.__slots__}

    def _root_key(self) -> bytes:
        if self._key is None:
            self._key = root_key(self._root, self._salt)
        return self._key

    def _open_stream(self, name: StreamName) -> Stream:
        text = _to_text(name)
        key = _derive(self._root_key(), "stream", text)
        stream: Stream = HashStream(key, self._waiting.pop(text, 0))
        stream = self._open[name] = self._observe(stream, text)
        return stream


# Names and keys.


def _is_name(name: object) -> bool:
    """Return whether `name` consists only of strings and integers.

    The exact types are checked, because True and 1.0 equal 1, and would therefore return the stream
    named 1.
    """
    for part in name if type(name) is tuple else (name,):
        if type(part) is not str and type(part) is not int:
            return False
    return name != ()


def _validate_name(name: StreamName) -> StreamName:
    """Check a name, and unpack a one-part tuple."""
    if not _is_name(name):
        message = "is not the name of a stream: use a text, a whole number, or a tuple of these"
        raise SeedError(f"{name!r} {message}")
    return name[0] if isinstance(name, tuple) and len(name) == 1 else name


# Cached, because each action of a long match may use the same few names.
@lru_cache(maxsize=4096)
def _to_text(name: StreamName) -> str:
    """Return the text of a valid name. Different names have different texts."""
    parts = name if isinstance(name, tuple) else (name,)
    return "/".join(_part_to_text(part) for part in parts)


def _part_to_text(part: NamePart) -> str:
    if isinstance(part, int):
        return str(part)
    if _PLAIN_PART.fullmatch(part):
        return part
    # Quoted and in ASCII, so that `/` and `>` within a part differ from those between parts.
    escaped = part.encode("unicode_escape").decode("ascii")
    return '"' + escaped.replace('"', '\\"').replace(">", "\\x3e") + '"'


def _take_child(text: str, offsets: dict[str, int]) -> dict[str, int]:
    """Remove the offsets of the child `text` from `offsets`, and return them without the prefix."""
    start = f"{text}>"
    names = [name for name in offsets if name.startswith(start)]
    return {name[len(start) :]: offsets.pop(name) for name in names}


def _inner_of(stream: Stream) -> Stream:
    """Return the inner stream of an `ObservedStream`, or `stream` itself."""
    return stream.inner if isinstance(stream, ObservedStream) else stream


def _prefix_draws(listener: DrawListener | None, text: str) -> DrawListener | None:
    """Return a listener for the streams of the child `text`, which reports full names."""
    if listener is None:
        return None
    return lambda draw: listener(draw._replace(stream=f"{text}>{draw.stream}"))


def _derive(root: bytes, kind: str, text: str) -> bytes:
    """Derive the 32-byte key of the stream or family `text` from `root`."""
    # `person` separates the kinds: a child and a stream of the same name have different keys.
    person = b"tt." + kind.encode("ascii")
    return blake2b(text.encode("ascii"), digest_size=32, key=root, person=person).digest()
