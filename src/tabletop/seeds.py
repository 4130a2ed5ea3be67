"""Seeds: any text becomes a root key, and a match without one gets a phrase.

A seed is what people say out loud and type again, so letter case, outer blanks and the Unicode
form of its letters do not matter. Folding uses the Unicode tables of version 3.2, which every
Python carries: a text means the same key on every one of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple
from unicodedata import ucd_3_2_0

from tabletop.errors import SeedError


class Seed:
    """A seed: the text somebody gave, and the root key that all chance of a match derives from.

    Two seeds are equal when their texts mean the same: `Seed("Brave Old World") ==
    Seed("  brave old world")`. Any text is a seed, also the empty one.

    Attributes:
        text: the seed as it was given, without outer blanks.
    """

    __slots__ = ("_key", "text")

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self._key: bytes | None = None

    @classmethod
    def of(cls, value: Seed | str | int) -> Seed:
        """`value` as a seed; a whole number means its decimal digits."""
        return value if isinstance(value, Seed) else cls(str(value))

    @property
    def canonical(self) -> str:
        """The text that counts: Unicode-normalised (NFKC), letter case and outer blanks dropped."""
        return _canonical(self.text)

    @property
    def key(self) -> bytes:
        """The root key: 32 bytes, the BLAKE2b hash of the canonical text."""
        if self._key is None:
            data = self.canonical.encode("utf-8", "surrogatepass")
            self._key = blake2b(data, digest_size=32, person=b"tt.seed").digest()
        return self._key

    def __eq__(self, other: object) -> bool:
        return self.canonical == other.canonical if isinstance(other, Seed) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.canonical)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Seed({self.text!r})"


def _canonical(text: str) -> str:
    # Folding may denormalise and normalising may unfold, so both are repeated once: Unicode's own
    # recipe for caseless matching (D146).
    if text.isascii():
        return text.casefold().strip()
    for _ in range(2):
        text = _normalize(text)
        text = "".join(letter.casefold() if _is_known(letter) else letter for letter in text)
    return _normalize(text).strip()


def _is_known(letter: str) -> bool:
    # Letters younger than the tables may fold, combine and be put in order differently from one
    # Python to the next: they stay as and where they are.
    return ucd_3_2_0.category(letter) != "Cn"


def _normalize(text: str) -> str:
    pieces = ((known, "".join(letters)) for known, letters in groupby(text, _is_known))
    return "".join(
        ucd_3_2_0.normalize("NFKC", piece) if known else piece for known, piece in pieces
    )


class Vocabulary(NamedTuple):
    """The words that phrases are made of; all lower case, none twice in its list."""

    adjectives: Sequence[str]
    nouns: Sequence[str]


@lru_cache(maxsize=1)
def common_vocabulary() -> Vocabulary:
    """The packaged words, for games without enough of their own."""
    from importlib import resources  # slow to import, and few need it

    text = resources.files("tabletop").joinpath("data", "words.txt").read_text("utf-8")
    adjectives, _, nouns = text.partition("# nouns\n")
    return Vocabulary(*(tuple(_words(part)) for part in (adjectives, nouns)))


def _words(text: str) -> list[str]:
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [word for line in lines for word in line.split()]


def entropy(bound: int) -> int:
    """A whole number from 0 to `bound` - 1 from the operating system: for fresh seeds only.

    Raises:
        SeedError: `bound` is less than 1.
    """
    if bound < 1:
        raise SeedError(f"entropy({bound}): the bound must be at least 1")
    bits = bound.bit_length()
    while True:
        number = int.from_bytes(os.urandom((bits + 7) // 8), "little") >> (-bits % 8)
        if number < bound:
            return number


def fresh_phrase(vocabulary: Vocabulary | None = None, draw: Callable[[int], int] = entropy) -> str:
    """A seed one can say out loud: two different adjectives and a noun.

    Args:
        vocabulary: the words to choose from; the packaged ones when not given.
        draw: gives a whole number below its argument; the operating system's when not given.

    Raises:
        SeedError: there are fewer than two adjectives, or no nouns.
    """
    words = vocabulary if vocabulary is not None else common_vocabulary()
    if len(words.adjectives) < 2 or not words.nouns:
        raise SeedError("a phrase needs two adjectives and a noun to choose from")
    first = draw(len(words.adjectives))
    second = draw(len(words.adjectives) - 1)
    second += second >= first
    noun = words.nouns[draw(len(words.nouns))]
    return f"{words.adjectives[first]} {words.adjectives[second]} {noun}"
