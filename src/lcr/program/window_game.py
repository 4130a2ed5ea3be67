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
from tabletop.table import Session
from tabletop.terminal import Console, OpenSecondView, PromptCancelled, WindowTable

PROMPT: Final = "Press Enter, or click the dice: {} rolls. "

PACE: Final = 0.6
"""Seconds for which the window shows a turn if nobody at a terminal is asked to roll."""


def play_beside(
    match: AnyMatch, out: Output, beside: OpenSecondView, loop: AbstractEventLoop | None
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
    with Session(match, load("lcr:GAME"), [HUMAN] * match.seats, undo="fair") as session:
        table = WindowTable(session, console, beside, PACE)
        while not match.over:
            asks = _take_turn(table, console, asks=asks)
            for line in lines:
                out.write(line)
            lines.clear()
            out.flush()
        table.window.freeze()
    table.window.stay()


def _take_turn(table: WindowTable, console: Console, *, asks: bool) -> bool:
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
        table.window.pause(PACE)
    if table.match.to_act == (seat,) and table.players[seat] == HUMAN:
        table.play(ROLL)
    return asks


def _wait_for_enter(table: WindowTable, console: Console) -> bool:
    """Ask the person to act to press Enter. Return False at the end of input."""
    [seat] = table.match.to_act
    prompt = PROMPT.format(table.match.names[seat])
    while (line := console.read(prompt)) and line.strip().casefold() == "window":
        console.say(table.window.where)
    return line is not None
