"""The program `sorcery` at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from tests.sorcery.programs import SORCERY
from tests.terminals import spawn

from sorcery.document_ui import NOBODY_WINS
from tabletop.text import SEED_TELLS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ignoring_signals")]


def start(
    *arguments: str,
    columns: int = 180,
    encoding: str = "utf-8",
    begun: tuple[str, ...] = ("-testing", "-seed=x"),
) -> Any:
    """The program at a terminal of its own, as wide as it is told; `begun` says how a game is."""
    environment = {"PYTHONIOENCODING": encoding, "TERM": "dumb"}
    return spawn(*SORCERY, *begun, *arguments, size=(60, columns), environment=environment)


@pytest.fixture
def terminal() -> Iterator[Any]:
    program = start()
    yield program
    program.close(force=True)


def named(program: Any) -> None:
    """Tell a program both names."""
    program.expect_exact("Player 1, what is your name? ")
    program.sendline("Sean")
    program.expect_exact("Player 2, what is your name? ")
    program.sendline("Ten")


def status(program: Any) -> int:
    program.expect(pexpect.EOF)
    program.close()
    found: int = program.exitstatus
    return found


def test_a_prompt_says_whose_turn_it_is_and_the_board_is_fancy(terminal: Any) -> None:
    named(terminal)
    terminal.expect_exact("╔" + "═" * 165 + "╗")
    terminal.expect_exact("Sean's turn. Life: 20, magic: 4.")
    terminal.expect_exact("Sean> ")
    terminal.sendline("play 1")
    terminal.expect_exact("Sean plays Air Elemental.")
    terminal.expect_exact("Sean> ")
    terminal.sendline("end")
    terminal.expect_exact("Ten, it is your turn: press Enter. ")
    terminal.sendline("")
    terminal.expect_exact("Ten> ")
    terminal.sendline("quit")
    terminal.expect_exact(NOBODY_WINS)
    assert status(terminal) == 0


def test_a_wide_terminal_is_not_told_that_it_is_too_narrow(terminal: Any) -> None:
    named(terminal)
    assert "columns" not in terminal.before


def test_a_narrow_terminal_is_told_how_wide_the_board_is() -> None:
    program = start(columns=80)
    program.expect_exact("The board is 167 columns wide, and your terminal 80.")
    program.close(force=True)


def test_a_terminal_without_unicode_gets_the_simple_style() -> None:
    program = start(encoding="ascii")
    named(program)
    program.expect_exact("-" * 167)
    program.close(force=True)


@pytest.mark.parametrize("leave", ["sendeof", "sendintr"])
def test_one_can_leave_with_a_key_at_every_prompt(leave: str) -> None:
    later = "Left after 0 actions; go on with: tabletop resume"
    for stage, said in (("Player 1, what is your name? ", NOBODY_WINS), ("Sean> ", later)):
        program = start()
        if stage == "Sean> ":
            named(program)
        program.expect_exact(stage)
        getattr(program, leave)()
        program.expect_exact(f"\r\n{said}\r\n")
        assert status(program) == 0


def test_what_init_types_is_shown_behind_its_prompts(tmp_path: Any) -> None:
    (tmp_path / "begin").write_text("Sean\nTen\nplay 1\n")
    program = start(f"-init={tmp_path / 'begin'}")
    program.expect_exact("Player 1, what is your name? Sean\r\n")
    program.expect_exact("Sean> play 1\r\nSean plays Air Elemental.\r\nSean> ")
    program.close(force=True)


def test_two_people_are_told_what_the_seed_gives_away() -> None:
    program = start()
    program.expect_exact("Player 1, what is your name? ")
    assert SEED_TELLS in " ".join(program.before.split())
    program.close(force=True)


def test_one_person_against_a_bot_is_not() -> None:
    program = start("-bot", "2")
    program.expect_exact("Player 1, what is your name? ")
    assert SEED_TELLS not in " ".join(program.before.split())
    program.close(force=True)


def test_a_round_against_a_bot_is_summed_up_and_the_words_of_every_table_are_there() -> None:
    program = start("-bot=2", columns=80)
    program.expect_exact("Player 1, what is your name? ")
    program.sendline("Sean")
    program.expect_exact("(Enter: Duelist) ")
    program.sendline("Ten")
    program.expect_exact("Sean> ")
    program.sendline("end")
    program.expect_exact("Sean ends the turn.")
    program.expect_exact("Ten plays ")
    program.expect_exact("> Sean (1): life")  # and no board before it
    assert "(1): " not in program.before
    assert "Ten>" not in program.before
    program.expect_exact("Sean> ")
    program.sendline("log")
    program.expect_exact("Ten has 4 magic.")
    program.sendline("undo")
    program.expect("actions taken back")
    program.sendline("help all")
    for word in ("undo", "seed", "log"):
        program.expect(f"\n *{word}\\b")
    program.sendline("bot 1")
    program.expect_exact("Sean is now played by the bot duelist.")
    program.close(force=True)


def test_a_game_that_is_left_was_recorded_and_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    program = start()
    named(program)
    program.sendline("play 1")
    program.expect_exact("Sean plays Air Elemental.")
    program.expect_exact("Sean> ")
    program.sendeof()
    program.expect_exact("Left after 1 action; go on with: tabletop resume\r\n")
    assert NOBODY_WINS not in program.before  # it goes on whenever they like
    assert status(program) == 0
    (record,) = tmp_path.glob("tabletop/records/sorcery-*.jsonl")
    program = start("-resume", str(record), begun=())
    program.expect_exact("Sean> ")
    program.sendline("undo")
    program.expect_exact("1 action taken back")
    program.close(force=True)


def test_no_record_is_written_where_none_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    program = start("-no-record")
    named(program)
    program.expect_exact("Sean> ")
    program.sendeof()
    program.expect_exact(NOBODY_WINS)
    assert status(program) == 0
    assert not list(tmp_path.rglob("*.jsonl"))
