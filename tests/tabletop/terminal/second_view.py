"""A program for the tests: a terminal, and beside it a client that lives in an event loop.

Its arguments are `GAME LINE...`. The terminal has the first seat. Somebody else has the second, and
says the next line at each SIGUSR1; one that is `undo` undoes an action. A line that begins
with `!` is said as soon as they are to act, before the terminal has its next prompt.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn, MessageIn, UndoIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table import Changed, Notification, Participant, Session
from tabletop.terminal import Console, TerminalClient, TerminalLoop, guarded


class Elsewhere:
    """Somebody who sits elsewhere."""

    place: Participant

    def __init__(self, loop: asyncio.AbstractEventLoop, lines: list[str]) -> None:
        self._lines = lines
        self._loop = loop
        loop.add_signal_handler(signal.SIGUSR1, self._speak)

    def notify(self, news: Notification) -> None:
        """Let the loop print the next line if it starts with `!` and the seat is to act."""
        if isinstance(news, Changed) and self._lines and self._lines[0].startswith("!"):
            self._lines[0] = self._lines[0].removeprefix("!")
            self._loop.call_soon(self._speak)

    def _speak(self) -> None:
        line = self._lines.pop(0)
        request: MessageIn = UndoIn(actions=1) if line == "undo" else ActIn(line)
        self.place.request(request)


def run(game: str, *lines: str) -> int:
    """Play at the terminal, with somebody elsewhere."""
    loop = asyncio.new_event_loop()
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="oak")
    session = Session(match, plugin, [HUMAN, HUMAN])
    other = Elsewhere(loop, list(lines))
    other.place = session.join(other, [1])
    client = TerminalClient(session, Console(loop=loop))
    TerminalLoop(client).run()
    loop.close()
    return 0


def main(arguments: Sequence[str]) -> int:
    """Run the program."""
    return guarded("beside", lambda: run(*arguments))
