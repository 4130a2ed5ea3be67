"""The course's game with a window, where each turn waits for a person or for a moment.

The text on standard output is exactly the same as without a window (LCR §5).
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
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.terminal import Console, LocalTable, OpenWindow, PromptCancelled

PROMPT: Final = "Press Enter, or click the dice: {} rolls. "

PACE: Final = 0.6  # seconds for a turn in the window if nobody at a terminal is asked to roll


def play_beside(
    match: AnyMatch, out: Output, beside: OpenWindow, loop: AbstractEventLoop | None
) -> None:
    """Play a match as `lcr.program.cli.play` does, with a window that displays it.

    At a terminal, each turn of a person waits for Enter or for a click in the window. Otherwise the
    dice are rolled without a question, slowly while a page is open in the window.
    """
    lines: list[str] = []  # held back while a person types at the prompt
    match.observe(CourseLines(match.names, lines.append), TurnEnded, MatchEnded)
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    # Questions are printed on standard error, because the course defines standard output.
    console = Console(sys.stdin if asks else StringIO(), sys.stderr, loop=loop)
    plugin, players = load("lcr"), [HUMAN] * match.seats
    with LocalTable(match, plugin, players, console, undo="fair", window=beside) as table:
        while not match.over:
            asks = _take_turn(table, console, asks=asks)
            for line in lines:
                out.write(line)
            lines.clear()
            out.flush()
        table.freeze()
    if table.window is not None:
        table.window.stay()


def _take_turn(table: LocalTable, console: Console, *, asks: bool) -> bool:
    """Roll the dice for the seat to act, unless this happens in the window.

    Returns whether people at a terminal are still asked, which is False after the end of input.
    """
    [seat] = table.match.to_act
    if table.players[seat] != HUMAN:
        table.step()
        return asks
    if asks:
        try:
            asks = _wait_for_enter(table, console)
        except PromptCancelled:
            return True
    else:
        table.pause(PACE)
    if table.match.to_act == (seat,) and table.players[seat] == HUMAN:
        table.play(ROLL)
    return asks


def _wait_for_enter(table: LocalTable, console: Console) -> bool:
    """Ask the person to act to press Enter. Return False at the end of input."""
    [seat] = table.match.to_act
    prompt = PROMPT.format(table.match.names[seat])
    while (line := console.read(prompt)) and line.strip().casefold() == "window":
        console.say("" if table.window is None else table.window.where)
    return line is not None
