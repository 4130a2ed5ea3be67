"""Colours at a terminal: whose something is, and what can be done with it.

They are put on texts that are laid out already, and a text without them reads the same. Whoever
writes a painted text has it through `make_harmless`, which lets nothing else through that a
terminal would obey.
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
    """The meaning of a colour; the value is the escape sequence for it."""

    FIRST = "\x1b[1;36m"  # player 1's
    SECOND = "\x1b[1;33m"  # player 2's
    READY = "\x1b[32m"  # can act, or be played
    RITUAL = "\x1b[35m"
    REFUSED = "\x1b[31m"  # refusals, and silenced minions
    FAINT = "\x1b[2m"  # cards not playable now, and dead minions


PLAYERS: Final = (Tone.FIRST, Tone.SECOND)


def paint(text: str, tone: Tone | None) -> str:
    """`text` in a colour, or unchanged for None."""
    return text if tone is None or not text else f"{tone.value}{text}{_RESET}"


def strip_paint(text: str) -> str:
    """`text` without its colours."""
    return _PAINT.sub("", text)


def make_harmless(text: str) -> str:
    """`text` with these colours, and with every other escape sequence made harmless."""
    return "".join(
        part if _PAINT.fullmatch(part) else sanitize(part) for part in _PAINT.split(text)
    )


def by_player(line: str, names: Sequence[str]) -> str:
    """Colour the name of a player that begins a line."""
    # Longest first: one name may be the beginning of the other.
    seats: list[Seat] = sorted(range(len(names)), key=lambda seat: -len(names[seat]))
    for seat in seats:
        name = names[seat]
        rest = line.removeprefix(name)
        if rest != line and rest[:1] in ("'", " ", ">"):
            return paint(name, PLAYERS[seat]) + rest
    return line
