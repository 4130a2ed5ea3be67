"""The two styles of pictures, as data, and texts in cells (Sorcery 2024 §4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from tabletop.wording import width_of

Rows: TypeAlias = list[str]
"""A picture: its lines, from the top."""


class Line(NamedTuple):
    """The characters of a line across a picture: its ends, its cells, and a joint with a box."""

    first: str
    cell: str
    joint: str
    last: str


class Style(NamedTuple):
    """The characters that pictures are drawn with; `name` is what the option `-style` takes."""

    name: str
    # The edges of a card, and lines across it with joints upwards and downwards.
    top: Line
    bottom: Line
    above: Line
    below: Line
    # The edge of a card, and of a box in it.
    side: str
    bar: str
    # The corners at the lower and the upper end of small boxes, at the left and at the right.
    under: tuple[str, str]
    over: tuple[str, str]
    # Lines across the board, and its edge.
    first: Line
    middle: Line
    last: Line
    edge: str
    back: str
    indent: int  # where the logo in the middle of the board begins
    logo: tuple[str, ...]
    # Whether texts of cards are broken where a line is full, also in a word (Sorcery 2017 §6).
    breaks_words: bool = False


SIMPLE: Final = Style(
    name="simple",
    top=Line(*"|--|"),
    bottom=Line(*"|--|"),
    above=Line(*"|--|"),
    below=Line(*"|--|"),
    side="|",
    bar="|",
    under=("-", "-"),
    over=("-", "-"),
    first=Line(*"----"),
    middle=Line(*"|--|"),
    last=Line(*"----"),
    edge="|",
    back=".",
    indent=63,
    logo=(
        r"  _____",
        r" / ____|",
        r"| (___   ___  _ __ ___ ___ _ __ _   _",
        r" \___ \ / _ \| '__/ __/ _ \ '__| | | |",
        r" ____) | (_) | | | (_|  __/ |  | |_| |",
        r"|_____/ \___/|_|  \___\___|_|   \__, |",
        r"                                 __/ |",
        r"                                |___/",
    ),
)
"""ASCII: for every terminal."""

FANCY: Final = Style(
    name="fancy",
    top=Line(*"┏━┯┓"),
    bottom=Line(*"┗━┷┛"),
    above=Line(*"┠─┴┨"),
    below=Line(*"┠─┬┨"),
    side="┃",
    bar="│",
    under=("┘", "└"),
    over=("┐", "┌"),
    first=Line(*"╔══╗"),
    middle=Line(*"╠══╣"),
    last=Line(*"╚══╝"),
    edge="║",
    back="░",
    indent=53,
    logo=(
        "",
        "███████╗ ██████╗ ██████╗  ██████╗███████╗██████╗ ██╗   ██╗",
        "██╔════╝██╔═══██╗██╔══██╗██╔════╝██╔════╝██╔══██╗╚██╗ ██╔╝",
        "███████╗██║   ██║██████╔╝██║     █████╗  ██████╔╝ ╚████╔╝",
        "╚════██║██║   ██║██╔══██╗██║     ██╔══╝  ██╔══██╗  ╚██╔╝",
        "███████║╚██████╔╝██║  ██║╚██████╗███████╗██║  ██║   ██║",
        "╚══════╝ ╚═════╝ ╚═╝  ╚═╝ ╚═════╝╚══════╝╚═╝  ╚═╝   ╚═╝",
        "",
    ),
)
"""Unicode: for terminals that can show it."""

STYLES: Final[Mapping[str, Style]] = {style.name: style for style in (SIMPLE, FANCY)}
"""Every style by name."""

# Texts in cells.


def clip(text: str, cells: int) -> str:
    """Return the beginning of `text` that fits into so many cells."""
    if text.isascii():
        return text[:cells]
    for place, letter in enumerate(text):
        cells -= width_of(letter)
        if cells < 0:
            return text[:place]
    return text


def left(text: str, cells: int) -> str:
    """`text` at the left of so many cells, cut when it does not fit."""
    text = clip(text, cells)
    return text + " " * (cells - width_of(text))


def right(text: str, cells: int) -> str:
    """`text` at the right of so many cells, cut when it does not fit."""
    text = clip(text, cells)
    return " " * (cells - width_of(text)) + text


def figure(text: str, cells: int = 4) -> str:
    """Write a number in so many cells: as it is, or in thousands; none is beyond `state.MOST`."""
    if len(text) <= cells:
        return text
    sign, digits = (text[0], text[1:]) if text[0] in "+-*" else ("", text)
    return f"{sign}{(int(digits) + 500) // 1000}k"


def wrap(text: str, cells: int) -> Rows:
    """`text` in lines of so many cells, broken at blanks.

    A line of a text that has several is kept as it is, and may be a cell longer.
    """
    lines = []
    for line in text.split("\n"):
        if "\n" in text and width_of(line) <= cells + 1:
            lines.append(line)
        else:
            lines += _break_line(line.split(), cells)
    return lines


def _break_line(words: list[str], cells: int) -> Rows:
    lines = [""]
    while words:
        longer = f"{lines[-1]} {words[0]}".lstrip()
        if clip(longer, cells) == longer:
            lines[-1] = longer
            del words[0]
        elif lines[-1]:
            lines.append("")
        else:  # a word that is too long for any line
            lines[-1] = clip(words[0], cells)
            words[0] = words[0][len(lines[-1]) :]
    return lines
