"""What it costs to record a move, and to make a digest or a key of a state."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from benchmarks.common import Contender, Race, Row, Target, race
from constructor import GAME as CONSTRUCTOR
from lcr import GAME as LCR
from sorcery import GAME as SORCERY
from tabletop import Match, Random, Seat
from tabletop.codec import digest, key, to_json
from tabletop.game import AnyGame
from tabletop.match import AnyMatch
from tabletop.records.journal import Journal

TITLE = "A recorded move, a digest and a key of a state"

PLIES = 800
"""How many moves are recorded at a time, of as many matches as it takes."""

_WAYS = ("unrecorded", "book", "journal")

STATES = 200

BY_THE_BOOK = "of the time by the book"
HALF = Target(0.5, at_least=False)
MICROSECONDS = Target(4, at_least=False)
"""A digest, or a key that stands for it where positions are looked up."""

GAMES: Sequence[tuple[str, AnyGame, int]] = (
    ("Constructor", CONSTRUCTOR, 4),
    ("Sorcery", SORCERY, 2),
    ("LCR", LCR, 3),
)


def run(seconds: float) -> Iterator[Row]:
    """Record matches of three games, and make digests and keys of the states of two."""
    for name, game, seats in GAMES:
        yield from _recorded(name, game, seats, seconds)
    for name, game, seats in GAMES[:2]:
        yield from _digests(name, game, seats, seconds)


class ByTheBook:
    """A recorder that does what a record needs, a line at a time and all of it anew.

    Args:
        path: a file that is there.
        descriptor: where to write.
    """

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self.descriptor = descriptor

    plies = -1
    """It never says what it has."""

    def played(self, match: Any, seat: Seat, action: Any) -> None:
        """Write a line."""
        line = {"seat": seat, "do": str(action), "digest": whole(match.state, match.streams())}
        os.stat(self.path)
        os.write(self.descriptor, to_json(line, order=None) + b"\n")

    def undone(self, match: Any, count: int) -> None:
        """Nothing is taken back here."""

    def seated(self, seat: Seat, player: str) -> None:
        """Nobody is seated here."""


def whole(state: object, streams: dict[str, int]) -> str:
    """A digest of a state, all of which is written for it."""
    data = b"[%b,%b]" % (to_json(state), to_json(streams))
    return blake2b(data, digest_size=16, person=b"tt.digest").hexdigest()


def _recorded(name: str, game: AnyGame, seats: int, seconds: float) -> Iterator[Row]:
    best = dict.fromkeys(_WAYS, float("inf"))
    until = process_time() + len(_WAYS) * seconds
    with TemporaryDirectory() as folder:
        # They take turns: what slows the machine down for a while slows all of them.
        while process_time() < until:
            for way in _WAYS:
                best[way] = min(best[way], _time_moves(game, seats, way, Path(folder)))
    book, journal = (1e6 * (best[way] - best["unrecorded"]) for way in ("book", "journal"))
    yield Row(f"{name}: a recorded move, by the book", book, "µs")
    yield Row(f"{name}: a recorded move", journal, "µs", journal / book, BY_THE_BOOK, HALF)


def _time_moves(game: AnyGame, seats: int, way: str, folder: Path) -> float:
    """The seconds a move, without what it takes to begin a match and its record."""
    plies, took = 0, 0.0
    for seed in count():
        if plies >= PLIES:
            return took / plies
        match = Match(game, seed=seed, players=[Random(seat) for seat in range(seats)])
        path = folder / "match.jsonl"
        with _recording(match, way, path):
            started = process_time()
            match.run(PLIES)
            took += process_time() - started
        path.unlink(missing_ok=True)
        plies += match.ply
    raise AssertionError("unreachable: there is no last seed")


@contextmanager
def _recording(match: AnyMatch, way: str, path: Path) -> Iterator[None]:
    if way == "journal":
        with Journal.create(path, match):
            yield
    elif way == "book":
        with path.open("wb") as file:
            match.set_recorder(ByTheBook(str(path), file.fileno()))
            yield
    else:
        yield


def _micros(found: Race, way: str) -> float:
    return 1e6 / found.speed(way)


def _digests(name: str, game: AnyGame, seats: int, seconds: float) -> Iterator[Row]:
    states = _states(game, seats)
    found = race(
        {
            "whole": _each(states, lambda it: whole(it, {})),
            "digest": _each(states, lambda it: digest(it, {})),
            "key": _each(states, key),
        },
        seconds,
    )
    yield Row(f"{name}: a digest, by the book", _micros(found, "whole"), "µs")
    yield Row(f"{name}: a digest", _micros(found, "digest"), "µs", target=MICROSECONDS)
    yield Row(f"{name}: a key", _micros(found, "key"), "µs", target=MICROSECONDS)


def _states(game: AnyGame, seats: int) -> list[Any]:
    """Copies of the states of a match, one after each move."""
    match = Match(game, seed="benchmark", players=[Random(seat) for seat in range(seats)])
    states: list[Any] = []
    while not match.over and len(states) < STATES:
        match.run(1)
        states.append(match.state.clone())
    return states


def _each(states: Sequence[Any], make: Callable[[Any], object]) -> Contender:
    def made(times: int) -> int:
        for _ in range(times):
            for it in states:
                make(it)
        return times * len(states)

    return made
