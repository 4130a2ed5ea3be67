"""Inputs for Hypothesis: inputs of a corpus with random changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from hypothesis import strategies as st

from tabletop import ContractError
from tabletop.records import with_check

ODD: Final = (
    *(b"\x1b[2J", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r\n", b"\0", b"0", b"-1", b"1e999", b"NaN"),
    *(text.encode() for text in ("²", "٣", "ß", "İ", "\u0301", "\u202e", "\u2028", "\u0085", "😀")),
    *(b"9" * 30, b"9" * 5000, b"A" * 300, b"[" * 2000),
)
"""Inputs that often cause errors, but that Hypothesis rarely generates."""

# Created once, because creating these strategies takes longer than the rest of an input.
CHANGES: Final = st.integers(0, 6)
LENGTHS: Final = st.sampled_from((0, 1, 1, 2, 3, 8, 40))
NUMBERS: Final = st.integers(-2, 2) | st.integers(0, 100) | st.integers()
TEXTS: Final = st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))
VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)


@lru_cache(maxsize=64)
def split(data: bytes) -> list[bytes]:
    """Split an input into words, numbers and single other bytes."""
    return re.findall(rb"[0-9]+|[A-Za-z]+|.", data, re.DOTALL)


@lru_cache(maxsize=64)
def kinds_of(data: bytes) -> list[list[int]]:
    """Return the line numbers of each kind of JSON lines. Lines of a kind have the same keys."""
    kinds: dict[tuple[bytes, ...], list[int]] = {}
    for number, line in enumerate(data.split(b"\n")):
        if line[:1] == b"{":
            kinds.setdefault(tuple(re.findall(rb'"\w+":', line)), []).append(number)
    return list(kinds.values())


def edited(seeds: list[bytes], words: tuple[bytes, ...] = ()) -> st.SearchStrategy[bytes]:
    """Generate inputs from the seeds, with some numbers, words and lines changed."""
    known = st.sampled_from((*words, *ODD))
    fresh = st.one_of(known, known, NUMBERS.map(b"%d".__mod__), TEXTS, st.binary())
    return _edited(st.sampled_from(seeds or [b""]).map(split), fresh)


def lines_changed(seeds: list[bytes], words: tuple[bytes, ...] = ()) -> st.SearchStrategy[bytes]:
    """Generate inputs from seeds of JSON lines, with changed values or with other changes."""
    changed = _lines_changed(st.sampled_from(seeds))
    return st.one_of(changed, changed, edited(seeds, words))


@st.composite
def _edited(
    draw: st.DrawFn, seeds: st.SearchStrategy[list[bytes]], fresh: st.SearchStrategy[bytes]
) -> bytes:
    parts = draw(seeds).copy()
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(parts)))
        end = start + draw(LENGTHS)
        numbers = [place for place, part in enumerate(parts) if part.isdigit()]
        match draw(CHANGES):
            case 0:
                del parts[start:end]
            case 1:
                parts[start:start] = parts[start:end] * draw(st.sampled_from((1, 2, 50)))
            case 2:
                other = draw(seeds)
                place = draw(st.integers(0, len(other)))
                parts[start:end] = other[place : place + draw(LENGTHS)]
            case 3 | 4 if numbers:
                place = draw(st.sampled_from(numbers))
                near = int(parts[place][:20]) if draw(st.booleans()) else 0
                parts[place] = b"%d" % (near + draw(NUMBERS))
            case 5 if numbers:
                parts[draw(st.sampled_from(numbers))] = draw(fresh)
            case _:
                parts[start:end] = [draw(fresh)]
    return b"".join(parts)


@st.composite
def _lines_changed(draw: st.DrawFn, seeds: st.SearchStrategy[bytes]) -> bytes:
    seed = draw(seeds)
    lines = seed.split(b"\n")
    number = draw(st.sampled_from(draw(st.sampled_from(kinds_of(seed)))))
    value = json.loads(lines[number])
    for _ in range(draw(st.integers(1, 3))):
        if places := list(_places(value)):
            _change(draw, *draw(st.sampled_from(places)))
    if value.pop("check", None):
        try:
            value = with_check(value)  # otherwise only the checksum would be tested
        except ContractError:  # for example, a text that is not valid Unicode
            value["check"] = ""
    lines[number] = json.dumps(value).encode()
    return b"\n".join(lines)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key of each value."""
    within = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(within):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def _change(draw: st.DrawFn, holder: Any, key: Any) -> None:
    """Change, duplicate or delete a value."""
    match draw(CHANGES):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, holder[key])
        case 1:
            holder[draw(st.sampled_from(("", "seat", f"{key}s")) | st.text())] = holder[key]
        case 2 | 3 | 4 if type(holder[key]) is int:
            holder[key] += draw(NUMBERS)
        case _:
            holder[key] = draw(VALUES)
