"""Other inputs out of those there are: bytes, numbers, lines and words, changed at random.

The same source of chance gives the same inputs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

MOST_BYTES: Final = 1 << 16
"""An input grows no longer than this."""

MOST_CHANGES: Final = 6

_NUMBER: Final = re.compile(rb"-?[0-9]+")
_NUMBERS: Final = (
    *(b"-1", b"0", b"1", b"2", b"7", b"12", b"13", b"99", b"255", b"256", b"1000", b"65536"),
    *(b"2147483647", b"2147483648", b"-2147483649", b"4294967295", b"4294967296"),
    *(b"9223372036854775807", b"9223372036854775808", b"18446744073709551616"),
    *(
        b"1e308",
        b"1e999",
        b"-0",
        b"0.5",
        b"NaN",
        b"9" * 30,
        b"9" * 5000,
        "٣".encode(),
        "²".encode(),
    ),
)
_PIECES: Final = (
    *(b"\0", b"\n", b"\r", b"\r\n", b"\t", b" ", b"\x0b", b"\x1b[2J", b"\x7f", b"\x80", b"\xff"),
    *(b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b","),
    *(text.encode() for text in ("ß", "İ", "\u0301", "\u202e", "\u2028", "\u0085", "\ufffe", "😀")),
    *(b"%s", b"{0}", b"__class__", b"null", b"true", b"A" * 300, b"[" * 2000, b"-" * 80),
)

Change: TypeAlias = Callable[[bytes, bytes, Random, Sequence[bytes]], bytes]


def mutated(data: bytes, other: bytes, chance: Random, words: Sequence[bytes] = ()) -> bytes:
    """Return an input made of `data`, and here and there of another one.

    Args:
        data: what is changed.
        other: what pieces may be taken from.
        chance: decides.
        words: what is worth putting in.
    """
    for _ in range(chance.randint(1, MOST_CHANGES)):
        data = chance.choice(_CHANGES)(data, other, chance, words)[:MOST_BYTES]
    return data


def _span(data: bytes, chance: Random) -> tuple[int, int]:
    """Return a piece of an input; mostly a short one."""
    start = chance.randint(0, len(data))
    most = len(data) - start
    return start, start + min(most, chance.choice((1, 1, 2, 4, 16, 64, most)))


def _flip(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    if not data:
        return bytes([chance.randrange(256)])
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


def _drop(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def _repeat(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 1, 2, 50)) + data[end:]


def _insert(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    start, end = _span(data, chance)
    piece = chance.choice([*_PIECES, *words, *words])
    return data[:start] + piece + data[chance.choice((start, end)) :]


def _renumber(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return _insert(data, other, chance, _NUMBERS)
    start, end = chance.choice(found).span()
    return data[:start] + chance.choice(_NUMBERS) + data[end:]


def _splice(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    start, end = _span(other, chance)
    place, until = _span(data, chance)
    return data[:place] + other[start:end] + data[until:]


def _shuffle_lines(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    lines, others = data.split(b"\n"), other.split(b"\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines[first], lines[second] = lines[second], lines[first]
        case 1:
            del lines[first]
        case 2:
            lines.insert(first, lines[second])
        case _:
            lines[first] = chance.choice(others)
    return b"\n".join(lines)


def _cut(data: bytes, other: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    return data[: chance.randint(0, len(data))]


_CHANGES: Final[Sequence[Change]] = (
    *(_flip, _drop, _repeat, _insert, _insert, _renumber, _renumber, _splice),
    *(_shuffle_lines, _shuffle_lines, _cut),
)
