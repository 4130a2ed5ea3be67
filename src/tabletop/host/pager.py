"""Show long texts in a terminal, page by page."""

from __future__ import annotations

import os
import sys
from shutil import get_terminal_size

from tabletop.host.screen_text import sanitize


def show_pages(text: str) -> None:
    """Print text, with the system's pager if it does not fit into the terminal.

    The pager is the program in the environment variable MANPAGER or PAGER, or `less`.
    """
    text = sanitize(text)
    if sys.stdout.isatty() and text.count("\n") + 2 > get_terminal_size().lines:
        from pydoc import pager  # slow to import

        os.environ.setdefault("LESS", "FRX")  # keep the text on the screen afterwards
        pager(text)
    else:
        sys.stdout.write(f"{text}\n")
