"""How a match reads at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import ALL, Event, Watcher
from tabletop.display import TextView
from tabletop.parts.cards import Card
from tabletop.wording import plural

from .rules import Position, TrickTaken


def written(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "-"


class Text(TextView[Position]):
    """How a position and what happens read at a terminal."""

    def position(
        self,
        view: Position,
        names: Sequence[str],
        seat: Watcher = ALL,
    ) -> str:
        lines = [f"On the table: {written(view.trick.played)}"]
        for name, hand, taken in zip(
            names, view.hands, view.taken, strict=True
        ):
            tricks = plural(taken, "trick")
            lines.append(f"{name}, {tricks}: {written(hand)}")
        return "\n".join(lines)

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        if isinstance(event, TrickTaken):
            name = names[event.seat]
            return f"{name} takes {written(event.cards)}."
        return super().event(event, names, seat)

    def pause(self, event: Event) -> float:
        """Bots wait until people have seen a complete trick."""
        return 1.5 if isinstance(event, TrickTaken) else 0
