"""Events of another client appear above the line that is typed at a terminal."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pexpect
import pytest

from tests.tabletop.cli.program import DUEL, TICTACTOE
from tests.tabletop.terminal.other_client import main
from tests.terminals import at_terminal, left

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
        child.expect_exact("Quit anyway?")
        child.sendline("yes")
        assert "Left after 2 actions" in left(child)


def test_a_question_that_is_void_is_withdrawn_and_what_was_typed_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with beside(monkeypatch, TICTACTOE, "1", "undo") as child:
        child.expect_exact("Player 1>")
        child.sendline("5")
        child.expect_exact("Player 2>")
        child.kill(signal.SIGUSR1)
        child.expect_exact("Player 2: 1")
        child.expect_exact("Player 1>")
        child.sendline("9")
        child.expect_exact("Player 2>")
        child.send("se")
        child.kill(signal.SIGUSR1)
        child.expect_exact("1 action undone")
        child.expect_exact("Player 1>")
        child.sendline("ed")
        child.expect_exact("oak\r\n")
        child.sendline("quit")
        child.expect_exact("Quit anyway?")
        child.sendline("yes")
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
        child.expect_exact("Quit anyway?")
        child.sendline("yes")
        assert "Left after 2 actions" in left(child)
