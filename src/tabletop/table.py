"""What the rules are given besides the state: chance, and a way to emit events."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.events import Event
from tabletop.rng import Streams


class Table:
    """The streams to draw from, and `emit` for events.

    Look ahead with a table of your own: `game.apply(view, action, Table(Streams("a guess")))`.

    Attributes:
        rng: the streams to draw from.
        emit: tell what happened; observers hear of it when the action is complete.
        watched: whether anybody is told what the rules emit. Where events are many, ask before
            making one.
        events: what is to be told of the action that has begun, when anybody is.
    """

    __slots__ = ("emit", "events", "rng", "watched")

    emit: Callable[[Event], object]

    def __init__(self, rng: Streams) -> None:
        self.rng = rng
        self.events: list[Event] = []
        self.watch(False)

    def __reduce__(self) -> tuple[type[Table], tuple[Streams]]:
        """Pickled or copied, it is one that nobody watches."""
        return Table, (self.rng,)

    def watch(self, watched: bool) -> None:
        """Whether to collect emitted events from now on, or to drop them."""
        self.watched = watched
        self.emit = self.events.append if watched else _ignore


def _ignore(event: Event) -> None:
    """What `emit` does when nobody observes."""
