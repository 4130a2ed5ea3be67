"""Benchmarks of a compiled wheel, with the targets of a compiled build.

The wheel is built and installed into an environment of its own. The races run there, against the
same contenders, which are not compiled.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tools.compiled import CompileError, build, install

from benchmarks.common import ROOT, Row, Target

TITLE = "A compiled wheel (make compiled)"

SUBJECTS = ("draws", "sorcery")
"""Benchmarks that run there."""


def run(seconds: float) -> Iterator[Row]:
    """Run the races in the other environment, and yield their rows."""
    try:
        python = install(build())
    except CompileError as error:
        yield Row("not compiled", note=str(error))
        return
    for subject in SUBJECTS:
        yield from rows_of(python, subject, seconds)


def rows_of(python: Path, subject: str, seconds: float) -> Iterator[Row]:
    """Return the rows of a benchmark that another Python runs."""
    command = [str(python), "-m", "benchmarks", subject, "--json", "--seconds", str(seconds)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for data in json.loads(done.stdout)["results"][subject]:
        data.pop("verdict")
        target = data.pop("target")
        goal = None if target is None else Target(**target)
        yield Row(**{**data, "what": f"{subject}: {data['what']}"}, target=goal)
