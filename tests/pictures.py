"""What stands in a picture, for tests of pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from hypothesis import strategies as st

from tabletop.display import measure

SVG = "{http://www.w3.org/2000/svg}"


def any_names(seats: int) -> st.SearchStrategy[list[str]]:
    """Names of players that are long, wide, empty, or look like code."""
    name = st.one_of(
        st.text(max_size=80),
        st.sampled_from(["W" * 60, "M" * 12, "<script>", "田中" * 30, "é" * 50, "", " "]),
    )
    return st.lists(name, min_size=seats, max_size=seats)


def parts(picture: ET.Element) -> dict[str, ET.Element]:
    """All parts of a picture by name."""
    return {name: it for it in picture.iter() if (name := it.get("data-part"))}


def classes(element: ET.Element) -> list[str]:
    """The classes of an element."""
    return element.get("class", "").split()


def words(element: ET.Element) -> str:
    """What is written in a part, without what is shown when the mouse rests on it."""
    return " ".join(it.text or "" for it in element.iter(f"{SVG}text"))


def words_of(text: ET.Element) -> str:
    """What a text says, without its title."""
    return "".join([text.text or "", *(child.tail or "" for child in text)])


def width_of(text: ET.Element) -> float:
    """Return the width of a text, which a text in little room states itself."""
    if exact := text.get("textLength"):
        return float(exact)
    size = float(text.get("font-size", 0))
    return measure(words_of(text), size, bold="tt-bold" in classes(text))


def share_left_of(text: ET.Element) -> float:
    """How much of a text stands left of the place where it is put."""
    return {"middle": 0.5, "end": 1.0}.get(text.get("text-anchor", ""), 0.0)


def texts(picture: ET.Element) -> Iterator[tuple[float, float, str, tuple[float, float]]]:
    """Return the left and right end of every text, its words, and both sides of its card.

    The card of a text is the smallest card around it, or else the picture.
    """
    placed = list(_placed(picture))
    areas = [(x, y, x + _size(it, "width"), y + _size(it, "height")) for it, x, y in placed]
    cards = [
        area
        for (it, _, _), area in zip(placed, areas, strict=True)
        if it is picture or "tt-card" in classes(it)
    ]
    for element, x, y in placed:
        if element.tag == f"{SVG}text":
            width = width_of(element)
            left = x - share_left_of(element) * width
            middle = left + width / 2
            around = [it for it in cards if it[0] <= middle <= it[2] and it[1] <= y <= it[3]]
            card = min(around, key=lambda it: (it[2] - it[0]) * (it[3] - it[1]))
            yield left, left + width, words_of(element), (card[0], card[2])


def _placed(
    element: ET.Element, x: float = 0, y: float = 0
) -> Iterator[tuple[ET.Element, float, float]]:
    """Return all elements with their positions. Rotated and scaled elements are left out."""
    moved = element.get("transform", "")
    if moved.startswith("translate("):
        across, down = moved[len("translate(") :].split(")")[0].split()
        x, y = x + float(across), y + float(down)
    if "scale(" not in moved:
        yield element, x + _size(element, "x"), y + _size(element, "y")
        for child in element:
            yield from _placed(child, x, y)


def _size(element: ET.Element, name: str) -> float:
    return float(element.get(name, 0))


def contrast(one: str, other: str) -> float:
    """How well a colour is told from another, `#rrggbb` both: 1 to 21, as WCAG 2 has it."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    assert re.fullmatch("#[0-9a-f]{6}", colour)
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
