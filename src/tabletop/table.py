"""The table: what rules are given besides the state, chance and a way to emit events."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.events import Event
from tabletop.rng import Streams


class Table:
    """The streams to draw from, and `emit` for events.

    Look ahead with a table of your own: `game.apply(view, action, Table(Streams("a guess")))`.

    Attributes:
        rng: the streams to draw from.
        emit: emits an event; observers receive it when the action is complete.
        watched: whether anybody observes what the rules emit. Where events are many, ask before
            making one.
        events: those that the action has emitted so far, while anybody observes.
    """

    __slots__ = ("emit", "events", "rng", "watched")

    emit: Callable[[Event], object]

    def __init__(self, rng: Streams) -> None:
        self.rng = rng
        self.events: list[Event] = []
        self.watched = False
        self.emit = _ignore

    def __reduce__(self) -> tuple[type[Table], tuple[Streams]]:
        """Pickle or copy the streams alone: the twin is not watched."""
        return Table, (self.rng,)

    def watch(self, watched: bool) -> None:
        """Collect emitted events from now on, or drop them."""
        self.watched = watched
        self.emit = self.events.append if watched else _ignore


def _ignore(event: Event) -> None:
    """Drops an event: `emit` while nobody observes."""
