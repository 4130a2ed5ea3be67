"""A bot. Search bots such as `fair` need no code."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Stream

from .rules import Play, Position


class Saver:
    """Leads high cards, and takes tricks with the lowest possible card."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream  # for random choices

    def choose(self, view: Position, actions: Sequence[Play]) -> Play:
        trick = view.trick
        ranked = sorted(actions, key=lambda it: it.card.rank)
        if trick.led is None:
            return ranked[-1]
        top = max(it.rank for it in trick.played if it.suit == trick.led)
        wins = [it for it in ranked if it.card.suit == trick.led]
        return next((it for it in wins if it.card.rank > top), ranked[0])
