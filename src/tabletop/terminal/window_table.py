"""A match that is played in a program and in a window at the same time."""

from __future__ import annotations

from typing import Any, Final

from tabletop.match.match import AnyMatch
from tabletop.protocol.messages import ActIn, ReseatIn
from tabletop.states.bounds import Seat
from tabletop.table.messages import BotFailed, Changed, Notification, Seated
from tabletop.table.players import ActionFailed, Replaced
from tabletop.table.session import Session
from tabletop.terminal.client import OpenSecondView, SecondView
from tabletop.terminal.console import Console

PACE: Final = 0.4
"""Seconds for which the window shows a position before a bot acts."""


class WindowTable:
    """A match that is played in a program and in a window, as a `tabletop.terminal.Playing`.

    A prompt of the program is cancelled if the window changes the match.

    Args:
        session: The match and its players.
        console: The console of the program.
        beside: Opens the window.
        pace: Seconds for which the window shows a position before a bot acts.

    Attributes:
        window: The window.
    """

    def __init__(
        self, session: Session, console: Console, beside: OpenSecondView, pace: float = PACE
    ) -> None:
        self.window: SecondView = beside(session, console)
        self._session = session
        self._console = console
        self._pace = pace
        self._failures: list[BotFailed | ActionFailed] = []
        self._participant = session.join(self)

    @property
    def match(self) -> AnyMatch:
        """The match."""
        return self._session.match

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human" or the name of a bot."""
        return self._session.players

    def play(self, action: Any) -> None:
        """Play an action of a person.

        Raises:
            TabletopError, ValueError: The action is refused.
        """
        self.match.check(action)  # refuses an illegal action in the words of the game
        self._participant.request(ActIn(str(action), seat=self.match.actor(action)))
        self.window.catch_up()

    def put(self, seat: Seat, player: str) -> None:
        """Give a seat to a bot or to a person.

        Raises:
            TabletopError: The request is refused.
        """
        self._participant.request(ReseatIn(seat, player))
        self.window.catch_up()

    def step(self) -> Replaced | ActionFailed | None:
        """Let the next bot act after a pause, unless a person has taken its seat meanwhile.

        Returns:
            The same as `Players.step`.
        """
        self.window.pause(self._pace)
        self._failures.clear()
        self._session.advance()
        self.window.catch_up()
        match self._failures:
            case [BotFailed(seat, player, error)]:
                return Replaced(seat, player, error, self.players[seat])
            case [ActionFailed() as failed]:
                return failed
        return None

    def notify(self, notification: Notification) -> None:
        """Receive a notification of the session."""
        match notification:
            case Changed() | Seated():
                self._console.cancel_prompt()
            case BotFailed() | ActionFailed():
                self._failures.append(notification)
