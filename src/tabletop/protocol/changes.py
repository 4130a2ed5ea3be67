"""A state as changes of the one before it: what a client that has got that one is sent.

A text is cut into pieces, and a list into its items. Each piece of the new one is written as it is,
or as the range `[from, before]` of the pieces of the old one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import fields

from tabletop.protocol.messages import ChangesOut, Pieces, StateOut

CUTS: Final = {"svg": "<", "text": " "}
"""Where the long texts of a state are cut."""

_TRIED: Final = 4
"""So many places are tried for a piece that the old text has several times."""

_SHORT: Final = 8
"""A single piece with fewer letters is written as it is: a range would be no shorter."""

T = TypeVar("T")


def changes_of(last: StateOut, now: StateOut) -> ChangesOut:
    """Write a state for a client that has got `last`."""
    changed, pieces = dict[str, Any](), dict[str, Pieces]()
    for field in fields(StateOut):
        name = field.name
        before, after = getattr(last, name), getattr(now, name)
        if before == after:
            continue
        if name in CUTS:
            pieces[name] = _pieces_of_text(before, after, CUTS[name])
        elif name == "choices":
            old, new = (list(map(msgspec.json.encode, it)) for it in (before, after))
            pieces[name] = tuple(
                Raw(it) if isinstance(it, bytes) else it for it in pieces_of(old, new)
            )
        else:
            changed[name] = after
    return ChangesOut(changed, pieces)


def state_after(last: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state that a `changes` message makes of the last one, both as decoded JSON."""
    state = {**last, **changes["fields"]}
    for name, pieces in changes["pieces"].items():
        cut = CUTS.get(name)
        old = last[name] if cut is None else last[name].split(cut)
        new = [part for it in pieces for part in (old[slice(*it)] if type(it) is list else [it])]
        state[name] = new if cut is None else cut.join(new)
    return state


def pieces_of(old: Sequence[T], new: Sequence[T]) -> tuple[T | tuple[int, int], ...]:
    """Write `new` as items of its own, and as ranges `(from, before)` of the items of `old`.

    >>> pieces_of("the old oak".split(), "the young oak".split())
    ((0, 1), 'young', (2, 3))
    """
    places = defaultdict[T, list[int]](list)
    for place, piece in enumerate(old):
        if len(places[piece]) < _TRIED:
            places[piece].append(place)
    pieces: list[T | tuple[int, int]] = []
    at = 0
    while at < len(new):
        runs = [(_run(old, place, new, at), place) for place in places.get(new[at], ())]
        length, place = max(runs, default=(0, 0))
        pieces.append((place, place + length) if length else new[at])
        at += length or 1
    return tuple(pieces)


def _run(old: Sequence[T], place: int, new: Sequence[T], at: int) -> int:
    """Return how many items are the same from there on."""
    first, most = place, min(len(old), place + len(new) - at)
    while place < most and old[place] == new[at]:
        place += 1
        at += 1
    return place - first


def _pieces_of_text(before: str, now: str, cut: str) -> Pieces:
    """Write a text as pieces of another one; new pieces that stand side by side become one."""
    old = before.split(cut)
    pieces: list[str | tuple[int, int]] = []
    for piece in pieces_of(old, now.split(cut)):
        written = piece
        if not isinstance(piece, str):
            [first, *others] = old[slice(*piece)]
            written = piece if others or len(first) >= _SHORT else first
        if isinstance(written, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += cut + written
        else:
            pieces.append(written)
    return tuple(pieces)
