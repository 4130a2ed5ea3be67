"""A pause: all clocks of a table stand still, as long as everybody agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tabletop.errors import IllegalAction, MatchOver, NotPermitted, OutOfDate, TabletopError
from tabletop.host.screen_text import printable_names
from tabletop.protocol.messages import ConsentOut
from tabletop.session.session import Session
from tabletop.states.bounds import Seat
from tabletop.web.client import Client, Clients
from tabletop.web.clocks import Clocks
from tabletop.wording import join_words

GONE_ON: Final = "the clocks are running, because the match has continued"
"""What is said when somebody acts before a request for a pause is answered."""


class Pausing:
    """Stops the clocks of a table when all who sit there agree, and lets them run again.

    An action ends a pause, and so does whoever sits at the table and says so.

    Args:
        session: the session.
        clients: the clients.
        clocks: the clocks.
        on_change: called when the clocks have been stopped, or let run.
    """

    def __init__(
        self, session: Session, clients: Clients, clocks: Clocks, on_change: Callable[[], object]
    ) -> None:
        self._session = session
        self._clients = clients
        self._clocks = clocks
        self._on_change = on_change
        self._asking: tuple[Seat, ...] = ()
        self._waiting: tuple[Seat, ...] = ()

    @property
    def question(self) -> str:
        """The open request for a pause in words; empty for none."""
        return f"{self._named(self._asking)} asks for a pause" if self._asking else ""

    def request(self, client: Client, *, on: bool) -> None:
        """Stop the clocks, or ask the others for their consent; or let them run again.

        Raises:
            TabletopError: it is refused.
        """
        clocks, own = self._clocks, client.place.seats
        if not clocks.exist:
            raise TabletopError("there are no clocks at this table")
        if not own:
            raise NotPermitted("you control no seat")
        if on == clocks.paused:
            raise IllegalAction(f"the clocks are already {'paused' if on else 'running'}")
        if not on:
            self._set(False, f"{self._named(own)} has started the clocks again")
            return
        if self._session.match.over:
            raise MatchOver
        if set(own) & set(self._waiting):
            self.answer(client, yes=True)
            return
        if self._asking:
            raise NotPermitted(f"{self.question}: wait for the answer")
        if self._session.proposal is not None:
            raise NotPermitted("answer the undo request first")
        here = self._clients.present.intersection(self._session.people).difference(own)
        if not here:
            self._stop(own)
            return
        self._asking, self._waiting = own, tuple(sorted(here))
        self._send(self._asking + self._waiting)

    def answer(self, client: Client, *, yes: bool) -> None:
        """Take the answer of a client to the open request; who has asked may say no as well.

        Raises:
            TabletopError: nobody has asked, or not this client.
        """
        own = set(client.place.seats)
        if not self._asking:
            raise OutOfDate("nobody asks for a pause")
        if not own.intersection(self._waiting if yes else self._asking + self._waiting):
            raise NotPermitted("the other players must answer this request")
        if not yes:
            who = self._named(sorted(own))
            withdrawn = own.intersection(self._asking)
            self._drop(
                f"{who} has withdrawn the request" if withdrawn else f"{who} refused the pause", own
            )
            return
        self._waiting = tuple(seat for seat in self._waiting if seat not in own)
        if self._waiting:
            self._send(self._asking + tuple(own))
        else:
            asking = self._asking
            self._drop()
            self._stop(asking)

    def changed(self) -> None:
        """Note that the match has gone on: this ends a pause, and answers who asks for one."""
        self._drop(GONE_ON, not_told=self._waiting)
        if self._clocks.paused:
            self._set(False, "the clocks are running again, because the match has continued")

    def seated(self) -> None:
        """Note that a seat has a new player: whoever asks for a pause has to ask again.

        Where only bots are left, they play on.
        """
        self._drop("another player has taken the seat; ask again", not_told=self._waiting)
        if self._clocks.paused and not self._session.people:
            self._set(False, "the clocks are running again, because only bots are playing")

    def restore(self, *, paused: bool) -> None:
        """Go on with a pause after the server was started again."""
        if paused:
            self._set(True)

    def message_to(self, client: Client) -> ConsentOut | None:
        """The open request, for those who have asked or are asked; None where there is none."""
        own = set(client.place.seats)
        if own.intersection(self._asking):
            who = self._named(self._waiting)
            return ConsentOut(self._asking[0], who, pause=True, waits=True)
        if own.intersection(self._waiting):
            return ConsentOut(self._asking[0], self._named(self._asking), pause=True)
        return None

    def _stop(self, seats: Iterable[Seat]) -> None:
        self._set(True, f"the clocks are paused, as {self._named(seats)} asked")

    def _set(self, paused: bool, note: str = "") -> None:
        self._clocks.paused = paused
        self._on_change()
        for client in self._clients if note else ():
            client.remark(note)

    def _drop(self, why: str = "", not_told: Iterable[Seat] = ()) -> None:
        """Drop the open request, if there is one; tell whom it concerns, and most of them why."""
        if not self._asking:
            return
        concerned, silent = {*self._asking, *self._waiting}, set(not_told)
        seat = min(self._asking)
        self._asking = self._waiting = ()
        for client in self._clients:
            if own := concerned.intersection(client.all_seats):
                client.send(ConsentOut(seat, "", why="" if own & silent else why))

    def _send(self, seats: Iterable[Seat]) -> None:
        """Send the open request to the clients of these seats."""
        wanted = set(seats)
        for client in self._clients:
            if wanted.intersection(client.place.seats):
                client.send(self.message_to(client) or ConsentOut(0, ""))

    def _named(self, seats: Iterable[Seat]) -> str:
        names = printable_names(self._session.match.names)
        return join_words([names[seat] for seat in seats], "and")
