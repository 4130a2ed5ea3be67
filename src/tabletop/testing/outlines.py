"""Where the shapes of a picture lie, as far as their attributes say it plainly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import cos, radians, sin
from typing import Final, NamedTuple, TypeAlias

from tabletop.svg import measure

Points: TypeAlias = tuple[tuple[float, float], ...]

_STEP: Final = re.compile(r"(\w+)\s*\(([^)]*)\)")
_LENGTH: Final = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBER: Final = re.compile(_LENGTH)
_ARC: Final = re.compile(
    r"[\s,]*".join([*[f"({_LENGTH})"] * 3, *["([01])"] * 2, *[f"({_LENGTH})"] * 2])
)
"""What follows the command of an arc: the two flags may stand without blanks between."""

_COMMAND: Final = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")

_TAKES: Final[Mapping[str, int]] = dict(zip("mlhvcsqta", (2, 2, 1, 1, 6, 4, 4, 2, 7), strict=True))
"""How many numbers follow a command of a path; the last two are where it leads."""


class Matrix(NamedTuple):
    """Where pieces come to stand: x' = a x + c y + e, and y' = b x + d y + f."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def then(self, inner: Matrix) -> Matrix:
        """What stands in something that stands somewhere."""
        a, b, c, d, e, f = self
        return Matrix(
            a * inner.a + c * inner.b,
            b * inner.a + d * inner.b,
            a * inner.c + c * inner.d,
            b * inner.c + d * inner.d,
            a * inner.e + c * inner.f + e,
            b * inner.e + d * inner.f + f,
        )

    def box_of(self, points: Points) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of where points come to stand."""
        a, b, c, d, e, f = self
        across = [a * x + c * y + e for x, y in points]
        down = [b * x + d * y + f for x, y in points]
        return min(across), min(down), max(across), max(down)


HERE: Final = Matrix()


@lru_cache(maxsize=4096)
def numbers_of(text: str) -> tuple[float, ...]:
    """The numbers in the value of an attribute."""
    return tuple(map(float, _NUMBER.findall(text)))


@lru_cache(maxsize=4096)
def placed(text: str) -> Matrix:
    """What an attribute `transform` does."""
    matrix = HERE
    for name, inside in _STEP.findall(text):
        values = numbers_of(inside)
        matrix = matrix.then(_step(name, values))
    return matrix


def _step(name: str, values: tuple[float, ...]) -> Matrix:
    first, second, *_ = (*values, 0.0, 0.0)
    match name:
        case "translate":
            return Matrix(e=first, f=second)
        case "scale":
            return Matrix(a=first, d=second if len(values) > 1 else first)
        case "rotate":
            turn = radians(first)
            about = Matrix(cos(turn), sin(turn), -sin(turn), cos(turn))
            if len(values) < 3:
                return about
            x, y = values[1:3]
            return Matrix(e=x, f=y).then(about).then(Matrix(e=-x, f=-y))
        case "matrix" if len(values) == 6:
            return Matrix(*values)
    return HERE


def points_of(name: str, attributes: Mapping[str, str], words: str = "") -> Points:
    """Points of a shape that surely are on its border or in it, before it is put anywhere.

    Args:
        name: of the element.
        attributes: of the element.
        words: what a text says.

    Raises:
        ValueError: a length is no plain number.
    """
    if name == "text":
        return _text(attributes, words)
    shape = _SHAPES.get(name)
    return () if shape is None else shape(attributes)


def _value(attributes: Mapping[str, str], name: str) -> float:
    return float(attributes.get(name, 0))


def _rect(attributes: Mapping[str, str]) -> Points:
    x, y, width, height = (_value(attributes, it) for it in ("x", "y", "width", "height"))
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _circle(attributes: Mapping[str, str]) -> Points:
    return _about(attributes, _value(attributes, "r"), _value(attributes, "r"))


def _ellipse(attributes: Mapping[str, str]) -> Points:
    return _about(attributes, _value(attributes, "rx"), _value(attributes, "ry"))


def _about(attributes: Mapping[str, str], across: float, down: float) -> Points:
    x, y = _value(attributes, "cx"), _value(attributes, "cy")
    return (x - across, y), (x + across, y), (x, y - down), (x, y + down)


def _line(attributes: Mapping[str, str]) -> Points:
    x1, y1, x2, y2 = (_value(attributes, it) for it in ("x1", "y1", "x2", "y2"))
    return (x1, y1), (x2, y2)


def _polygon(attributes: Mapping[str, str]) -> Points:
    numbers = numbers_of(attributes.get("points", ""))
    return tuple(zip(numbers[::2], numbers[1::2], strict=False))


@lru_cache(maxsize=4096)
def _path_points(data: str) -> Points:
    """Where the lines and curves of a path begin and end. Curves may reach farther."""
    points: list[tuple[float, float]] = []
    x = y = start_x = start_y = 0.0
    for command, inside in _COMMAND.findall(data):
        kind, is_relative = command.lower(), command.islower()
        if kind == "z":
            x, y = start_x, start_y
            continue
        numbers = _arcs(inside) if kind == "a" else numbers_of(inside)
        count = _TAKES[kind]
        for begin in range(0, len(numbers) - count + 1, count):
            *_, to_x, to_y = (0.0, *numbers[begin : begin + count])
            if kind == "h":
                x = to_y + (x if is_relative else 0)
            elif kind == "v":
                y = to_y + (y if is_relative else 0)
            else:
                x, y = (x + to_x, y + to_y) if is_relative else (to_x, to_y)
            if kind == "m" and not begin:
                start_x, start_y = x, y
            points.append((x, y))
    return tuple(points)


def _arcs(inside: str) -> tuple[float, ...]:
    return tuple(float(it) for arc in _ARC.findall(inside) for it in arc)


def _path(attributes: Mapping[str, str]) -> Points:
    return _path_points(attributes.get("d", ""))


def _text(attributes: Mapping[str, str], words: str) -> Points:
    """The corners of a text, without what its letters have below the line."""
    size = float(attributes.get("font-size", 0))
    x, y = float(attributes.get("x", 0)), float(attributes.get("y", 0))
    width = float(attributes.get("textLength", 0)) or measure(words, size)
    left = {"middle": x - width / 2, "end": x - width}.get(attributes.get("text-anchor", ""), x)
    top = y - 0.7 * size
    return (left, top), (left + width, top), (left + width, y), (left, y)


_SHAPES: Final[Mapping[str, Callable[[Mapping[str, str]], Points]]] = {
    "rect": _rect,
    "svg": _rect,
    "circle": _circle,
    "ellipse": _ellipse,
    "line": _line,
    "polygon": _polygon,
    "polyline": _polygon,
    "path": _path,
}
