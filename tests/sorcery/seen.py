"""Helpers that read pictures of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from tests import pictures
from tests.pictures import SVG, share_left_of, width_of, words_of
from tests.sorcery.scenes import Scene as Table
from tests.sorcery.tables import NAMES

from sorcery.picture import SorceryPicture
from tabletop import Watcher
from tabletop.display import Scene, clickables


def picture_of(
    table: Table, seat: Watcher = 0, *, narrow: bool = False, names: Sequence[str] = NAMES
) -> str:
    """Return the picture of a table for a viewer, whose clickable parts are active."""
    picture, game, state = SorceryPicture(table.edition), table.game, table.state
    view = game.view(state, seat) if seat is None or isinstance(seat, int) else state
    actions = game.legal_actions(view, state.turn) if seat == state.turn else ()
    choices = clickables(picture, view, actions, names, state.turn)
    live = isinstance(seat, int)
    scene = Scene(names, seat, game.to_act(state), choices, narrow=narrow, live=live)
    return picture.draw(view, scene)


def part(svg: str, name: str) -> ET.Element:
    """Return a part of a picture."""
    found = [one for one in ET.fromstring(svg).iter() if one.get("data-part") == name]
    assert len(found) == 1, f"{name}: {len(found)}"
    return found[0]


def parts(svg: str) -> dict[str, ET.Element]:
    """Return all parts of a picture by name."""
    return pictures.parts(ET.fromstring(svg))


def said(element: ET.Element) -> list[str]:
    """Return the texts in a picture in drawing order."""
    return [words_of(one) for one in element.iter() if _tag(one) == "text"]


def _tag(element: ET.Element) -> str:
    return element.tag.removeprefix(SVG)


class Line(NamedTuple):
    """A text and its extent."""

    words: str
    left: float
    right: float
    top: float
    bottom: float


def lines_in(element: ET.Element, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[Line]:
    """Yield every text of a picture with its position, ignoring rotation."""
    for step in element.get("transform", "").split(")"):
        kind, _, numbers = step.strip().partition("(")
        if kind == "translate":
            across, down = map(float, numbers.split())
            x, y = x + across * scale, y + down * scale
        elif kind == "scale":
            scale *= float(numbers.split()[0])
    if _tag(element) == "text":
        yield _line(element, x, y, scale)
    for child in element:
        yield from lines_in(child, x, y, scale)


def _line(element: ET.Element, x: float, y: float, scale: float) -> Line:
    size = float(element.get("font-size", "0"))
    width = width_of(element) * scale
    start = x + float(element.get("x", "0")) * scale - share_left_of(element) * width
    base = y + float(element.get("y", "0")) * scale
    return Line(words_of(element), start, start + width, base - 0.75 * size * scale, base)
