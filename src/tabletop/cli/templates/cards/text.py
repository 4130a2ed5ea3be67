"""How a match reads at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import ALL, Event, Watcher
from tabletop.display import CardText, cards_in_words

from .picture import Drawing
from .rules import Position, TrickTaken


class Text(CardText[Position]):
    """What the picture shows, in words, and what happens."""

    table = Drawing()

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, TrickTaken):
            cards = cards_in_words(event.cards)
            return f"{names[event.seat]} takes {cards}."
        return super().event(event, names, seat)

    def pause(self, event: Event) -> float:
        """Bots wait until people have seen a complete trick."""
        return 1.5 * isinstance(event, TrickTaken)
