"""A console without a terminal: lines in, lines out, and nothing else."""

from __future__ import annotations

import io

from tabletop.terminal.console import Console
from tests.streams import Terminal


def test_lines_that_are_given_come_before_those_that_are_typed() -> None:
    out = io.StringIO()
    console = Console(io.StringIO("third\n"), out, ends_lines=False, first=["first", "second"])
    assert [console.read("> ") for _ in range(4)] == ["first", "second", "third", None]
    assert out.getvalue() == "> > ", "nobody sees what is read from a file"


def test_lines_that_are_given_are_shown_where_somebody_looks_at_a_screen() -> None:
    out = Terminal()
    assert Console(Terminal(), out, first=["first"]).read("> ") == "first"
    assert out.getvalue() == "> first\n"


def test_nobody_is_heard_meanwhile_without_an_editor() -> None:
    console = Console(Terminal("x\n"), Terminal())
    assert (console.edits, console.can_wait_for_others) == (False, False)
    console.cancel_prompt()
    assert console.read("> ") == "x"


def test_what_is_broken_off_is_ended_once() -> None:
    out = io.StringIO()
    console = Console(io.StringIO(), out)
    console.begin_line()
    assert out.getvalue() == "\n"
