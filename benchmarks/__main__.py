"""`python -m benchmarks`: measure, and print tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module

from benchmarks.common import ROUNDS, Row

SUBJECTS = (
    "draws",
    "tictactoe",
    "lcr",
    "sweep",
    "constructor",
    "sorcery",
    "bots",
    "compiled",
    "records",
    "imports",
    "web",
)
"""The modules that measure, in the order in which they do."""

METHOD = (
    f"What is compared takes turns, {ROUNDS} each where nothing else is said: speeds are the best"
    " turn, ratios the median of the rounds."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; 0 also when a target is missed, which the tables say."""
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
        results = {name: [_as_data(row) for row in rows] for name, rows in tables.items()}
        print(json.dumps({**machine, "results": results}, indent=2))
        return 0
    rows = [row for table in tables.values() for row in table]
    verdicts = [row.verdict for row in rows]
    print(f"\n{verdicts.count('ok')} targets reached, {verdicts.count('missed')} missed.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "subject",
        nargs="*",
        type=_subject,
        help=f"what to measure: {', '.join(SUBJECTS)} (all when none is named)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=2.0,
        help="how long each contender of a comparison runs, 0.01 to 600 (2)",
    )
    return parser


def _subject(text: str) -> str:
    if text not in SUBJECTS:
        raise argparse.ArgumentTypeError(f"no benchmark {text!r}; there are {', '.join(SUBJECTS)}")
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.01 <= seconds <= 600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.01 to 600")
    return seconds


def as_table(title: str, rows: Sequence[Row]) -> str:
    """`rows` below `title`, in columns."""
    cells = [("", "measured", "compared", "target", "")]
    cells += [(row.what, _measured(row), _compared(row), _target(row), row.verdict) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [title]
    for what, measured, compared, target, verdict in cells:
        line = f"  {what:<{widths[0]}}  {measured:>{widths[1]}}  {compared:<{widths[2]}}"
        lines.append(f"{line}  {target:<{widths[3]}}  {verdict}".rstrip())
    return "\n".join(lines)


def _measured(row: Row) -> str:
    if row.value is None:
        return "-"
    digits = 0 if row.value >= 1000 or row.value == int(row.value) else 3 if row.value < 10 else 1
    return f"{row.value:,.{digits}f} {row.unit}"


def _compared(row: Row) -> str:
    return row.note if row.ratio is None else f"{row.ratio:.2f} {row.to}"


def _target(row: Row) -> str:
    return "" if row.target is None else str(row.target)


def _as_data(row: Row) -> dict[str, object]:
    return {**asdict(row), "verdict": row.verdict}


if __name__ == "__main__":
    sys.exit(main())
