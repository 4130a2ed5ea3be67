"""Those who are told what happens in a match, and who writes it down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from tabletop.events import ActionPlayed, MatchEnded, Observers
from tabletop.game import Seat
from tabletop.table import Table

if TYPE_CHECKING:
    from tabletop.match import Match


class Recorder(Protocol):
    """Who writes a match down as it goes. What it raises takes the move (or the undoing) back."""

    def played(self, match: Match[Any, Any], seat: Seat, action: Any) -> None:
        """An action is committed; nobody has been told yet."""

    def undone(self, match: Match[Any, Any], count: int) -> None:
        """`count` actions are taken back; nobody has been told yet."""


class Audience:
    """The audience of one match. A match that nobody watches has none.

    Args:
        table: what its rules tell, and are told to be watched by.
        observers: who is told; perhaps those of many matches.

    Attributes:
        observers: who is told.
        recorder: who writes everything down before.
        hear_actions: whether anybody is told of actions.
        hear_end: whether anybody is told how the match ended.
    """

    __slots__ = ("_table", "_telling", "hear_actions", "hear_end", "observers", "recorder")

    def __init__(self, table: Table, observers: Observers) -> None:
        self.observers = observers
        self.recorder: Recorder | None = None
        self._table = table
        self._telling = 0  # how many of the table's events are being told; 0 when none are
        self.attend()

    def attend(self) -> None:
        """See what the observers are to be told of: they may have come or gone."""
        self.hear_actions = self.observers.hear(ActionPlayed)
        self.hear_end = self.observers.hear(MatchEnded)
        self._table.watch(self.observers.hear_rules)

    def tell(self) -> None:
        """Tell what has happened. When an observer leads to this, whoever is telling goes on."""
        events = self._table.events
        telling, self._telling = self._telling, len(events)
        if telling or not events:
            return
        try:
            self.observers.tell(events)
        finally:
            self._telling = 0
            events.clear()

    def hush(self) -> None:
        """Let go of what nobody has begun to tell: it did not happen."""
        del self._table.events[self._telling :]
