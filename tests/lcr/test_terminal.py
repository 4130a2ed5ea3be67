"""The program `lcr` at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.lcr.programs import (
    PLAYERS_COMPLAINT,
    PLAYERS_PROMPT,
    SEED_COMPLAINT,
    SEED_PROMPT,
    at_terminal,
    course_lines,
    to_the_end,
)
from tests.program_runs import PYTHON, Printed

from lcr.program.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ignoring_signals")]


@pytest.fixture
def terminal() -> Iterator[Any]:
    """The program at a terminal."""
    program = at_terminal(main)
    yield program
    program.close(force=True)


def shown(text: str) -> str:
    """Return text with the line ends of a terminal."""
    return text.replace("\n", "\r\n")


def test_each_answer_is_read_immediately(terminal: Any) -> None:
    terminal.expect_exact(PLAYERS_PROMPT)
    terminal.sendline("5")
    terminal.expect_exact(f"5\r\n{SEED_PROMPT}")
    terminal.sendline("42")
    output = shown(f"42\n{course_lines(5, 42)}")
    assert to_the_end(terminal) == Printed(output, "", 0)


def test_the_end_of_input_answers_both_prompts(terminal: Any) -> None:
    terminal.expect_exact(PLAYERS_PROMPT)
    terminal.sendeof()
    text = PLAYERS_COMPLAINT + SEED_PROMPT + SEED_COMPLAINT + course_lines(3, 4823)
    assert to_the_end(terminal) == Printed(shown(text), "", 0)


def test_rest_of_the_line_is_not_left_to_the_shell() -> None:
    script = '"$@"; echo "status $?"; read -r line; echo "next: $line"'
    terminal = at_terminal("/bin/sh", "-c", script, "sh", *PYTHON, "-m", "lcr")
    terminal.expect_exact(PLAYERS_PROMPT)
    terminal.sendline("3")
    terminal.expect_exact(SEED_PROMPT)
    terminal.sendline("784 rm -r .")
    terminal.expect_exact("status 0")
    terminal.sendline("ls")
    terminal.expect_exact("next: ls")
    terminal.close(force=True)


def test_an_interrupt_leaves_without_a_traceback(terminal: Any) -> None:
    terminal.expect_exact(PLAYERS_PROMPT)
    terminal.sendintr()
    assert to_the_end(terminal) == Printed("^C\r\nlcr: interrupted\r\n", "", 130)
