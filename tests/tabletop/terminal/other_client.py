"""A program for the tests: a terminal, and a page next to it that lives in an event loop.

Its arguments are `GAME LINE...`. Two people play. The person at the page enters the next line for
the second seat at each SIGUSR1, and `undo` undoes an action. A line that begins with `!` is entered
as soon as the terminal shows the next events, before it has its next prompt.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence

from typing_extensions import override

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn, UndoIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table import Effect, MatchTable
from tabletop.terminal import Console, LocalConnection, LocalTable, guarded
from tests.tabletop.terminal.beside import FakeWindow, Opener


class Elsewhere(FakeWindow):
    """The page of a person who enters these lines."""

    def __init__(
        self,
        table: MatchTable,
        elsewhere: Callable[[Effect], bool],
        loop: asyncio.AbstractEventLoop,
        lines: list[str],
    ) -> None:
        super().__init__(table, elsewhere)
        self._lines = lines
        loop.add_signal_handler(signal.SIGUSR1, self._speak)

    @override
    def settle(self) -> None:
        if self._lines and self._lines[0].startswith("!") and self._table.match.ply:
            self._speak()

    def _speak(self) -> None:
        line = self._lines.pop(0).removeprefix("!")
        self.do([UndoIn(actions=1) if line == "undo" else ActIn(line, seat=1)])


class ElsewhereOpener(Opener):
    """Opens that page."""

    def __init__(self, loop: asyncio.AbstractEventLoop, lines: Sequence[str]) -> None:
        super().__init__()
        self._loop = loop
        self._lines = list(lines)

    @override
    def __call__(
        self, table: MatchTable, console: Console, elsewhere: Callable[[Effect], bool]
    ) -> FakeWindow:
        return Elsewhere(table, elsewhere, self._loop, self._lines)


def run(game: str, *lines: str) -> int:
    """Play at the terminal, with somebody elsewhere."""
    loop = asyncio.new_event_loop()
    plugin, console = load(game), Console(loop=loop)
    match: AnyMatch = Match(plugin.game, seed="oak")
    window = ElsewhereOpener(loop, lines)
    with LocalTable(match, plugin, [HUMAN, HUMAN], console, window=window) as table:
        LocalConnection(table, console).run()
    loop.close()
    return 0


def main(arguments: Sequence[str]) -> int:
    """Run the program."""
    return guarded("beside", lambda: run(*arguments))
