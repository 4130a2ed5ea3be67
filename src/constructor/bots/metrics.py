"""Metrics of a match for `tabletop.studies`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from constructor.rules import events
from constructor.rules.actions import Action
from constructor.rules.layouts import pips
from constructor.rules.state import KINDS, ConstructorState, Resource
from tabletop import Match

ConstructorMatch: TypeAlias = Match[ConstructorState, Action]


class Turns:
    """Total number of turns of all builders."""

    def __init__(self, match: ConstructorMatch) -> None:
        self._turns = 0
        match.observe(self._count, events.TurnBegan)

    def _count(self, event: events.TurnBegan) -> None:
        self._turns += 1

    def value(self) -> int:
        """Return the number of turns that have begun."""
        return self._turns


class Basements:
    """Vertices of each builder's first basements."""

    def __init__(self, match: ConstructorMatch) -> None:
        self._chosen = [dict[str, int]() for _ in range(match.seats)]
        match.observe(self._choose, events.BasementChosen)

    def _choose(self, event: events.BasementChosen) -> None:
        self._chosen[event.seat][str(event.vertex)] = 1

    def value(self) -> tuple[Mapping[str, int], ...]:
        """Return, for each seat, a mapping of each chosen vertex number to 1."""
        return tuple(self._chosen)


class _PerSeat:
    """A number for each seat, which starts at 0."""

    def __init__(self, match: ConstructorMatch) -> None:
        self.numbers = [0] * match.seats

    def value(self) -> tuple[int, ...]:
        """Return the number of each seat."""
        return tuple(self.numbers)


class Pips(_PerSeat):
    """Pips around each builder's first basements.

    A tile has one pip for each of the 36 throws of two dice on which it produces.
    """

    def __init__(self, match: ConstructorMatch) -> None:
        super().__init__(match)
        tiles = [pips(tile) for tile in match.state.tiles]
        self._vertex_pips = [
            sum(tiles[tile] for tile in around) for around in match.state.topology.vertex_tiles
        ]
        match.observe(self._choose, events.BasementChosen)

    def _choose(self, event: events.BasementChosen) -> None:
        self.numbers[event.seat] += self._vertex_pips[event.vertex]


class Income:
    """Resources that each builder has gained from dice rolls."""

    def __init__(self, match: ConstructorMatch) -> None:
        self._gained = [[0] * KINDS for _ in range(match.seats)]
        match.observe(self._gain, events.ResourcesGained)

    def _gain(self, event: events.ResourcesGained) -> None:
        gained = self._gained[event.seat]
        for kind, amount in enumerate(event.amounts):
            gained[kind] += amount

    def value(self) -> tuple[Mapping[str, int], ...]:
        """Return the amounts gained by each seat, keyed by resource name."""
        return tuple(
            {Resource(kind).name: amount for kind, amount in enumerate(gained)}
            for gained in self._gained
        )


class Trades(_PerSeat):
    """Number of completed trades of each builder, whether offered or accepted."""

    def __init__(self, match: ConstructorMatch) -> None:
        super().__init__(match)
        match.observe(self._count, events.TradeAnswered)

    def _count(self, event: events.TradeAnswered) -> None:
        if event.accepted:
            self.numbers[event.seat] += 1
            self.numbers[event.to] += 1


class Geese(_PerSeat):
    """Number of times that each builder has moved the geese."""

    def __init__(self, match: ConstructorMatch) -> None:
        super().__init__(match)
        match.observe(self._count, events.GeesePlaced)

    def _count(self, event: events.GeesePlaced) -> None:
        self.numbers[event.seat] += 1


class Lost(_PerSeat):
    """Number of resources that each builder has lost to the geese and to theft."""

    def __init__(self, match: ConstructorMatch) -> None:
        super().__init__(match)
        match.observe(self._lose, events.ResourcesLost)
        match.observe(self._steal, events.ResourceStolen)

    def _lose(self, event: events.ResourcesLost) -> None:
        self.numbers[event.seat] += sum(event.amounts)

    def _steal(self, event: events.ResourceStolen) -> None:
        self.numbers[event.victim] += 1


METRICS: Final[Mapping[str, type]] = {
    "turns": Turns,
    "basements": Basements,
    "pips": Pips,
    "income": Income,
    "trades": Trades,
    "geese": Geese,
    "lost": Lost,
}
