"""The texts of positions and events, for terminals."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import ALL, Event, Watcher
from tabletop.display import CardText

from .picture import Drawing
from .rules import Position, TrickTaken


class Text(CardText[Position]):
    """The contents of the picture in words, and a line per event."""

    table = Drawing()

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, TrickTaken):
            return f"{names[event.seat]} takes the trick."
        return super().event(event, names, seat)

    def pause(self, event: Event) -> float:
        """Return the seconds for which bots wait after a trick."""
        return 1.5 * isinstance(event, TrickTaken)
