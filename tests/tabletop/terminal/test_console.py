"""A console without a terminal: lines in, lines out, and nothing else."""

from __future__ import annotations

import io
from time import sleep

import pytest

from tabletop.terminal import Console
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
    assert not console.waits
    console.cancel_prompt()
    assert console.read("> ") == "x"


def test_what_is_broken_off_is_ended_once() -> None:
    out = io.StringIO()
    console = Console(io.StringIO(), out)
    console.begin_line()
    assert out.getvalue() == "\n"


# What goes on for long.


def shown_meanwhile(monkeypatch: pytest.MonkeyPatch, term: str, *, after: float = 0.0) -> str:
    monkeypatch.setenv("TERM", term)
    stdout = Terminal()
    with Console(Terminal(), stdout).meanwhile("Bo is thinking.", after=after):
        while not after and not stdout.getvalue():
            sleep(0.001)
    return stdout.getvalue()


def test_a_line_about_what_goes_on_is_erased_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_meanwhile(monkeypatch, "xterm") == "Bo is thinking.\r\x1b[K"


def test_where_nothing_can_be_erased_it_is_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert shown_meanwhile(monkeypatch, "dumb") == "Bo is thinking.\n"


def test_of_what_goes_on_for_a_moment_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_meanwhile(monkeypatch, "xterm", after=60) == ""


def test_where_nobody_looks_nothing_is_said_of_what_goes_on() -> None:
    stdout = io.StringIO()
    with Console(io.StringIO(), stdout).meanwhile("Bo is thinking."):
        sleep(0.05)  # it would be said meanwhile
    assert stdout.getvalue() == ""
