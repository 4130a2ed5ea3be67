"""Shapes, as SVG text. Lengths are in the units of the picture, angles in degrees."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import cos, radians, sin
from typing import TypeAlias

from tabletop.svg.text import escape

Value: TypeAlias = str | float | None
"""An attribute's value; None leaves the attribute out."""


@lru_cache(maxsize=8192)
def number(value: float) -> str:
    """A length as text: at most two decimals, none without need."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, *body: str, **attributes: Value) -> str:
    """An element.

    Args:
        name: of the element.
        body: what stands in it, as SVG.
        attributes: `class_` means `class`, other underscores are hyphens; None leaves one out.
    """
    # Pictures are drawn after every move for everybody who looks, and have a thousand elements.
    words = name
    for key, value in attributes.items():
        if value is not None:
            said = escape(value) if isinstance(value, str) else number(value)
            words += f' {_attribute(key)}="{said}"'
    inside = "".join(body)
    return f"<{words}>{inside}</{name}>" if inside else f"<{words}/>"


@lru_cache(maxsize=512)
def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def group(*body: str, at: tuple[float, float] | None = None, turn: float = 0, **more: Value) -> str:
    """Several pieces as one.

    Args:
        body: the pieces.
        at: where their origin is put.
        turn: by how many degrees they are turned about it, clockwise.
        more: attributes, as `tag` has them.
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
    """A rectangle, with round corners of that radius."""
    return tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=radius or None,
        class_=class_ or None,
        **more,
    )


def circle(x: float, y: float, radius: float, class_: str = "", **more: Value) -> str:
    """A disc."""
    return tag("circle", cx=x, cy=y, r=radius, class_=class_ or None, **more)


def line(x1: float, y1: float, x2: float, y2: float, class_: str = "", **more: Value) -> str:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_ or None, **more)


def path(data: str, class_: str = "", **more: Value) -> str:
    """A path, from the data that SVG knows."""
    return tag("path", d=data, class_=class_ or None, **more)


def polygon(points: Iterable[tuple[float, float]], class_: str = "", **more: Value) -> str:
    """A polygon with these corners."""
    corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return tag("polygon", points=corners, class_=class_ or None, **more)


def regular(
    sides: int, x: float, y: float, radius: float, turn: float = 0
) -> list[tuple[float, float]]:
    """The corners of a regular polygon.

    Args:
        sides: how many.
        x: where its centre is.
        y: where its centre is.
        radius: from the centre to a corner.
        turn: the first corner points upwards, turned by so many degrees clockwise.
    """
    angles = (radians(turn - 90 + 360 * corner / sides) for corner in range(sides))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]
