"""What a picture draws: its parts, classes and rings, and the bounds of its shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, radians, sin
from typing import Final, NamedTuple, TypeAlias
from xml.parsers import expat

from tabletop.svg import measure

Point: TypeAlias = tuple[float, float]

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""a to f of x' = a x + c y + e, and y' = b x + d y + f."""

_STAYS: Final[Matrix] = (1, 0, 0, 1, 0, 0)
_UNSEEN: Final = frozenset(
    {"defs", "clipPath", "mask", "pattern", "symbol", "marker", "linearGradient", "radialGradient"}
)
"""Elements that are not drawn where they stand."""

_LENGTH: Final = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBER: Final = re.compile(_LENGTH)
_TRANSFORM: Final = re.compile(r"(\w+)\s*\(([^)]*)\)")
_COMMAND: Final = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_TAKES: Final = dict(zip("mlhvcsqta", (2, 2, 1, 1, 6, 4, 4, 2, 7), strict=True))
"""How many numbers a command of a path takes; the last two are where it leads."""

_FLAGS: Final = re.compile(rf"((?:{_LENGTH}[\s,]+){{3}})([01])[\s,]*([01])[\s,]*")
"""The two flags of an arc may stand without blanks between."""


class Shape(NamedTuple):
    """A shape that is drawn: its element, the part that it belongs to, and its bounds."""

    name: str
    part: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(slots=True)
class Contents:
    """What stands in a picture.

    Attributes:
        width, height: of the picture.
        classes: every value of an attribute `class`.
        parts: the names of its parts.
        ringed: those of them that have a piece with the class `tt-ring`.
        shapes: each shape that is drawn.
    """

    width: float = 0
    height: float = 0
    classes: set[str] = field(default_factory=set)
    parts: list[str] = field(default_factory=list)
    ringed: set[str] = field(default_factory=set)
    shapes: list[Shape] = field(default_factory=list)

    def cut_off(self, margin: float) -> Iterator[Shape]:
        """The shapes that reach beyond the border of the picture by more than `margin`."""
        for it in self.shapes:
            beyond = max(it.right - self.width, it.bottom - self.height)
            if max(-it.left, -it.top, beyond) > margin:
                yield it


class _Element(NamedTuple):
    name: str
    attributes: Mapping[str, str]
    matrix: Matrix
    part: str  # that it belongs to
    is_seen: bool


class _Reader:
    def __init__(self) -> None:
        self.contents = Contents()
        self._open: list[_Element] = []
        self._words: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        contents, classes = self.contents, attributes.get("class", "")
        contents.classes.add(classes)
        self._words = []
        if not self._open:
            _, _, contents.width, contents.height = _numbers(attributes["viewBox"])
            self._open.append(_Element(name, attributes, _STAYS, "", is_seen=True))
            return
        above = self._open[-1]
        part = attributes.get("data-part", above.part)
        if "data-part" in attributes:
            contents.parts.append(part)
        elif "tt-ring" in classes.split() and "data-part" in above.attributes:
            contents.ringed.add(part)
        matrix = _combined(above.matrix, _transform(attributes.get("transform", "")))
        is_seen = above.is_seen and name not in _UNSEEN
        element = _Element(name, attributes, matrix, part, is_seen)
        if is_seen and "tt-hit" not in classes:
            self._note(element)
        if name == "svg" or "clip-path" in attributes or "mask" in attributes:
            element = element._replace(is_seen=False)  # what is in there ends at its border
        self._open.append(element)

    def words(self, words: str) -> None:
        self._words.append(words)

    def end(self, name: str) -> None:
        element = self._open.pop()
        if name == "text" and element.is_seen:
            self._note(element, "".join(self._words))
        self._words = []

    def _note(self, element: _Element, words: str = "") -> None:
        try:
            points = _points(element.name, element.attributes, words)
        except ValueError:  # a length with a unit, which depends on where the picture is shown
            return
        if points:
            a, b, c, d, e, f = element.matrix
            across = [a * x + c * y + e for x, y in points]
            down = [b * x + d * y + f for x, y in points]
            box = (min(across), min(down), max(across), max(down))
            self.contents.shapes.append(Shape(element.name, element.part, *box))


def read_contents(svg: str) -> Contents:
    """What stands in a well-formed picture."""
    reader, parser = _Reader(), expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.words
    parser.Parse(svg, True)
    return reader.contents


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, _NUMBER.findall(text)))


def _combined(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    turned = (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s)
    return *turned, a * t + c * u + e, b * t + d * u + f


@lru_cache(maxsize=4096)
def _transform(text: str) -> Matrix:
    """What the attribute `transform` does."""
    matrix = _STAYS
    for name, inside in _TRANSFORM.findall(text):
        values = _numbers(inside)
        first, second, third = (*values, 0.0, 0.0, 0.0)[:3]
        match name:
            case "translate":
                step: Matrix = (1, 0, 0, 1, first, second)
            case "scale":
                step = (first, 0, 0, second if len(values) > 1 else first, 0, 0)
            case "rotate":  # by an angle, about a point
                s, c = sin(radians(first)), cos(radians(first))
                x, y = second, third
                step = (c, s, -s, c, x - c * x + s * y, y - s * x - c * y)
            case _:
                a, b, c, d, e, f = values
                step = (a, b, c, d, e, f)
        matrix = _combined(matrix, step)
    return matrix


def _points(name: str, attributes: Mapping[str, str], words: str) -> list[Point]:
    """Points of a shape on its border or in it, before it is transformed; none for other elements.

    Raises:
        ValueError: a length is no plain number.
    """

    def value(key: str) -> float:
        return float(attributes.get(key, 0))

    points: list[Point] = []
    match name:
        case "rect" | "svg":
            points = _corners(value("x"), value("y"), value("width"), value("height"))
        case "circle" | "ellipse":
            x, y = value("cx"), value("cy")
            across, down = value("r") or value("rx"), value("r") or value("ry")
            points = [(x - across, y), (x + across, y), (x, y - down), (x, y + down)]
        case "line":
            points = [(value("x1"), value("y1")), (value("x2"), value("y2"))]
        case "polygon" | "polyline":
            numbers = _numbers(attributes.get("points", ""))
            points = list(zip(numbers[::2], numbers[1::2], strict=False))
        case "path":
            points = _path(attributes.get("d", ""))
        case "text" if words:  # without what its letters have below the line
            size, x, y = value("font-size"), value("x"), value("y")
            width = value("textLength") or measure(words, size)
            anchor = attributes.get("text-anchor", "")
            left = {"middle": x - width / 2, "end": x - width}.get(anchor, x)
            points = _corners(left, y - 0.7 * size, width, 0.7 * size)
    return points


def _corners(x: float, y: float, width: float, height: float) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


@lru_cache(maxsize=4096)
def _path(data: str) -> list[Point]:
    """Where the lines and curves of a path begin and end. Curves may reach farther."""
    points: list[Point] = []
    here = start = (0.0, 0.0)
    for command, inside in _COMMAND.findall(data):
        kind, (x0, y0) = command.lower(), (0.0, 0.0)
        if kind == "z":
            here = start
            continue
        numbers = _numbers(_FLAGS.sub(r"\1\2 \3 ", inside) if kind == "a" else inside)
        takes = _TAKES[kind]
        for begin in range(0, len(numbers) - takes + 1, takes):
            if command.islower():
                x0, y0 = here
            *_, x, y = (0.0, *numbers[begin : begin + takes])
            if kind == "h":
                here = (x0 + y, here[1])
            elif kind == "v":
                here = (here[0], y0 + y)
            else:
                here = (x0 + x, y0 + y)
            if kind == "m" and not begin:
                start = here
            points.append(here)
    return points
