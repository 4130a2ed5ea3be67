"""Text in pictures: measured, wrapped, and fitted into the room there is.

Browsers have different fonts. Widths come from a table for common sans-serif letters; where a text
nearly fills its room, the picture says how wide it has to be (`textLength`), so that no font makes
it wider than it was measured.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple
from unicodedata import category, combining, east_asian_width

Anchor = Literal["start", "middle", "end"]

ELLIPSIS: Final = "…"

FLOOR: Final = 0.62
"""A text that does not fit becomes smaller, down to this share of its size."""

_WIDTHS: Final = {
    **dict.fromkeys("ijl'|", 0.24),
    **dict.fromkeys(" !,./:;I[]\\ft", 0.29),
    **dict.fromkeys("()r-{}`", 0.345),
    **dict.fromkeys('"*', 0.38),
    **dict.fromkeys("Jckvsxyz^", 0.51),
    **dict.fromkeys("#$0123456789?_abdeghnopquL", 0.565),
    **dict.fromkeys("+<=>~FTZ", 0.605),
    **dict.fromkeys("&ABEKPSVXY", 0.675),
    **dict.fromkeys("CDHNRUw", 0.735),
    **dict.fromkeys("GOQ", 0.785),
    **dict.fromkeys("mM%", 0.87),
    **dict.fromkeys("W@", 0.98),
}
_OTHER: Final = 0.72
_WIDE: Final = 1.05
_BOLD: Final = 1.07

_ESCAPES: Final = {
    "\n": "&#10;",
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
}
_ESCAPED: Final = str.maketrans(_ESCAPES)
_BLANKS: Final = "\t\r\x0b\x0c\x85\u2028\u2029"


@lru_cache(maxsize=8192)
def escape(words: str) -> str:
    """Text as XML may hold it: safe between tags and in an attribute, where line breaks stay.

    What XML does not know, and what turns the direction of the text around it, is left out.
    """
    # Most text is plain, and need not be looked at letter by letter.
    if words.isascii() and words.isprintable():
        return words.translate(_ESCAPED)
    return "".join(_escaped(letter) for letter in words)


@lru_cache(maxsize=4096)
def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter in _BLANKS:
        return " "
    if category(letter) in {"Cc", "Cs", "Cn", "Co"} or letter in "\u202a\u202b\u202c\u202d\u202e":
        return ""
    if letter in "\u2066\u2067\u2068\u2069\u200e\u200f\ufeff":
        return ""
    return letter


@lru_cache(maxsize=4096)
def _letter_width(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if combining(letter) or category(letter) in {"Mn", "Me", "Cf", "Cc", "Cs"}:
        return 0.0
    return _WIDE if east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF else _OTHER


# After every action a picture is drawn anew, and nearly all of its texts are those of the last one.
@lru_cache(maxsize=8192)
def measure(words: str, size: float = 1, *, bold: bool = False) -> float:
    """How wide a text is, in the units of its size."""
    return sum(map(_letter_width, words)) * size * (_BOLD if bold else 1)


class _Fit(NamedTuple):
    """A text that fits."""

    words: str
    size: float
    cut: bool


@lru_cache(maxsize=8192)
def _fit(words: str, size: float, room: float, floor: float, *, bold: bool) -> _Fit:
    width = measure(words, size, bold=bold)
    if width <= room:
        return _Fit(words, size, cut=False)
    if width * floor <= room:
        return _Fit(words, size * room / width, cut=False)
    size *= floor
    return _Fit(_cut(words, size, room, bold=bold), size, cut=True)


def _cut(words: str, size: float, room: float, *, bold: bool) -> str:
    """As much of a text as fits, and an ellipsis."""
    left = room - measure(ELLIPSIS, size, bold=bold)
    kept = 0
    for letter in words:
        left -= measure(letter, size, bold=bold)
        if left < 0:
            break
        kept += 1
    return words[:kept].rstrip() + ELLIPSIS


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    room: float,
    class_: str = "",
    *,
    anchor: Anchor = "start",
    bold: bool = False,
    floor: float = FLOOR,
) -> str:
    """One line of text that never is wider than its room.

    Args:
        x: where it stands, as `anchor` says.
        y: its base line.
        words: the text; line breaks are blanks.
        size: how large it would like to be.
        room: how wide it may be.
        class_: for its colour: `tt-text-muted`, `tt-text-on-blue`, ...
        anchor: which of its ends stands at `x`.
        bold: whether its letters are.
        floor: it becomes smaller down to this share of `size`; then it is cut with an ellipsis, and
            the whole of it stands in its `<title>`.
    """
    words = " ".join(words.split())
    fit = _fit(words, size, room, floor, bold=bold)
    return _line(x, y, fit, room, class_, anchor, words if fit.cut else "", bold=bold)


def _line(
    x: float,
    y: float,
    fit: _Fit,
    room: float,
    class_: str,
    anchor: Anchor,
    whole: str,
    *,
    bold: bool,
) -> str:
    width = measure(fit.words, fit.size, bold=bold)
    kinds = " ".join(filter(None, (class_, "tt-bold" if bold else "")))
    # Short text is left alone: no font makes it too wide, and stretched letters look odd.
    exact = (
        f' textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs"' if width > 0.7 * room else ""
    )
    title = f"<title>{escape(whole)}</title>" if whole else ""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    kind = f' class="{kinds}"' if kinds else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{fit.size:.2f}"{side}{kind}{exact}>'
        f"{title}{escape(fit.words)}</text>"
    )


@lru_cache(maxsize=2048)
def wrap(words: str, size: float, room: float, *, bold: bool = False) -> tuple[str, ...]:
    """The lines of a text that is wrapped at blanks; a word that is too long is cut up.

    Args:
        words: the text; its own line breaks stay.
        size: of its letters.
        room: how wide a line may be.
        bold: whether its letters are.
    """
    lines: list[str] = []
    for own in words.splitlines() or [""]:
        current = ""
        for word in own.split():
            longer = f"{current} {word}" if current else word
            if measure(longer, size, bold=bold) <= room:
                current = longer
                continue
            if current:
                lines.append(current)
            *full, current = _pieces(word, size, room, bold=bold)
            lines += full
        lines.append(current)
    return tuple(lines)


def _pieces(word: str, size: float, room: float, *, bold: bool) -> list[str]:
    """A word, cut where a line is full; each piece has one letter at least."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and measure(pieces[-1] + letter, size, bold=bold) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def paragraph(
    x: float,
    y: float,
    words: str,
    size: float,
    room: tuple[float, float],
    class_: str = "",
    *,
    anchor: Anchor = "start",
    bold: bool = False,
    floor: float = FLOOR,
    leading: float = 1.2,
) -> str:
    """Text that is wrapped into a box, and never leaves it.

    Args:
        x: of the box: its left side, its middle or its right side, as `anchor` says.
        y: the upper side of the box.
        words: the text.
        size: how large it would like to be.
        room: how wide and how high the box is.
        class_: for its colour.
        anchor: how lines are aligned.
        bold: whether its letters are.
        floor: as `text` has it.
        leading: from line to line, in sizes.
    """
    width, height = room
    lines, size, cut = _set_in(words, size, width, height, floor * size, leading, bold=bold)
    title = tag_title(words) if cut else ""
    set_lines = (
        _line(
            x,
            y + size * (0.85 + leading * row),
            _Fit(line, size, cut=False),
            width,
            class_,
            anchor,
            "",
            bold=bold,
        )
        for row, line in enumerate(lines)
        if line
    )
    return f"<g>{title}{''.join(set_lines)}</g>"


def tag_title(words: str) -> str:
    """A `<title>`: shown to a resting pointer, and read by screen readers."""
    return f"<title>{escape(words)}</title>"


@lru_cache(maxsize=2048)
def _set_in(
    words: str,
    size: float,
    width: float,
    height: float,
    least: float,
    leading: float,
    *,
    bold: bool,
) -> tuple[tuple[str, ...], float, bool]:
    """Lines that fit into a box, their size, and whether something had to be left out."""
    while True:
        lines = wrap(words, size, width, bold=bold)
        if size * (1 + leading * (len(lines) - 1)) <= height:
            return lines, size, False
        if size <= least:
            break
        # In steps: how lines break hangs on the size, so that the right one cannot be computed.
        size = max(least, size * 0.93)
    most = max(1, int((height / size - 1) / leading) + 1)
    if len(lines) <= most:
        return lines, size, False
    last = _cut(lines[most - 1], size, width, bold=bold)
    return (*lines[: most - 1], last), size, True
