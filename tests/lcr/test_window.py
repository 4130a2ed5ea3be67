"""The program `lcr` with a window."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

import pytest
from tests.streams import Terminal
from tests.tabletop.terminal.beside import FakeWindow, Keyboard

from lcr import GAME
from lcr.program.prompts import Output
from lcr.program.window_game import play_beside
from tabletop import Match, Plugin
from tabletop.protocol import ReseatIn
from tabletop.table import Effect, MatchTable
from tabletop.terminal import Console


class Seats:
    """Opens a window that gives all seats to bots while the terminal waits for Enter."""

    def __init__(self, loop: asyncio.AbstractEventLoop, sink: int) -> None:
        self._loop = loop
        self._sink = sink

    def announce(self, plugin: Plugin, console: Console) -> object:
        """Do nothing, because no address needs to be announced."""

    def __call__(
        self, table: MatchTable, console: Console, elsewhere: Callable[[Effect], bool]
    ) -> FakeWindow:
        window = FakeWindow(table, elsewhere)
        self._loop.call_soon(window.do, [ReseatIn(seat, "random") for seat in range(3)])
        self._loop.call_later(1, os.write, self._sink, b"window\n\n")  # else nothing would end
        return window


def test_bot_seated_in_the_window_rolls_without_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.new_event_loop()
    source, sink = os.pipe()
    out, asked = Terminal(), Terminal()
    with Keyboard(os.fdopen(source, "rb"), "utf-8") as stdin, open(sink, "wb"):
        for name, stream in (("stdin", stdin), ("stdout", out), ("stderr", asked)):
            monkeypatch.setattr(sys, name, stream)
        monkeypatch.setenv("TERM", "dumb")
        match = Match(GAME, seats=["Ann", "Bob", "Cy"], options={"course-seed": 42})
        play_beside(match, Output(out), Seats(loop, sink), loop)
    loop.close()
    assert asked.getvalue() == "Press Enter, or click the dice: Ann rolls. \n"
    assert out.getvalue().endswith(" won!\n")
