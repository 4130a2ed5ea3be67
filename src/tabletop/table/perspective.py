"""The perspective of the people behind one link: everything that they see of a table.

All states, texts, log lines, notes and answers for these people are made from their perspective. A
rule about what somebody sees, such as a delay for spectators, is another `Perspective`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from tabletop.errors import NotPermitted
from tabletop.host.screen_text import printable_names
from tabletop.match.match import AnyMatch
from tabletop.protocol.outgoing import HoldOut
from tabletop.registry import Plugin
from tabletop.rules.events import Watcher
from tabletop.states.bounds import Seat
from tabletop.table.past import Past, look_back
from tabletop.table.reader_log import ReaderLog


class TableFacts(NamedTuple):
    """The facts about a table that its people see, without those of the match (`TableOut`)."""

    present: tuple[bool, ...]
    spectator_count: int
    replaceable: tuple[Seat, ...]
    lost: tuple[Seat, ...]
    clock: tuple[float | None, ...]
    running: tuple[Seat, ...]
    hold: HoldOut | None
    thinking: str


class SeenTable(Protocol):
    """The parts of a table that people see. A `MatchTable` has the present ones.

    Attributes:
        match: The match, whose views are shown.
        plugin: The texts of the game.
        together: The seats that have to choose at the same time as others.
        now: The time of the last input.
    """

    match: AnyMatch
    plugin: Plugin
    together: set[Seat]
    now: float

    @property
    def revision(self) -> int:
        """The number of the position."""

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human" or the name of a bot."""

    def facts(self, now: float) -> TableFacts:
        """Return the facts that are shown, without those of the match."""


class Perspective:
    """Everything that the people behind one link see of a table.

    Args:
        table: The table.

    Attributes:
        table: The table as they see it.
        watchers: The seats whose views and events they may see, and None for those of spectators.
        names: The names of the seats, as they can be printed.
        log: The log as they may read it.
    """

    def __init__(self, table: SeenTable) -> None:
        self.table: SeenTable = table
        self.watchers: set[Watcher] = set()
        self.names: tuple[str, ...] = printable_names(table.match.names)
        self.log: ReaderLog = ReaderLog(table.plugin.text, self.names)

    def show(self, news: Callable[[], object]) -> None:
        """Show something new, such as a position or a line of the log, by calling a function."""
        news()

    @property
    def deadline(self) -> float | None:
        """The time of the next `tick`, or None if nothing is shown later."""
        return None

    def tick(self, now: float) -> None:
        """Show everything whose time has come."""

    @property
    def match(self) -> AnyMatch:
        """The match at the position that they see."""
        return self.table.match

    def view(self, seat: Seat | None = None) -> Any:
        """Return the view of one of their seats, or of a spectator.

        Raises:
            NotPermitted: The seat belongs to other people.
        """
        self._allow(seat)
        return self.match.view(seat)

    def past(self, ply: int, seat: Seat | None = None) -> Past:
        """Return the view of one of their seats, or of a spectator, after `ply` actions.

        Raises:
            NotPermitted: The seat belongs to other people.
            ValueError: The match has fewer actions.
        """
        self._allow(seat)
        return look_back(self.match, ply, seat)

    def legal_actions(self, seat: Seat) -> Sequence[Any]:
        """Return the legal actions of one of their seats, or none if the seat is not to act.

        Raises:
            NotPermitted: The seat belongs to other people.
        """
        self._allow(seat)
        return self.match.legal_actions(seat)

    def _allow(self, watcher: Watcher) -> None:
        if watcher is not None and watcher not in self.watchers:
            raise NotPermitted("this is visible to another seat only")

    def rename(self) -> None:
        """Show the new names of the seats."""
        self.names = self.log.names = printable_names(self.match.names)
