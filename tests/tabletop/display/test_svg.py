"""Complete pictures, their colours and marks, and the text in them."""

from __future__ import annotations

import re
from itertools import combinations, product
from math import dist
from operator import mul
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resvg_py import svg_to_bytes
from tests.pictures import contrast, width_of, words_of

from tabletop.display import (
    SEAT_COLOURS,
    STYLE,
    circle,
    document,
    escape,
    flattened,
    group,
    measure,
    number_from,
    paragraph,
    path,
    polygon,
    rect,
    regular,
    seat_mark,
    tag,
    text,
    wrap,
)
from tabletop.display.svg import DARK, LIGHT

ROOT = Path(__file__).parents[3]
FONT = Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
"""DejaVu Sans, which many systems have in the place of Arial."""

WHOLE = document(
    100,
    80,
    rect(0, 0, 100, 80, "tt-cloth"),
    group(circle(1, 2, 3), at=(10, 20), turn=90),
    polygon(regular(6, 50, 40, 10), "tt-wood"),
    path("M0 0L1 1", "tt-none tt-stroke-line"),
    *(seat_mark(seat, 20, 20, 10) for seat in range(5)),
    label="A <table>",
)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_on_every_ground_reaches_four_and_a_half_to_one(colours: dict[str, str]) -> None:
    inks, grounds = ("ink", "muted", "accent", "danger", "gain"), ("paper", "paper-deep", "cloth")
    pairs = [*product(inks, grounds), *((f"on-{seat}", seat) for seat in SEAT_COLOURS)]
    for ink, ground in pairs:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


def test_a_picture_is_well_formed_and_has_a_label() -> None:
    root = ET.fromstring(WHOLE)
    assert root.get("viewBox") == "0 0 100 80"
    assert root.get("aria-label") == "A <table>"
    assert root[0].text == "A <table>"


def test_a_picture_carries_its_colours_for_light_and_dark() -> None:
    assert LIGHT["cloth"] in WHOLE
    assert DARK["cloth"] in WHOLE
    assert "prefers-color-scheme:dark" in WHOLE


def test_a_bare_picture_has_no_style_sheet() -> None:
    assert "<style>" not in document(1, 1, label="", style=".a{}", bare=True)


@pytest.mark.parametrize("dark", [False, True])
def test_a_flattened_picture_has_no_variables(dark: bool) -> None:
    flat = flattened(WHOLE, dark=dark)
    assert "var(" not in flat
    assert (DARK if dark else LIGHT)["cloth"] in flat


def test_text_in_a_flattened_picture_is_drawn_where_there_is_no_arial() -> None:
    empty, written = (
        svg_to_bytes(
            svg_string=flattened(document(90, 30, body, label="words")),
            font_files=[str(FONT)],
            skip_system_fonts=True,
        )
        for body in ("", text(5, 20, "words", 16, 80))
    )
    assert empty != written


def test_seats_differ_by_shape_and_letter() -> None:
    marks = [seat_mark(seat, 0, 0, 10) for seat in range(8)]
    shapes = [re.findall(r"<(circle|rect|polygon[^>]*points=\"[^\"]*)", mark)[0] for mark in marks]
    assert len(set(shapes)) == 8
    assert all(f">{seat + 1}</text>" in mark for seat, mark in enumerate(marks))


# Machado, Oliveira and Fernandes 2009: the visible share of linear red, green and blue.
EYES: dict[str, list[list[float]]] = {
    "most": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "without red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "without green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "without blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def seen(colour: str, eyes: list[list[float]]) -> list[float]:
    """Return a colour in CIE Lab as a person with this colour vision sees it."""
    levels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in levels]
    light = [min(1.0, max(0.0, sum(map(mul, row, light)))) for row in eyes]
    white = [[0.4339, 0.3762, 0.1899], [0.2127, 0.7152, 0.0722], [0.0178, 0.1095, 0.8727]]
    x, y, z = (sum(map(mul, row, light)) for row in white)
    x, y, z = (it ** (1 / 3) if it > 0.008856 else 7.787 * it + 16 / 116 for it in (x, y, z))
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("eyes", EYES)
def test_colours_of_seats_are_distinguishable_with_any_colour_vision(
    colours: dict[str, str], eyes: str
) -> None:
    for one, other in combinations(SEAT_COLOURS, 2):
        apart = dist(seen(colours[one], EYES[eyes]), seen(colours[other], EYES[eyes]))
        assert apart >= 16, (one, other, apart)


def test_the_page_has_the_colours_of_seats_in_the_same_order() -> None:
    static = ROOT / "src" / "tabletop" / "web" / "static"
    [said] = re.findall(r"const COLOURS = \[(.*)\];", (static / "seats.js").read_text("utf-8"))
    assert tuple(re.findall(r"\w+", said)) == SEAT_COLOURS
    css = (static / "table.css").read_text("utf-8")
    assert tuple(re.findall(r"\.of-(\w+) ", css)) == SEAT_COLOURS


def test_names_of_attributes_are_spelled_as_svg_has_them() -> None:
    assert tag("a", class_="b", data_part="c", d=None) == '<a class="b" data-part="c"/>'


def test_a_number_depends_only_on_its_name_and_purpose() -> None:
    assert number_from("Air Elemental", 1000, "art") == number_from("Air Elemental", 1000, "art")
    assert number_from("Air Elemental", 2**40, "art") != number_from("Air Elemental", 2**40, "back")


def test_numbers_from_names_are_spread_evenly() -> None:
    names = ["".join(letters) for letters in product("abcdefgh", repeat=3)]
    counts = [sum(number_from(name, 8) == each for name in names) for each in range(8)]
    assert min(counts) > 35


# Text in pictures.


ROOM = st.floats(20, 400)


def elements(piece: str) -> list[ET.Element]:
    root = ET.fromstring(f"<svg>{piece}</svg>")
    return [one for one in root.iter() if one.tag == "text"]


@given(st.text(max_size=80), ROOM, st.booleans())
def test_a_line_is_never_wider_than_its_room(words: str, room: float, bold: bool) -> None:
    for element in elements(text(0, 0, words, 16, room, bold=bold)):
        assert width_of(element) <= room + 0.5


@given(st.text(max_size=300), ROOM, st.floats(20, 200))
def test_a_paragraph_never_leaves_its_box(words: str, width: float, height: float) -> None:
    for element in elements(paragraph(0, 0, words, 14, (width, height))):
        assert width_of(element) <= max(width, 1.1 * float(element.get("font-size", "0"))) + 0.5
        assert float(element.get("y", "0")) <= max(height, 14) + 0.5


@given(st.text())
def test_escaped_text_contains_no_markup(words: str) -> None:
    root = ET.fromstring(f"<a b='{escape(words)}'>{escape(words)}</a>")
    assert not list(root)
    assert root.get("b") == (root.text or "")


def test_characters_that_change_the_direction_of_text_are_removed() -> None:
    assert escape("safe\u202eexe.\u2066") == "safeexe."


def test_a_text_that_does_not_fit_becomes_smaller_first() -> None:
    (element,) = elements(text(0, 0, "A dragon of some size", 20, 150))
    assert words_of(element) == "A dragon of some size"
    assert 12 < float(element.get("font-size", "")) < 20


def test_a_truncated_text_has_its_full_text_in_the_title() -> None:
    (element,) = elements(text(0, 0, "A very long name " * 5, 20, 100))
    assert words_of(element).endswith("…")
    assert element[0].text == " ".join(["A very long name"] * 5)


def test_no_font_makes_a_text_wider_that_nearly_fills_its_room() -> None:
    (element,) = elements(text(0, 0, "WWWWWWWW", 20, 160))
    assert float(element.get("textLength", "0")) <= 160


def test_lines_are_wrapped_at_blanks() -> None:
    assert wrap("one two three", 10, measure("one two", 10)) == ("one two", "three")


def test_a_word_that_is_longer_than_a_line_is_split() -> None:
    lines = wrap("mmmmmmmm", 10, measure("mmm", 10))
    assert lines == ("mmm", "mmm", "mm")


def test_wide_letters_count_as_wide() -> None:
    assert measure("漢") > measure("m")
    assert measure("e\u0301") == measure("e")


def test_numbers_are_as_wide_as_each_other() -> None:
    assert len({measure(digit) for digit in "0123456789"}) == 1


def test_lengths_have_two_decimals_at_most() -> None:
    assert not re.search(r"\d\.\d{3}", text(1 / 3, 2 / 3, "thirds", 10, 100))


def test_a_paragraph_that_is_cut_ends_with_one_ellipsis() -> None:
    *_, last = elements(paragraph(0, 0, "draw a card and " * 20, 14, (120, 40)))
    assert words_of(last).endswith("…")
    assert not words_of(last).endswith("……")


def test_a_line_of_text_can_have_a_custom_colour() -> None:
    assert text(0, 10, "Red", 12, 90, fill='"#a00') == (
        '<text style="fill:&quot;#a00" x="0.00" y="10.00" font-size="12.00">Red</text>'
    )


def test_red_text_is_red_and_not_the_orange_that_seats_have() -> None:
    assert ".tt-text-red{fill:var(--tt-danger)}" in STYLE
