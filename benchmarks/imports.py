"""What `import tabletop` costs, in a Python started for it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from benchmarks.common import Row, Target, fresh_interpreter

TITLE = "import, in a fresh process with its byte code compiled before; the best of several"

AT_MOST = Target(50, at_least=False)
NONE = Target(0, at_least=False)
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
