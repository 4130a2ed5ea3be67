"""The sweep over all course games with four players: NumPy compared with the same loop in C."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.common import ROOT, Row, Target, fresh_interpreter

TITLE = "Sweep of 1,000,000 LCR games with four players, best of several runs"

AT_MOST = Target(0.6, at_least=False)
LEAST_RUNS = 3
PLAYERS = 4
SOURCE = ROOT / "benchmarks" / "lcr_sweep.c"
COMPILERS = ("gcc", "cc", "clang")

# NumPy is imported before the clock starts. All lookup tables are made while it runs.
SCRIPT = f"""
import dataclasses, json, time
from lcr.sweep import sweep
started = time.perf_counter()
result = sweep({PLAYERS})
print(time.perf_counter() - started)
print(json.dumps([dataclasses.asdict(result)]))
"""


def run(seconds: float) -> Iterator[Row]:
    """Run both programs several times in turn, and check that their results are equal."""
    compiler = next(filter(shutil.which, COMPILERS), None)
    with TemporaryDirectory() as place, fresh_interpreter() as (python, environment):
        program = None if compiler is None else _compile(compiler, Path(place))
        ours = theirs = float("inf")
        for _ in range(max(LEAST_RUNS, round(seconds))):
            process = subprocess.run(
                [*python, SCRIPT], env=environment, capture_output=True, text=True, check=False
            )
            if process.returncode != 0:
                yield Row("lcr.sweep.sweep", note=_last_line(process.stderr))
                return
            took, _, result = process.stdout.partition("\n")
            ours = min(ours, float(took))
            if program is not None:
                started = perf_counter()
                answer = subprocess.run([program, str(PLAYERS)], capture_output=True, check=True)
                theirs = min(theirs, perf_counter() - started)
                if json.loads(answer.stdout) != json.loads(result):
                    raise RuntimeError("the sweep and the loop in C have different results")
    if program is None:
        yield Row("loop in C", note=f"no C compiler found: {', '.join(COMPILERS)}")
        yield Row("lcr.sweep.sweep", ours, "s", note="no comparison without a C compiler")
        return
    yield Row(f"loop in C ({compiler} -O2)", theirs, "s")
    yield Row("lcr.sweep.sweep", ours, "s", ours / theirs, "times the loop in C", AT_MOST)


def _compile(compiler: str, place: Path) -> Path:
    program = place / "lcr_sweep"
    subprocess.run([compiler, "-O2", "-o", program, SOURCE], check=True)
    return program


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]
