"""Other files of JSON lines: values changed where they stand, and checks made to fit again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from tabletop import ContractError
from tabletop.records import sealed

VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 2, 3, 7, 12, 255, 1000, 2**31, -(2**31), 2**63, 2**64, 10**30),
    *(0.5, -0.5, 1e308, "", " ", "0", "seat", "roll", "human", "random", "\0", "\x1b[2J", "\u202e"),
    *("\ud800", "x" * 500, [], {}, [[]], [0], {"": 0}, [None], {"seat": 0}, [[0, 1], [2]]),
)
CHECKED: Final = 0.9
"""The share of lines with a check that get the one that fits."""


def changed_lines(data: bytes, chance: Random) -> bytes:
    """`data` with a few values of one of its lines changed; as it is where it has no such lines."""
    lines = data.split(b"\n")
    numbers = [number for number, line in enumerate(lines) if line[:1] == b"{"]
    if not numbers:
        return data
    # The first and the last lines say the most.
    number = chance.choice([numbers[0], numbers[-1], *chance.choices(numbers, k=4)])
    try:
        lines[number] = _spelled(changed(json.loads(lines[number]), chance), chance)
    except (ValueError, RecursionError):
        return data
    return b"\n".join(lines)


def changed(told: Any, chance: Random) -> Any:
    """`told`, in which some values have been changed, doubled or dropped."""
    for _ in range(chance.randint(1, 3)):
        places = list(_places(told))
        if not places:
            break
        holder, key = chance.choice(places)
        _change(holder, key, chance, places)
    return told


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the place of each value: its container, and its key there."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if _is_list(value) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _change(holder: Any, key: Any, chance: Random, places: list[tuple[Any, Any]]) -> None:
    value = holder[key]
    match chance.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, value)
        case 1:
            holder[chance.choice(("", "seat", "extra", f"{key}s"))] = value
        case 2 | 3 if type(value) is int:
            holder[key] = value + chance.choice((-1, 1, 2, -value * 2, 10**6))
        case 4:
            other, place = chance.choice(places)
            holder[key] = json.loads(json.dumps(other[place]))
        case _:
            holder[key] = chance.choice(VALUES)


def _spelled(told: Any, chance: Random) -> bytes:
    if isinstance(told, dict) and "check" in told and chance.random() < CHECKED:
        told.pop("check")
        try:
            told = sealed(told)
        except ContractError:  # a text that is no Unicode, for instance
            return json.dumps(told).encode()
    return json.dumps(told, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
