"""The common parts of benchmarks: rows of a table, races, and parts that may not be installed."""

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
"""The folder of the project."""

ROUNDS = 50
"""The turns of each contender in a race."""

Contender: TypeAlias = Callable[[int], int]
"""Does something so many times, and says how many decisions (or draws) that took in all."""


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a number.

    Attributes:
        bound: the number to reach or to stay below.
        at_least: whether more is better.
    """

    bound: float
    at_least: bool

    def met_by(self, value: float) -> bool:
        """Return whether `value` reaches the target."""
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.bound:.3g}"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table.

    Attributes:
        what: the thing measured.
        value: the number; None when it could not be measured.
        unit: the unit of `value`.
        ratio: `value` divided by that of another row, which `to` names.
        to: the row that `ratio` compares with.
        target: the target of `ratio`, or of `value` where there is no ratio.
        note: the reason for a missing number, or a remark.
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
        """`ok` or `missed`; empty when nothing is to be reached."""
        number = self.value if self.ratio is None else self.ratio
        if self.target is None or number is None:
            return ""
        return "ok" if self.target.met_by(number) else "missed"


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


def as_data(row: Row) -> dict[str, object]:
    """`row` and its verdict, for JSON."""
    return {**asdict(row), "verdict": row.verdict}


@dataclass(frozen=True, slots=True)
class Race:
    """The result of a race.

    Attributes:
        speeds: the decisions a second of each contender, one number a round.
    """

    speeds: Mapping[str, Sequence[float]]

    def speed(self, name: str) -> float:
        """Return the decisions a second of `name`: its best round."""
        return max(self.speeds[name])

    def ratio(self, name: str, to: str) -> float:
        """Return the speed of `name` divided by that of `to`: the median of the rounds.

        What slows the machine down for a while slows both of a round, so their ratio stands.
        """
        pairs = zip(self.speeds[name], self.speeds[to], strict=True)
        return median(own / other for own, other in pairs)


def race(contenders: Mapping[str, Contender], seconds: float) -> Race:
    """Let the contenders run in turn, round after round. What is measured is processor time.

    Args:
        contenders: what to measure, by name.
        seconds: how long each of them runs, all rounds together.
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
    """Return how often `contender` runs in about `seconds`."""
    count = 1
    while True:
        started = process_time()
        contender(count)
        took = process_time() - started
        if took > seconds / 4:
            return max(1, round(count * seconds / took))
        count *= 2


def optional_module(name: str) -> ModuleType | None:
    """Return the module `name`; None if it, or a module it needs, is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@contextmanager
def fresh_interpreter() -> Iterator[tuple[list[str], dict[str, str]]]:
    """Yield the command that starts this Python anew, and an environment with the project in it.

    Byte code is kept in a place of its own, whatever the present environment says about it: nobody
    compiles a library each time it is used.
    """
    with TemporaryDirectory() as place:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, sys.path)]),
            "PYTHONPYCACHEPREFIX": place,
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        yield [sys.executable, "-c"], environment
