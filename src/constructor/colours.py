"""Builders in their colours, for terminals: their names, and what they have built on the board.

Every mark keeps its letters, so that nothing is said by a colour alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from constructor.drawing import ROAD_LETTER
from constructor.state import COLOURS, LEVEL_LETTERS

RESET: Final = "\x1b[0m"
INKS: Final[Mapping[str, str]] = {
    "Blue": "\x1b[1;94m",
    "Red": "\x1b[1;91m",
    "Orange": "\x1b[1;38;5;208m",
    "Yellow": "\x1b[1;93m",
}
"""How each colour is written; Orange is one of 256 colours, as the sixteen have none."""

FEW_INKS: Final[Mapping[str, str]] = {**INKS, "Orange": "\x1b[33m"}
"""The same on terminals with sixteen colours: there, dark yellow is the nearest."""

_BY_LETTER: Final = {colour[0]: colour for colour in COLOURS}
_NAMES: Final = "|".join(COLOURS)
_MARKS: Final = f"[{''.join(_BY_LETTER)}][{LEVEL_LETTERS}{ROAD_LETTER}]"
_PAINTED: Final = re.compile(rf"\b(?:({_NAMES})|{_MARKS})\b")


def paint(text: str, inks: Mapping[str, str] = INKS) -> str:
    r"""`text` with escape codes around each builder's name and marks; only for terminals.

    Args:
        text: what is shown; already harmless (see `tabletop.host.printable`).
        inks: how each colour is written: `INKS` or `FEW_INKS`.

    >>> paint("|BB|-- 0--")
    '|\x1b[1;94mBB\x1b[0m|-- 0--'
    """

    def painted(found: re.Match[str]) -> str:
        word = found[0]
        return f"{inks[found[1] or _BY_LETTER[word[0]]]}{word}{RESET}"

    return _PAINTED.sub(painted, text)


def inks_of(terminal: str) -> Mapping[str, str]:
    """The inks for a kind of terminal, as `TERM` names it."""
    return INKS if "256" in terminal or "direct" in terminal else FEW_INKS
