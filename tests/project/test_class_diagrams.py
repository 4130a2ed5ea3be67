"""Class diagrams: read from the source code, and drawn as SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from tools.class_diagrams import MOST_LINES, DiagramError, Relation, draw, read_class
from tools.site_markdown import diagram_of

SVG = "{http://www.w3.org/2000/svg}"
STATE = "constructor.rules.state.ConstructorState"
TILE = "constructor.rules.state.Tile"
BOARD = "constructor.rules.board.Board"
GAME = "constructor.rules.game.Constructor"


def relations(path: str, other: str) -> list[Relation]:
    return list(read_class(path).relations([read_class(other)]))


def test_a_box_has_the_fields_methods_and_properties_of_its_class() -> None:
    box = read_class("lcr.rules.state.LcrState")
    assert box.fields == (
        "chips: list[Chips]",
        "pot: Chips",
        "seat: Seat | None",
        "/winner: Seat | None",
    )
    assert box.methods == ("start(seats)",)


def test_the_members_of_an_enumeration_are_its_fields() -> None:
    box = read_class("lcr.rules.dice.Face")
    assert (box.stereotype, box.fields) == ("enumeration", ("DOT", "LEFT", "CENTER", "RIGHT"))


@pytest.mark.parametrize(
    ("path", "other", "relation"),
    [
        ("lcr.rules.dice.CourseStream", "tabletop.rng.stream.Stream", Relation("Stream", "base")),
        (STATE, TILE, Relation("Tile", "field", ("tiles *",))),
        (TILE, "constructor.rules.state.Resource", ("kind", "also 0..1")),
        (GAME, BOARD, ("board",)),
        (GAME, STATE, Relation("ConstructorState", "use")),
        (
            "sorcery.rules.engine.Engine",
            "sorcery.cards.mechanics.EffectEngine",
            Relation("EffectEngine", "base"),
        ),
    ],
)
def test_relations_between_classes_come_from_the_source(
    path: str, other: str, relation: Relation | tuple[str, ...]
) -> None:
    (found,) = relations(path, other)
    assert found == relation if isinstance(relation, Relation) else found.labels == relation


def test_classes_without_a_relation_have_no_arrow() -> None:
    assert relations(TILE, BOARD) == []


@pytest.mark.parametrize("path", ["lcr.rules.state.Chip", "lcr.nothing.Here"])
def test_a_class_that_is_not_in_the_source_is_refused(path: str) -> None:
    with pytest.raises(DiagramError, match=re.escape(path.rpartition(".")[0])):
        draw([[path]])


def test_a_drawing_is_complete_and_its_boxes_do_not_overlap() -> None:
    drawing = ET.fromstring(draw([[GAME, BOARD], [STATE, TILE]]))
    boxes = [
        tuple(float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        for box in drawing.iter(f"{SVG}rect")
    ]
    assert [title.text for title in drawing.iter(f"{SVG}title")] == [GAME, BOARD, STATE, TILE]
    for number, (x, y, width, height) in enumerate(boxes):
        assert min(x, y) >= 0
        assert x + width <= float(drawing.attrib["width"])
        assert y + height <= float(drawing.attrib["height"])
        for left, top, wide, high in boxes[:number]:
            assert x >= left + wide or left >= x + width or y >= top + high or top >= y + height


def test_a_box_with_very_many_members_counts_the_rest() -> None:
    fields = read_class(STATE).fields
    drawn = draw([[STATE]])
    assert f"and {len(fields) - MOST_LINES + 1} more" in drawn


def test_a_page_gets_a_diagram_with_a_row_for_each_line() -> None:
    assert diagram_of(f"{GAME}\n{STATE} {TILE}\n").count("<rect") == 3
