"""The streams of a match, by name."""

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
"""A part of a stream's name: a text or a whole number."""

StreamName: TypeAlias = NamePart | tuple[NamePart, ...]
"""The name of a stream: one part, or several: `"dice"`, `7`, `("deck", 1)`."""

_PLAIN_PART: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class Streams:
    """All streams derived from one root, by name.

    `streams["dice"]` and `streams["deck", 1]` open a stream, or return the one opened before; its
    offset is part of `state`. `streams.at("cave", x, y)` is a fresh stream at its start each time:
    for facts of a place rather than of a sequence. `streams.child("bots")` is a family with a root
    of its own, whose offsets are kept with these.

    Args:
        root: any seed (a `Seed`, text, or a whole number).
        salt: 16 bytes that all of them depend on as well; see `tabletop.rng.seeds.root_key`.

    Raises:
        SeedError: The root cannot be a seed, or the salt is not of 16 bytes.

    >>> streams = Streams("old oak")
    >>> streams["dice"].roll(6), streams["deck", 1].below(52)
    (3, 40)
    >>> depth = [streams.at("cave", 3, y).below(9) for y in (1, 2, 1)]
    >>> depth, streams.state()
    ([8, 0, 8], {'deck/1': 1, 'dice': 1})
    """

    __slots__ = ("_children", "_key", "_listener", "_open", "_root", "_salt", "_waiting")

    def __init__(self, root: Seed | str | int, salt: bytes | None = None) -> None:
        # For speed, most texts and whole numbers become a `Seed` only if a stream draws.
        is_valid = type(root) is int or (type(root) is str and root.isascii())
        self._root = root if is_valid else Seed.of(root)
        self._salt = salt if salt is None else check_salt(salt)
        self._key: bytes | None = None
        self._open: dict[StreamName, Stream] = {}
        self._children: dict[str, Streams] = {}
        # Offsets that were restored for streams that nobody has opened since.
        self._waiting: dict[str, int] = {}
        self._listener: DrawListener | None = None

    def __getitem__(self, name: StreamName) -> Stream:
        """Return the stream called `name`: a text, a whole number, or a tuple of these.

        Raises:
            SeedError: the name is made of anything else, or of nothing.
        """
        if type(name) is not str:  # only names can be looked up: a list is not hashable
            name = _validate_name(name)
        stream = self._open.get(name)
        return self._open_stream(name) if stream is None else stream

    def at(self, name: str, *coordinates: int | str) -> Stream:
        """Return a fresh stream for a place: the same draws on each call.

        The stream is not part of `state`: its draws are facts of the seed, not of the match.

        Raises:
            SeedError: the name or a coordinate is neither a text nor a whole number.
        """
        text = _to_text(_validate_name((name, *coordinates)))
        stream: Stream = HashStream(_derive(self._root_key(), "at", text))
        return stream if self._listener is None else ObservedStream(stream, text, self._listener)

    def child(self, name: StreamName) -> Streams:
        """Return a family of streams with a root of its own, derived from this one and `name`.

        It is the same family on each call. Its offsets are part of `state`, as `bots>dice`.

        Raises:
            SeedError: the name is made of anything but texts and whole numbers.
        """
        text = _to_text(_validate_name(name))
        family = self._children.get(text)
        if family is None:
            # Its own key takes the place of one made from a root.
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
        """Deal limited or unique things to places: `Stream.deal` of the stream called `name`.

        Call it from `Game.setup`: the deal is then the same for everybody with the seed, and cannot
        depend on who looks where first (Working with Seeds, Preserving Consistency).

        The other arguments are those of `Stream.deal`. A `SeedError` names the deal.

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
        """Install `stream` under `name`: a generator of the game's own, for instance.

        From now on it is saved, undone and copied like any other. Call it from `Game.setup`.

        Raises:
            SeedError: the name is made of anything but texts and whole numbers.
        """
        name = _validate_name(name)
        self._open[name] = self._observe(stream, _to_text(name))
        waiting = self._waiting.pop(_to_text(name), 0)
        if waiting:
            stream.offset = waiting

    def state(self) -> dict[str, int]:
        """Return the offset of every stream that has been drawn from, by name, in a fixed order.

        Parts of a name are joined by `/`, as in `deck/1`. The dictionary is the caller's own.
        """
        # A stream that was opened but not drawn from is left out: looking at one changes no digest.
        offsets = self._waiting.copy()
        for name, stream in self._open.items():
            if offset := stream.offset:
                offsets[_to_text(name)] = offset
        for text, family in self._children.items():
            for name, offset in family.state().items():
                offsets[f"{text}>{name}"] = offset
        # In order of names: a digest must not depend on which stream was used first.
        return dict(sorted(offsets.items()))

    def restore(self, state: Mapping[str, int]) -> None:
        """Set every stream to its offset in `state`; those not in it go back to their start.

        Raises:
            SeedError: an offset is negative or beyond what a stream can count; nothing has
                changed.
        """
        for text, offset in state.items():
            if not 0 <= offset < MOST_WORDS:
                raise SeedError(f"stream {text}: a stream has no offset {offset}")
        waiting = {text: offset for text, offset in state.items() if offset}
        for name, stream in self._open.items():
            stream.offset = waiting.pop(_to_text(name), 0)
        for text, family in self._children.items():
            family.restore(_take_child(text, waiting))
        self._waiting = waiting

    def set_listener(self, listener: DrawListener | None) -> None:
        """Call `listener` with every `Draw` from now on; None ends that. There is one at most."""
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
        # Without the listener: draws on a copy do not count.
        twin._open = {name: _inner_of(stream).copy() for name, stream in self._open.items()}
        twin._waiting = self._waiting.copy()
        twin._children = {text: family.clone() for text, family in self._children.items()}
        return twin

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        """Return the state of a pickle or a copy: that of a clone."""
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
    """Check whether `name` is made of texts and whole numbers alone.

    True and 1.0 equal 1, so a dictionary would find the stream of 1 for them.
    """
    for part in name if type(name) is tuple else (name,):
        if type(part) is not str and type(part) is not int:
            return False
    return name != ()


def _validate_name(name: StreamName) -> StreamName:
    """Validate a name, and unpack a tuple of one part."""
    if not _is_name(name):
        message = "is no name of a stream: that is a text, a whole number, or several of these"
        raise SeedError(f"{name!r} {message}")
    return name[0] if isinstance(name, tuple) and len(name) == 1 else name


# Every action of a long match may ask for the same few names.
@lru_cache(maxsize=4096)
def _to_text(name: StreamName) -> str:
    """Return the text of a checked name; different names have different texts."""
    parts = name if isinstance(name, tuple) else (name,)
    return "/".join(_part_to_text(part) for part in parts)


def _part_to_text(part: NamePart) -> str:
    if isinstance(part, int):
        return str(part)
    if _PLAIN_PART.fullmatch(part):
        return part
    # In quotes and ASCII: `/` and `>` inside of a part can then not be taken for what joins names.
    escaped = part.encode("unicode_escape").decode("ascii")
    return '"' + escaped.replace('"', '\\"').replace(">", "\\x3e") + '"'


def _take_child(text: str, offsets: dict[str, int]) -> dict[str, int]:
    """Take the offsets of the child called `text` out of others; return them without its name."""
    start = f"{text}>"
    return {it[len(start) :]: offsets.pop(it) for it in list(offsets) if it.startswith(start)}


def _inner_of(stream: Stream) -> Stream:
    """Return the stream without its listener."""
    return stream.inner if isinstance(stream, ObservedStream) else stream


def _prefix_draws(listener: DrawListener | None, text: str) -> DrawListener | None:
    """Return a listener to the streams of the child called `text`."""
    if listener is None:
        return None
    return lambda draw: listener(draw._replace(stream=f"{text}>{draw.stream}"))


def _derive(root: bytes, kind: str, text: str) -> bytes:
    """Derive the 32-byte key of a stream or family called `text` from `root`."""
    # `person` keeps the kinds apart: a child and a stream of the same name have different keys.
    person = b"tt." + kind.encode("ascii")
    return blake2b(text.encode("ascii"), digest_size=32, key=root, person=person).digest()
