"""Processor time to import `tabletop` and to start the programs, each in a new Python process."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from benchmarks.common import Row, Target, fresh_interpreter, optional_module

TITLE = "Import and start: processor time of a new process, with byte code compiled in advance"

RUNS = 15

CHESS = "import chess"

START = "import sys; from tabletop_start import {0} as main; sys.argv = {1!r}; sys.exit(main())"
"""The script that an installer generates for a program."""

TARGETS = {
    "a bare interpreter": None,
    CHESS: None,
    "import tabletop": 1.0,
    "tabletop --version": 1.5,
    "tabletop games": 3.0,
    "lcr --help": 1.5,
    "constructor --help": None,
    "sorcery --help": None,
}
"""Imports and command lines to measure, with their target, relative to `import chess`."""


def run(_seconds: float) -> Iterator[Row]:
    """Run all scripts in turn, and yield the medians. The number of runs is fixed."""
    scripts = {what: _script(what) for what in TARGETS}
    if optional_module("chess") is None:
        del scripts[CHESS]
    times: dict[str, list[float]] = {what: [] for what in scripts}
    with fresh_interpreter() as (command, environment):
        for _ in range(RUNS + 1):
            for what, script in scripts.items():
                before = getrusage(RUSAGE_CHILDREN)
                subprocess.run(
                    [*command, script],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    check=True,
                )
                after = getrusage(RUSAGE_CHILDREN)
                spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                times[what].append(spent * 1000)
    medians = {what: median(runs[1:]) for what, runs in times.items()}  # the first one compiles
    peer = medians.get(CHESS)
    for what, target in TARGETS.items():
        if what not in medians:
            yield Row(what, note="not installed")
        elif peer is None or target is None:
            yield Row(what, medians[what], "ms")
        else:
            ratio = medians[what] / peer
            yield Row(what, medians[what], "ms", ratio, CHESS, Target(target, at_least=False))


def _script(what: str) -> str:
    if what.startswith("import "):
        return what
    words = what.split()
    return "" if what.startswith("a ") else START.format(words[0], words)
