"""`python -m benchmarks`: run benchmarks, and print tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib import import_module

from benchmarks import strength
from benchmarks.common import ROUNDS, Row, as_data, as_table

SUBJECTS = (
    "draws",
    "tictactoe",
    "lcr",
    "sweep",
    "constructor",
    "sorcery",
    "bots",
    "studies",
    "observations",
    "envs",
    "compiled",
    "records",
    "imports",
    "learners",
    "web",
    "programs",
)
"""Modules with benchmarks, in the order in which they run."""

METHOD = (
    f"Contenders take turns in {ROUNDS} rounds, unless stated otherwise. Speeds are those of the"
    " best round, ratios the median of the rounds."
)

EPILOG = "To measure the strength of bots (minutes to hours): python -m benchmarks strength --help"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the selected benchmarks. The exit status is 0 even if a target is missed."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["strength"]:  # this benchmark has its own options
        return strength.main(arguments[1:])
    options = _parser().parse_args(arguments)
    subjects = options.subject or SUBJECTS
    machine = {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
    }
    if not options.json:
        print(*machine.values(), "cpus\n" + METHOD)
    tables: dict[str, list[Row]] = {}
    for subject in subjects:
        module = import_module(f"benchmarks.{subject}")
        tables[subject] = list(module.run(options.seconds))
        if not options.json:
            print("\n" + as_table(module.TITLE, tables[subject]), flush=True)
    if options.json:
        results = {name: [as_data(row) for row in rows] for name, rows in tables.items()}
        print(json.dumps({**machine, "results": results}, indent=2))
        return 0
    rows = [row for table in tables.values() for row in table]
    verdicts = [row.verdict for row in rows]
    print(f"\n{verdicts.count('ok')} targets reached, {verdicts.count('missed')} missed.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, epilog=EPILOG
    )
    parser.add_argument(
        "subject",
        nargs="*",
        type=_subject,
        help=f"benchmarks to run: {', '.join(SUBJECTS)} (default: all)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=2.0,
        help="seconds per contender, 0.01 to 600 (default: 2)",
    )
    return parser


def _subject(text: str) -> str:
    if text not in SUBJECTS:
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {', '.join(SUBJECTS)}")
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.01 <= seconds <= 600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.01 to 600")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
