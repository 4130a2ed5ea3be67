"""Common parts of the benchmarks: table rows, races, and optional modules."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import ModuleType
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
"""Path of the project."""

ROUNDS = 50
"""Rounds of a race."""

Contender: TypeAlias = Callable[[int], int]
"""Repeats its work as often as requested, and returns the number of decisions (or draws)."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target for a number.

    Attributes:
        bound: The bound.
        at_least: Whether the number must be at least the bound, instead of at most.
    """

    bound: float
    at_least: bool

    def met_by(self, value: float) -> bool:
        """Return whether a value meets the target."""
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.bound:.3g}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        what: Label of the row.
        value: The measured number, or None if it could not be measured.
        unit: Unit of `value`.
        ratio: `value` divided by that of the row or contender named by `to`.
        to: Label of the comparison.
        target: Target of `ratio`, or of `value` if there is no ratio.
        note: Reason for a missing number, or a remark.
    """

    what: str
    value: float | None = None
    unit: str = ""
    ratio: float | None = None
    to: str = ""
    target: Target | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """`ok` or `missed`, or an empty text without a target."""
        number = self.value if self.ratio is None else self.ratio
        if self.target is None or number is None:
            return ""
        return "ok" if self.target.met_by(number) else "missed"


def as_table(title: str, rows: Sequence[Row]) -> str:
    """Return a table as text: the title, then the rows in columns."""
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


def as_data(row: Row) -> dict[str, object]:
    """Return a row and its verdict for JSON."""
    return {**asdict(row), "verdict": row.verdict}


@dataclass(frozen=True, slots=True)
class Race:
    """The result of a race.

    Attributes:
        speeds: Decisions per second of each contender, one number per round.
    """

    speeds: Mapping[str, Sequence[float]]

    def speed(self, name: str) -> float:
        """Return the decisions per second of a contender in its best round."""
        return max(self.speeds[name])

    def ratio(self, name: str, to: str) -> float:
        """Return the speed of `name` divided by that of `to`, as the median of the rounds.

        If the machine is slow for a while, both contenders of a round are affected, so the ratio
        remains valid.
        """
        pairs = zip(self.speeds[name], self.speeds[to], strict=True)
        return median(speed / other for speed, other in pairs)


def race(contenders: Mapping[str, Contender], seconds: float) -> Race:
    """Run the contenders in turn, round after round, and measure processor time.

    Args:
        contenders: Contenders by name.
        seconds: Total time per contender, over all rounds.
    """
    share = seconds / ROUNDS
    counts = {name: _count_for(contender, share) for name, contender in contenders.items()}
    speeds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, contender in contenders.items():
            started = process_time()
            decisions = contender(counts[name])
            speeds[name].append(decisions / (process_time() - started))
    return Race(speeds)


def _count_for(contender: Contender, seconds: float) -> int:
    """Return how many repetitions a contender completes in about the given time."""
    count = 1
    while True:
        started = process_time()
        contender(count)
        took = process_time() - started
        if took > seconds / 4:
            return max(1, round(count * seconds / took))
        count *= 2


def optional_module(name: str) -> ModuleType | None:
    """Return a module, or None if it or one of its dependencies is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@contextmanager
def fresh_interpreter() -> Iterator[tuple[list[str], dict[str, str]]]:
    """Yield a command that starts this Python, and an environment that contains the project.

    Byte code is cached in a temporary folder, because libraries are normally compiled only once.
    """
    with TemporaryDirectory() as place:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, sys.path)]),
            "PYTHONPYCACHEPREFIX": place,
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        yield [sys.executable, "-c"], environment
