"""What a picture draws, and where: its elements, read again from its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from xml.parsers import expat

from tabletop.testing.outlines import HERE, Matrix, numbers_of, placed, points_of

_UNSEEN: Final = frozenset(
    {"defs", "clipPath", "mask", "pattern", "symbol", "marker", "linearGradient", "radialGradient"}
)
"""Elements that are not drawn where they stand."""


class Place(NamedTuple):
    """Where a piece is drawn.

    Attributes:
        name: of the element.
        part: that it belongs to; empty for none.
        box: left, top, right and bottom of what it surely covers.
    """

    name: str
    part: str
    box: tuple[float, float, float, float]


@dataclass(slots=True)
class Drawn:
    """What stands in a picture.

    Attributes:
        width, height: of the picture.
        classes: every text of an attribute `class`.
        parts: the names of its parts.
        ringed: those of them that have a piece with the class `tt-ring`.
        places: each piece that is drawn.
    """

    width: float = 0
    height: float = 0
    classes: set[str] = field(default_factory=set)
    parts: list[str] = field(default_factory=list)
    ringed: set[str] = field(default_factory=set)
    places: list[Place] = field(default_factory=list)

    def outside(self, margin: float) -> Iterator[Place]:
        """The pieces that lie outside the picture by more than `margin`."""
        width, height = self.width + margin, self.height + margin
        for place in self.places:
            left, top, right, bottom = place.box
            if left < -margin or top < -margin or right > width or bottom > height:
                yield place


class _Open(NamedTuple):
    """An element whose end has not been read yet."""

    name: str
    attributes: dict[str, str]
    matrix: Matrix
    part: str  # that it belongs to
    is_seen: bool


class _Reader:
    def __init__(self) -> None:
        self.drawn = Drawn()
        self._above: list[_Open] = []
        self._words: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Note an element."""
        drawn, above = self.drawn, self._above[-1] if self._above else None
        if classes := attributes.get("class"):
            drawn.classes.add(classes)
        part = attributes.get("data-part")
        if part is not None:
            drawn.parts.append(part)
        elif above is not None:
            part = above.part
            if "tt-ring" in (classes or "").split() and "data-part" in above.attributes:
                drawn.ringed.add(part)
        if above is None:
            box = numbers_of(attributes.get("viewBox", ""))
            drawn.width, drawn.height = box[2:] if len(box) == 4 else (0, 0)
            element = _Open(name, attributes, HERE, "", is_seen=True)
        else:
            inner = attributes.get("transform")
            matrix = above.matrix.then(placed(inner)) if inner else above.matrix
            is_seen = above.is_seen and name not in _UNSEEN
            element = _Open(name, attributes, matrix, part or "", is_seen=is_seen)
            if is_seen and name != "text" and "tt-hit" not in (classes or ""):
                self._note(element)
            if name == "svg" or "clip-path" in attributes or "mask" in attributes:
                element = element._replace(is_seen=False)  # what is in there ends at its border
        self._above.append(element)
        self._words = []

    def _note(self, element: _Open, words: str = "") -> None:
        try:
            points = points_of(element.name, element.attributes, words)
        except ValueError:  # lengths with units, which hang on where the picture is shown
            return
        if points:
            box = element.matrix.box_of(points)
            self.drawn.places.append(Place(element.name, element.part, box))

    def words(self, words: str) -> None:
        """Note what a text says."""
        self._words.append(words)

    def end(self, name: str) -> None:
        """Note where a text stands."""
        element = self._above.pop()
        if name == "text" and element.is_seen:
            self._note(element, "".join(self._words))
        self._words = []


def drawn(svg: str) -> Drawn:
    """What stands in a picture, which is well-formed."""
    reader, parser = _Reader(), expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.words
    parser.Parse(svg, True)
    return reader.drawn
