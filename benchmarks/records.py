"""The time to record a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.common import Row, Target
from constructor import GAME as CONSTRUCTOR
from lcr import GAME as LCR
from sorcery import GAME as SORCERY
from tabletop import Match, Random
from tabletop.records import Journal
from tabletop.rules import AnyGame

TITLE = "A recorded move"

PLIES = 800
"""Moves per measurement, over several matches if necessary."""

AT_MOST = Target(25, at_least=False)

GAMES: Sequence[tuple[str, AnyGame, int]] = (
    ("Constructor", CONSTRUCTOR, 4),
    ("Sorcery", SORCERY, 2),
    ("LCR", LCR, 3),
)


def run(seconds: float) -> Iterator[Row]:
    """Play matches of three games with and without a record, in turn."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        for name, game, seats in GAMES:
            plain = recorded = float("inf")
            until = process_time() + 2 * seconds
            while process_time() < until:
                plain = min(plain, _time_moves(game, seats, None))
                recorded = min(recorded, _time_moves(game, seats, path))
            yield Row(f"{name}: a move", 1e6 * plain, "µs")
            yield Row(f"{name}: to record it", 1e6 * (recorded - plain), "µs", target=AT_MOST)


def _time_moves(game: AnyGame, seats: int, path: Path | None) -> float:
    """Return the seconds per move, without the start of a match and its record."""
    plies, took = 0, 0.0
    for seed in count():
        if plies >= PLIES:
            break
        match = Match(game, seed=seed, players=[Random(seat) for seat in range(seats)])
        with nullcontext() if path is None else Journal.create(path, match):
            started = process_time()
            match.run(PLIES)
            took += process_time() - started
        if path is not None:
            path.unlink()
        plies += match.ply
    return took / plies
