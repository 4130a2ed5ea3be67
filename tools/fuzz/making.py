"""Example inputs that the present code creates: records, draw logs and score books."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tabletop import Match, Plugin, Random
from tabletop.match import AnyMatch
from tabletop.records import DrawLog, Header, Journal, read
from tabletop.registry import load
from tabletop.rules import AnyGame, OptionValue
from tabletop.scores import GIVEN, ScoreBook, verified

GAMES: Final = (
    *("lcr", "constructor", "constructor-small", "constructor-square"),
    *("sorcery", "sorcery-2017"),
)
SEED: Final = "old oak"
QUICK: Final[Mapping[str, Mapping[str, OptionValue]]] = {"lcr": {"course-seed": 4823}}


@cache
def plugin(name: str) -> Plugin:
    """Return a bundled game, with its texts."""
    return load(name)


def game(name: str) -> AnyGame:
    """Return the rules of a bundled game."""
    return plugin(name).game


def fresh(name: str, seed: str = SEED, **further: Any) -> AnyMatch:
    """Create a match in which every seat plays at random."""
    match = Match(game(name), seed=seed, **further)
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    return match


@cache
def record(name: str, plies: int = 40) -> bytes:
    """Return the record of the start of a match that contains an undo.

    Args:
        name: The name of the game.
        plies: The number of actions.
    """
    options = dict(QUICK.get(name, {}))
    match = fresh(name, options=options)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        header = Header.of(match, created="2026-11-21T12:00:00", seed_origin=GIVEN)
        with Journal.create(path, match, header, clock=lambda: 0.0) as clerk:
            match.run(plies)
            clerk.seated(0, "random")
            if match.ply > 1:
                match.undo(1)
                match.run(plies - match.ply)
        return path.read_bytes()


@cache
def draw_log(name: str, plies: int = 12) -> bytes:
    """Return the draw log of the start of a match."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.draws"
        with DrawLog.create(path) as log:
            match = fresh(name, on_draw=log.draw)
            log.follow(match)
            match.run(plies)
        return path.read_bytes()


@cache
def book() -> bytes:
    """Return a score book with two sheets."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "scores.sqlite3"
        for name in ("lcr", "constructor-small"):
            file = Path(folder) / "match.jsonl"
            file.write_bytes(record(name, plies=100_000))
            ScoreBook(path).add(verified(read(file), game(name), program="0"))
        return path.read_bytes()
