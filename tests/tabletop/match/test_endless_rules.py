"""A function of the rules that does not return is reported, and Ctrl-C ends the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import process_time
from typing import Any

import pexpect
import pytest
from tests import terminals
from tests.tabletop.games.stale import Stale, Turns
from typing_extensions import override

from tabletop import Match, Table
from tabletop.cli import main
from tabletop.match import endless_rules
from tabletop.match.endless_rules import start_watching_rules

LOOP = """
from tabletop import Game, Outcome, State, state

@state
class Steps(State):
    steps: int = 0

class Loop(Game[Steps, str]):
    name = "loop"
    def setup(self, options, seats, rng):
        return Steps()
    def to_act(self, state):
        return (state.steps % 2,) if state.steps < 6 else ()
    def legal_actions(self, state, seat):
        return ("left", "right")
    def apply(self, state, action, table):
        state.steps += 1
        if state.steps == 3:
            self.turn(state)
    def turn(self, state):
        while state.steps: state.steps = 3
    def outcome(self, state):
        return Outcome.draw(2) if state.steps == 6 else None
"""

SOON = """
from tabletop.match import endless_rules

endless_rules.SECONDS, endless_rules._PAUSE = 0.2, 0.1
"""
"""A file with it reports after 0.2 s of computing, also in a process of a simulation."""


class Doing(Stale):
    """The faulty game, whose actions do something else first."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work

    @override
    def apply(self, state: Turns, action: str, table: Table) -> None:
        self.work()
        super().apply(state, action, table)


def reports_of(monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> list[str]:
    """Return what is reported while two actions are played, after 0.1 s of computing."""
    monkeypatch.setattr(endless_rules, "SECONDS", 0.1)
    monkeypatch.setattr(endless_rules, "_PAUSE", 0.01)
    reports: list[str] = []

    def report(what: str) -> None:
        reports.append(what)
        reported.set()

    stop = start_watching_rules(report)
    try:
        match: Match[Any, Any] = Match(Doing(work), seed="oak")
        match.play("go")
        match.play("go")
    finally:
        stop()
    return reports


reported = Event()


def loop_until_reported() -> None:
    while not reported.is_set():
        pass


def compute(seconds: float) -> None:
    end = process_time() + seconds
    while process_time() < end:
        pass


@pytest.mark.slow
def test_an_endless_loop_is_reported_once_with_its_function_and_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reported.clear()
    [report] = reports_of(monkeypatch, loop_until_reported)
    assert report.startswith("stale: apply has not returned")
    assert "test_endless_rules.py, line " in report


@pytest.mark.slow
def test_rules_that_wait_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reports_of(monkeypatch, lambda: Event().wait(0.3)) == []


@pytest.mark.slow
def test_many_short_calls_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reports_of(monkeypatch, lambda: compute(0.07)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("check",), marks=pytest.mark.matrix),
        ("play", "--bot", "all=random", "--no-record"),
        pytest.param(
            ("simulate", "-n", "4", "--bots", "random", "--workers", "1"), marks=pytest.mark.matrix
        ),
        ("simulate", "-n", "4", "--bots", "random", "--workers", "2"),
    ],
    ids=["check", "play", "simulate", "worker"],
)
def test_a_program_reports_an_endless_loop_and_ctrl_c_ends_it(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "loop.py"
    path.write_text(LOOP + SOON)
    words = (main, command[0], path, *command[1:])
    with terminals.at_terminal(*words, size=terminals.WIDE) as terminal:
        terminal.expect(r"loop: apply has not returned .*loop\.py, line (18|20|21|22)\.")
        terminal.sendintr()
        terminal.expect(pexpect.EOF)
        assert "Traceback" not in (terminal.before or "")
