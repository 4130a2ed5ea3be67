"""Records that somebody forged: checkpoints that hold what they like, with all digests right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tabletop import Match, Random
from tabletop.codec import digest, from_json, to_builtins, to_json
from tabletop.game import AnyGame
from tabletop.match import AnyMatch
from tabletop.records.entries import Header, sealed
from tabletop.records.journal import Journal


def played(
    path: Path, game: AnyGame, plies: int, seats: int | None = None, **header: Any
) -> AnyMatch:
    """A match of so many actions by bots, and its record."""
    match = Match(game, seed="oak", seats=seats)
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    with Journal.create(path, match, Header.of(match, **header)):
        match.run(plies)
    match.set_recorder(None)
    return match


def forge(
    path: Path,
    match: AnyMatch,
    state: Any = None,
    streams: Mapping[str, int] | None = None,
    ply: int | None = None,
) -> None:
    """Put a checkpoint at the end of a record, with what is given in it and the right digest."""
    data = to_builtins(match.state) if state is None else state
    positions = match.streams() if streams is None else streams
    line = {
        "checkpoint": match.ply if ply is None else ply,
        "state": data,
        "streams": positions,
        "players": ["human"] * match.seats,
        "digest": digest(from_json(to_json(data), type(match.state)), positions),
    }
    with path.open("ab") as file:
        file.write(to_json(sealed(line), order=None) + b"\n")


def numbers_in(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all whole numbers in plain data."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from numbers_in(value, (*place, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from numbers_in(value, (*place, index))
    elif type(data) is int:
        yield place


def changed(data: Any, place: tuple[Any, ...], value: object) -> Any:
    """A copy of plain data with another value at a place."""
    copy = from_json(to_json(data), object)
    inner: Any = copy
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return copy
