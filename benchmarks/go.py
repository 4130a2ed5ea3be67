"""Go on nine by nine lines between random players: `examples/go.py` on the full engine."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.common import ROOT, Row, Target, race
from benchmarks.play import DECISIONS, PLAY, RUN, engine_contenders
from tabletop.registry import load

TITLE = "Go, 9x9 with captures and superko: examples/go.py on the full engine"

AT_LEAST = Target(30_000, at_least=True)


def run(seconds: float) -> Iterator[Row]:
    """Measure the ways to play it."""
    contenders = engine_contenders(load(str(ROOT / "examples" / "go.py")).game, 2)
    result = race({name: contenders[name] for name in (RUN, PLAY)}, seconds)
    for name in (RUN, PLAY):
        yield Row(name, result.speed(name), DECISIONS, target=AT_LEAST)
