"""Layout of pictures with boxes: rows, columns, stacks and grids instead of coordinates.

A picture is a tree of boxes, from which the layout computes all positions:

    Column(
        Label("Your turn", 18, bold=True),
        Box(draw_board, 300, 300, weight=1),
        Row(roll_button, hold_button, gap=8),
        gap=10,
    )

Each box has a natural size, and the layout gives it an area. Boxes with a weight share the leftover
space of their row or column. If there is too little space, the boxes of a row shrink. In a column,
text, gaps and boxes with a `least` height shrink first. `Picture.lay_out` draws a tree as a
complete picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, inf
from typing import Final, TypeAlias

from tabletop.display.svg import (
    FLOOR,
    LEAST,
    Anchor,
    Value,
    group,
    measure,
    number,
    paragraph,
    rect,
    seat_mark,
    tag,
    text,
    wrap,
)

Pad: TypeAlias = float | tuple[float, float]
"""A margin: one number for all sides, or a pair of numbers (left and right, top and bottom)."""

_SHARES: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The fraction of the leftover space that comes before the content, by anchor."""

_LEADING: Final = 1.2  # the height of a line of text, relative to its size


class Box:
    """A rectangle of a picture, drawn by a function of its width and height.

    Without a function, the box is blank. `Box(weight=1)` pushes its neighbours apart.

    `least` is the height to which it shrinks in a column with too little space, by default the
    natural height.

    Attributes:
        width: The natural width.
        weight: The box's share of the leftover space in a row or column, relative to the weights of
            the other boxes. A box with weight 0 does not grow.

    >>> square = Box(lambda *size: rect(0, 0, *size), 10, 10)
    >>> row = Row(square, Box(weight=1), square)
    >>> row.place(0, 0, 90, 10).count("<rect")
    2
    """

    def __init__(
        self,
        draw: Callable[[float, float], str] | None = None,
        width: float = 0,
        height: float = 0,
        *,
        weight: float = 0,
        least: float | None = None,
    ) -> None:
        self.width = width
        self.weight = weight
        self._height = height
        self._least = least
        self._draw = draw

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the natural height for a width, or the `least` height."""
        return self._height if self._least is None or not least else self._least

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the box in an area, as SVG."""
        return group(self._draw(width, height), at=(x, y)) if self._draw else ""


class Panel(Box):
    """A filled rectangle, such as the background of a stack.

    Args:
        class_: The CSS classes, such as `tt-card`.
        radius: The radius of its corners.
        weight: The share of the leftover space.
        more: Further attributes of the element, as in `tag`.
    """

    def __init__(
        self, class_: str = "tt-card", radius: float = 0, *, weight: float = 1, **more: Value
    ) -> None:
        super().__init__(weight=weight)
        self._class, self._radius, self._more = class_, radius, more

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the rectangle."""
        return rect(x, y, width, height, self._class, self._radius, **self._more)


class Image(Box):
    """A drawing with a fixed aspect ratio, centred in its area and scaled down to fit.

    Args:
        svg: The drawing.
        width: The natural width.
        height: The natural height.
        centred: Whether the origin of the drawing is its centre instead of its upper left corner.
        weight: The share of the leftover space. With a weight, the drawing also grows with its
            area.
    """

    def __init__(
        self, svg: str, width: float, height: float, *, centred: bool = False, weight: float = 0
    ) -> None:
        super().__init__(None, width, height, weight=weight)
        self._svg = svg
        self._corner = (width / 2, height / 2) if centred else (0.0, 0.0)

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the height of the drawing, scaled to a width."""
        return self._height * self._scale(width / self.width)

    def _scale(self, most: float) -> float:
        return most if self.weight else min(1.0, most)

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Place the drawing in its area, scaled if necessary."""
        scale = self._scale(min(width / self.width, height / self._height))
        x += (width - self.width * scale) / 2 + self._corner[0] * scale
        y += (height - self._height * scale) / 2 + self._corner[1] * scale
        if abs(scale - 1) < 0.005:
            return group(self._svg, at=(x, y))
        place = f"translate({number(x)} {number(y)}) scale({scale:.3f})"
        return tag("g", self._svg, transform=place)


class Label(Box):
    """One or more lines of text. Text that does not fit is drawn smaller.

    Args:
        words: The text.
        size: The font size.
        class_: A class for the colour, such as `tt-text-muted`.
        anchor: The horizontal alignment in the area.
        bold: Whether the text is bold.
        floor: The minimum size to which a line shrinks, relative to `size`.
        wrap: Whether to wrap the text to the width of its area, starting at the top. By default,
            the text is a single line, centred vertically.
        most: The maximum natural width.
        weight: The share of the leftover space. With a weight, the natural width is 0.
    """

    def __init__(
        self,
        words: str,
        size: float,
        class_: str = "",
        *,
        anchor: Anchor = "start",
        bold: bool = False,
        floor: float = FLOOR,
        wrap: bool = False,
        most: float = inf,
        weight: float = 0,
    ) -> None:
        width = 0 if weight or wrap else min(most, measure(words, size, bold=bold))
        super().__init__(None, width, _LEADING * size, weight=weight)
        self._words, self._size, self._class, self._wrap = words, size, class_, wrap
        self._anchor: Anchor = anchor
        self._bold, self._floor = bold, floor
        self._smallest = max(size * floor, min(size, LEAST))

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the height of all lines."""
        size = self._smallest if least else self._size
        lines = len(wrap(self._words, size, width, bold=self._bold)) if self._wrap else 1
        return _LEADING * size * lines

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the text."""
        x += _SHARES[self._anchor] * width
        words, size, class_, anchor, bold = (
            self._words,
            self._size,
            self._class,
            self._anchor,
            self._bold,
        )
        if self._wrap:
            return paragraph(x, y, words, size, (width, height), class_, anchor=anchor, bold=bold)
        size = max(self._smallest, min(size, height / _LEADING))
        y += height / 2 + 0.35 * size
        floor = self._floor
        return text(x, y, words, size, width, class_, anchor=anchor, bold=bold, floor=floor)


class Stack(Box):
    """Boxes on top of each other. Each box gets the whole area.

    Args:
        children: The boxes, from back to front.
        pad: The margin around the last box, which is usually the content in front of a `Panel`.
            Either one number, or a pair: left and right, then top and bottom.
        width: The natural width. By default, that of the widest box.
        height: The natural height. By default, that of the tallest box.
        weight: The share of the leftover space.
        more: Attributes of a group around the boxes, such as `aria_hidden="true"`.
    """

    def __init__(
        self,
        *children: Box,
        pad: Pad = 0,
        width: float | None = None,
        height: float | None = None,
        weight: float = 0,
        **more: Value,
    ) -> None:
        margin = (pad, pad) if isinstance(pad, (int, float)) else pad
        self._children = [(box, margin if box is children[-1] else (0, 0)) for box in children]
        widest = max(box.width + 2 * across for box, (across, _) in self._children)
        super().__init__(None, widest if width is None else width, weight=weight)
        self._fixed = height
        self._more = more

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the natural height."""
        if self._fixed is not None:
            return self._fixed
        return max(
            box.height_in(width - 2 * across, least=least) + 2 * down
            for box, (across, down) in self._children
        )

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw all boxes in the same area."""
        drawn = "".join(
            box.place(x + across, y + down, width - 2 * across, height - 2 * down)
            for box, (across, down) in self._children
        )
        return tag("g", drawn, **self._more) if self._more else drawn


class _Line(Box):
    """The base class of rows and columns, which stores their arguments."""

    def __init__(
        self,
        *children: Box,
        gap: float = 0,
        anchor: Anchor = "middle",
        width: float | None = None,
        weight: float = 0,
    ) -> None:
        self._children, self._gap, self._anchor = children, gap, anchor
        self._gaps = gap * max(0, len(children) - 1)
        self._weights = fsum(box.weight for box in children)
        natural = self._natural_width() if width is None else width
        super().__init__(None, natural, weight=weight)

    def _natural_width(self) -> float:
        return max((box.width for box in self._children), default=0)

    def _spread(
        self, naturals: Sequence[float], room: float, gap: float
    ) -> list[tuple[Box, float, float]]:
        """Return each box with its start and its length along the line."""
        # `fsum`, because `sum` rounds differently since Python 3.12.
        total, weights = fsum(naturals), self._weights
        spare = room - total - gap * max(0, len(naturals) - 1)
        start = 0.0 if spare < 0 or weights else spare * _SHARES[self._anchor]
        shrink = 1.0 if spare >= 0 else max(0.0, 1 + spare / (total or 1))
        spread = []
        for box, natural in zip(self._children, naturals, strict=True):
            length = natural * shrink
            if spare > 0 and box.weight:
                length += spare * (box.weight / weights)
            spread.append((box, start, length))
            start += length + gap
        return spread


class Row(_Line):
    """Boxes side by side. Each box is as tall as the row.

    Args:
        children: The boxes, from left to right.
        gap: The distance between boxes.
        anchor: The position of the boxes if there is leftover space and no box has a weight.
        width: The natural width. By default, that of all boxes together.
        weight: The share of the leftover space.
    """

    def _natural_width(self) -> float:
        return fsum(box.width for box in self._children) + self._gaps

    def _placed(self, width: float) -> list[tuple[Box, float, float]]:
        return self._spread([box.width for box in self._children], width, self._gap)

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the height of the tallest box."""
        placed = self._placed(width)
        return max((box.height_in(wide, least=least) for box, _, wide in placed), default=0)

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the boxes side by side."""
        placed = self._placed(width)
        return "".join(box.place(x + left, y, wide, height) for box, left, wide in placed)


class Column(_Line):
    """Boxes one below the other. Each box is as wide as the column.

    The arguments are those of `Row`. The natural width is that of the widest box.
    """

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the sum of the heights of all boxes. Gaps shrink by half."""
        gaps = self._gaps / (2 if least else 1)
        return fsum(box.height_in(width, least=least) for box in self._children) + gaps

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the boxes one below the other."""
        heights, gap = [box.height_in(width) for box in self._children], self._gap
        if (missing := fsum(heights) + self._gaps - height) > 0:
            lows = [box.height_in(width, least=True) for box in self._children]
            part = min(1.0, missing / (fsum(heights) - fsum(lows) + self._gaps / 2 or inf))
            heights = [high - part * (high - low) for high, low in zip(heights, lows, strict=True)]
            gap *= 1 - part / 2
        placed = self._spread(heights, height, gap)
        return "".join(box.place(x, y + top, width, high) for box, top, high in placed)


class Flow(_Line):
    """Boxes side by side, in as many rows as necessary, like words in a paragraph.

    In a wide picture, all boxes may fit in one row. In a narrow picture, they take up several. The
    arguments are those of `Row`. The natural width is that of the widest box.
    """

    def _rows(self, width: float) -> Column:
        lines: list[list[Box]] = []
        room = 0.0
        for box in self._children:
            if not lines or box.width > room + 0.01:
                lines.append([])
                room = width
            lines[-1].append(box)
            room -= box.width + self._gap
        rows = (Row(*line, gap=self._gap, anchor=self._anchor) for line in lines)
        return Column(*rows, gap=self._gap, anchor="start")

    def height_in(self, width: float, *, least: bool = False) -> float:
        """Return the sum of the heights of the rows."""
        return self._rows(width).height_in(width, least=least)

    def place(self, x: float, y: float, width: float, height: float) -> str:
        """Draw the rows."""
        return self._rows(width).place(x, y, width, height)


class Grid(Column):
    """Boxes in cells of equal width, row by row.

    Args:
        children: The boxes.
        columns: The number of columns.
        gap: The distance between cells.
        weight: The share of the leftover space. All rows of the grid have the same share.
    """

    def __init__(self, *children: Box, columns: int, gap: float = 0, weight: float = 0) -> None:
        widest = max((box.width for box in children), default=0)
        boxes = (*children, *[Box()] * (-len(children) % columns))
        cells = [Stack(box, width=widest, weight=1) for box in boxes]
        starts = range(0, len(cells), columns)
        rows = (Row(*cells[at : at + columns], gap=gap, weight=1) for at in starts)
        super().__init__(*rows, gap=gap, weight=weight)


def mark(seat: int, radius: float, letter: str = "") -> Image:
    """Return a box with the mark of a seat, as drawn by `seat_mark`."""
    return Image(seat_mark(seat, 0, 0, radius, letter), 2 * radius, 2 * radius, centred=True)
