"""Text in pictures never leaves its room, and is harmless."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from tabletop.svg import escape, measure, paragraph, text, wrap
from tests.pictures import width_of, words_of

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
def test_what_is_escaped_is_text_and_nothing_else(words: str) -> None:
    root = ET.fromstring(f"<a b='{escape(words)}'>{escape(words)}</a>")
    assert not list(root)
    assert root.get("b") == (root.text or "")


def test_what_turns_the_direction_of_text_is_left_out() -> None:
    assert escape("safe\u202eexe.\u2066") == "safeexe."


def test_a_text_that_does_not_fit_becomes_smaller_first() -> None:
    (element,) = elements(text(0, 0, "A dragon of some size", 20, 150))
    assert words_of(element) == "A dragon of some size"
    assert 12 < float(element.get("font-size", "")) < 20


def test_a_text_that_is_cut_says_the_whole_of_it_in_its_title() -> None:
    (element,) = elements(text(0, 0, "A very long name " * 5, 20, 100))
    assert words_of(element).endswith("…")
    assert element[0].text == " ".join(["A very long name"] * 5)


def test_no_font_makes_a_text_wider_that_nearly_fills_its_room() -> None:
    (element,) = elements(text(0, 0, "WWWWWWWW", 20, 160))
    assert float(element.get("textLength", "0")) <= 160


def test_lines_are_wrapped_at_blanks() -> None:
    assert wrap("one two three", 10, measure("one two", 10)) == ("one two", "three")


def test_a_word_that_is_longer_than_a_line_is_cut_up() -> None:
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
