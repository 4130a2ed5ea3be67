"""The parts of a terminal with a window, in the process of a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import TextIOWrapper
from time import monotonic

from typing_extensions import override

from tabletop import Plugin
from tabletop.protocol import MessageIn
from tabletop.table import Ask, Effect, Input, MatchTable, Open
from tabletop.terminal import Console, Window

PAGE = 1
"""The number of the page among the screens of the table."""


class Keyboard(TextIOWrapper):
    """The keyboard of a terminal."""

    @override
    def isatty(self) -> bool:
        return True


class FakeWindow(Window):
    """A window without a browser.

    Attributes:
        meanwhile: Requests from the page when it displays the first action.
    """

    where = ""
    is_open = False

    def __init__(self, table: MatchTable, elsewhere: Callable[[Effect], bool]) -> None:
        self._table = table
        self._elsewhere = elsewhere
        self.meanwhile: list[MessageIn] = []
        self.receive(Open(0, PAGE))

    @override
    def receive(self, given: Input) -> None:
        for effect in self._table.receive(given, monotonic()):
            self._elsewhere(effect)

    def do(self, requests: Sequence[MessageIn]) -> None:
        """Make requests on the page."""
        for request in requests:
            self.receive(Ask(PAGE, request))

    @override
    def settle(self) -> None:
        if self._table.match.ply:
            requests, self.meanwhile = self.meanwhile, []
            self.do(requests)

    @override
    def freeze(self) -> None:
        """Do nothing, because nobody looks at the page."""

    @override
    def stay(self) -> None:
        """Do nothing, because nobody looks at the page."""


class Opener:
    """Opens a fake window.

    Args:
        opened: Called with the window.
    """

    def __init__(self, opened: Callable[[FakeWindow], object] = bool) -> None:
        self._opened = opened

    def announce(self, plugin: Plugin, console: Console) -> object:
        """Do nothing, because no address needs to be announced."""

    def __call__(
        self, table: MatchTable, console: Console, elsewhere: Callable[[Effect], bool]
    ) -> FakeWindow:
        window = FakeWindow(table, elsewhere)
        self._opened(window)
        return window
