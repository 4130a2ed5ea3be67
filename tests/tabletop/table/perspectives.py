"""Perspectives that show spectators only the start of a match, or everything late, for tests."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.table import Link, MatchTable
from tabletop.table.perspective import Perspective, SeenTable, TableFacts


class Start:
    """The parts of a table that people see, as they were before the first action."""

    def __init__(self, table: SeenTable) -> None:
        self.match = table.match.clone()
        self.plugin = table.plugin
        self.players = table.players
        self.together = set[int]()
        self.now = table.now
        self.revision = 1

    def facts(self, now: float) -> TableFacts:
        """Return facts that do not change."""
        seats = self.match.seats
        return TableFacts((True,) * seats, 1, (), (), (None,) * seats, (), None, "")


class StartOnly(Perspective):
    """The perspective of people to whom nothing new is shown."""

    def __init__(self, table: SeenTable) -> None:
        super().__init__(Start(table))

    def show(self, news: Callable[[], object]) -> None:
        """Show nothing."""


class Late(StartOnly):
    """The perspective of people who see the start, and after a delay the present."""

    DELAY = 60

    def __init__(self, table: SeenTable) -> None:
        self.first_facts = table.facts(table.now)  # which need the complete table
        super().__init__(table)
        self.present = table
        self.waiting: list[tuple[float, Callable[[], object]]] = []

    def show(self, news: Callable[[], object]) -> None:
        """Show something after the delay."""
        self.waiting.append((self.present.now + self.DELAY, news))

    @property
    def deadline(self) -> float | None:
        """The time at which the next news are shown."""
        return self.waiting[0][0] if self.waiting else None

    def tick(self, now: float) -> None:
        """Show the news whose time has come."""
        while self.waiting and self.waiting[0][0] <= now:
            self.table = self.present
            self.waiting.pop(0)[1]()


def late_for_spectators(table: MatchTable, link: Link) -> Perspective:
    """Return the perspective of the people behind a link (`MatchTable.perspective`)."""
    return Late(table) if link is None else Perspective(table)


def only_the_start_for_spectators(table: MatchTable, link: Link) -> Perspective:
    """Return the perspective of the people behind a link (`MatchTable.perspective`)."""
    return StartOnly(table) if link is None else Perspective(table)
