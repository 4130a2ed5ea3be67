"""Colours: what is painted reads as it did, and brings nothing else to a terminal."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.streams import Terminal

from sorcery.colours import PLAYERS, Tone, by_player, painted, shown, unpainted, wanted
from tabletop.host.printable import harmless

NAMES = ("Sean", "Sean Ten")


@given(st.text(), st.sampled_from(Tone))
def test_a_painted_text_is_the_text_once_its_colours_are_gone(text: str, tone: Tone) -> None:
    assert unpainted(painted(harmless(text), tone)) == harmless(text)
    assert unpainted(shown(painted(text.replace("\x1b", ""), tone))) == harmless(
        text.replace("\x1b", "")
    )


def test_nothing_but_the_colours_reaches_a_terminal() -> None:
    assert shown(painted("\x1b[2Jold\x07", Tone.READY)) == "\x1b[32m�[2Jold�\x1b[0m"
    assert shown("\x1b[8mhidden") == "�[8mhidden"


def test_nothing_is_painted_without_a_tone_and_no_text_at_all() -> None:
    assert painted("Sean", None) == "Sean"
    assert painted("", Tone.READY) == ""


@pytest.mark.parametrize(
    ("line", "seat", "name"),
    [
        ("Sean's Air Elemental dies.", 0, "Sean"),
        ("Sean plays Banish.", 0, "Sean"),
        ("Sean Ten plays Banish.", 1, "Sean Ten"),
        ("Sean Ten> end", 1, "Sean Ten"),
    ],
)
def test_a_line_about_a_player_begins_in_that_player_s_colour(
    line: str, seat: int, name: str
) -> None:
    assert by_player(line, NAMES) == painted(name, PLAYERS[seat]) + line.removeprefix(name)


@pytest.mark.parametrize("line", ["Seaside", "The game is over.", "It is Sean's turn.", ""])
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert by_player(line, NAMES) == line


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, True),
        ({"TERM": "xterm"}, True),
        ({"NO_COLOR": ""}, True),  # as no-color.org has it: present and not empty
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colours_are_for_terminals_of_people_who_want_them(
    environment: dict[str, str], coloured: bool
) -> None:
    assert wanted(Terminal(), environment) is coloured
    assert not wanted(io.StringIO(), environment)
