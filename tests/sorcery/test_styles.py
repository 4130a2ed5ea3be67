"""Styles, and texts in cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcery.styles import FANCY, SIMPLE, STYLES, clip, figure, left, right, wrap
from tabletop.wording import width_of

WORDS = st.lists(st.text("abcdefghij,.'", min_size=1, max_size=12), max_size=12).map(" ".join)
NAMES = st.text("aé漢́字!", max_size=12)


def test_styles_are_called_as_the_option_takes_them() -> None:
    assert STYLES == {"simple": SIMPLE, "fancy": FANCY}


def test_the_simple_style_is_ascii() -> None:
    assert "".join(map(str, SIMPLE)).isascii()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0", "0"),
        ("-999", "-999"),
        ("9999", "9999"),
        ("12345", "12k"),
        ("12500", "13k"),
        ("-9876", "-10k"),
        ("+1000", "+1k"),
        ("999499", "999k"),
        ("-300000", "-3e5"),
        ("*1000000", "*1e6"),
        ("1234567890", "1e9"),
        ("-1234567890123", "####"),
    ],
)
def test_a_number_that_does_not_fit_is_rounded(text: str, shown: str) -> None:
    assert figure(text) == shown


@given(st.integers(-(10**30), 10**30), st.integers(3, 6))
def test_a_number_never_takes_more_cells_than_it_has(value: int, cells: int) -> None:
    assert 0 < len(figure(str(value), cells)) <= cells


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one two", ["one two"]),
        ("one two three", ["one two", "three"]),
        ("eightlet ninelette", ["eightlet", "ninelett", "e"]),
        ("exactly", ["exactly"]),
    ],
)
def test_a_text_is_broken_at_blanks(text: str, lines: list[str]) -> None:
    assert wrap(text, 8) == lines


def test_lines_that_a_text_has_are_kept_and_may_take_one_cell_more() -> None:
    assert wrap("nine lett\n of it", 8) == ["nine lett", " of it"]
    assert wrap("ten letter\nmore", 8) == ["ten", "letter", "more"]


@given(WORDS, st.integers(2, 30))
def test_wrapping_loses_nothing_and_fits(text: str, cells: int) -> None:
    lines = wrap(text, cells)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width_of(line) <= cells for line in lines)


@given(NAMES, st.integers(0, 12))
def test_a_text_takes_the_cells_it_is_given_whatever_its_letters(text: str, cells: int) -> None:
    assert width_of(left(text, cells)) == width_of(right(text, cells)) == cells
    assert text.startswith(clip(text, cells))


def test_letters_may_take_two_cells_or_none() -> None:
    assert width_of("漢字") == 4
    assert width_of("e\u0301") == 1
    assert clip("漢字", 3) == "漢"


def test_a_text_of_any_length_is_cut_and_broken_at_once() -> None:
    assert clip("漢" * 100_000, 10) == "漢" * 5
    assert wrap("漢" * 100_000, 10) == ["漢" * 5] * 20_000


def test_marks_without_a_width_stay_with_the_last_letter_that_fits() -> None:
    assert clip("abe\u0301f", 3) == "abe\u0301"
