"""Encode a state as changes of the previous state, for a client that has received that.

A text is cut into pieces, and a list into its items. Each piece of the new text is written out, or
as the range `[from, before]` of pieces of the old text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw

from tabletop.protocol.outgoing import ChangesOut, Pieces, StateOut

CUTS: Final = {"svg": "<", "text": " "}
"""The long texts of a state, each with the text at which it is cut."""

_NEAR: Final = 256
"""Number of pieces after the last one in which to search for the next."""

_AT_ONCE: Final = 64
"""Number of pieces to compare in one step."""

_SHORT: Final = 8
"""A single piece with fewer letters is written out, because a range would not be shorter."""

_ITEM_SIZE: Final = 100
"""Minimum size in bytes that a choice counts as."""

T = TypeVar("T")


def changes_of(last: StateOut, now: StateOut) -> ChangesOut:
    """Return the changes from the state `last` to the state `now`."""
    changed, pieces = dict[str, Any](), dict[str, Pieces]()
    for name in StateOut.__struct_fields__:
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


def state_after(
    last: Mapping[str, Any], changes: Mapping[str, Any], most: int | None = None
) -> dict[str, Any]:
    """Return the state after the changes of a `changes` message, both as decoded JSON.

    Args:
        last: The last state.
        changes: The message.
        most: Approximate maximum size in bytes of a text or list, or None for no limit.

    Raises:
        ValueError: A text or list is larger than `most`.
    """
    state = {**last, **changes["fields"]}
    for name, pieces in changes["pieces"].items():
        cut = CUTS.get(name)
        old = last[name] if cut is None else last[name].split(cut)
        new = list[Any]()
        size = 0
        for piece in pieces:
            part = old[slice(*piece)] if type(piece) is list else [piece]
            # Check each piece, because a short message can repeat a long text many times.
            if most is not None:
                size += sum(map(_size_of, part))
                if size > most:
                    raise ValueError(f"its {name} would have more than {most} bytes")
            new += part
        state[name] = new if cut is None else cut.join(new)
    return state


def _size_of(piece: object) -> int:
    """Estimate the bytes of a choice, or of a piece of a text with its separator."""
    if isinstance(piece, str):
        return len(piece) + 1
    return max(_ITEM_SIZE, len(msgspec.json.encode(piece)))


def pieces_of(old: Sequence[T], new: Sequence[T]) -> tuple[T | tuple[int, int], ...]:
    """Encode `new` as new items and as ranges `(from, before)` of the items of `old`.

    >>> pieces_of("the old oak".split(), "the young oak".split())
    ((0, 1), 'young', (2, 3))
    """
    first = dict(zip(reversed(old), range(len(old) - 1, -1, -1), strict=True))
    pieces: list[T | tuple[int, int]] = []
    at = next_place = 0
    while at < len(new):
        length = place = 0
        if new[at] in first:
            runs = [(_run(old, it, new, at), it) for it in _places(old, new[at], first, next_place)]
            length, place = max(runs)
        pieces.append((place, place + length) if length else new[at])
        next_place = place + length if length else next_place + 1
        at += length or 1
    return tuple(pieces)


def _places(old: Sequence[T], piece: T, first: Mapping[T, int], next_place: int) -> Iterator[int]:
    """Yield indices of a piece in an old text: the first, and the first from `next_place` on."""
    yield first[piece]
    with suppress(ValueError):
        yield old.index(piece, next_place, next_place + _NEAR)


def _run(old: Sequence[T], place: int, new: Sequence[T], at: int) -> int:
    """Return the number of equal items from these indices on."""
    first, most = place, min(len(old), place + len(new) - at)
    while place < most and old[place : place + _AT_ONCE] == new[at : at + _AT_ONCE]:
        place += _AT_ONCE
        at += _AT_ONCE
    while place < most and old[place] == new[at]:
        place += 1
        at += 1
    return min(place, most) - first


def _pieces_of_text(before: str, now: str, cut: str) -> Pieces:
    """Encode a text as pieces of another text. Adjacent new pieces are joined."""
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
