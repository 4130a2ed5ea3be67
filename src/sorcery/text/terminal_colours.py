"""Colours for terminals, which mark owners, playable cards and ready minions.

Colours are added after the layout, and a text without them contains the same information. Pass a
painted text through `make_harmless` before printing, which keeps these colours and neutralizes all
other escape sequences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from tabletop import Seat
from tabletop.host import sanitize

_RESET: Final = "\x1b[0m"
_PAINT: Final = re.compile(r"(\x1b\[(?:0|1;36|1;33|32|35|31|2)m)")


class Tone(StrEnum):
    """The meanings of colours. The value is the escape sequence."""

    FIRST = "\x1b[1;36m"  # player 1
    SECOND = "\x1b[1;33m"  # player 2
    READY = "\x1b[32m"  # minions that can act, cards that can be played
    RITUAL = "\x1b[35m"
    REFUSED = "\x1b[31m"  # refusals and silenced minions
    FAINT = "\x1b[2m"  # unplayable cards and dead minions


PLAYERS: Final = (Tone.FIRST, Tone.SECOND)


def paint(text: str, tone: Tone | None) -> str:
    """Return `text` in a colour, or unchanged if `tone` is None."""
    return text if tone is None or not text else f"{tone.value}{text}{_RESET}"


def strip_paint(text: str) -> str:
    """Return `text` without its colours."""
    return _PAINT.sub("", text)


def make_harmless(text: str) -> str:
    """Return `text` with these colours and with all other escape sequences neutralized."""
    return "".join(
        part if _PAINT.fullmatch(part) else sanitize(part) for part in _PAINT.split(text)
    )


def by_player(line: str, names: Sequence[str]) -> str:
    """If `line` begins with a player's name, return it with the name in that player's colour."""
    # Longest name first, because one name may be a prefix of another.
    seats: list[Seat] = sorted(range(len(names)), key=lambda seat: -len(names[seat]))
    for seat in seats:
        name = names[seat]
        rest = line.removeprefix(name)
        if rest != line and rest[:1] in ("'", " ", ">"):
            return paint(name, PLAYERS[seat]) + rest
    return line
