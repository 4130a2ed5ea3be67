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

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ignoring_signals")]

LCR = [*PYTHON, "-m", "lcr"]


@pytest.fixture
def terminal() -> Iterator[Any]:
    """The program at a terminal, followed by a shell that prints its status and the next line."""
    script = '"$@"; echo "status $?"; read -r line; echo "next: $line"'
    program = at_terminal("/bin/sh", "-c", script, "sh", *LCR)
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
    terminal.expect_exact(shown(f"42\n{course_lines(5, 42)}status 0\n"))


def test_the_end_of_input_answers_both_prompts(terminal: Any) -> None:
    terminal.expect_exact(PLAYERS_PROMPT)
    terminal.sendeof()
    text = PLAYERS_COMPLAINT + SEED_PROMPT + SEED_COMPLAINT + course_lines(3, 4823)
    terminal.expect_exact(shown(f"{text}status 0\n"))


def test_rest_of_the_line_is_not_left_to_the_shell(
    terminal: Any,
) -> None:
    terminal.expect_exact(PLAYERS_PROMPT)
    terminal.sendline("3")
    terminal.expect_exact(SEED_PROMPT)
    terminal.sendline("784 rm -r .")
    terminal.expect_exact("status 0")
    terminal.sendline("ls")
    terminal.expect_exact("next: ls")


def test_an_interrupt_leaves_without_a_traceback() -> None:
    program = at_terminal(*LCR)
    program.expect_exact(PLAYERS_PROMPT)
    program.sendintr()
    assert to_the_end(program) == Printed("^C\r\nlcr: interrupted\r\n", "", 130)
