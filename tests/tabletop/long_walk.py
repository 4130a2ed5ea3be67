"""A long match and its record."""

from __future__ import annotations

from pathlib import Path

from tabletop import Match, Random
from tabletop.match import AnyMatch
from tabletop.records import Journal
from tests.tabletop.games import walk


def walked(path: Path, plies: int) -> AnyMatch:
    """A match of so many steps, recorded in `path`; the journal is closed."""
    match = Match(walk.GAME, seed="Old Oak", players=[Random(1), Random(2)])
    with Journal.create(path, match):
        match.run(plies)
    match.set_recorder(None)
    return match
