"""Matches that are played at a terminal client, line by line."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import Any

from tabletop import EndOfInput, Match, Plugin
from tabletop.display import ConsoleText
from tabletop.match import AnyMatch, Recorder
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.terminal import (
    Console,
    LocalConnection,
    LocalTable,
    Presentation,
    TerminalClient,
)
from tabletop.terminal.programs import report_observer
from tests.streams import Terminal

PEOPLE = (HUMAN, HUMAN)


def connection(
    match: AnyMatch,
    plugin: Plugin,
    players: Sequence[str],
    console: Console,
    recorder: Recorder | None = None,
    texts: ConsoleText[Any] | None = None,
) -> LocalConnection:
    """A terminal at a table of its own."""
    table = LocalTable(
        match,
        plugin,
        players,
        console,
        recorder=recorder,
        on_failure=partial(report_observer, "tabletop"),
    )
    return LocalConnection(table, console, Presentation(texts=texts))


def play(
    game: str,
    *lines: str,
    players: Sequence[str] = PEOPLE,
    terminal: bool = False,
    plugin: Plugin | None = None,
) -> tuple[AnyMatch, str]:
    """Return the match after these lines, and the whole output. The match may be unfinished."""
    plugin = plugin or load(game)
    match: AnyMatch = Match(plugin.game, seed="oak", seats=len(players))
    stream = Terminal if terminal else io.StringIO
    stdout = stream()
    console = Console(stream("".join(f"{line}\n" for line in lines)), stdout)
    try:
        TerminalClient(connection(match, plugin, players, console), console).play()
    except EndOfInput:
        stdout.write("(end of input)\n")
    return match, stdout.getvalue()
