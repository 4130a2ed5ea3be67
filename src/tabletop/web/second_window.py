"""The window next to a terminal: open it, display one match after the other, and close it."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import suppress
from subprocess import Popen
from typing import TYPE_CHECKING, Final

from tabletop.host.screen_text import print_error
from tabletop.registry import Plugin
from tabletop.table.inputs import Effect, Input
from tabletop.table.match_table import MatchTable
from tabletop.terminal.console import Console, PromptCancelled
from tabletop.terminal.signals import run
from tabletop.web.browser_launcher import AppWindow, find_browser, has_display, open_default
from tabletop.web.local_window import LocalWindow

if TYPE_CHECKING:
    from typing import Self

WHERE: Final = "The window: {}"

NO_DISPLAY: Final = "The window can be opened here, in a browser on this machine: {}"

AGAIN: Final = " (type `window` to see this again)"

DIED: Final = "The browser ended without displaying the window. Open it yourself: {}"

STAYS: Final = "The window stays open until you press Enter. "

ENDED: Final = "The program has ended. This is the last position."

START: Final = 6.0
"""Seconds to wait for the browser to display the page if nobody at a terminal gives it time."""


class WindowLauncher:
    """Opens a window for the first table, and closes it at the end of the `with` block."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop = asyncio.new_event_loop()
        self._window: LocalWindow | None = None
        self._is_open = False
        self._app: AppWindow | None = None
        self._default: Popen[bytes] | None = None
        self._watch: asyncio.Task[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Send a last message to the page, and end the browser that was started for it."""
        try:
            if self._watch is not None:
                self._watch.cancel()
                run(self.loop, asyncio.wait([self._watch]))
            if self._window is not None:
                run(self.loop, self._window.farewell(ENDED))
                self._window.close()
        finally:
            if self._app is not None:
                self._app.close()
            if self._default is not None:
                self._default.poll()
            self.loop.close()

    def announce(self, plugin: Plugin, console: Console) -> LocalWindow:
        """Print the address of the window, once.

        Raises:
            CannotListen: The server cannot listen on this machine.
        """
        if self._window is None:
            self._window = LocalWindow(plugin, self.loop)
            text = _where(self._window)
            _say(console, text + AGAIN if console.interactive else text)
        return self._window

    def __call__(
        self, table: MatchTable, console: Console, elsewhere: Callable[[Effect], bool]
    ) -> SecondWindow:
        """Display a table in the window, and open the window for the first table."""
        window = self.announce(table.plugin, console)
        window.show(table, elsewhere)
        if not self._is_open and has_display(sys.platform, os.environ):
            self._open(window, console)
        self._is_open = True
        is_started = self._app is not None or self._default is not None
        if is_started and not (console.interactive and table.people):
            run(self.loop, window.screen_came(START))  # no person at the terminal gives it time
        return SecondWindow(window, self.loop, console)

    def _open(self, window: LocalWindow, console: Console) -> None:
        browser = find_browser() if console.interactive else None
        with suppress(OSError):  # the address has been printed
            if browser is not None:
                self._app = AppWindow(browser, window.new_link())
                self._watch = self.loop.create_task(_watch(self._app, window, console))
            else:
                self._default = open_default(window.new_link())  # not closed at the end


async def _watch(app: AppWindow, window: LocalWindow, console: Console) -> None:
    """Print a message if the browser ends before the page was displayed."""
    while not window.screens:
        if not app.runs:
            _say(console, DIED.format(window.address))
            return
        await asyncio.sleep(0.1)


def _say(console: Console, text: str) -> None:
    """Print a text about the window. Piped output must not change, so use the standard error."""
    if console.interactive:
        console.say(text)
    else:
        print_error(text)


def _where(window: LocalWindow) -> str:
    return (WHERE if has_display(sys.platform, os.environ) else NO_DISPLAY).format(window.address)


class SecondWindow:
    """The window, as a `tabletop.terminal.Window`."""

    def __init__(self, window: LocalWindow, loop: AbstractEventLoop, console: Console) -> None:
        self._window = window
        self._loop = loop
        self._console = console

    @property
    def where(self) -> str:
        """A line with the address of the page."""
        return _where(self._window)

    @property
    def is_open(self) -> bool:
        """True while a browser displays the page."""
        return self._window.screens > 0

    def receive(self, given: Input) -> None:
        """Pass an input to the table."""
        self._window.receive(given)

    def settle(self) -> None:
        """Wait until the page has received everything that is due."""
        run(self._loop, self._window.delivered())

    def freeze(self) -> None:
        """Keep displaying the present position."""
        self._window.freeze()

    def stay(self) -> None:
        """Keep the page open after the end until a person presses Enter or closes all pages."""
        self.settle()
        if not self._console.interactive or not self.is_open:
            return
        gone = self._loop.create_task(self._window.screens_left())
        gone.add_done_callback(lambda _: self._console.cancel_prompt())
        with suppress(PromptCancelled, KeyboardInterrupt):
            self._console.read(STAYS)
        gone.cancel()
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(gone)
