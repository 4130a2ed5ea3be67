"""Functions that run the programs, and a simple model of the course's program for comparison."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pexpect
from tests.program_runs import Printed, run_here
from tests.terminals import WIDE, spawn

from lcr.program.cli import main

DATA = Path(__file__).with_name("data")
PLAYERS_PROMPT = "Number of players (3 to 11)? "
SEED_PROMPT = "Random-number seed? "
PLAYERS_COMPLAINT = "Invalid number of players. Using 3 instead.\n"
SEED_COMPLAINT = "Invalid seed. Using 4823 instead.\n"
NAMES = (
    "Ada Lovelace",
    "Margaret Hamilton",
    "Katherine Johnson",
    "Joy Buolamwini",
    "Grace Hopper",
    "Adele Goldberg",
    "Annie Easley",
    "Jeannette Wing",
    "Mary Kenneth Keller",
    "Megan Smith",
    "Radia Perlman",
)


def run(*arguments: str, stdin: bytes = b"") -> Printed:
    """Run the program `lcr` in this process."""
    return run_here(main, arguments, stdin)


def at_terminal(
    command: object, *arguments: str, environment: Mapping[str, str] | None = None
) -> Any:
    """Start a program at a new terminal and return its `pexpect.spawn`."""
    return spawn(
        command, *arguments, size=WIDE, environment={"COLUMNS": "999", **(environment or {})}
    )


def to_the_end(terminal: Any) -> Printed:
    """Return the remaining output of a program at a terminal and its exit status."""
    terminal.expect(pexpect.EOF)
    terminal.close()
    return Printed(terminal.before, "", terminal.exitstatus)


def goldens() -> list[tuple[bytes, Printed]]:
    """Return the input and the output of runs of the reference program."""
    lines = (DATA / "golden.jsonl").read_text("utf-8").splitlines()
    runs: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return [
        (run["stdin"].encode("latin-1"), Printed(run["stdout"], run["stderr"], run["exit"]))
        for run in runs
    ]


class Turn(NamedTuple):
    """A turn of the model, with the number of dice and the chips after it."""

    seat: int
    dice: int
    chips: tuple[int, ...]


def course_turns(players: int, seed: int) -> list[Turn]:
    """Return the turns of the course's game, computed as simply as possible."""
    number = seed % 1_000_000
    chips = [3] * players
    turns = []
    seat = 0
    while sum(count > 0 for count in chips) > 1:
        dice = min(3, chips[seat])
        for _ in range(dice):
            number = (9821 * number + 211_327) % 1_000_000
            roll = number % 6
            if roll >= 3:
                chips[seat] -= 1
            if roll == 3:
                chips[(seat + 1) % players] += 1
            if roll == 5:
                chips[(seat - 1) % players] += 1
        if dice:
            turns.append(Turn(seat, dice, tuple(chips)))
        seat = (seat + 1) % players
    return turns


def course_lines(players: int, seed: int, names: tuple[str, ...] = NAMES) -> str:
    """Return the lines that the course's program prints for a game."""
    turns = course_turns(players, seed)
    lines = [f"{names[seat]}: ends her turn with {chips[seat]}\n" for seat, _, chips in turns]
    last = turns[-1].chips
    return "".join(lines) + f"{names[last.index(max(last))]} won!\n"


def course_program(stdin: bytes) -> Printed:
    """Return the output of the course's program for an input."""
    players, rest = _scan(stdin)
    if players is not None:
        low = min(max(players, -(2**63)), 2**63 - 1) & 0xFFFF_FFFF
        players = low - 2**32 if low >= 2**31 else low
    seed, _ = _scan(rest)
    if seed is not None:
        seed = (2**64 - 1 if abs(seed) >= 2**64 else seed) & 0xFFFF_FFFF
    complaints = ""
    if players is None or not 3 <= players <= 11:
        players, complaints = 3, PLAYERS_COMPLAINT
    if seed is None:
        seed, complaints = 4823, complaints + SEED_COMPLAINT
    return Printed(PLAYERS_PROMPT + SEED_PROMPT + course_lines(players, seed), complaints)


def _scan(data: bytes) -> tuple[int | None, bytes]:
    match = re.match(rb"[ \t\n\v\f\r]*([+-]?)([0-9]*)", data)
    assert match is not None
    sign, digits = match.groups()
    # Python refuses to convert thousands of digits, and all numbers beyond 64 bits are equivalent.
    number = int(sign + digits.lstrip(b"0")[:30].rjust(1, b"0")) if digits else None
    return number, data[match.end() :]
