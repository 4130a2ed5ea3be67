"""Metrics of a match for `tabletop.studies`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from lcr.rules.state import LcrState, Roll
from tabletop import ActionPlayed, Match

LcrMatch: TypeAlias = Match[LcrState, Roll]


class Turns:
    """Number of turns of each player. A skipped turn does not count."""

    def __init__(self, match: LcrMatch) -> None:
        self._turns = [0] * match.seats
        match.observe(self._count, ActionPlayed)

    def _count(self, event: ActionPlayed) -> None:
        self._turns[event.seat] += 1

    def value(self) -> tuple[int, ...]:
        """Return the number of turns of each seat."""
        return tuple(self._turns)


class Chips:
    """Number of chips of each player at the end."""

    def __init__(self, match: LcrMatch) -> None:
        self._match = match

    def value(self) -> tuple[int, ...]:
        """Return the number of chips of each seat."""
        return tuple(self._match.state.chips)


METRICS: Final[Mapping[str, type]] = {"turns": Turns, "chips": Chips}
