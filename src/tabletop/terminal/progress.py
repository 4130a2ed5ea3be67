"""A progress line for commands."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from time import monotonic

from tabletop.host.screen_text import raw_stream, sanitize


class ProgressLine:
    """A line on the standard error of a terminal that is removed at the end.

    Args:
        shown: Whether to display the line at all.
    """

    def __init__(self, *, shown: bool = True) -> None:
        self._is_shown = shown and sys.stderr.isatty()
        self._shown_at = 0.0
        self._is_blank = True

    def show(self, text: str) -> None:
        """Replace the current text with `text`, at most ten times a second."""
        now = monotonic()
        if self._is_shown and now >= self._shown_at + 0.1:
            self._shown_at, self._is_blank = now, False
            self._write(text)

    def show_bar(self, title: str, done: int, total: int, more: str = "") -> None:
        """Display a bar, the numbers of finished and of all items, and then `more`."""
        percent = 100 * done // total
        numbers = f"{done:,} of {total:,}, {percent}%{more}"
        width = min(_columns() - len(f"{title}: [] {numbers}"), 20)
        bar = f"[{'#' * (percent * width // 100):<{width}}] " if width > 0 else ""
        self.show(f"{title}: {bar}{numbers}")

    def wipe(self) -> None:
        """Remove the line until there is new text to display."""
        if not self._is_blank:
            self._is_blank = True
            self._write("")

    def _write(self, text: str) -> None:
        columns = _columns()
        raw_stream(sys.stderr).write(f"\r{sanitize(text)[:columns]:<{columns}}\r")
        sys.stderr.flush()


def _columns() -> int:
    """Return the usable width. Some terminals wrap after the last column, so leave it free."""
    return get_terminal_size().columns - 1
