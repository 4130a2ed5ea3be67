"""Whole pictures: they stand alone, in light and dark, and hang on nothing but what they show."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree as ET

import pytest

from tabletop.svg import (
    DARK,
    LIGHT,
    circle,
    document,
    flattened,
    group,
    number_from,
    path,
    polygon,
    rect,
    regular,
    seat_mark,
    tag,
)
from tests.pictures import contrast

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
@pytest.mark.parametrize("ink", ["ink", "muted", "accent", "danger", "gain"])
def test_text_on_every_ground_reaches_four_and_a_half_to_one(
    colours: dict[str, str], ink: str
) -> None:
    for ground in ("paper", "paper-deep", "cloth"):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


@pytest.mark.parametrize("seat", ["blue", "red", "orange", "yellow"])
def test_text_on_the_colour_of_a_seat_reaches_four_and_a_half_to_one(seat: str) -> None:
    for colours in (LIGHT, DARK):
        assert contrast(colours[f"on-{seat}"], colours[seat]) >= 4.5


def test_a_picture_is_well_formed_and_says_what_it_shows() -> None:
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


def test_seats_are_told_apart_by_shape_and_letter() -> None:
    marks = [seat_mark(seat, 0, 0, 10) for seat in range(4)]
    shapes = [re.findall(r"<(circle|rect|polygon)", mark)[0] for mark in marks]
    assert shapes == ["circle", "rect", "polygon", "polygon"]
    assert all(f">{seat + 1}</text>" in mark for seat, mark in enumerate(marks))


def test_names_of_attributes_are_spelled_as_svg_has_them() -> None:
    assert tag("a", class_="b", data_part="c", d=None) == '<a class="b" data-part="c"/>'


def test_a_number_hangs_on_its_name_and_purpose_alone() -> None:
    assert number_from("Air Elemental", 1000, "art") == number_from("Air Elemental", 1000, "art")
    assert number_from("Air Elemental", 2**40, "art") != number_from("Air Elemental", 2**40, "back")


def test_numbers_from_names_are_spread_evenly() -> None:
    names = ["".join(letters) for letters in product("abcdefgh", repeat=3)]
    counts = [sum(number_from(name, 8) == each for name in names) for each in range(8)]
    assert min(counts) > 35
