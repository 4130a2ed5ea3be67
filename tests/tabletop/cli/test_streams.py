"""Unusual standard streams: the program shows no traceback and keeps the record."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from lcr.program.cli import main as lcr
from sorcery.program.cli import main as sorcery
from tabletop.cli import main
from tabletop.records import read
from tests.forked import Main, end_of, start
from tests.tabletop.cli.program import DUEL, TICTACTOE, WIN, process, records, refused, shown
from tests.tabletop.told import tells

pytestmark = pytest.mark.slow  # most of these are of real processes

PROGRAM = f'"{sys.executable}" -m tabletop'
WALK = """
from dataclasses import dataclass
from tabletop import Game, Outcome

@dataclass
class Steps:
    steps: int = 0
    def clone(self):
        return Steps(self.steps)

class Walk(Game):
    name = "walk"
    title = "Längs dem Fluß \\u2192"
    def setup(self, options, seats, rng): return Steps()
    def to_act(self, state): return (state.steps % 2,) if state.steps < 3000 else ()
    def legal_actions(self, state, seat): return ("go",)
    def apply(self, state, action, table): state.steps += 1
    def outcome(self, state): return None if state.steps < 3000 else Outcome.draw(2)
"""


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A long match, with a title that is not ASCII."""
    path = tmp_path / "walk.py"
    path.write_text(WALK, encoding="utf-8")
    return path


def shell(line: str, typed: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run a line in bash. The exit code is that of the first program that failed."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        check=False,
        input=typed,
        capture_output=True,
        timeout=60,
    )
    stderr = done.stderr.decode()
    assert "Traceback" not in stderr
    assert "Exception ignored" not in stderr
    return subprocess.CompletedProcess(line, done.returncode, done.stdout.decode(), stderr)


def test_a_match_can_be_resumed_after_its_output_was_closed(walk: Path, state: Path) -> None:
    with start(main, "play", walk, "--bot", "all") as program:
        assert program.stdout is not None
        program.stdout.readline()
        program.stdout.close()
        assert (program.wait(60), program.stderr and program.stderr.read()) == (0, "")
    record = read(records(state)[0])
    assert 0 < record.plies < 3000
    assert shown("resume", "--no-score").endswith("\nA draw.\n")


@pytest.mark.parametrize(
    ("main", "words"),
    [
        (main, ("play", "WALK", "--bot", "all", "--no-record")),
        (lcr, ("--help",)),
        (sorcery, ("-help",)),
    ],
)
def test_a_full_disk_is_a_failure_with_one_line(
    main: Main, words: Sequence[str], walk: Path
) -> None:
    arguments = [str(walk) if word == "WALK" else word for word in words]
    with open("/dev/full", "w") as full:
        done = end_of(start(main, *arguments, stdout=full))
    assert done.status == 1
    name = main.__module__.partition(".")[0]
    assert done.stderr == f"{name}: output: No space left on device\n"


def test_closed_output_does_not_stop_a_match(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    done = shell(f"{PROGRAM} play '{TICTACTOE}' --record {path} >&- 2>&-", typed=WIN.encode())
    assert done.returncode == 0
    assert read(path).ended
    assert os.path.getsize(path) == read(path).size
    assert shell(f"{PROGRAM} play '{TICTACTOE}' --record {path} >&- 2>&-").returncode == 1


def test_closed_input_counts_as_the_end_of_input() -> None:
    done = shell(f"{PROGRAM} play '{TICTACTOE}' --no-record <&-")
    assert done.returncode == 0
    assert done.stdout.endswith("Player 1> \nLeft after 0 actions\n")


def test_invalid_bytes_in_the_input_are_not_understood(
    state: Path,
) -> None:
    said = shown("play", TICTACTOE, typed=b"\xff\xfe\x00\x80\n\x1b[A\n5")
    assert said.count("possible: 1, 2, ") == 2
    assert read(records(state)[0]).plies == 1


def test_a_very_long_line_is_shortened() -> None:
    lines = ["x" * 10**6, "9" * 10**6, "undo " + "9" * 10**6, "pick " * 10**5]
    said = shown("play", DUEL, "--no-record", typed="\n".join(lines))
    assert said.count("Player 1> ") == 5
    assert max(map(len, said.splitlines())) < 300


ASCII = [
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
]


@pytest.mark.parametrize("settings", ASCII, ids=str)
def test_a_terminal_without_the_characters_shows_replacements(
    settings: dict[str, str], walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    # Without `site`, which cannot read where an environment lies whose path has such letters.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    words = ["play", str(walk), "--no-record", "--seed", "ß→", "--name", "Zoë"]
    done = process(*words, typed="gö\ngo\n", options=["-S", "-P"])
    assert done.returncode == 0
    if "PYTHONIOENCODING" in settings:
        assert done.stdout.startswith("L?ngs dem Flu? ?, seed: ??\n")


@pytest.mark.parametrize(
    ("option", "word", "named"),
    [
        ("--seed", b"", "'\\udcff'"),
        ("--name", b"Ann ", "'Ann \\udcff'"),
        ("--option", b"motto=", "'motto=\\udcff'"),
    ],
)
def test_arguments_that_are_not_valid_text_are_named(option: str, word: bytes, named: str) -> None:
    message = refused("play", DUEL, option, os.fsdecode(word + b"\xff"))
    assert tells(message, f"tabletop: {named} ... UTF-8")
    assert message.count("\n") == 1


def test_a_path_that_is_not_valid_text_is_shown_with_replacements(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path / "missing") + b"/\xff")
    message = refused("play", DUEL, "--record", path, status=1)
    assert tells(message, f"tabletop: {tmp_path / 'missing'}/?: ... No such file or directory\n")
    assert message.count("\n") == 1
