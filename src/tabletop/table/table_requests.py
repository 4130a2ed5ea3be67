"""The requests about the table around a match: chat, shared screens, passing, the next table."""

from __future__ import annotations

from typing import Protocol

from tabletop.errors import NotPermitted, TabletopError
from tabletop.host.screen_text import is_visible, sanitize
from tabletop.protocol.incoming import (
    MessageIn,
    PassIn,
    PlayAgainIn,
    ReseatIn,
    ResignIn,
    SayIn,
    SitIn,
    UndoIn,
)
from tabletop.protocol.settings import TableSettings
from tabletop.rules.events import ActionsUndone
from tabletop.table.holders import Holders
from tabletop.table.inputs import OpenNext
from tabletop.table.limits import TooFast
from tabletop.table.match_requests import MatchRequests
from tabletop.table.passing import Passing
from tabletop.table.seat_holder import Screen, SeatHolder
from tabletop.table.successors import Successors


class CommandTable(Protocol):
    """The parts of a table that its requests use."""

    settings: TableSettings
    hosted: bool
    holders: Holders
    requests: MatchRequests
    successors: Successors
    passing: Passing
    now: float


class TableRequests:
    """Carries out the requests of screens. Those about the match are passed to `MatchRequests`."""

    def __init__(self, table: CommandTable) -> None:
        self._table = table
        self._undone = 0  # actions in all, because a record with many takes long to read

    def count_undone(self, event: ActionsUndone) -> None:
        """Count undone actions, whose number is limited."""
        self._undone += event.count

    def carry_out(self, screen: Screen, message: MessageIn) -> bool:
        """Carry out a request of a screen. Return False if `DoneOut` follows later.

        Raises:
            TabletopError, ValueError: The request is refused. Nothing has changed.
        """
        holder, now = screen.holder, self._table.now
        holder.check_seat()
        match message:
            case PlayAgainIn():
                return self._open_next(screen, message)
            case ReseatIn(seat, player):
                if not holder.is_shared:
                    self._take_ask(holder)
                self._table.successors.reseat_for(holder, seat, player, now)
            case SayIn(text):
                self._say(holder, text)
            case SitIn(seat):
                holder.sit_down(seat)
            case PassIn():
                self._table.passing.request(holder, message, now)
            case _:
                self._request(holder, message)
        return True

    def _request(self, holder: SeatHolder, message: MessageIn) -> None:
        """Carry out a request about the match, which may need the consent of others."""
        table = self._table
        if isinstance(message, UndoIn) and self._undone >= holder.limits.undone:
            raise NotPermitted("the undo limit of this match is reached")
        if table.requests.is_limited(holder, message):
            self._take_ask(holder)
        holder.request(message)
        if isinstance(message, ResignIn):
            table.successors.note_losers(table.now)
            table.successors.replace(table.now)

    def _say(self, holder: SeatHolder, text: str) -> None:
        """Add a chat message to the log of everybody. It is not recorded."""
        if not self._table.settings.chat:
            raise TabletopError("chat is turned off at this table")
        words = sanitize(" ".join(text.split()))
        if not is_visible(words):
            raise TabletopError("the message is empty")
        self._take_ask(holder)
        self._table.holders.show(lambda hearer: hearer.hear(words, holder.link))

    def _open_next(self, screen: Screen, message: PlayAgainIn) -> bool:
        """Have a table opened for the same players. Return whether it is open already."""
        if not self._table.hosted:
            raise TabletopError("this table cannot be opened again")
        if not self._table.requests.match.over:
            raise TabletopError("the match is not over yet")
        if screen.holder.next_table is not None:
            return True
        screen.holder.effects.append(OpenNext(screen.number, message.id))
        return False

    def _take_ask(self, holder: SeatHolder) -> None:
        if not holder.asks.take(self._table.now):
            raise TooFast
