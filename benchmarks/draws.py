"""Bounded draws: a stream compared with Python's own generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from benchmarks.common import Contender, Row, Target, race
from tabletop import Streams

TITLE = "Bounded draws: Stream.below compared with random.Random.randrange"

AT_MOST = Target(1.5, at_least=False)
BOUNDS = (6, 52, 1_000_000)


def run(seconds: float) -> Iterator[Row]:
    """Time draws below several bounds."""
    stream, generator = Streams("benchmark")["draws"], Random(1)
    for bound in BOUNDS:
        result = race(
            {"ours": _draw(stream.below, bound), "theirs": _draw(generator.randrange, bound)},
            seconds,
        )
        yield Row(f"randrange({bound})", 1e9 / result.speed("theirs"), "ns")
        yield Row(
            f"below({bound})",
            1e9 / result.speed("ours"),
            "ns",
            result.ratio("theirs", "ours"),
            "times randrange",
            AT_MOST,
        )


def _draw(below: Callable[[int], int], bound: int) -> Contender:
    def draw(count: int) -> int:
        for _ in range(count):
            below(bound)
        return count

    return draw
