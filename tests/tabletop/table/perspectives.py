"""A perspective that shows spectators only the start of a match, for tests."""

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
        self.revision = 1

    def facts(self, now: float) -> TableFacts:
        """Return facts that do not change."""
        seats = self.match.seats
        return TableFacts((True,) * seats, 1, (), (), (None,) * seats, (), False, "")


class StartOnly(Perspective):
    """The perspective of people to whom nothing new is shown."""

    def __init__(self, table: SeenTable) -> None:
        super().__init__(Start(table))

    def show(self, news: Callable[[], object]) -> None:
        """Show nothing."""


def only_the_start_for_spectators(table: MatchTable, link: Link) -> Perspective:
    """Return the perspective of the people behind a link (`MatchTable.perspective`)."""
    return StartOnly(table) if link is None else Perspective(table)
