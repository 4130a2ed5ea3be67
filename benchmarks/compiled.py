"""The same races on the accelerated wheel, with the targets of a compiled build.

The wheel is built, and installed into an environment of its own. There the races run, with the
others that they are run against, which nobody compiles.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.compiled import build, install

from benchmarks.common import ROOT, Row, Target
from tabletop.host.compiling import CompileError, missing_tool

TITLE = "The accelerated wheel (make compiled)"

SUBJECTS = ("draws", "sorcery")
"""The subjects raced there."""

EXAMPLES = ("backgammon", "upriver", "tictactoe", "pig")
"""Games in files, compiled as a user's own."""


def run(seconds: float) -> Iterator[Row]:
    """Have the races run in the other environment, and pass their rows on."""
    missing = missing_tool()
    if missing:
        yield Row("not compiled", note=missing)
        return
    try:
        python = install(build())
    except CompileError as error:
        yield Row("not compiled", note=str(error))
        return
    for subject in SUBJECTS:
        yield from rows_of(python, subject, seconds)
    yield from map(row_of_own, EXAMPLES)


def row_of_own(game: str) -> Row:
    """Return what `tabletop compile` says of a game in a file: how much faster it plays."""
    with TemporaryDirectory() as folder:
        file = str(ROOT / "examples" / f"{game}.py")
        command = [sys.executable, "-m", "tabletop", "compile", file, "-o", folder]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = re.search(r"([\d.]+) times as fast", said)
    return Row(f"own rules: {game}", float(found[1]) if found else None, "of the same in Python")


def rows_of(python: Path, subject: str, seconds: float) -> Iterator[Row]:
    """Return the rows of one race, run by another Python."""
    command = [str(python), "-m", "benchmarks", subject, "--json", "--seconds", str(seconds)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for data in json.loads(done.stdout)["results"][subject]:
        data.pop("verdict")
        target = data.pop("target")
        goal = None if target is None else Target(**target)
        yield Row(**{**data, "what": f"{subject}: {data['what']}"}, target=goal)
