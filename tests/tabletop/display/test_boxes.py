"""Layout of pictures with boxes."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pictures import SVG, parts, words

from tabletop.display import (
    Anchor,
    Box,
    Clickable,
    Column,
    Flow,
    Grid,
    Image,
    Label,
    Panel,
    Part,
    Picture,
    Row,
    Scene,
    Stack,
    button,
    document,
    mark,
    rect,
)

Area = tuple[float, float, float, float]


def areas(tree: Box, width: float, height: float) -> list[Area]:
    """Return left, top, width and height of each panel of a tree."""
    root = root_of(tree, width, height)
    sides = ("x", "y", "width", "height")
    rows = [[float(it.get(side, 0)) for side in sides] for it in root.iter(f"{SVG}rect")]
    return [(x, y, across, down) for x, y, across, down in rows]


def root_of(tree: Box, width: float, height: float) -> ET.Element:
    return ET.fromstring(document(width, height, tree.place(0, 0, width, height), label="boxes"))


def rect_of(width: float, height: float) -> str:
    return rect(0, 0, width, height)


def panel(width: float = 0, height: float = 0, weight: float = 0) -> Box:
    return Stack(Panel(), Box(None, width, height), weight=weight)


def test_a_row_places_boxes_side_by_side_as_high_as_the_row() -> None:
    row = Row(panel(20, 5), panel(30, 8), gap=4, anchor="start")
    assert (row.width, row.height_in(100)) == (54, 8)
    assert areas(row, 100, 10) == [(0, 0, 20, 10), (24, 0, 30, 10)]


def test_in_a_column_that_is_too_high_only_gaps_and_boxes_with_a_least_height_shrink() -> None:
    boxes = [Box(rect_of, 10, 20), Box(rect_of, 10, 40, least=10)]
    column = Column(*boxes, gap=8)
    assert (column.height_in(10), column.height_in(10, least=True)) == (68, 34)
    assert areas(column, 10, 34) == [(0, 0, 10, 20), (0, 0, 10, 10)]
    heights = [height for *_, height in areas(column, 10, 51)]
    assert heights == [20, 25]


def test_a_label_shrinks_in_a_column_to_a_size_that_can_be_read() -> None:
    column = Column(Label("Your turn", 20), Box(rect_of, 10, 50))
    sizes = [float(it.get("font-size", 0)) for it in root_of(column, 100, 60).iter(f"{SVG}text")]
    assert sizes == [pytest.approx(12.4)]


def test_a_column_places_boxes_below_each_other_as_wide_as_the_column() -> None:
    column = Column(panel(20, 5), panel(30, 8), gap=4, anchor="start")
    assert (column.width, column.height_in(100)) == (30, 17)
    assert areas(column, 100, 50) == [(0, 0, 100, 5), (0, 9, 100, 8)]


@pytest.mark.parametrize(("anchor", "left"), [("start", 0), ("middle", 40), ("end", 80)])
def test_boxes_without_weights_are_placed_by_the_anchor(anchor: Anchor, left: float) -> None:
    assert areas(Row(panel(20), anchor=anchor), 100, 10) == [(left, 0, 20, 10)]
    assert areas(Column(panel(0, 20), anchor=anchor), 10, 100) == [(0, left, 10, 20)]


def test_boxes_share_the_spare_room_by_their_weights() -> None:
    row = Row(panel(10, weight=1), panel(20), panel(10, weight=3))
    assert areas(row, 80, 5) == [(0, 0, 20, 5), (20, 0, 20, 5), (40, 0, 40, 5)]
    column = Column(panel(0, 10), Box(weight=1), panel(0, 10))
    assert areas(column, 5, 50) == [(0, 0, 5, 10), (0, 40, 5, 10)]


def test_boxes_shrink_together_if_there_is_too_little_room() -> None:
    assert areas(Row(panel(60), panel(20)), 40, 5) == [(0, 0, 30, 5), (30, 0, 10, 5)]


def test_a_flow_has_as_many_rows_as_necessary() -> None:
    flow = Flow(*[panel(40, 10)] * 3, gap=5, anchor="start")
    assert [flow.height_in(width) for width in (130, 85, 84, 10)] == [10, 25, 40, 40]
    assert areas(flow, 85, 25) == [(0, 0, 40, 10), (45, 0, 40, 10), (0, 15, 40, 10)]


def test_the_cells_of_a_grid_are_equally_wide_and_share_the_height() -> None:
    grid = Grid(panel(10, 10), panel(30, 20), panel(5, 20), columns=2, gap=4)
    assert (grid.width, grid.height_in(100)) == (64, 44)
    assert areas(grid, 104, 64) == [(0, 0, 50, 30), (54, 0, 50, 30), (0, 34, 50, 30)]


def test_the_last_box_of_a_stack_has_the_margin() -> None:
    stack = Stack(Panel(), panel(20, 10), pad=5)
    assert (stack.width, stack.height_in(100)) == (30, 20)
    assert areas(stack, 60, 40) == [(0, 0, 60, 40), (5, 5, 50, 30)]
    assert areas(Stack(panel(), pad=(5, 0)), 60, 40) == [(5, 0, 50, 40)]


def test_the_natural_size_of_a_stack_can_be_given() -> None:
    stack = Stack(panel(20, 10), width=10, height=40)
    assert (stack.width, stack.height_in(100)) == (10, 40)


def test_a_stack_with_attributes_is_a_group() -> None:
    assert Stack(panel(), aria_hidden="true").place(0, 0, 9, 9).startswith('<g aria-hidden="true">')


@pytest.mark.parametrize(
    ("weight", "width", "height", "place"),
    [
        (0, 100, 60, "translate(30 20)"),
        (0, 20, 60, "translate(0 25) scale(0.500)"),
        (1, 80, 80, "translate(0 20) scale(2.000)"),
    ],
)
def test_a_drawing_keeps_its_ratio_in_the_middle_of_its_area(
    weight: float, width: float, height: float, place: str
) -> None:
    drawing = Image(rect(0, 0, 40, 20), 40, 20, weight=weight)
    assert f'transform="{place}"' in drawing.place(0, 0, width, height)


def test_a_drawing_may_have_its_origin_in_its_centre() -> None:
    assert 'transform="translate(60 30)"' in mark(0, 10).place(10, 10, 100, 40)


def test_a_label_with_a_weight_shrinks_to_its_area() -> None:
    row = Row(Label("W" * 40, 20, weight=1), panel(20))
    assert row.width == 20
    assert areas(row, 100, 30) == [(80, 0, 20, 30)]


def test_a_wrapped_label_is_as_high_as_its_lines() -> None:
    label = Label("one two three four five six", 10, wrap=True)
    assert label.height_in(40) > label.height_in(400) == 12
    assert "three" in label.place(0, 0, 40, 200)


def _trees() -> st.SearchStrategy[Box]:
    sizes = st.integers(0, 60)
    leaves = st.builds(panel, sizes, sizes, st.sampled_from([0, 0, 1, 2.5]))

    def combine(children: st.SearchStrategy[Box]) -> st.SearchStrategy[Box]:
        several = st.lists(children, min_size=1, max_size=4)
        return st.one_of(
            several.map(lambda boxes: Row(*boxes, gap=3, weight=1)),
            several.map(lambda boxes: Column(*boxes, gap=3)),
            several.map(lambda boxes: Flow(*boxes, gap=3)),
            several.map(lambda boxes: Grid(*boxes, columns=2, gap=3)),
            several.map(lambda boxes: Stack(*boxes, pad=3)),
        )

    return st.recursive(leaves, combine, max_leaves=12)


@given(_trees(), st.integers(0, 300))
def test_no_box_leaves_the_area_of_a_tree_with_its_natural_size(tree: Box, more: int) -> None:
    width = tree.width + more
    height = tree.height_in(width) + more
    for x, y, across, down in areas(tree, width, height):
        assert min(x, y, across, down) >= -0.01
        assert x + across <= width + 0.02
        assert y + down <= height + 0.02


def test_a_part_is_clicked_anywhere_in_its_area_and_turned_around_its_centre() -> None:
    scene = Scene(["Ann"])
    upright = Part(scene, "card", panel(), label="a card").place(10, 20, 40, 60)
    assert 'transform="translate(10 20)"' in upright
    assert areas(Part(scene, "card", panel(), label="a card"), 40, 60) == [(0, 0, 40, 60)] * 3
    turned = Part(scene, "card", panel(), label="a card", turn=9).place(10, 20, 40, 60)
    assert 'transform="translate(30 50) rotate(9)"' in turned


def test_a_button_shows_whether_it_can_be_clicked() -> None:
    scene = Scene(["Ann"], 0, choices=[Clickable("roll", "Roll", ("roll",))], live=True)
    drawn = [button(scene, name, name).place(0, 0, 90, 44) for name in ("roll", "hold")]
    assert ["data-action" in svg for svg in drawn] == [True, False]
    assert ["tt-text-muted" in svg for svg in drawn] == [False, True]
    assert button(scene, "x", "x").width >= 44
    assert button(scene, "x", "x").height_in(90) >= 44


class Drawn(Picture[Any]):
    def draw(self, view: Box, scene: Scene) -> str:
        return self.lay_out(scene, view, label="a picture", wide=(500, 200))


@pytest.mark.parametrize(
    ("tree", "narrow", "size"),
    [
        (panel(10, 10), False, ("500", "200")),
        (panel(600, 300), False, ("616", "316")),
        (panel(10, 10), True, ("390", "580")),
        (panel(600, 700), True, ("390", "716")),
    ],
)
def test_a_picture_is_as_large_as_its_boxes(tree: Box, narrow: bool, size: tuple[str, str]) -> None:
    root = ET.fromstring(Drawn().draw(tree, Scene(["Ann"], narrow=narrow)))
    assert (root.get("width"), root.get("height")) == size


def test_a_picture_has_its_parts_in_the_order_of_the_tree() -> None:
    scene = Scene(["Ann"])
    tree = Column(button(scene, "a", "A"), Row(button(scene, "b", "B"), button(scene, "c", "C")))
    root = ET.fromstring(Drawn().draw(tree, scene))
    assert [*parts(root)] == ["a", "b", "c"]
    assert words(root) == "A B C"
