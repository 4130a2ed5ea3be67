"""A badly declared game gets an error that names the fault from every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tabletop.cli.program import changed, here
from tests.tabletop.told import tells

COMMANDS = (
    ("play", "--seed", "oak", "--no-record", "--no-score"),
    ("play", "--seed", "oak", "--bot", "all=random", "--no-record", "--no-score"),
    ("simulate", "-n", "2", "--workers", "1", "--bots", "random"),
    ("check", "--matches", "1"),
    ("schema",),
    ("catalog", "--seeds", "1-2"),
    ("compare", "-n", "2", "--workers", "1", "--vary", "rounds=1,2"),
)

EXIT = "raise SystemExit"

STEPS = """
from tabletop import Game, Option, Outcome, State, state

@state
class Steps(State):
    steps: int = 0

class Walk(Game[Steps, str]):
    name = "walk"
    options = (Option("rounds", 1, "Rounds to play", low=1, high=2),)
    def setup(self, options, seats, rng):
        return Steps()
    def to_act(self, state):
        return () if state.steps == 2 else (state.steps,)
    def legal_actions(self, state, seat):
        return ("left", "right")
    def apply(self, state, action, table):
        state.steps += 1
    def outcome(self, state):
        return Outcome.draw(2) if state.steps == 2 else None
    def catalog(self, match):
        return {"steps": match.state.steps}
"""


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.py"
    path.write_text(STEPS)
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize(
    ("declared", "named"),
    [
        ("seats = 2", "Walk.seats ... 2: ... range"),
        ("seats = range(3, 2)", "Walk.seats ... range(3, 2): "),
        ("options = 3", "Walk.options ... 3: ... tuple of Option"),
        ('options = ("rounds",)', "Walk.options ... ('rounds',): ... tuple of Option"),
        ("commands = 3", "Walk.commands ... 3: "),
        ("version = 2", "Walk.version ... 2: "),
        ("title = 3", "Walk.title ... 3: "),
    ],
)
def test_a_wrong_attribute_is_named(
    command: tuple[str, ...], declared: str, named: str, walk: Path
) -> None:
    walk.write_text(STEPS.replace("    def setup", f"    {declared}\n    def setup"))
    done = here(command[0], walk, *command[1:])
    assert (done.returncode, done.stdout) == (2, "")
    assert tells(done.stderr, named)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_system_exit_in_the_setup_is_named_with_its_line(
    command: tuple[str, ...], walk: Path
) -> None:
    changed(walk, ("return Steps()", EXIT), game=walk)
    done = here(command[0], walk, *command[1:])
    assert done.returncode == 1
    assert re.search(r"SystemExit.*walk\.py, line 12", done.stderr)


@pytest.mark.parametrize("command", COMMANDS[:4], ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("return () if state.steps == 2 else (state.steps,)", 14),
        ('return ("left", "right")', 16),
        ("state.steps += 1", 18),
        ("return Outcome.draw(2) if state.steps == 2 else None", 20),
    ],
    ids=["to_act", "legal_actions", "apply", "outcome"],
)
def test_system_exit_in_a_rule_is_named_with_its_line(
    command: tuple[str, ...], line: str, number: int, walk: Path
) -> None:
    changed(walk, (line, EXIT), game=walk)
    done = here(command[0], walk, *command[1:], typed="left\nleft\n")
    assert done.returncode == 1
    assert re.search(rf"SystemExit.*walk\.py, line {number}\b", done.stderr)


@pytest.mark.parametrize(
    "command",
    [COMMANDS[0], COMMANDS[1], COMMANDS[3]],
    ids=["play", "play with bots", "check"],
)
def test_an_action_without_a_text_is_named(command: tuple[str, ...], walk: Path) -> None:
    steps = "class Step(str):\n    def __str__(self):\n        pass\n\nclass Walk"
    actions = '(Step("left"), Step("right"))'
    changed(walk, ("class Walk", steps), ('("left", "right")', actions), game=walk)
    done = here(command[0], walk, *command[1:], typed="left\nleft\n")
    assert re.search(r"Step(\.__str__ returns None.* line 9| action raises TypeError)", done.stderr)


def test_listing_the_options_still_ends_well(walk: Path) -> None:
    done = here("play", walk, "--option", "help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "rounds" in done.stdout
