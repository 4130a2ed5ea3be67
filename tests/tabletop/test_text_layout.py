"""Lines that are too long for a terminal are broken at blanks, and only there."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.terminal.console import Console
from tabletop.text_layout import definitions, fit, table
from tabletop.wording import width_of
from tests.streams import Terminal

PROSE = st.text(st.sampled_from("abc d\n\N{CJK UNIFIED IDEOGRAPH-6A61}"), max_size=120)


@given(PROSE, st.integers(20, 80))
def test_no_word_is_lost_or_broken(text: str, columns: int) -> None:
    assert fit(text, columns).split() == text.split()


@given(PROSE)
def test_what_fits_stays_as_it_is(text: str) -> None:
    assert fit(text, 240) == text


def test_words_that_do_not_fit_begin_the_next_line() -> None:
    assert fit("leave both alone", 9) == "leave\nboth\nalone"


def test_what_is_set_in_stays_set_in() -> None:
    assert fit("  leave both alone", 12) == "  leave both\n  alone"


def test_a_table_is_broken_in_its_last_column() -> None:
    assert fit("quit    Leave the match, now.", 22) == "quit    Leave the\n        match, now."


def test_colours_take_no_room_and_are_kept() -> None:
    coloured = "\x1b[31mleave\x1b[0m both alone"
    assert fit(coloured, 16) == coloured
    assert fit(coloured, 10) == "\x1b[31mleave\x1b[0m both\nalone"


def test_wide_letters_take_two_cells() -> None:
    oak = "\N{CJK UNIFIED IDEOGRAPH-6A61}" * 3
    assert fit(f"{oak} {oak}", 13) == f"{oak} {oak}"
    assert fit(f"{oak} {oak}", 12) == f"{oak}\n{oak}"


def test_a_path_has_a_line_of_its_own_where_its_column_is_too_narrow() -> None:
    path = "/srv/games/ann/tabletop/records/sorcery-lcr.jsonl"
    assert fit(f"  record  {path}", 58) == f"  record\n         {path}"
    assert fit(f"  record  {path}", 49) == f"  record\n{path}"
    assert fit(f"  record  {path}", 48) == f"  record  {path}", "it would be broken anyway"


@pytest.mark.parametrize(
    "line",
    [
        "|24|   8  |25|--35--|26|   2  |27|--36--|28|   6  |29|",
        "║┃ Fire Elemental    ┃┃ Fire Elemental and others      ┃║",
        "name                               a table that is wide",
    ],
)
def test_pictures_keep_their_shape(line: str) -> None:
    assert fit(line, 40) == line


def test_a_command_that_is_to_be_pasted_stays_one_line() -> None:
    resume = "tabletop resume '/srv/games/a long name.jsonl' --game sorcery"
    load = "constructor -load 'a long name.sv' -fair -seed 'old oak' -bot Red=random"
    for command in (resume, load):
        assert fit(f"To go on after all: {command}", 40) == f"To go on after all:\n{command}"
        assert fit(f"  again   {command}", 40) == f"  again   {command}"


def test_lines_are_broken_at_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    terminal, pipe = Terminal(), io.StringIO()
    for out in (terminal, pipe):
        Console(Terminal(), out).say("leave both alone")
    assert terminal.getvalue() == "leave both\nalone\n"
    assert pipe.getvalue() == "leave both alone\n"


def test_a_question_is_broken_as_well_and_keeps_the_blank_before_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    terminal = Terminal()
    assert Console(Terminal("yes\n"), terminal).read("leave both alone? ") == "yes"
    assert terminal.getvalue() == "leave both\nalone? "


# Tables.

CELL = st.text(st.sampled_from("abcdefg \N{CJK UNIFIED IDEOGRAPH-6A61}"), max_size=40)
ROWS = st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=4)
TITLES = ("SEED", "WON BY", "REASON")


@given(ROWS, st.integers(0, 120))
def test_no_word_of_a_table_is_lost_or_broken(
    rows: list[tuple[str, str, str]], columns: int
) -> None:
    words = {word for row in rows for cell in row for word in cell.split()}
    assert words <= set(table(TITLES, rows, columns).split())


@given(ROWS, st.integers(8, 120))
def test_a_table_fits_as_far_as_its_words_do(
    rows: list[tuple[str, str, str]], columns: int
) -> None:
    longest = max([7, *(width_of(word) for row in rows for it in row for word in it.split())])
    lines = table(TITLES, rows, columns).splitlines()
    assert max(map(width_of, lines)) <= max(columns, 8 + longest)


def test_a_table_that_fits_stays_as_it_is() -> None:
    rows = [["old oak", "Ada", "three in a row"]]
    assert table(TITLES, rows, 40) == table(TITLES, rows, 0)
    assert table(TITLES, rows, 0).splitlines() == [
        "SEED     WON BY  REASON",
        "old oak  Ada     three in a row",
    ]


def test_the_longest_cells_of_a_table_are_broken_first() -> None:
    rows = [["old oak", "Ada", "three in a row"], ["elm", "Bob", "time"]]
    assert table(TITLES, rows, 27).splitlines() == [
        "SEED     WON BY  REASON",
        "old oak  Ada     three in a",
        "                 row",
        "elm      Bob     time",
    ]


def test_where_words_have_no_room_side_by_side_a_row_is_a_block() -> None:
    rows = [["old oak", "Ada", "three in a row"], ["elm", "Bob", "time"]]
    assert table(TITLES, rows, 16).splitlines() == [
        "SEED    old oak",
        "WON BY  Ada",
        "REASON  three in",
        "        a row",
        "",
        "SEED    elm",
        "WON BY  Bob",
        "REASON  time",
    ]


# Words with their meanings.


def test_what_words_mean_stands_beside_them_and_fits_the_columns() -> None:
    rows = [("end", "End your turn."), ("attack", "Have a minion attack.\nIt can do so once.")]
    assert definitions(rows).splitlines() == [
        "end     End your turn.",
        "attack  Have a minion attack.",
        "        It can do so once.",
    ]
    narrow = definitions(rows, 20)
    assert max(map(len, narrow.splitlines())) <= 20
    assert narrow.split() == definitions(rows).split()
    assert definitions([]) == ""


def test_where_there_is_no_room_beside_the_words_meanings_stand_below_them() -> None:
    rows = [("play CARD [PLAYER TARGET]", "Play a card, at a target if need be."), ("end", "End.")]
    assert definitions(rows, 30).splitlines() == [
        "play CARD [PLAYER TARGET]",
        "    Play a card, at a target",
        "    if need be.",
        "end",
        "    End.",
    ]
