"""The styles of text pictures, and functions that fit texts into cells (Sorcery 2024 §4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from tabletop.wording import width_of

Rows: TypeAlias = list[str]  # the lines of a picture, from top to bottom


ASCII: Final = str.maketrans("┃│║┏┓┗┛┠┨╠╣━─┯┷┴┬┘└┐┌═╔╗╚╝░", "|" * 11 + "-" * 15 + ".")
"""The characters of frames, and their counterparts in ASCII."""


class Style(NamedTuple):
    """A style of the pictures, which are all drawn in box characters."""

    name: str  # the value of the option `-style`
    indent: int  # number of spaces before the logo in the middle of the board
    logo: tuple[str, ...]  # the lines of the logo
    is_ascii: bool = False  # whether box characters are replaced by ASCII

    def show(self, rows: Rows) -> str:
        """Return the rows of a picture as a text in this style."""
        text = "\n".join(rows)
        return text.translate(ASCII) if self.is_ascii else text


SIMPLE: Final = Style(
    name="simple",
    indent=63,
    is_ascii=True,
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
"""ASCII, for all terminals."""

FANCY: Final = Style(
    name="fancy",
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
"""Unicode, for terminals that support it."""

STYLES: Final[Mapping[str, Style]] = {style.name: style for style in (SIMPLE, FANCY)}

# Texts measured in cells.


def clip(text: str, cells: int) -> str:
    """Return the longest prefix of `text` that fits into `cells` cells."""
    if text.isascii():
        return text[:cells]
    for place, letter in enumerate(text):
        cells -= width_of(letter)
        if cells < 0:
            return text[:place]
    return text


def left(text: str, cells: int) -> str:
    """Return `text` left-aligned in `cells` cells, truncated if it does not fit."""
    text = clip(text, cells)
    return text + " " * (cells - width_of(text))


def right(text: str, cells: int) -> str:
    """Return `text` right-aligned in `cells` cells, truncated if it does not fit."""
    text = clip(text, cells)
    return " " * (cells - width_of(text)) + text


def figure(text: str, cells: int = 4) -> str:
    """Return a number in `cells` cells, written in thousands (`12k`) if it does not fit."""
    if len(text) <= cells:
        return text
    sign, digits = (text[0], text[1:]) if text[0] in "+-*" else ("", text)
    return f"{sign}{(int(digits) + 500) // 1000}k"


def wrap(text: str, cells: int) -> Rows:
    """Break `text` at spaces into lines of at most `cells` cells.

    Line breaks in the text are kept. In a text with line breaks, lines may be one cell longer.
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
        else:  # the word is longer than a line
            lines[-1] = clip(words[0], cells)
            words[0] = words[0][len(lines[-1]) :]
    return lines
