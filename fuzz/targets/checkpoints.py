"""Checkpoints of records, with digests that fit whatever they say: somebody has forged them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from fuzz.json_lines import changed_lines
from fuzz.making import GAMES, fresh, game, plugin, record
from fuzz.target import Target, require
from tabletop.codec import digest, from_json, to_builtins, to_json
from tabletop.entries import sealed
from tabletop.errors import ContractError, RecordError
from tabletop.match import Match
from tabletop.players import Random
from tabletop.record import read, read_end, replay

GOES_ON: Final = 12
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
        match.set_player(seat, Random(seat))
    match.run(GOES_ON)
    shown(match)
    try:
        whole = replay(read(path), match.game)
    except RecordError as error:
        return f"believed at first, then: {error}"
    require(whole.ply == found.plies, "other plies than the record has")
    return "believed"


def shown(match: Match[Any, Any]) -> None:
    """Show a match to everybody."""
    text = plugin(match.game.name).text
    for seat in (None, *range(match.seats)):
        text.position(match.view(seat), match.names)


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


def short(name: str) -> bytes:
    """A record that begins with a checkpoint, and does a little after it."""
    return record(name, plies=24, checkpoint_lines=10)


TARGET = Target(
    run,
    lambda: (short(name) for name in GAMES),
    mutate=changed_lines,
)
