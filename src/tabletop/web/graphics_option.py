"""A window on the match next to the terminal: the option `-graphics` of the programs.

    add_graphics_option(parser)
    ...
    with graphics_session(arguments.graphics) as graphics:
        console, beside = Console(loop=graphics.loop), graphics.beside
        table = TerminalGame(
            plugin, players, console=console, beside=beside
        )
        table.play(...)

The terminal and the window are two screens of one table. People may play in either, and each
shows all actions. The modules of the window are imported only if a window is wanted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tabletop.host.extras import require

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from tabletop.terminal.local_table import OpenWindow

NEEDED: Final = ("starlette", "uvicorn", "websockets")
"""The required modules, which the extra `web` installs."""


@dataclass(frozen=True, slots=True)
class Graphics:
    """The connection between a program and the window next to its terminal, if any.

    Attributes:
        loop: The loop that runs the window, for `tabletop.terminal.Console`, or None for no window.
        beside: Function that opens the window, for `tabletop.terminal.TerminalGame`, or
            None for no window.
    """

    loop: AbstractEventLoop | None = None
    beside: OpenWindow | None = None


def add_graphics_option(parser: argparse.ArgumentParser, *names: str) -> None:
    """Declare the option that opens the window: `--graphics`, or the spellings in `names`."""
    parser.add_argument(
        *(names or ("--graphics",)),
        dest="graphics",
        action="store_true",
        help="open a window on the match next to the terminal, and play in either",
    )


@contextmanager
def graphics_session(wanted: bool) -> Iterator[Graphics]:
    """Open a window, if wanted, when the first match starts.

    Raises:
        MissingExtra: A window is wanted, and its modules are not installed.
    """
    if not wanted:
        yield Graphics()
        return
    require("the window of -graphics", "web", *NEEDED)
    from tabletop.web.second_window import WindowLauncher

    with WindowLauncher() as launcher:
        yield Graphics(launcher.loop, launcher)
