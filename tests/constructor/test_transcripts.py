"""Transcripts of whole runs of the program, compared with golden files.

`python -m tests.constructor.test_transcripts` rewrites the golden files. Read the difference before
you commit it. Transcripts contain only the first two boards and the last board.
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
    """Input that is echoed to the output when it is read, as at a terminal."""

    def __init__(self, typed: str) -> None:
        self._lines = iter(typed.splitlines(keepends=True))

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        line = next(self._lines, "")
        sys.stdout.write(line)
        return line


def transcript(name: str) -> str:
    """Return the transcript of a run, including the typed lines."""
    typed = (GOLDEN / f"{name}.in").read_text("utf-8")
    shown = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder, chdir(folder):
        patch.setattr(sys, "stdin", Typist(typed))
        with redirect_stdout(shown):
            assert main(RUNS[name]) == 0
    return mention_boards(shown.getvalue()) + "\n"


def mention_boards(text: str) -> str:
    """Replace all boards except the first two and the last with a short note."""
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
def test_transcript_matches_the_golden_file(name: str) -> None:
    assert transcript(name) == (GOLDEN / f"{name}.txt").read_text("utf-8")


# Samples of the assignment.


SCRIPTS = sorted((DATA / "scripts").glob("*.in"))


def test_all_samples_are_found() -> None:
    assert len(SCRIPTS) == 14


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_sample_produces_its_expected_messages_and_saves(script: Path, tmp_path: Path) -> None:
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


def write_goldens() -> None:
    for name in RUNS:
        (GOLDEN / f"{name}.txt").write_text(transcript(name), "utf-8")


if __name__ == "__main__":
    write_goldens()
