"""Records, which are read, replayed, verified and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tabletop import Random, RecordError
from tabletop.errors import ScoresError
from tabletop.records import Journal, Record, read, replay
from tabletop.scores import verified
from tools.fuzz.inputs import lines_changed
from tools.fuzz.making import GAMES, game, record
from tools.fuzz.target import Target, require

GOES_ON: Final = 3
"""Number of actions to play after a record has been resumed."""


def run(data: bytes, folder: Path) -> str:
    """Read a record, and use it like the programs do."""
    path = folder / "match.jsonl"
    path.write_bytes(data)
    said = []
    try:
        said.append(use(read(path)))
    except RecordError as error:
        said.append(str(error))
    require(path.read_bytes() == data, "reading has changed the record")
    try:
        resume(path)
    except RecordError as error:
        said.append(str(error))
        require(path.read_bytes() == data, "a refused record has been changed")
    return "\n".join(said)


def use(record: Record) -> str:
    """Replay a record to its end and to its middle, and create its score sheet."""
    name = record.header.game
    if name not in GAMES:
        return "a game that is not there"
    require(record.plies >= 0, "fewer than no actions")
    replay(record, game(name), until=record.plies // 2)
    match = replay(record, game(name))
    require(match.ply == record.plies, "other plies than the record has")
    try:
        verified(record, game(name))
    except ScoresError as error:
        return f"replayed; {error}"
    return "replayed and verified"


def resume(path: Path) -> None:
    """Resume a record for some actions, and check that it replays.

    Raises:
        RecordError: The record cannot be resumed.
    """
    found = read(path)
    if found.header.game not in GAMES or found.ended:
        return
    match = replay(found, game(found.header.game))
    with Journal.resume(found, match):
        for seat in range(match.seats):
            match.set_player(seat, Random(seat))
        match.run(GOES_ON)
    require(replay(read(path), match.game).digest() == match.digest(), "resumed to another match")


TARGET = Target(
    run,
    lambda: (record(name, plies) for name in GAMES for plies in (0, 30)),
    words=(b'"undo":1', b'"end":', b'"digest":null', b'"seat":1,"do":"end"'),
    remade=lines_changed,
)
