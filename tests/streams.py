"""Streams for programs that are run in this process."""

from __future__ import annotations

import io

from typing_extensions import override


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    @override
    def isatty(self) -> bool:
        return True
