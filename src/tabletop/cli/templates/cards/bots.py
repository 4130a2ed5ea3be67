"""A bot. Search bots such as `fair` need no code."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Stream

from .rules import Play, Position


class Expert:
    """Leads high cards, and takes tricks with the lowest possible card."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, view: Position, actions: Sequence[Play]) -> Play:
        shuffled = self.stream.sample(actions, len(actions))
        ranked = sorted(shuffled, key=lambda it: it.card.rank)
        if not view.trick.is_open:
            return ranked[-1]
        return next((it for it in ranked if view.trick.beats(it.card)), ranked[0])
