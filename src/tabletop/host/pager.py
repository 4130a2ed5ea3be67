"""Long texts at a terminal, a screen at a time."""

from __future__ import annotations

import os
import sys
from shutil import get_terminal_size

from tabletop.host.screen_text import sanitize


def show_pages(text: str) -> None:
    """Print a text; at a terminal that it does not fit, with the pager of the system.

    That is what MANPAGER or PAGER names, else `less`.
    """
    text = sanitize(text)
    if needs_pages(text):
        from pydoc import pager  # it takes a while

        os.environ.setdefault("LESS", "FRX")  # what is shown stays on the screen afterwards
        pager(text)
    else:
        sys.stdout.write(f"{text}\n")


def needs_pages(text: str) -> bool:
    """Check whether a text is printed at a terminal that is not high enough for it."""
    return sys.stdout.isatty() and text.count("\n") + 2 > get_terminal_size().lines
