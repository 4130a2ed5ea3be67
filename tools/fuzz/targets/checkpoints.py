"""Checkpoints of records, with digests that fit whatever they say: somebody has forged them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, Final

from tabletop import ContractError, RecordError
from tabletop import Random as Chance
from tabletop.codec import digest, from_json, to_builtins, to_json
from tabletop.match import AnyMatch
from tabletop.records.entries import sealed
from tabletop.records.reading import read, read_end
from tabletop.records.record import replay
from tools.fuzz.json_lines import changed, changed_lines
from tools.fuzz.making import GAMES, fresh, game, plugin, record
from tools.fuzz.target import Target, require

GOES_ON: Final = 12
OTHER_LINES: Final = 0.2
PARTS: Final = (*("state",) * 8, "streams", "checkpoint", "players")
STATES: Final = [fresh(name).state for name in ("lcr", "constructor", "sorcery")]
KINDS: Final = {type(state): to_builtins(state).keys() for state in STATES}


def run(data: bytes, folder: Path) -> str:
    """Begin a match at a forged checkpoint, look at it as everybody may, and play on."""
    path = folder / "match.jsonl"
    path.write_bytes(forged(data))
    try:
        found = read_end(path)
        if found.start is None or found.header.game not in GAMES:
            return "no checkpoint"
        match = replay(found, game(found.header.game))
    except RecordError as error:
        return str(error)
    shown(match)
    for seat in range(match.seats):
        match.set_player(seat, Chance(seat))
    match.run(GOES_ON)
    shown(match)
    try:
        whole = replay(read(path), match.game)
    except RecordError as error:
        return f"believed at first, then: {error}"
    require(whole.ply == found.plies, "other plies than the record has")
    return "believed"


def shown(match: AnyMatch) -> None:
    """Show a match to everybody."""
    text = plugin(match.game.name).text
    for seat in (None, *range(match.seats)):
        text.position(match.view(seat), match.names, seat)


def forged(data: bytes) -> bytes:
    """A record whose checkpoints have the digest of what they hold."""
    lines = data.split(b"\n")
    return b"\n".join(forged_line(line) if b'"checkpoint"' in line else line for line in lines)


def forged_line(line: bytes) -> bytes:
    """A checkpoint with the digest of what it holds; as it is where it can have none."""
    try:
        told = json.loads(line)
        told.pop("check", None)
        state = from_json(to_json(told["state"]), kind_of(told["state"]))
        told["digest"] = digest(state, told["streams"])
        return to_json(sealed(told), order=None)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, ContractError):
        return line


def kind_of(state: Any) -> type[Any]:
    """The kind of state that has these fields."""
    for kind, names in KINDS.items():
        if names == state.keys():
            return kind
    return dict


def short(name: str, plies: int) -> bytes:
    """A header and a checkpoint, and nothing that what is forged would have to agree with."""
    lines = record(name, plies, checkpoint_lines=plies // 2).split(b"\n")
    checkpoint = next(line for line in reversed(lines) if line.startswith(b'{"checkpoint"'))
    return b"\n".join([lines[0], checkpoint, b""])


def examples() -> list[bytes]:
    """Checkpoints early and late in a match, and whole records that have some."""
    alone = [
        short(name, plies) for name in GAMES for plies in (10, 120) if plies == 10 or name != "lcr"
    ]
    return [*alone, *(record(name, 24, checkpoint_lines=10) for name in GAMES)]


def changed_checkpoint(data: bytes, chance: Random) -> bytes:
    """A record in which something of one of its last two checkpoints has been changed."""
    lines = data.split(b"\n")
    numbers = [number for number, line in enumerate(lines) if b'"checkpoint"' in line]
    if not numbers or chance.random() < OTHER_LINES:
        return changed_lines(data, chance)
    number = chance.choice(numbers[-2:])
    try:
        told = json.loads(lines[number])
        part = chance.choice(PARTS)
        told[part] = changed([told[part]], chance)[0]
        lines[number] = json.dumps(told).encode()
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return data
    return b"\n".join(lines)


TARGET = Target(run, examples, mutate=changed_checkpoint)
