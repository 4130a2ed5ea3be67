"""What a terminal shows, and how."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sorcery.programs import SORCERY, run_here
from tests.sorcery.scenes import Scene
from tests.streams import Terminal
from tests.terminals import spawn

from sorcery.colours import PLAYERS, Tone, by_player, painted, shown, unpainted, wanted
from sorcery.display import COMPACT, hand_in_a_line, read_look, read_style, too_small
from sorcery.frames import FANCY, SIMPLE
from tabletop.host.sanitize import sanitize

WIPED = "\x1b[2J\x1b[3J\x1b[H"
SMALL, WIDE = (24, 80), (60, 180)
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ignoring_signals")]
COLOUR = re.compile(r"\x1b\[[\d;]*m")
OURS = re.compile(r"\x1b\[(?:1;36|1;33|32|35|31|2)m")
"""A colour of the game's own: an editor of lines sends others."""


def start(size: tuple[int, int] = SMALL, *arguments: str, **environment: str) -> Any:
    """The program at a terminal of its own, where lines are read as they are typed."""
    known = {"NO_COLOR": "", "PYTHONIOENCODING": "utf-8", "TERM": "dumb"}
    words = [*SORCERY, "-testing", "-seed=x", *arguments]
    return spawn(*words, size=size, environment={**known, **environment})


def typed(program: Any, *lines: str, prompt: str = "> ") -> str:
    """Type lines, each at a prompt; what was shown after the last one, as it reads."""
    for line in lines:
        program.sendline(line)
        program.expect_exact(prompt)
    return COLOUR.sub("", str(program.before)).replace("\r", "")


def begin(program: Any, question: str = "Player 2, what is your name? ") -> str:
    """Type both names; what was shown before the first prompt."""
    program.expect_exact("Player 1, what is your name? ")
    before = program.before
    program.sendline("Sean")
    program.expect_exact(question)
    program.sendline("Ten")
    program.expect_exact("Sean> ")
    return COLOUR.sub("", before + program.before).replace("\r", "")


def test_a_small_terminal_gets_a_compact_board_with_the_hand_and_is_told_once() -> None:
    program = start()
    shown = begin(program)
    assert shown.count("A compact one is drawn instead; -style fancy draws the whole one.") == 1
    assert "> Sean (1): life 20, magic 4, hand 5, deck 14, graveyard 0\n" in shown
    assert "\nplay 2  Earth Elemental (3)  Minion; 4/4\n" in shown
    assert "compact" not in typed(program, "board", prompt="Sean> ")
    program.close(force=True)


def test_a_terminal_that_is_not_high_enough_gets_it_too() -> None:
    program = start((40, 180))
    assert "The board needs 59 rows, and your terminal has 40." in begin(program)
    program.close(force=True)


def test_a_style_that_is_asked_for_is_drawn_on_a_small_terminal_as_well() -> None:
    program = start(SMALL, "-style=simple", NO_COLOR="1")
    shown = begin(program)
    assert "-" * 167 in shown
    assert "compact" not in shown
    program.close(force=True)


def test_a_large_terminal_has_the_hand_below_the_board() -> None:
    program = start(WIDE)
    assert "Your hand: 1 Air Elemental (0), 2 Earth Elemental (3)," in begin(program)
    program.close(force=True)
    program = start((90, 180))
    assert begin(program).count("┃ Novice Pyromancer       │   1 ┃") == 1
    program.close(force=True)


def test_the_board_follows_the_size_of_the_terminal() -> None:
    program = start(WIDE)
    begin(program)
    program.setwinsize(*SMALL)
    program.sendline("board")
    program.expect_exact("A compact one is drawn instead")
    program.expect_exact("> Sean (1): ")
    program.expect_exact("Ten (2): ")
    program.setwinsize(*WIDE)
    program.sendline("board")
    program.expect_exact("╔")
    program.close(force=True)


def test_a_hand_is_wiped_before_the_other_player_s_turn_who_is_told_what_happened() -> None:
    program = start()
    begin(program)
    program.sendline("play 1")
    program.expect_exact("Sean> ")
    program.sendline("end")
    program.expect_exact(WIPED)
    program.expect_exact("Ten, it is your turn: press Enter. ")
    told = COLOUR.sub("", program.before)
    assert "Sean plays Air Elemental." in told
    assert "Ten draws no card: the hand is full." in told
    assert "play 1" not in told
    shown = typed(program, "", prompt="Ten> ")
    assert "> Ten (2): life 20" in shown
    assert WIPED not in typed(program, "board", prompt="Ten> ")
    program.close(force=True)


def test_nothing_is_wiped_where_a_bot_plays_and_its_hand_is_not_shown() -> None:
    program = start(SMALL, "-bot=2=random")
    begin(program, "Player 2 is a bot: what is its name? (Enter: Random) ")
    program.sendline("end")
    program.expect_exact("Sean> ")
    assert WIPED not in program.before
    turn = COLOUR.sub("", program.before).partition("Ten's turn.")[2].partition("Sean's turn.")[0]
    assert "play 1  " not in turn
    program.close(force=True)


def test_what_is_read_from_a_file_needs_nobody_to_press_enter(tmp_path: Path) -> None:
    (tmp_path / "begin").write_text("Sean\nTen\nplay 1\nend\nplay 1\n")
    program = start(SMALL, f"-init={tmp_path / 'begin'}")
    program.expect_exact("Ten> play 1")
    program.expect_exact("Ten> ")
    assert "press Enter" not in program.before
    program.close(force=True)


def test_the_log_is_full_and_mistakes_are_answered_with_what_is_possible(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.write_text("Air Elemental\n" * 2 + "Haste\n")
    program = start(SMALL, f"-deck1={deck}")
    begin(program)
    shown = typed(program, "play 1", "play 1", "play 1 1 2", prompt="Sean> ")
    assert "Sean plays Haste on Sean's Air Elemental (2)." in shown
    shown = typed(program, "attack", prompt="Sean> ")
    assert shown.endswith("Possible now:\n  attack 2  Air Elemental\n")
    assert "You have no ritual." in typed(program, "inspect r", prompt="Sean> ")
    assert "Haste (Enchantment, cost 1)" in typed(program, "inspect 1 2", prompt="Sean> ")
    program.close(force=True)


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({}, False)],
)
@pytest.mark.parametrize("size", [SMALL, (90, 180)])
def test_there_are_colours_unless_they_are_not_wanted(
    size: tuple[int, int], environment: dict[str, str], coloured: bool
) -> None:
    program = start(size, **environment)
    program.expect_exact("Player 1, what is your name?")
    program.sendline("Sean")
    program.expect_exact("Player 2, what is your name?")
    program.sendline("Ten")
    program.expect_exact("Sean's turn.")
    assert bool(OURS.search(program.before)) is coloured
    program.close(force=True)


def test_what_is_piped_has_nothing_of_all_that() -> None:
    shown = run_here(["-testing", "-seed=x"], "play 1\nend\nattack\ninspect r\nquit\n").stdout
    for word in ("\x1b", "Possible", "press Enter", "no card:", "play 1  ", "compact"):
        assert word not in shown


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
