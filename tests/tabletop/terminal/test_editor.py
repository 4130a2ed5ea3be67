"""Lines that are edited at a real terminal: history, completion, suggestions, leaving."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pytest

from tabletop.terminal import Console, PromptCancelled
from tabletop.terminal.editor import LineEditor
from tests import terminals
from tests.tabletop.cli.program import CLAIMS, DUEL, TICTACTOE, at_terminal
from tests.terminals import WIPED, abandon, leave_by

TAB, CTRL_A, CTRL_P, CTRL_Z, RIGHT = "\t", "\x01", "\x10", "\x1a", "\x1b[C"
PASTED = "\x1b[200~{}\x1b[201~"

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _real_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def left(child: pexpect.spawn[str]) -> str:
    """Return the output until the program ends, without control sequences."""
    shown = terminals.left(child)
    assert "\ufffd" not in shown, "the editor's own signs have been replaced"
    return shown


def test_a_line_can_be_edited_and_an_earlier_one_recalled() -> None:
    with at_terminal("play", TICTACTOE, "--no-record", "--seed", "old oak") as child:
        child.expect_exact("Player 1>")
        child.sendline(f"ed{CTRL_A}se")
        child.expect_exact("old oak\r\n")
        child.expect_exact("Player 1>")
        child.sendline(CTRL_P)
        child.expect_exact("old oak\r\n")
        child.sendline("quit")
        left(child)


def test_tab_completes_and_what_follows_is_suggested() -> None:
    with at_terminal("play", DUEL, "--no-record") as child:
        child.expect_exact("Player 1>")
        child.send(f"bot st{TAB}")
        child.expect_exact("ony")
        child.sendline(" 2")
        child.expect_exact("Player 2 is now played by the Stony bot.")
        child.expect_exact("Player 1>")
        child.send(f"pi{TAB}")
        child.expect_exact("ck")
        child.send(f" sc{TAB}")
        child.expect_exact("issors")
        child.sendline("")
        child.expect_exact("Player 1: pick scissors")
        child.expect_exact("Player 1>")
        child.send("pick pa")
        child.expect_exact("per")
        child.sendline(RIGHT)
        child.expect_exact("Player 1: pick paper")
        left(child)


def test_a_hand_is_wiped_from_the_screen_and_from_the_history() -> None:
    with at_terminal("play", DUEL, "--no-record") as child:
        child.expect_exact("Player 1>")
        child.sendline("pick scissors")
        child.expect_exact(f"{WIPED}")
        child.expect_exact("Player 2, it is your turn: press Enter.")
        child.sendline("")
        child.expect_exact("Player 1 has chosen.")
        child.expect_exact("Player 2>")
        child.send(f"{CTRL_P}{CTRL_P}pi")
        child.expect_exact("ck")  # suggested, and no more: not what the other has typed
        child.sendeof()
        child.sendintr()
        shown = left(child)
    assert "scissors" not in shown


def test_what_is_typed_while_a_bot_thinks_is_not_carried_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GO", str(tmp_path / "go"))
    with against_patient() as child:
        child.sendline("claim c1")
        child.sendline("quit")
        child.send("cl")
        (tmp_path / "go").touch()
        child.expect_exact("'claim c1' was typed while a bot was to act, and is ignored.")
        child.expect_exact("'quit' was typed")
        child.expect_exact("Player 1>")
        child.expect_exact("cl")  # what was begun
        child.sendline("aim d1")
        child.expect_exact("Player 1: claim d1")
        child.sendintr()
        left(child)


def test_ctrl_d_while_a_bot_thinks_leaves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GO", str(tmp_path / "go"))
    with against_patient() as child:
        child.sendeof()
        (tmp_path / "go").touch()
        child.expect_exact("Left after 2 actions")
        left(child)


def test_ctrl_c_typed_together_with_enter_interrupts_a_bot_that_acts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GO", str(tmp_path / "never"))
    with at_terminal("play", CLAIMS, "--no-record", "--bot", "2=patient") as child:
        child.expect_exact("Player 1>")
        child.send("claim b1\r\x03")  # both are in the terminal before the program reads any
        assert "Left after" in left(child)


def test_ctrl_c_typed_together_with_enter_interrupts_when_the_screen_is_handed_over() -> None:
    with at_terminal("play", DUEL, "--no-record") as child:
        child.expect_exact("Player 1>")
        child.send("pick scissors\r\x03")
        shown = left(child)
    assert "press Enter" not in shown
    assert "Left after" in shown


def test_the_terminal_sends_a_signal_for_ctrl_c_while_a_line_is_edited() -> None:
    with at_terminal("play", TICTACTOE, "--no-record") as child:
        child.expect_exact("Player 1>")
        _, _, _, local, _, _, keys = termios.tcgetattr(child.child_fd)
        assert not local & termios.ICANON  # a line is edited
        assert local & termios.ISIG
        assert keys[termios.VINTR] == b"\x03"
        child.sendintr()
        left(child)


@contextmanager
def against_patient() -> Iterator[pexpect.spawn[str]]:
    """A match in which a bot has to act, and waits for a file."""
    with at_terminal("play", CLAIMS, "--no-record", "--bot", "2=patient") as child:
        child.expect_exact("Player 1>")
        child.sendline("claim b1")
        child.expect_exact("Player 2 is thinking.")
        yield child


@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D", "SIGTERM"])
def test_leaving_restores_the_terminal_and_says_how_to_go_on(way: str) -> None:
    with at_terminal("play", TICTACTOE) as child:
        child.expect_exact("Player 1>")
        child.sendline("5")
        child.expect_exact("Player 2>")
        leave_by(child, way)
        shown = left(child)
    assert re.search(
        r"^(Player 2>)? *\nLeft after 1 action; continue with: tabletop resume\n", shown
    )
    assert "\n\n" not in shown


def test_lines_can_be_pasted_and_typed_ahead() -> None:
    with at_terminal("play", TICTACTOE, "--no-record") as child:
        child.send("1\r4\r")
        child.expect_exact("Player 2: 4")
        child.expect_exact("Player 1>")
        child.send(PASTED.format("2\n5\n3\n"))
        child.sendline("")
        assert "Player 1 wins (three in a row)." in left(child)


def test_a_terminal_may_change_its_size_in_the_middle_of_a_line() -> None:
    with at_terminal("play", TICTACTOE, "--no-record", "--seed", "old oak") as child:
        child.expect_exact("Player 1>")
        child.send("se")
        child.setwinsize(10, 30)
        child.expect_exact("se")
        child.sendline("ed")
        child.expect_exact("old oak\r\n")
        child.sendline("quit")
        left(child)


def test_ctrl_z_suspends_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PS1", "shell: ")
    shell = pexpect.spawn("/bin/sh", ["-i"], encoding="utf-8", timeout=60)
    shell.expect_exact("shell: ")
    play = [sys.executable, "-m", "tabletop", "play", TICTACTOE, "--no-record", "--seed", "old oak"]
    shell.sendline(shlex.join(play))
    shell.expect_exact("Player 1>")
    shell.send(f"see{CTRL_Z}")
    shell.expect_exact("shell: ")
    shell.sendline("fg")
    shell.expect_exact("Player 1>")
    shell.sendline("d")
    shell.expect_exact("old oak\r\n")
    shell.expect_exact("Player 1>")
    shell.sendline("quit")
    shell.expect_exact("shell: ")
    shell.close(force=True)


def test_names_move_no_cursor_where_lines_are_edited() -> None:
    name = "Ann\x1b[2J\u202e"
    with at_terminal("play", TICTACTOE, "--no-record", "--name", name) as child:
        child.expect_exact("Ann\ufffd[2J\ufffd>")
        child.sendline("5")
        child.expect_exact("Ann\ufffd[2J\ufffd: 5")
        child.expect_exact("Player 2>")
        abandon(child)
        left(child)


def test_prompt_toolkit_is_loaded_only_where_somebody_sits_at_a_terminal() -> None:
    code = (
        "import sys; from tabletop.cli import main;"
        "main(['play', 'lcr', '--bot', 'all', '--no-record', '--no-score']);"
        "sys.exit('prompt_toolkit' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == 0


def ask_twice(_: object) -> int:
    """Ask for a line and cancel the question at once, then ask again."""
    loop = asyncio.new_event_loop()
    console = Console(loop=loop)
    loop.call_soon(console.cancel_prompt)
    try:
        console.read("asked too late> ")
    except PromptCancelled:
        print("cancelled")
    print("then", console.read("asked again> "))
    loop.close()
    return 0


def test_a_question_is_withdrawn_by_news_that_came_before_the_loop_had_its_prompt() -> None:
    with terminals.at_terminal(ask_twice) as child:
        child.expect_exact("cancelled")
        child.expect_exact("asked again>")
        child.sendline("typed")
        assert "then typed" in left(child)


@dataclass
class Desk:
    """A terminal in this process, at which a line is edited while a loop runs."""

    loop: asyncio.AbstractEventLoop
    editor: LineEditor
    keyboard: int

    def type(self, text: str) -> None:
        os.write(self.keyboard, text.encode())


@pytest.fixture
def desk() -> Iterator[Desk]:
    keyboard, screen = os.openpty()
    with (
        open(keyboard, "rb", buffering=0),
        open(screen, closefd=False) as stdin,
        open(screen, "w") as stdout,
        closing(asyncio.new_event_loop()) as loop,
    ):
        yield Desk(loop, LineEditor(stdin, stdout, loop), keyboard)


def test_a_line_that_was_complete_when_its_question_was_withdrawn_waits_for_the_next(
    desk: Desk,
) -> None:
    async def withdraw_as_soon_as_it_is_complete() -> None:
        while not desk.editor._session.app.is_done:
            await asyncio.sleep(0)
        assert desk.editor.waits
        desk.editor.cancel_prompt()

    desk.loop.create_task(withdraw_as_soon_as_it_is_complete())
    desk.type("5\r")
    assert desk.editor.read("asked> ", None) is None
    assert not desk.editor.waits
    desk.type("\r")
    assert desk.editor.read("asked again> ", None) == "5"


def test_who_sits_down_does_not_see_what_another_had_begun_to_type(desk: Desk) -> None:
    async def withdraw_as_soon_as_something_is_typed() -> None:
        while not desk.editor._session.default_buffer.text:
            await asyncio.sleep(0)
        desk.editor.cancel_prompt()

    desk.loop.create_task(withdraw_as_soon_as_something_is_typed())
    desk.type("my secret")
    assert desk.editor.read("asked> ", None) is None
    desk.editor.forget()
    desk.type("mine\r")
    assert desk.editor.read("the next> ", None) == "mine"
