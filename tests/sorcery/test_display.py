"""What a terminal shows, and how: lines, styles and colours."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sorcery.scenes import Scene

from sorcery.colours import PLAYERS, Tone, by_player, painted, shown, unpainted
from sorcery.display import COMPACT, hand_in_a_line, read_look, read_style, too_small
from sorcery.frames import FANCY, SIMPLE
from tabletop.host.sanitize import sanitize


def test_a_hand_in_a_line_has_names_and_costs() -> None:
    scene = Scene().hand(1, "Fire Elemental", "Banish")
    side, cards = scene.side(1), scene.edition.cards
    assert hand_in_a_line(side, cards) == "Your hand: 1 Fire Elemental (2), 2 Banish (2)."
    assert hand_in_a_line(scene.side(2), cards) == "Your hand is empty."


@pytest.mark.parametrize(
    ("columns", "rows", "said"),
    [(167, 59, ""), (166, 99, "167 columns wide, and your terminal 166"), (200, 58, "59 rows")],
)
def test_a_terminal_is_large_enough_or_it_is_said_why_not(
    columns: int, rows: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))
    assert said in too_small()
    assert bool(said) is bool(too_small())


# Which style is drawn where: what was asked for, or what the terminal can show.


class Encoded(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("asked", "kind", "encoding", "style"),
    [
        (None, Encoded, "utf-8", FANCY),
        (None, Encoded, "cp437", SIMPLE),
        (None, Encoded, "ascii", SIMPLE),
        (None, io.TextIOWrapper, "utf-8", SIMPLE),
        ("simple", Encoded, "utf-8", SIMPLE),
        ("fancy", io.TextIOWrapper, "ascii", FANCY),
    ],
)
def test_the_fancy_style_is_taken_where_a_terminal_can_show_it_unless_one_is_asked_for(
    asked: str | None, kind: type[io.TextIOWrapper], encoding: str, style: object
) -> None:
    assert read_style(asked, kind(io.BytesIO(), encoding)) is style


@pytest.mark.parametrize(
    ("environment", "style"),
    [
        ({"LANG": "en_GB.UTF-8"}, FANCY),
        ({"LANG": "C.UTF-8"}, FANCY),
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, FANCY),
        ({"LANG": "en_GB.UTF-8", "TERM": "vt100"}, SIMPLE),
        ({"LANG": "en_GB.UTF-8", "TERM": "vt220"}, SIMPLE),
        ({"PYTHONIOENCODING": "utf-8", "TERM": "vt100"}, SIMPLE),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, SIMPLE),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "POSIX"}, SIMPLE),
        ({"LANG": "en_GB.UTF-8", "LC_CTYPE": "C"}, SIMPLE),
        ({"LANG": "C"}, SIMPLE),
        ({}, SIMPLE),
        ({"LC_CTYPE": "C.UTF-8"}, SIMPLE),  # which Python itself has set
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, SIMPLE),
        ({"LANG": "C", "PYTHONIOENCODING": "utf-8"}, FANCY),
        ({"PYTHONUTF8": "1"}, FANCY),
    ],
)
def test_an_old_terminal_and_the_c_locale_get_the_simple_style(
    environment: dict[str, str], style: object
) -> None:
    assert read_style(None, Encoded(io.BytesIO(), "utf-8"), environment) is style
    assert read_style("fancy", Encoded(io.BytesIO(), "utf-8"), environment) is FANCY


@pytest.mark.parametrize(("asked", "compact"), [(None, None), ("simple", False), (COMPACT, True)])
def test_the_compact_board_is_drawn_where_it_is_needed_unless_something_is_asked_for(
    asked: str | None, compact: bool | None
) -> None:
    assert read_look(asked, io.StringIO()).compact is compact


# Colours: what is painted reads as it did, and brings nothing else to a terminal.


NAMES = ("Sean", "Sean Ten")


@given(st.text(), st.sampled_from(Tone))
def test_a_painted_text_is_the_text_once_its_colours_are_gone(text: str, tone: Tone) -> None:
    assert unpainted(painted(sanitize(text), tone)) == sanitize(text)
    assert unpainted(shown(painted(text.replace("\x1b", ""), tone))) == sanitize(
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
