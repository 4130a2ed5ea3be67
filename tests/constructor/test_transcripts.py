"""Whole runs of the program as they look at a terminal, in files that people can read.

`python -m tests.constructor.test_transcripts` writes them anew; read the difference before it is
kept. All boards but the first two and the last one are only mentioned.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.constructor.programs import DATA, PICTURE, run

from constructor.program.cli import main

GOLDEN = Path(__file__).parents[1] / "golden" / "constructor"
RUNS = {
    "by_hand": ["-seed", "brave old world"],
    "against_bots": [
        "-random-board",
        "-seed",
        "14",
        "-bot",
        "red",
        "-bot",
        "orange",
        "-bot",
        "yellow",
    ],
}


class Typist:
    """Input that shows on the output as it is read, as it does at a terminal."""

    def __init__(self, typed: str) -> None:
        self._lines = iter(typed.splitlines(keepends=True))

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        line = next(self._lines, "")
        sys.stdout.write(line)
        return line


def transcript(name: str) -> str:
    """A run as it looks, with what is typed."""
    typed = (GOLDEN / f"{name}.in").read_text("utf-8")
    shown = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder, chdir(folder):
        patch.setattr(sys, "stdin", Typist(typed))
        with redirect_stdout(shown):
            assert main(RUNS[name]) == 0
    return mention_boards(shown.getvalue()) + "\n"


def mention_boards(text: str) -> str:
    """The text with only the first two boards and the last one drawn."""
    lines = text.split("\n")
    height = PICTURE.count("\n")
    starts = [
        at for at, line in enumerate(lines) if line.startswith(" " * 20 + "|") and "--|" in line
    ]
    starts = starts[::2]  # a board ends as it begins
    for at in reversed(starts[2:-1]):
        lines[at : at + height] = ["(the board)"]
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_run_looks_as_it_did(name: str) -> None:
    assert transcript(name) == (GOLDEN / f"{name}.txt").read_text("utf-8")


# The samples that came with the assignment, each run against the real program.


SCRIPTS = sorted((DATA / "scripts").glob("*.in"))


def test_there_are_samples() -> None:
    assert len(SCRIPTS) == 14


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_sample_gives_the_messages_and_saves_that_it_says(script: Path, tmp_path: Path) -> None:
    wanted = json.loads(script.with_suffix(".expect.json").read_text("utf-8"))
    for name, text in wanted["files"].items():
        (tmp_path / name).write_text(text, "utf-8")
    arguments = script.with_suffix(".args").read_text("utf-8").split()
    printed = run(tmp_path, *arguments, typed=script.read_bytes())
    assert (printed.stderr, printed.status) == ("", 0)
    assert [text for text in wanted["must"] if text not in printed.stdout] == []
    assert [text for text in wanted["mustnot"] if text in printed.stdout] == []
    for name, lines in wanted["saves"].items():
        assert (tmp_path / name).read_text("utf-8").splitlines() == [str(line) for line in lines]


def write_anew() -> None:
    """Write the files."""
    for name in RUNS:
        (GOLDEN / f"{name}.txt").write_text(transcript(name), "utf-8")


if __name__ == "__main__":
    write_anew()
