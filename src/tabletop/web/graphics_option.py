"""A window on the match beside the terminal: the option `-graphics` of the programs.

    add_graphics_option(parser)
    ...
    with graphics_session(arguments.graphics) as graphics:
        console, beside = Console(loop=graphics.loop), graphics.beside
        table = TerminalGame(
            plugin, players, console=console, beside=beside
        )
        table.play(...)

Text and picture are two clients of one session: either may be played on, and each shows the actions
of both. The modules of the window are imported only when one is wanted.
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

    from tabletop.terminal.client import OpenSecondView

NEEDED: Final = ("starlette", "uvicorn", "websockets")
"""The modules to install: the extra `web`."""


@dataclass(frozen=True, slots=True)
class Graphics:
    """The connection between a program and the window beside its terminal; empty without one.

    Attributes:
        loop: runs the window; for `tabletop.terminal.Console`.
        beside: has the window join a session; for `tabletop.terminal.TerminalGame`.
    """

    loop: AbstractEventLoop | None = None
    beside: OpenSecondView | None = None


def add_graphics_option(parser: argparse.ArgumentParser, *names: str) -> None:
    """Declare the option that opens the window: `--graphics`, or spelled as in `names`."""
    parser.add_argument(
        *(names or ("--graphics",)),
        dest="graphics",
        action="store_true",
        help="open a window on the match beside the terminal; either may be played on",
    )


@contextmanager
def graphics_session(wanted: bool) -> Iterator[Graphics]:
    """Open a window, if wanted, when the first session is joined.

    Raises:
        MissingExtra: it is wanted, and its modules are not installed.
    """
    if not wanted:
        yield Graphics()
        return
    require("the window of -graphics", "web", *NEEDED)
    from tabletop.web.second_window import WindowLauncher

    with WindowLauncher() as launcher:
        yield Graphics(launcher.loop, launcher)
