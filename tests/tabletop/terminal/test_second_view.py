"""Events of another client appear above the line that is typed at a terminal."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pexpect
import pytest

from tests.tabletop.cli.program import DUEL, TICTACTOE
from tests.tabletop.terminal.second_view import main
from tests.terminals import at_terminal, leave_by, left

pytestmark = pytest.mark.slow


@contextmanager
def beside(monkeypatch: pytest.MonkeyPatch, game: str, *lines: str) -> Iterator[pexpect.spawn[str]]:
    """The terminal of that program."""
    monkeypatch.setenv("TERM", "xterm")
    with at_terminal(main, game, *lines) as child:
        yield child


def test_what_happens_elsewhere_appears_above_a_line_that_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with beside(monkeypatch, DUEL, "pick rock") as child:
        child.expect_exact("Player 1>")
        child.send("pick pa")
        child.kill(signal.SIGUSR1)
        child.expect_exact("Player 2 has chosen.")
        child.expect_exact("Player 1>")  # drawn again below, with what has been typed
        child.expect_exact("pick pa")
        child.sendline("per")
        child.expect_exact("Player 1: pick paper")
        child.expect_exact("revealed (shapes paper rock)")
        child.expect_exact("Player 1>")
        child.sendline("quit")
        assert "Left after 2 actions" in left(child)


def test_one_waits_for_people_elsewhere_and_may_look_around(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with beside(monkeypatch, TICTACTOE, "1") as child:
        child.expect_exact("Player 1>")
        child.sendline("5")
        child.expect_exact("(waiting for Player 2)")
        child.sendline("seed")
        child.expect_exact("oak\r\n")
        child.sendline("6")
        child.expect_exact("Player 1 is not to act now")
        child.kill(signal.SIGUSR1)
        child.expect_exact("Player 2: 1")
        child.expect_exact("o . .")
        child.expect_exact("Player 1>")
        child.sendline("quit")
        assert "Left after 2 actions" in left(child)


def test_a_question_that_is_void_is_withdrawn_and_what_was_typed_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with beside(monkeypatch, TICTACTOE, "1", "undo") as child:
        child.expect_exact("Player 1>")
        child.sendline("5")
        child.expect_exact("(waiting for Player 2)")
        child.kill(signal.SIGUSR1)
        child.expect_exact("Player 2: 1")
        child.expect_exact("Player 1>")
        child.sendline("9")
        child.expect_exact("(waiting for Player 2)")
        child.send("se")
        child.kill(signal.SIGUSR1)
        child.expect_exact("1 action undone")
        child.expect_exact("Player 1>")
        child.sendline("ed")
        child.expect_exact("oak\r\n")
        child.sendline("quit")
        assert "Left after 2 actions" in left(child)


def test_an_answer_from_elsewhere_counts_that_comes_before_the_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with beside(monkeypatch, TICTACTOE, "!1") as child:
        child.expect_exact("Player 1>")
        child.sendline("5")
        child.expect_exact("Player 2: 1")
        child.expect_exact("Player 1>")
        child.sendline("quit")
        assert "Left after 2 actions" in left(child)


def test_one_may_leave_while_one_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    with beside(monkeypatch, TICTACTOE, "1") as child:
        child.expect_exact("Player 1>")
        child.sendline("5")
        child.expect_exact("(waiting for Player 2)")
        leave_by(child, "Ctrl-C")
        shown = left(child)
    assert re.search(r"\nLeft after 1 action\n$", shown)
