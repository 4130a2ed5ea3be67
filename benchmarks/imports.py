"""What `import tabletop` and the start of programs cost, in a Python started for it."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from benchmarks.common import Row, Target, fresh_interpreter

TITLE = "import and start, in a fresh process with its byte code compiled before"

AT_MOST = Target(50, at_least=False)
NONE = Target(0, at_least=False)
BARE_TIMES = Target(8, at_least=False)
LEAST_RUNS = 8
RUNS_A_SECOND = 8

UNWANTED = ("asyncio", "msgspec", "numpy", "platformdirs", "rich", "shtab")
"""What need not be loaded before it is used."""

SCRIPT = """
import sys, time
started = time.perf_counter()
import {module}
print(time.perf_counter() - started, *sorted(set({unwanted!r}) & set(sys.modules)))
"""

NOTHING = "pass"
"""What a bare interpreter is given to do."""

PROGRAMS = {
    "tabletop games": ("tabletop", "games"),
    "sorcery, nothing typed": ("sorcery",),
    "sorcery --help": ("sorcery", "--help"),
    "lcr --help": ("lcr", "--help"),
    "constructor --help": ("constructor", "--help"),
}

PROGRAM = """
import re, sys
from {name}.cli import main
sys.argv = {words!r}
sys.exit(main())
"""
"""What the script does that an installer writes for a program."""


def run(seconds: float) -> Iterator[Row]:
    """Import the framework and, for comparison, a game and the slowest of what all of them need."""
    runs = max(LEAST_RUNS, round(RUNS_A_SECOND * seconds))
    modules = {"tabletop": AT_MOST, "lcr": None, "dataclasses, typing, hashlib": None}
    best, loaded = _import_all(list(modules), runs)
    for module, target in modules.items():
        yield Row(f"import {module}", best[module] * 1000, "ms", target=target)
    names = loaded["tabletop"]
    note = "loaded: " + ", ".join(names) if names else "none of " + ", ".join(UNWANTED)
    yield Row("loaded though not needed", len(names), "modules", target=NONE, note=note)
    yield from _start_all(runs)


def _import_all(modules: list[str], runs: int) -> tuple[dict[str, float], dict[str, list[str]]]:
    best = dict.fromkeys(modules, float("inf"))
    loaded: dict[str, list[str]] = {}
    with fresh_interpreter() as (command, environment):
        for _ in range(runs + 1):  # the first one compiles
            for module in modules:
                script = SCRIPT.format(module=module, unwanted=UNWANTED)
                output = subprocess.run(
                    [*command, script], env=environment, capture_output=True, text=True, check=True
                ).stdout.split()
                best[module] = min(best[module], float(output[0]))
                loaded[module] = output[1:]
    return best, loaded


def _start_all(runs: int) -> Iterator[Row]:
    """Start each program, and a bare interpreter, in turn: processor time, also of their ends."""
    scripts = {
        what: PROGRAM.format(name=words[0], words=list(words)) for what, words in PROGRAMS.items()
    }
    took: dict[str, list[float]] = {what: [] for what in (NOTHING, *scripts)}
    with fresh_interpreter() as (command, environment):
        for turn in range(runs + 1):  # the first one compiles
            for what, script in {NOTHING: NOTHING, **scripts}.items():
                spent = _processor_time([*command, script], environment)
                if turn:
                    took[what].append(spent)
    yield Row("a bare interpreter", min(took[NOTHING]) * 1000, "ms")
    for what in scripts:
        ratio = median(own / bare for own, bare in zip(took[what], took[NOTHING], strict=True))
        least = min(took[what]) * 1000
        target = None if what.startswith(("lcr", "constructor")) else BARE_TIMES
        yield Row(what, least, "ms", ratio, "a bare interpreter", target)


def _processor_time(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """The seconds of processor time that a process took from its beginning to its end."""
    before = _of_children()
    subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=sys.stderr,
        check=True,
    )
    return _of_children() - before


def _of_children() -> float:
    """The seconds of processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
