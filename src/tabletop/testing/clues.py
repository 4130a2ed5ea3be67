"""What single parts of the news to a seat give away, where whole events never repeat.

Who is told a whole hand of cards is told something else in every deal that can be tried, so nothing
can be said of deals in which the same is told. But each card of it is told again often enough: if
the same place in the state then always holds the same, that one card gives it away.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tabletop.codec import to_builtins
from tabletop.events import Event

Place: TypeAlias = tuple[object, ...]
"""Where a value stands in a state."""

Leaves: TypeAlias = Mapping[Place, object]
"""The values in a state, by where they stand."""

Case: TypeAlias = tuple[Sequence[Event], Leaves]
"""The events that somebody received, and the state that led to them."""

_FEWEST: Final = 5
"""How often something must have been observed again before conclusions are drawn."""


def given_away(
    case: Case, others: Sequence[Case], places: Sequence[Place], certain: float
) -> Place | None:
    """One of `places` whose value follows from a part of the events in `case`; None without one.

    Args:
        case: what has happened.
        others: what could have happened, and looks the same.
        places: where the state of `case` may hold something else, for all that is seen.
        certain: how unlikely it must be that it only seems so.
    """
    told, state = case
    parts = dict(_parts(told, ()))
    sure = certain / max(1, len(parts) * len(places))
    odds = {at: _odds(at, state, others) for at in places}
    cases = [(dict(_parts(events, ())), leaves) for events, leaves in others]
    for clue, value in parts.items():
        again = [leaves for found, leaves in cases if found.get(clue, cases) == value]
        if len(again) < _FEWEST:
            continue
        for at in places:
            unlikely = odds[at] ** len(again) < sure
            if unlikely and all(leaves.get(at) == state[at] for leaves in again):
                return at
    return None


def _odds(at: Place, state: Leaves, others: Sequence[Case]) -> float:
    """How likely it is that `at` holds what it does in `state`, from above."""
    same = sum(leaves.get(at) == state[at] for _, leaves in others)
    return (same + 1) / (len(others) + 1)


def _parts(value: Any, at: Place) -> Iterator[tuple[Place, object]]:
    """The values in events, by their places."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield (*at, "kind"), type(value)
        for field in dataclasses.fields(value):
            yield from _parts(getattr(value, field.name), (*at, field.name))
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from _parts(item, (*at, number))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _parts(item, (*at, key))
    else:
        yield at, value


def leaves(state: object) -> dict[Place, object]:
    """The values in a state, by where they stand in it."""
    found: dict[Place, object] = {}
    _collect(to_builtins(state), (), found)
    return found


def _collect(value: object, at: Place, found: dict[Place, object]) -> None:
    if isinstance(value, dict):
        for name, item in value.items():
            _collect(item, (*at, name), found)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _collect(item, (*at, number), found)
    else:
        found[at] = value


def spell_place(at: Place) -> str:
    """Where a value stands: `hands[1][0]`."""
    words = "".join(f".{part}" if isinstance(part, str) else f"[{part}]" for part in at)
    return words.removeprefix(".")
