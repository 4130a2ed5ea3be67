"""Reporting every draw, to find out where two matches diverge."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self, TypeAlias

from typing_extensions import override

from tabletop.rng.stream import Stream


class Draw(NamedTuple):
    """One draw from a stream, as it is reported to a listener.

    Attributes:
        stream: the name of the stream, spelled as in `Streams.state`.
        offset: how far it had been drawn before.
        bound: what was asked for: a whole number from 0 to `bound` - 1.
        result: what was drawn.
    """

    stream: str
    offset: int
    bound: int
    result: int


DrawListener: TypeAlias = Callable[[Draw], object]
"""Is called with every draw, after it was made."""


class ObservedStream(Stream):
    """A stream that reports every draw to a listener; it draws what the inner stream draws."""

    __slots__ = ("_listener", "_name", "inner")

    def __init__(self, inner: Stream, name: str, listener: DrawListener) -> None:
        self.inner = inner
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


def inner_of(stream: Stream) -> Stream:
    """The inner stream, without the listener."""
    return stream.inner if isinstance(stream, ObservedStream) else stream


def prefixed(listener: DrawListener | None, text: str) -> DrawListener | None:
    """A listener to the streams of the child called `text`."""
    if listener is None:
        return None
    return lambda draw: listener(draw._replace(stream=f"{text}>{draw.stream}"))
