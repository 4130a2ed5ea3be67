"""What pictures are drawn with: plain functions that return SVG as text.

A picture is put together from pieces of text, and made a whole by `document`:

    table = rect(0, 0, 200, 100, "tt-cloth")
    document(200, 100, table, text(10, 50, "Hello", 20, 180), label="Hello")

Colours are CSS variables with a light and a dark set (`tabletop.svg.style`), which pieces use
through classes: `tt-paper` fills with paper, `tt-stroke-line` draws with the colour of lines.
Every text is measured with a table of widths and fitted into the room that it is given
(`tabletop.svg.text`): whatever names people choose, it never leaves its box. No piece has an `id`,
so that several pictures can stand on one page.
"""

from tabletop.svg.seats import SEAT_COLOURS, seat_class, seat_mark
from tabletop.svg.shapes import circle, group, line, path, polygon, rect, regular, tag
from tabletop.svg.style import DARK, LIGHT, STYLE, TOKENS, flattened
from tabletop.svg.text import escape, measure, paragraph, text, wrap
from tabletop.svg.whole import document, number_from

__all__ = [
    "DARK",
    "LIGHT",
    "SEAT_COLOURS",
    "STYLE",
    "TOKENS",
    "circle",
    "document",
    "escape",
    "flattened",
    "group",
    "line",
    "measure",
    "number_from",
    "paragraph",
    "path",
    "polygon",
    "rect",
    "regular",
    "seat_class",
    "seat_mark",
    "tag",
    "text",
    "wrap",
]
