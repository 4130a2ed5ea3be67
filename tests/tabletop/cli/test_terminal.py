"""The program in a real terminal."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from tabletop.records import read
from tests.tabletop.cli.program import DUEL, SLOW, TICTACTOE, WIN, at_terminal, here, records
from tests.terminals import WIPED, leave_by, left

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ignoring_signals")]

CTRL_A, CTRL_P = "\x01", "\x10"  # to the beginning of the line; the line before


def answer(child: pexpect.spawn[str], *lines: str) -> None:
    """Type lines, each at a prompt, and wait for the next prompt."""
    for line in lines:
        child.expect_exact("> ")
        child.sendline(line)
    child.expect_exact("> ")


def test_a_match_is_played_at_a_terminal(state: Path) -> None:
    with at_terminal("play", TICTACTOE, "--no-score") as child:
        child.expect_exact("New here?")
        *lines, last = WIN.split()
        answer(child, *lines)
        child.sendline(last)
        *shown, again = left(child).splitlines()
    assert shown[-4:] == ["x x x", "o o .", ". . .", "Player 1 wins (three in a row)."]
    assert again.startswith("Play it again: tabletop play ")
    assert again.endswith(" --seats 2")
    assert read(records(state)[0]).ended


def test_a_line_can_be_edited_and_an_earlier_one_recalled() -> None:
    with at_terminal("play", TICTACTOE, "--no-record", "--seed", "old oak") as child:
        child.expect_exact("Player 1> ")
        child.sendline(f"ed{CTRL_A}se")
        child.expect_exact("\r\nold oak\r\n")
        child.expect_exact("Player 1> ")
        child.sendline(CTRL_P)
        child.expect_exact("\r\nold oak\r\n")


def test_leaving_keeps_the_record(state: Path) -> None:
    with at_terminal("play", TICTACTOE) as child:
        answer(child, "5")
        leave_by(child, "Ctrl-D")
        shown = left(child)
    [path] = records(state)
    ending = f"\nLeft after 1 action; continue with: tabletop resume\nThe record: {path}\n"
    assert shown.endswith(ending)
    assert "\n\n" not in shown
    assert read(path).plies == 1


def test_a_killed_match_is_resumed(state: Path) -> None:
    with at_terminal("play", TICTACTOE, "--seed", "oak") as child:
        answer(child, "5")
        child.kill(signal.SIGKILL)
        child.expect(pexpect.EOF)
    with at_terminal("resume") as child:
        child.expect_exact("Tic-tac-toe, seed: oak; 1 action so far")
        child.expect_exact(". x .")
        child.expect_exact("Player 2> ")
        child.sendintr()
        left(child)


def test_a_hand_is_removed_from_the_screen_and_the_history() -> None:
    with at_terminal("play", DUEL, "--no-record") as child:
        child.expect_exact("Player 1> ")
        child.sendline("pick scissors")
        child.expect_exact(f"{WIPED}Player 2, it is your turn: press Enter. ")
        child.sendline("")
        child.expect_exact("Player 1 has chosen.")
        child.expect_exact("Player 2> ")
        child.sendline(f"{CTRL_P}{CTRL_P}")
        child.expect_exact("Player 2> ")
        child.sendeof()
        shown = left(child)
    assert shown == "\nLeft after 1 action\n", "the first player's line was not recalled"


def test_ctrl_c_during_a_move_undoes_it_and_leaves(tmp_path: Path, state: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW)
    with at_terminal("play", str(slow), "--bot", "all") as child:
        child.expect_exact("it takes its time")
        child.sendintr()
        assert "Left after 2 actions" in left(child)
    assert read(records(state)[0]).plies == 2


def test_a_check_shows_its_progress_and_reports_an_interrupt() -> None:
    with at_terminal("check", "lcr", "--matches", "9999") as child:
        child.expect(r"\rlcr: match \d\d+ of 9999; \d+ actions, \d+ s +\r")
        child.sendintr()
        said = left(child, 130)
    found = r"tabletop: lcr: interrupted; no faults so far \(\d+ of 9999 matches, \d+ acti"
    assert re.search(found, said)


def test_a_table_of_scores_fits_the_terminal() -> None:
    for bots in (["--bot", "all"], ["--bot", "all", "--name", "Ada Lovelace the countess"]):
        here("play", "sorcery", "--seed", "a phrase of many words", *bots)
    piped = here("scores").stdout
    assert len(piped.splitlines()) == 3
    assert max(map(len, piped.splitlines())) > 80
    for columns in (80, 40):
        with at_terminal("scores", size=(24, columns)) as child:
            shown = left(child)
        assert max(map(len, shown.splitlines())) <= columns
        assert set(shown.split()) == set(piped.split())


@pytest.mark.parametrize("command", [("rules", "sorcery"), ("catalog", "sorcery")])
def test_a_long_text_is_shown_in_a_pager(
    command: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGER", f"{shlex.quote(sys.executable)} -c 'print(len(input()), 3*2)' #")
    with at_terminal(*command, size=(24, 80)) as child:
        assert " 6" in left(child)
    monkeypatch.setenv("PAGER", "a-program-that-nobody-has")
    with at_terminal(*command, size=(900, 80)) as child:
        shown = left(child)
    assert max(map(len, shown.splitlines()[1:])) <= 80  # the first has a bar that is wiped
