"""A bot. Search bots such as `fair` need no code."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Stream

from .rules import Play, Position


class Expert:
    """Leads high cards, and takes tricks with the lowest possible card."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream  # for random choices

    def choose(self, view: Position, actions: Sequence[Play]) -> Play:
        ranked = sorted(actions, key=lambda it: it.card.rank)
        if (led := view.trick.led) is None:
            return ranked[-1]
        top = max(it.rank for it in view.trick.played if it.suit == led)
        wins = (it for it in ranked if it.card.suit == led and it.card.rank > top)
        return next(wins, ranked[0])
