"""Which style is drawn where: what was asked for, or what the terminal can show."""

from __future__ import annotations

import io

import pytest

from sorcery.looks import read_look, read_style
from sorcery.screen import COMPACT
from sorcery.styles import FANCY, SIMPLE


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("asked", "kind", "encoding", "style"),
    [
        (None, Terminal, "utf-8", FANCY),
        (None, Terminal, "cp437", SIMPLE),
        (None, Terminal, "ascii", SIMPLE),
        (None, io.TextIOWrapper, "utf-8", SIMPLE),
        ("simple", Terminal, "utf-8", SIMPLE),
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
    assert read_style(None, Terminal(io.BytesIO(), "utf-8"), environment) is style
    assert read_style("fancy", Terminal(io.BytesIO(), "utf-8"), environment) is FANCY


@pytest.mark.parametrize(("asked", "compact"), [(None, None), ("simple", False), (COMPACT, True)])
def test_the_compact_board_is_drawn_where_it_is_needed_unless_something_is_asked_for(
    asked: str | None, compact: bool | None
) -> None:
    assert read_look(asked, io.StringIO()).compact is compact
