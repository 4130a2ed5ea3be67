"""The course's game with a window beside it: each turn waits for somebody, or goes at a pace.

What is printed on standard output is the same, to the byte (LCR §5).
"""

from __future__ import annotations

import sys
from asyncio import AbstractEventLoop
from io import StringIO
from typing import Final

from lcr.program.prompts import Output
from lcr.rules.events import TurnEnded
from lcr.rules.state import ROLL
from lcr.text import CourseLines
from tabletop import MatchEnded
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.session import Changed, Notification, Seated, Session
from tabletop.terminal import Console, OpenSecondView, PromptCancelled, SecondView

PROMPT: Final = "Press Enter, or click the dice: {} rolls. "

PACE: Final = 0.6
"""Seconds for which a turn is shown, where nobody at a terminal says when to roll."""


def play_beside(
    match: AnyMatch,
    out: Output,
    beside: OpenSecondView,
    loop: AbstractEventLoop | None,
) -> None:
    """Play a match as `lcr.program.cli.play` does, beside a window that shows it.

    At a terminal each turn waits for Enter there, or for a click in the window. Elsewhere the dice
    are rolled without a question, and slowly while somebody watches.
    """
    plugin = load("lcr:GAME")
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    # Questions go to the standard error: the standard output is the course's.
    console = Console(sys.stdin if asks else StringIO(), sys.stderr, loop=loop)
    with Session(match, plugin, [HUMAN] * match.seats, undo="fair") as session:
        turns = _Turns(session, console, out, beside(session, console))
        while not match.over:
            turns.take()
        turns.write()  # the last one may have been taken while the window caught up
        turns.window.freeze()
    turns.window.stay()


class _Turns:
    """Takes turns at the table, and writes the lines of all turns, also those of the window."""

    def __init__(self, session: Session, console: Console, out: Output, window: SecondView) -> None:
        self.window = window
        self._session = session
        self._console = console
        self._out = out
        self._asks = console.interactive
        self._lines: list[str] = []  # kept back while a person types at the prompt
        lines = CourseLines(session.match.names, self._lines.append)
        session.match.observe(lines, TurnEnded, MatchEnded)
        self._participant = session.join(self)

    def notify(self, news: Notification) -> None:
        """Ask no more when the dice were rolled in the window, or a bot is to roll them now."""
        if isinstance(news, Changed | Seated):
            self._console.cancel_prompt()

    def take(self) -> None:
        """Take a turn, or see one taken in the window."""
        session = self._session
        if self._asks and session.bot_to_act is None:
            self._ask()
        else:
            self.window.pause(PACE)
            if session.bot_to_act is not None:  # seated in the window
                session.advance()
            elif session.waiting_for:
                self._participant.request(ActIn(str(ROLL)))
        self.write()
        self.window.catch_up()

    def write(self) -> None:
        """Write the lines of turns taken since."""
        for line in self._lines:
            self._out.write(line)
        self._lines.clear()
        self._out.flush()

    def _ask(self) -> None:
        """Wait for Enter; after the end of input, ask no more."""
        seat = self._session.waiting_for[0]
        prompt = PROMPT.format(self._session.match.names[seat])
        try:
            while (line := self._console.read(prompt)) and line.strip().casefold() == "window":
                self._console.say(self.window.where)
        except PromptCancelled:
            return
        self._asks = line is not None
        if self._session.match.to_act == (seat,):
            self._participant.request(ActIn(str(ROLL)))
