"""Time to import `tabletop` and to start the programs, in a new Python process."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from time import perf_counter

from benchmarks.common import Row, Target, fresh_interpreter

TITLE = "Import and start, in a new process with byte code compiled in advance"

LEAST_RUNS = 8
RUNS_A_SECOND = 8

IMPORT = """
import time
started = time.perf_counter()
import tabletop
print(time.perf_counter() - started)
"""

NOTHING = "a bare interpreter"

START = """
import sys
from {program}.cli import main
sys.argv = {words!r}
sys.exit(main())
"""
"""The script that an installer generates for a program."""

PROGRAMS = {
    NOTHING: None,
    "tabletop games": Target(250, at_least=False),
    "sorcery --help": None,
    "constructor --help": None,
    "lcr --help": None,
}
"""Command lines to start, with their target in milliseconds."""


def run(seconds: float) -> Iterator[Row]:
    """Import the framework and start the programs in turn, and yield the best of several runs."""
    runs = max(LEAST_RUNS, round(RUNS_A_SECOND * seconds))
    imported = float("inf")
    best = dict.fromkeys(PROGRAMS, float("inf"))
    with fresh_interpreter() as (command, environment):

        def output_of(script: str) -> str:
            return subprocess.run(
                [*command, script],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=True,
            ).stdout

        for _ in range(runs + 1):  # the first run compiles the byte code
            imported = min(imported, float(output_of(IMPORT)))
            for what in PROGRAMS:
                words = what.split()
                script = "" if what is NOTHING else START.format(program=words[0], words=words)
                started = perf_counter()
                output_of(script)
                best[what] = min(best[what], perf_counter() - started)
    yield Row("import tabletop", imported * 1000, "ms", target=Target(60, at_least=False))
    for what, target in PROGRAMS.items():
        yield Row(what, best[what] * 1000, "ms", target=target)
