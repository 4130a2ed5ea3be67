"""Lines that are too long for a terminal are broken at blanks, and only there."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.terminal import Console
from tabletop.text_layout import definitions, fit, table
from tabletop.wording import width_of
from tests.streams import Terminal

PROSE = st.text(st.sampled_from("abc d\n\N{CJK UNIFIED IDEOGRAPH-6A61}"), max_size=120)


@given(PROSE, st.integers(20, 80))
def test_no_word_is_lost_or_broken(text: str, columns: int) -> None:
    assert fit(text, columns).split() == text.split()


OAK = "\N{CJK UNIFIED IDEOGRAPH-6A61}" * 3
PATH = "/srv/games/ann/tabletop/records/sorcery-lcr.jsonl"
RESUME = "tabletop resume '/srv/games/a long name.jsonl' --game sorcery"
LOAD = "constructor -load 'a long name.sv' -fair -seed 'old oak' -bot Red=random"
PICTURES = [
    "|24|   8  |25|--35--|26|   2  |27|--36--|28|   6  |29|",
    "║┃ Fire Elemental    ┃┃ Fire Elemental and others      ┃║",
    "name                               a table that is wide",
]


@pytest.mark.parametrize(
    ("text", "columns", "fitted"),
    [
        ("leave both alone", 9, "leave\nboth\nalone"),
        ("  leave both alone", 12, "  leave both\n  alone"),
        ("quit    Leave the match, now.", 22, "quit    Leave the\n        match, now."),
        ("\x1b[31mleave\x1b[0m both alone", 16, "\x1b[31mleave\x1b[0m both alone"),
        ("\x1b[31mleave\x1b[0m both alone", 10, "\x1b[31mleave\x1b[0m both\nalone"),
        (f"{OAK} {OAK}", 13, f"{OAK} {OAK}"),
        (f"{OAK} {OAK}", 12, f"{OAK}\n{OAK}"),
        (f"  record  {PATH}", 58, f"  record\n         {PATH}"),
        (f"  record  {PATH}", 49, f"  record\n{PATH}"),
        (f"  record  {PATH}", 48, f"  record  {PATH}"),  # it would be broken anyway
        *((picture, 40, picture) for picture in PICTURES),
        # A command that is to be pasted stays one line.
        *((f"Go on: {line}", 40, f"Go on:\n{line}") for line in (RESUME, LOAD)),
        *((f"  again   {line}", 40, f"  again   {line}") for line in (RESUME, LOAD)),
        ("lcr: argument -seed: none given", 25, "lcr: argument -seed: none\ngiven"),
    ],
)
def test_lines_are_broken_at_blanks_where_that_makes_them_fit(
    text: str, columns: int, fitted: str
) -> None:
    assert fit(text, columns) == fitted


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
