"""SVG elements for pictures: plain functions that return SVG as text.

A picture is composed of text fragments, which `document` combines into a complete picture:

    table = rect(0, 0, 200, 100, "tt-cloth")
    document(200, 100, table, text(10, 50, "Hello", 20, 180), label="Hello")

Lengths are in the units of the picture, and angles in degrees. Colours are CSS variables for light
and dark mode. Elements use them through classes: `tt-paper` fills with the colour of paper, and
`tt-stroke-line` draws an outline with the colour of lines. Text is measured with a table of
character widths, and shrunk or truncated to fit, so even long names stay inside their box. Elements
have no `id`, so a page can contain several pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import cos, fsum, radians, sin
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from unicodedata import category, combining, east_asian_width

# Elements and shapes.

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
_TURNS: Final = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff"


@lru_cache(maxsize=8192)
def escape(words: str) -> str:
    """Escape text for use in the content and attributes of XML. Line breaks in attributes are kept.

    Characters that are invalid in XML or change the direction of text are removed.
    """
    # Most text is plain ASCII, which does not need to be checked character by character.
    if words.isascii() and words.isprintable():
        return words.translate(_ESCAPED)
    return "".join(_escape_letter(letter) for letter in words)


@lru_cache(maxsize=4096)
def _escape_letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter in _BLANKS:
        return " "
    left_out = category(letter) in {"Cc", "Cs", "Cn", "Co"} or letter in _TURNS
    return "" if left_out else letter


Value: TypeAlias = str | float | None
"""The value of an attribute. None omits the attribute."""


@lru_cache(maxsize=8192)
def number(value: float) -> str:
    """Format a length with at most two decimals and without trailing zeros."""
    digits = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


def tag(name: str, *body: str, **attributes: Value) -> str:
    """Create an element.

    Args:
        name: The name of the element.
        body: The content, as SVG.
        attributes: The attributes. Write `class_` for `class`. In other names, underscores become
            hyphens. An attribute with the value None is omitted.
    """
    # Optimized, because every move draws a picture with up to 1,000 elements for each viewer.
    words = name
    for key, value in attributes.items():
        if value is not None:
            content = escape(value) if isinstance(value, str) else number(value)
            words += f' {_attribute(key)}="{content}"'
    inside = "".join(body)
    return f"<{words}>{inside}</{name}>" if inside else f"<{words}/>"


@lru_cache(maxsize=512)
def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def group(*body: str, at: tuple[float, float] | None = None, turn: float = 0, **more: Value) -> str:
    """Combine several elements into a group.

    Args:
        body: The elements.
        at: The position of the origin of the group.
        turn: The rotation around the origin in degrees, clockwise.
        more: Further attributes, as in `tag`.
    """
    steps = [f"translate({number(at[0])} {number(at[1])})"] if at else []
    if turn:
        steps.append(f"rotate({number(turn)})")
    return tag("g", *body, transform=" ".join(steps) or None, **more)


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    class_: str = "",
    radius: float = 0,
    **more: Value,
) -> str:
    """Draw a rectangle. `radius` rounds its corners."""
    sides: dict[str, Value] = {"x": x, "y": y, "width": width, "height": height}
    return tag("rect", **sides, rx=radius or None, class_=class_ or None, **more)


def circle(x: float, y: float, radius: float, class_: str = "", **more: Value) -> str:
    """Draw a filled circle."""
    return tag("circle", cx=x, cy=y, r=radius, class_=class_ or None, **more)


def line(x1: float, y1: float, x2: float, y2: float, class_: str = "", **more: Value) -> str:
    """Draw a straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_ or None, **more)


def path(data: str, class_: str = "", **more: Value) -> str:
    """Draw a path from SVG path data."""
    return tag("path", d=data, class_=class_ or None, **more)


def polygon(points: Iterable[tuple[float, float]], class_: str = "", **more: Value) -> str:
    """Draw a polygon."""
    corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return tag("polygon", points=corners, class_=class_ or None, **more)


def regular(
    sides: int, x: float, y: float, radius: float, turn: float = 0
) -> list[tuple[float, float]]:
    """Return the corners of a regular polygon.

    Args:
        sides: The number of sides.
        x: The x coordinate of the centre.
        y: The y coordinate of the centre.
        radius: The distance from the centre to a corner.
        turn: The rotation in degrees, clockwise. Without rotation, the first corner points up.
    """
    angles = (radians(turn - 90 + 360 * corner / sides) for corner in range(sides))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def _plus(reach: float, half: float) -> list[tuple[float, float]]:
    """Return the corners of a plus sign with arms of length `reach`, `2 * half` wide."""
    arm = [(-half, -reach), (half, -reach), (half, -half)]
    turns = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
    return [(a * x + b * y, c * x + d * y) for a, b, c, d in turns for x, y in arm]


def _star(tips: int, outer: float, inner: float) -> list[tuple[float, float]]:
    out, within = regular(tips, 0, 0, outer), regular(tips, 0, 0, inner, 180 / tips)
    return [corner for pair in zip(out, within, strict=True) for corner in pair]


# Text.
#
# Browsers use different fonts. Widths are estimated with a table for common sans-serif fonts. A
# text that nearly fills its room gets a `textLength`, so that no font makes it wider than measured.

Anchor = Literal["start", "middle", "end"]
"""The alignment of text: it starts, is centred, or ends at its position."""

ELLIPSIS: Final = "…"
"""The character at the end of a truncated text."""

FLOOR: Final = 0.62
"""The minimum size to which a long text shrinks, relative to its normal size."""

LEAST: Final = 12
"""The minimum size to which a long text shrinks, in units, which are about pixels on a phone."""

CONDENSED: Final = 0.85
"""The minimum width of a text of that size, relative to its normal width."""

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


@lru_cache(maxsize=4096)
def _letter_width(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if combining(letter) or category(letter) in {"Mn", "Me", "Cf", "Cc", "Cs"}:
        return 0.0
    return _WIDE if east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF else _OTHER


# Cached, because nearly all texts of a picture are the same after the next action.
@lru_cache(maxsize=8192)
def measure(words: str, size: float = 1, *, bold: bool = False) -> float:
    """Return the width of text, in the same unit as `size`."""
    # `fsum`, because `sum` rounds differently since Python 3.12, and pictures must not change.
    return fsum(map(_letter_width, words)) * size * (_BOLD if bold else 1)


@lru_cache(maxsize=8192)
def _fit(words: str, size: float, room: float, floor: float, *, bold: bool) -> tuple[str, float]:
    """Return the text to draw, truncated if necessary, and its font size."""
    width = measure(words, size, bold=bold)
    if width <= room:
        return words, size
    least = max(size * floor, min(size, LEAST))
    if width * least <= room * size:
        return words, size * room / width
    if least == LEAST and width * least * CONDENSED <= room * size:
        return words, least
    return _cut(words, least, room, bold=bold), least


def _cut(words: str, size: float, room: float, *, bold: bool) -> str:
    """Truncate text to fit, with an ellipsis at the end."""
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
    fill: str = "",
) -> str:
    """Draw one line of text that is never wider than `room`.

    Args:
        x: The horizontal position; see `anchor`.
        y: The vertical position of the baseline.
        words: The text. Line breaks are replaced by spaces.
        size: The font size. A long text is drawn smaller.
        room: The maximum width.
        class_: A class for the colour, such as `tt-text-muted` or `tt-text-on-blue`.
        anchor: Whether the text starts, is centred, or ends at `x`.
        bold: Whether the text is bold.
        floor: The minimum size to which a long text shrinks, relative to `size`. If it is still too
            long, the text is truncated, and its `<title>` contains the full text.
        fill: A colour such as "#7a3b2e", which overrides the colour of the class.
    """
    words = " ".join(words.split())
    shown, size = _fit(words, size, room, floor, bold=bold)
    title = tag_title(words) if shown != words else ""
    drawn = _line(x, y, shown, size, room, class_, anchor, title, bold=bold)
    # A style, because the style sheet would override a `fill` attribute.
    return f'<text style="fill:{escape(fill)}"{drawn[5:]}' if fill else drawn


def _line(
    x: float,
    y: float,
    words: str,
    size: float,
    room: float,
    class_: str,
    anchor: Anchor,
    title: str = "",
    *,
    bold: bool,
) -> str:
    width = measure(words, size, bold=bold)
    kinds = " ".join(filter(None, (class_, "tt-bold" if bold else "")))
    # Short text does not need a fixed width, and stretched letters look odd.
    exact = (
        f' textLength="{min(width, room):.2f}" lengthAdjust="spacingAndGlyphs"'
        if width > 0.7 * room
        else ""
    )
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    kind = f' class="{kinds}"' if kinds else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}"{side}{kind}{exact}>'
        f"{title}{escape(words)}</text>"
    )


@lru_cache(maxsize=2048)
def wrap(words: str, size: float, room: float, *, bold: bool = False) -> tuple[str, ...]:
    """Wrap text at spaces and return the lines. Words that are too long are split.

    Args:
        words: The text. Its line breaks are kept.
        size: The font size.
        room: The maximum width of a line.
        bold: Whether the text is bold.
    """
    lines: list[str] = []
    for line in words.splitlines() or [""]:
        current = ""
        for word in line.split():
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
    """Split a word into pieces that fit on a line. Each piece has at least one character."""
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
    leading: float = 1.2,
) -> str:
    """Draw text, wrapped and shrunk to fit into a box.

    Args:
        x: The left, centre or right of the box, depending on `anchor`.
        y: The top of the box.
        words: The text.
        size: The font size. A long text is drawn smaller.
        room: The width and height of the box.
        class_: A class for the colour.
        anchor: The alignment of the lines.
        bold: Whether the text is bold.
        leading: The distance between lines, relative to the font size.
    """
    width, height = room
    lines, size, cut = _set_in(words, size, width, height, leading, bold=bold)
    title = tag_title(words) if cut else ""
    tops = (y + size * (0.85 + leading * row) for row in range(len(lines)))
    set_lines = (
        _line(x, top, line, size, width, class_, anchor, bold=bold)
        for top, line in zip(tops, lines, strict=True)
        if line
    )
    return f"<g>{title}{''.join(set_lines)}</g>"


def tag_title(words: str) -> str:
    """Create a `<title>` element, which browsers show as a tooltip and screen readers read."""
    return f"<title>{escape(words)}</title>"


@lru_cache(maxsize=2048)
def _set_in(
    words: str, size: float, width: float, height: float, leading: float, *, bold: bool
) -> tuple[tuple[str, ...], float, bool]:
    """Return lines of text that fit into a box, their font size, and whether text was truncated."""
    least = max(size * FLOOR, min(size, LEAST))
    while True:
        lines = wrap(words, size, width, bold=bold)
        if size * (1 + leading * (len(lines) - 1)) <= height:
            return lines, size, False
        if size <= least:
            break
        # Try sizes in steps, because line breaks depend on the size.
        size = max(least, size * 0.93)
    most = max(1, int((height / size - 1) / leading) + 1)
    if len(lines) <= most:
        return lines, size, False
    last = _cut(lines[most - 1], size, width, bold=bold)
    return (*lines[: most - 1], last), size, True


# Colours.
#
# Cloth is the colour of the table, paper that of cards, and ink that of text on cards. Every text
# colour has a contrast of at least 4.5 to 1 on its intended backgrounds, in both modes.

LIGHT: Final = MappingProxyType(
    {
        "cloth": "#d5dfd0",
        "cloth-deep": "#c0ceba",
        "paper": "#fcf8ef",
        "paper-deep": "#efe6d3",
        "ink": "#29241f",
        "muted": "#5a5148",
        "line": "#8b7d6b",
        "wood": "#c69a66",
        "wood-deep": "#8a6035",
        "accent": "#0a6b4c",
        "danger": "#a3301e",
        "gain": "#1d6a35",
        "shadow": "#29241f33",
        "blue": "#0072b2",
        "red": "#d55e00",
        "orange": "#e69f00",
        "yellow": "#f0e442",
        "sky": "#56b4e9",
        "green": "#009e73",
        "purple": "#cc79a7",
        "grey": "#23272b",
        "on-blue": "#ffffff",
        "on-red": "#1b1713",
        "on-orange": "#1b1713",
        "on-yellow": "#1b1713",
        "on-sky": "#1b1713",
        "on-green": "#1b1713",
        "on-purple": "#1b1713",
        "on-grey": "#ffffff",
    }
)
"""The colours of light mode and of print, by name."""

DARK: Final = MappingProxyType(
    {
        **LIGHT,
        "cloth": "#22302b",
        "cloth-deep": "#1a2522",
        "paper": "#3a332b",
        "paper-deep": "#2d2822",
        "ink": "#f4ede1",
        "muted": "#c9beae",
        "line": "#8f8371",
        "wood": "#8f6840",
        "wood-deep": "#5d4227",
        "accent": "#7fd8ad",
        "danger": "#ff9f8a",
        "gain": "#93d59f",
        "shadow": "#00000066",
        # Inverted, because the dark grey of the light mode is invisible on a dark background.
        "grey": "#e4e7ea",
        "on-grey": "#1b1713",
    }
)
"""The colours of dark mode, by name."""


def _set(colours: dict[str, str] | MappingProxyType[str, str]) -> str:
    return "".join(f"--tt-{name}:{value};" for name, value in colours.items())


TOKENS: Final = (
    f":root,.tt-picture{{color-scheme:light dark;{_set(LIGHT)}}}"
    f"@media (prefers-color-scheme:dark){{:root,.tt-picture{{{_set(DARK)}}}}}"
    f"@media print{{:root,.tt-picture{{{_set(LIGHT)}}}}}"
)
"""The CSS variables for colours, such as `--tt-cloth` and `--tt-paper`."""

_TEXT_INKS: Final = {"red": "danger"}
"""Text colours that differ from the fill of the same name.

The red of seats is an orange that colour-blind people can distinguish.
"""

STYLE: Final = (
    ".tt-picture{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
    "font-variant-numeric:tabular-nums;-webkit-user-select:none;user-select:none}"
    ".tt-picture text{fill:var(--tt-ink);dominant-baseline:auto}"
    + "".join(f".tt-{name}{{fill:var(--tt-{name})}}" for name in LIGHT)
    + "".join(
        f".tt-picture .tt-text-{name}{{fill:var(--tt-{_TEXT_INKS.get(name, name)})}}"
        for name in LIGHT
    )
    + "".join(f".tt-stroke-{name}{{stroke:var(--tt-{name})}}" for name in LIGHT)
    + ".tt-none{fill:none}.tt-hit{fill:transparent;stroke:none}.tt-bold{font-weight:700}"
    ".tt-dim{opacity:.55}"
    ".tt-card{fill:var(--tt-paper);stroke:var(--tt-line);stroke-width:1}"
    ".tt-part{outline:none}.tt-part[data-action],.tt-part.tt-lit{cursor:pointer}"
    ".tt-ring{fill:none;stroke:none;pointer-events:none}"
    ".tt-lit>.tt-ring{stroke:var(--tt-accent);stroke-width:3}"
    ".tt-lit:where(.tt-quiet)>.tt-ring{stroke:none}"
    ".tt-lit:where(.tt-quiet:hover)>.tt-ring{fill:var(--tt-ink);fill-opacity:.4}"
    ".tt-chosen>.tt-ring{stroke:var(--tt-accent);stroke-width:6}"
    ".tt-part:focus-visible>.tt-ring{stroke:var(--tt-ink);stroke-width:5;stroke-dasharray:7 4}"
)
"""The style sheet for the classes of pictures."""

LAST: Final = (
    ".tt-last>.tt-ring{fill:var(--tt-accent);fill-opacity:.2;stroke:var(--tt-ink);stroke-width:2}"
    ".tt-last>.tt-frame{fill:none;stroke-width:4}"
    ".tt-trace{fill:var(--tt-accent);fill-opacity:.2;pointer-events:none}"
)
"""The style of a part that shows the last action. It precedes `STYLE`, which can override it: a lit
part keeps its ring.
"""

CLASSES: Final = frozenset(
    {
        "tt-picture",
        "tt-last",
        "tt-frame",
        "tt-trace",
        "tt-die",
        "tt-number",
        "tt-sheet",
        "tt-after",
        *re.findall(r"\.(tt-[a-z-]+)", STYLE),
    }
)
"""All classes that elements may use.

`tt-quiet` is a lit part without a ring, which shows a faint mark under the pointer. `tt-frame` is a
ring that does not tint the part of the last action. `tt-die` and `tt-number` have no style. A page
rolls a die and counts a number up or down when they change. `tt-sheet` is the background of
a text position, for which a page uses a different layout.
`tt-after` is a group that is hidden until certain parts are chosen.
"""

_VARIABLE: Final = re.compile(r"var\(--tt-([a-z-]+)\)")

# Most systems without Arial have one of these fonts.
_NAMED_FONTS: Final = "'DejaVu Sans','Liberation Sans','Noto Sans'"


def flattened(picture: str, *, dark: bool = False) -> str:
    """Replace CSS variables in a picture with colours, for programs that do not support variables.

    Such programs often do not support generic font families either, so fonts are named explicitly.

    Args:
        picture: A picture created by `document`.
        dark: Whether to use the dark colours instead of the light ones.
    """
    colours = DARK if dark else LIGHT
    plain = _VARIABLE.sub(lambda found: colours[found[1]], STYLE)
    plain = plain.replace(",sans-serif", f",{_NAMED_FONTS},sans-serif", 1)
    return _VARIABLE.sub(
        lambda found: colours.get(found[1], found[0]), picture.replace(TOKENS + STYLE, plain)
    )


# Complete pictures, and the marks of seats.


def document(
    width: float, height: float, *body: str, label: str, style: str = "", bare: bool = False
) -> str:
    """Create a complete picture that works on its own.

    Args:
        width: The width in units. The picture is scaled to the available space.
        height: The height in units.
        body: The elements, from back to front.
        label: A description for people who cannot see the picture.
        style: Additional CSS.
        bare: Whether to omit the CSS, for a page that already contains it.
    """
    marks = LAST if any("tt-last" in piece for piece in body) else ""
    sheet = "" if bare else f"<style>{marks}{TOKENS}{STYLE}{style}</style>"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="tt-picture"'
        f' viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}"'
        f' height="{number(height)}" role="group" aria-label="{escape(label)}">'
        f"{tag_title(label)}{sheet}{''.join(body)}</svg>"
    )


def number_from(name: str, below: int, purpose: str = "") -> int:
    """Return a number that depends only on a name, and is the same on every machine.

    Args:
        name: The name of the subject.
        below: The exclusive upper bound. The lower bound is 0.
        purpose: Distinguishes independent numbers for the same name. Only the first 16 bytes are
            used.
    """
    key = blake2b(
        name.encode("utf-8", "surrogatepass"), digest_size=8, person=purpose.encode()[:16]
    )
    return int.from_bytes(key.digest(), "big") % below


SEAT_COLOURS: Final = ("blue", "red", "orange", "yellow", "sky", "green", "purple", "grey")
"""The colour names by seat (Okabe and Ito), repeated after the eighth seat."""


def seat_class(seat: int) -> str:
    """Return the class that fills with the colour of a seat."""
    return f"tt-{SEAT_COLOURS[seat % len(SEAT_COLOURS)]}"


_OUTLINES: Final[Mapping[int, tuple[Sequence[tuple[float, float]], float, float]]] = {
    2: ([(x, y + 0.16) for x, y in regular(3, 0, 0, 1.16)], 0.52, 0.85),
    3: (regular(4, 0, 0, 1.08), 0.36, 1),
    4: ([(x, y - 0.16) for x, y in regular(3, 0, 0, 1.16, 180)], 0.14, 0.85),
    5: (_plus(0.95, 0.45), 0.34, 0.95),
    6: ([(-0.8, 0.85), (-0.8, -0.2), (0, -1), (0.8, -0.2), (0.8, 0.85)], 0.46, 1),
    7: (_star(6, 1.1, 0.72), 0.34, 0.95),
}
"""The corners of the mark of a seat, the offset of its text, and the size of the text.

All lengths are relative to the radius. The offset is the distance from the centre down to the
baseline.
"""


def seat_mark(seat: int, x: float, y: float, radius: float, letter: str = "") -> str:
    """Draw the mark of a seat: a shape in the colour of the seat, with a letter.

    The shapes by seat are a circle, a square, a triangle, a diamond, an inverted triangle, a plus,
    a house and a star.

    Args:
        seat: The seat.
        x: The x coordinate of the centre.
        y: The y coordinate of the centre.
        radius: The radius of the surrounding circle.
        letter: The text. By default, the seat number.
    """
    kind = seat % len(SEAT_COLOURS)
    colour = SEAT_COLOURS[kind]
    looks, thin = f"tt-{colour} tt-stroke-ink", radius / 9
    sunk, size = 0.36, radius
    match kind:
        case 0:
            shape = circle(x, y, radius * 0.9, looks, stroke_width=thin)
        case 1:
            side = radius * 1.6
            shape = rect(x - side / 2, y - side / 2, side, side, looks, stroke_width=thin)
        case _:
            corners, sunk, share = _OUTLINES[kind]
            size = radius * share
            points = [(x + radius * across, y + radius * down) for across, down in corners]
            shape = polygon(points, looks, stroke_width=thin)
    words, ink = letter or str(seat + 1), f"tt-text-on-{colour}"
    size = max(size, LEAST)
    inside = text(x, y + radius * sunk, words, size, radius * 1.6, ink, anchor="middle", bold=True)
    return group(shape, inside)
