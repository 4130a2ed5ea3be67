"""What studies measure of a match: see `tabletop.studies`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from lcr.rules.state import LcrState, Roll
from tabletop import ActionPlayed, Match

LcrMatch: TypeAlias = Match[LcrState, Roll]


class Turns:
    """Turns of each player: a player without chips is skipped, and has none."""

    def __init__(self, match: LcrMatch) -> None:
        self._turns = [0] * match.seats
        match.observe(self._count, ActionPlayed)

    def _count(self, event: ActionPlayed) -> None:
        self._turns[event.seat] += 1

    def value(self) -> tuple[int, ...]:
        """Return the turns of each seat."""
        return tuple(self._turns)


class Chips:
    """Chips of each player at the end."""

    def __init__(self, match: LcrMatch) -> None:
        self._match = match

    def value(self) -> tuple[int, ...]:
        """Return the chips of each seat."""
        return tuple(self._match.state.chips)


METRICS: Final[Mapping[str, type]] = {"turns": Turns, "chips": Chips}
"""The metrics by name."""
