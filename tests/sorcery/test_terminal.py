"""Output at a terminal, and the program `sorcery` at a simulated or a real one."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pexpect
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import Scene
from tests.streams import Terminal
from tests.terminals import WIPED, abandon, spawn

from sorcery.program.cli import Program, main
from sorcery.program.table_commands import NOBODY_WINS
from sorcery.text.board_display import COMPACT, Showing, hand_in_a_line, read_look, too_small
from sorcery.text.frames import FANCY, SIMPLE
from sorcery.text.terminal_colours import (
    PLAYERS,
    Tone,
    by_player,
    make_harmless,
    paint,
    strip_paint,
)
from tabletop.display import Size
from tabletop.display.text_view import SEED_TELLS
from tabletop.host import sanitize
from tabletop.registry import load
from tabletop.rules import OptionValue
from tabletop.terminal import Console


def test_a_hand_in_a_line_has_names_and_costs() -> None:
    scene = Scene().hand(1, "Fire Elemental", "Banish")
    side, cards = scene.side(1), scene.edition.cards
    assert hand_in_a_line(side, cards) == "Your hand: 1 Fire Elemental (2), 2 Banish (2)."
    assert hand_in_a_line(scene.side(2), cards) == "Your hand is empty."


@pytest.mark.parametrize(
    ("columns", "rows", "said"),
    [(167, 59, ""), (166, 99, "167 columns wide, but your terminal has"), (200, 58, "59 rows")],
)
def test_a_terminal_that_is_too_small_is_reported(columns: int, rows: int, said: str) -> None:
    reason = too_small(Size(columns, rows))
    assert said in reason
    assert bool(said) is bool(reason)


# The style of the display: the requested one, or the best that the terminal supports.


class Encoded(io.TextIOWrapper):
    """A stream that claims to be a terminal."""

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
def test_the_fancy_style_is_the_default_if_the_terminal_supports_it(
    asked: str | None,
    kind: type[io.TextIOWrapper],
    encoding: str,
    style: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.environ", {"LANG": "en_GB.UTF-8"})
    assert read_look(asked, kind(io.BytesIO(), encoding)).style is style


@pytest.mark.parametrize(
    ("environment", "style"),
    [
        ({"LANG": "C.UTF-8"}, FANCY),
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, FANCY),
        ({"LANG": "en_GB.UTF-8", "TERM": "vt100"}, SIMPLE),
        ({"LANG": "en_GB.UTF-8", "TERM": "vt220"}, SIMPLE),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "POSIX"}, SIMPLE),
        ({"LANG": "en_GB.UTF-8", "LC_CTYPE": "C"}, SIMPLE),
        ({}, SIMPLE),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, SIMPLE),  # set by Python itself
    ],
)
def test_an_old_terminal_and_the_c_locale_get_the_simple_style(
    environment: dict[str, str], style: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", environment)
    assert read_look(None, Encoded(io.BytesIO(), "utf-8")).style is style
    assert read_look("fancy", Encoded(io.BytesIO(), "utf-8")).style is FANCY


@pytest.mark.parametrize(("asked", "compact"), [(None, None), ("simple", False), (COMPACT, True)])
def test_the_compact_board_is_used_if_needed_unless_another_style_is_requested(
    asked: str | None, compact: bool | None
) -> None:
    assert read_look(asked, io.StringIO()).compact is compact


# Colours: a painted text reads the same, and no other escape sequence reaches a terminal.


NAMES = ("Sean", "Sean Ten")


@given(st.text(), st.sampled_from(Tone))
def test_a_painted_text_without_its_colours_is_the_original(text: str, tone: Tone) -> None:
    assert strip_paint(paint(sanitize(text), tone)) == sanitize(text)
    assert strip_paint(make_harmless(paint(text.replace("\x1b", ""), tone))) == sanitize(
        text.replace("\x1b", "")
    )


def test_only_colours_reach_a_terminal_and_plain_output_has_none() -> None:
    assert make_harmless(paint("\x1b[2Jold\x07", Tone.READY)) == "\x1b[32m�[2Jold�\x1b[0m"
    assert make_harmless("\x1b[8mhidden") == "�[8mhidden"
    assert paint("Sean", None) == "Sean"
    assert paint("", Tone.READY) == ""


@pytest.mark.parametrize(
    ("line", "seat", "name"),
    [
        ("Sean's Air Elemental dies.", 0, "Sean"),
        ("Sean plays Banish.", 0, "Sean"),
        ("Sean Ten plays Banish.", 1, "Sean Ten"),
        ("Sean Ten> end", 1, "Sean Ten"),
    ],
)
def test_a_line_about_a_player_starts_in_the_players_colour(
    line: str, seat: int, name: str
) -> None:
    assert by_player(line, NAMES) == paint(name, PLAYERS[seat]) + line.removeprefix(name)
    for other in ("Seaside", "The game is over.", "It is Sean's turn.", ""):
        assert by_player(other, NAMES) == other


# The program `sorcery` at a terminal, mostly in this process, and sometimes at a real one.


SMALL, WIDE = (80, 24), (180, 60)
AS_IT_FITS = Showing(FANCY)
OURS = re.compile(r"\x1b\[(?:1;36|1;33|32|35|31|2)m")
"""A colour of the game. Line editors send other ones."""


def at_terminal(
    *lines: str,
    size: tuple[int, int] = SMALL,
    look: Showing = AS_IT_FITS,
    first: tuple[str, ...] = (),
    bots: dict[int, str] | None = None,
    term: str = "dumb",
    **options: OptionValue,
) -> str:
    """Return the output at a terminal of a given size, for two people or one person and a bot."""
    out = Terminal()
    typed = Terminal("".join(f"{line}\n" for line in (() if first else ("Ada", "Bo")) + lines))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in zip(("COLUMNS", "LINES", "TERM"), (*size, term), strict=True):
            patch.setenv(name, str(value))
        patch.delenv("NO_COLOR", raising=False)
        patch.setattr(Console, "wait", lambda console, seconds: None)
        console = Console(typed, out, ends_lines=False, first=first)
        chosen = {"testing": True, **options}
        Program(load("sorcery"), console, "x", options=chosen, bots=bots or {}, look=look).run()
    return out.getvalue()


def test_a_small_terminal_gets_a_compact_board_with_the_hand_and_one_explanation() -> None:
    shown = at_terminal("board")
    assert (
        shown.count("A compact board is shown instead. Use -style fancy for the full board.") == 1
    )
    assert "The board is 167 columns wide, but your terminal has only 80 columns." in shown
    assert "> Ada (1): life 20, magic 4, hand 5, deck 14, graveyard 0\n" in shown
    assert "\nplay 2  Earth Elemental (3)  Minion; 4/4\n" in shown
    assert "Ada's turn.\nplay 1" in shown
    assert shown.count("life 20, magic 4") == 2  # on each board, and nowhere else


def test_a_requested_style_is_also_used_on_a_small_terminal() -> None:
    shown = at_terminal(look=Showing(SIMPLE, compact=False))
    assert "-" * 167 in shown
    assert "compact" not in shown


def test_a_large_terminal_shows_the_hand_below_the_fancy_board() -> None:
    shown = at_terminal(size=WIDE)
    assert "╔" + "═" * 165 + "╗" in shown
    assert "Ada's turn. Life: 20, magic: 4.\n" in shown
    assert "Your hand: 1 Air Elemental (0), 2 Earth Elemental (3)," in shown
    assert "columns" not in shown
    assert at_terminal(size=(180, 90)).count("┃ Novice Pyromancer       │   1 ┃") == 1


def test_a_hand_is_wiped_before_the_other_players_turn() -> None:
    before, after = at_terminal("play 1", "end", "", "board").split("\x1b[2J")
    told, _, turn = after.partition("Bo, it is your turn: press Enter. ")
    assert "Ada plays Air Elemental." in told
    assert "Bo draws no card: the hand is full." in told
    assert "play 1" not in told
    assert "> Bo (2): life 20" in turn
    assert "Ada> " in before


def test_nothing_is_wiped_and_no_hand_is_shown_for_a_bot() -> None:
    shown = at_terminal("end", bots={1: "random"})
    assert "Player 2 is a bot: what is its name? (Enter: Random) " in shown
    assert "\x1b[2J" not in shown
    turn = shown.partition("Ada ends the turn.")[2].partition("Ada's turn.")[0]
    assert "play 1  " not in turn


def test_commands_from_a_file_need_no_key_press() -> None:
    shown = at_terminal("inspect 1", first=("Ada", "Bo", "play 1", "end", "play 1"))
    assert "Player 1, what is your name? Ada\n" in shown
    assert "Ada> play 1\nAda plays Air Elemental.\nAda> " in shown
    assert "Bo> play 1\n" in shown
    assert "press Enter" not in shown


def test_the_log_is_complete_and_mistakes_are_answered_with_possible_actions() -> None:
    lines = ("play 1", "play 1", "play 1 1 2", "attack", "inspect r", "inspect 1 2")
    shown = at_terminal(*lines, deck1="Air Elemental\n" * 2 + "Haste\n")
    assert "Ada plays Haste on Ada's Air Elemental (2)." in shown
    assert "Possible now:\n  attack 2  Air Elemental (2)\n" in shown
    assert "You have no ritual." in shown
    assert "Haste (Enchantment, cost 1)" in shown


def test_only_a_terminal_suggests_corrections_for_table_commands() -> None:
    shown = " ".join(at_terminal("undu", "use").split())
    assert "Unknown command 'undu';" in shown
    assert shown.count("Did you mean") == shown.count("Did you mean `undo`?") == 1
    assert "Did you mean" not in run_here(["-testing"], "undu\n").stderr


def test_piped_output_has_no_terminal_features() -> None:
    shown = run_here(["-testing", "-seed=x"], "play 1\nend\nattack\ninspect r\nquit\n").stdout
    for word in ("\x1b", "Possible", "press Enter", "no card:", "play 1  ", "compact"):
        assert word not in shown


@pytest.mark.parametrize("size", [SMALL, (180, 90)])
def test_colours_can_be_turned_off(size: tuple[int, int]) -> None:
    assert OURS.search(at_terminal(size=size, term="xterm"))
    assert not OURS.search(at_terminal(size=size))


def test_only_two_people_are_warned_that_the_seed_reveals_cards() -> None:
    assert SEED_TELLS in " ".join(at_terminal().split())
    assert SEED_TELLS not in " ".join(at_terminal(bots={1: "duelist"}).split())


def test_the_turn_of_a_bot_is_summed_up_and_table_commands_are_available() -> None:
    lines = ("end", "log", "undo", "help all", "bot 1")
    shown = at_terminal(*lines, bots={1: "duelist"}, patience=9)
    round_, log, undone, told, _ = (part for part in shown.split("Ada> ")[1:6])
    assert round_.index("Ada ends the turn.") < round_.index("Bo plays ")
    assert round_.index("Bo plays ") < round_.index("> Ada (1): life")
    assert round_.count("(1): life") == 1  # no board for the bot
    assert "Bo>" not in round_
    assert "Bo has 4 magic." in log
    assert "actions undone" in undone
    for word in ("undo", "seed", "log"):
        assert re.search(rf"\n *{word}\b", told)
    assert "Ada is now played by the Duelist bot." in shown


# At a real terminal.

real = pytest.mark.usefixtures("_ignoring_signals")


def start(
    *arguments: str, size: tuple[int, int] = (60, 180), testing: bool = True, **environment: str
) -> Any:
    """Start the program at a real terminal."""
    speaks = {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8", "TERM": "dumb"}
    known = {**speaks, **environment}
    begun = ["-testing", "-seed=x"] if testing else []
    return spawn(main, *begun, *arguments, size=size, environment=known)


def named(program: Any) -> None:
    """Enter both names."""
    program.expect_exact("Player 1, what is your name? ")
    program.sendline("Sean")
    program.expect_exact("Player 2, what is your name? ")
    program.sendline("Ten")
    program.expect_exact("Sean> ")


def status(program: Any) -> int:
    program.expect(pexpect.EOF)
    program.close()
    found: int = program.exitstatus
    return found


@real
@pytest.mark.slow
def test_a_turn_is_played_and_the_board_adapts_to_the_size_of_the_terminal() -> None:
    program = start()
    named(program)
    program.sendline("play 1")
    program.expect_exact("Sean plays Air Elemental.")
    program.setwinsize(24, 80)
    program.sendline("board")
    program.expect_exact("A compact board is shown instead")
    program.expect_exact("Ten (2): ")
    program.setwinsize(60, 180)
    program.sendline("board")
    program.expect_exact("╔")
    program.sendline("end")
    program.expect_exact(WIPED)
    program.expect_exact("Ten, it is your turn: press Enter. ")
    program.sendline("")
    program.expect_exact("Ten> ")
    abandon(program)
    program.expect_exact(NOBODY_WINS)
    assert status(program) == 0


@real
@pytest.mark.slow
def test_a_key_leaves_the_program_before_the_game_begins() -> None:
    program = start()
    program.expect_exact("Player 1, what is your name? ")
    program.sendeof()
    program.expect_exact(f"\r\n{NOBODY_WINS}\r\n")
    assert status(program) == 0


@real
@pytest.mark.slow
def test_an_unfinished_game_was_recorded_and_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    program = start()
    named(program)
    program.sendline("play 1")
    program.expect_exact("Sean plays Air Elemental.")
    program.expect_exact("Sean> ")
    program.sendintr()
    program.expect_exact("Left after 1 action; continue with: tabletop resume\r\n")
    assert NOBODY_WINS not in program.before  # the game can be resumed
    assert status(program) == 0
    (record,) = tmp_path.glob("tabletop/records/*.jsonl")
    program = start("-resume", str(record), testing=False)
    program.expect_exact("Sean> ")
    program.sendline("undo")
    program.expect_exact("1 action undone")
    program.close(force=True)
