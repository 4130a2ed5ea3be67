"""Seeds: any text becomes a root key, and a match without one gets a phrase. Salts hide a seed.

People say a seed out loud and type it again, so letter case, the Unicode form of its letters, outer
blanks and the number of blanks between two words do not matter. Folding uses the Unicode tables of
version 3.2, which every Python carries: a text means the same key on each.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from itertools import groupby
from operator import index
from typing import TYPE_CHECKING, Final
from unicodedata import ucd_3_2_0

from tabletop.errors import SeedError

if TYPE_CHECKING:
    from datetime import date


class Seed:
    """A seed: the given text, and the root key from which all chance of a match derives.

    Two seeds are equal when their texts mean the same: `Seed("Brave Old World") ==
    Seed("  brave old world")`. Any text is a seed, including the empty text.

    Args:
        text: The seed; `Seed.of` takes whole numbers and seeds as well.

    Attributes:
        text: The seed as it was given, without outer blanks.

    Raises:
        SeedError: `text` is not a text, or contains a lone surrogate, which no file can store.
    """

    __slots__ = ("_key", "text")

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise SeedError(f"a seed is a text or a whole number, not {text!r}")
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise SeedError(f"the seed {text!a} contains half of a character: write it again")
        self.text: str = text.strip()
        self._key: bytes | None = None

    @classmethod
    def of(cls, value: Seed | str | int) -> Seed:
        """Return `value` as a seed; a whole number means its decimal digits.

        Raises:
            SeedError: `value` cannot be a seed.
        """
        if isinstance(value, Seed):
            return value
        if isinstance(value, str):
            return cls(value)
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise SeedError(f"a seed is a text or a whole number, not {value!r}")
        return cls(str(index(value)))

    @property
    def canonical(self) -> str:
        """The canonical text: Unicode-normalised (NFKC), in lower case, with single blanks."""
        return _canonical(self.text)

    @property
    def key(self) -> bytes:
        """The root key: 32 bytes, the BLAKE2b hash of the canonical text."""
        if self._key is None:
            data = self.canonical.encode()
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


SALT_BYTES: Final = 16
"""The size of a salt in bytes: 128 bits, too many to search through."""


def new_salt() -> bytes:
    """Return a fresh salt from the operating system: 16 bytes.

    The seed alone then reveals nothing. Keep the salt from all players until the match is over.
    """
    return os.urandom(SALT_BYTES)


def read_salt(text: str) -> bytes:
    """Return the salt that 32 hexadecimal digits spell; `salt.hex()` spells it again.

    Raises:
        SeedError: the text is anything else. The message does not quote it: it may be nearly a
            secret.
    """
    if not re.fullmatch(f"[0-9a-fA-F]{{{2 * SALT_BYTES}}}", text):
        raise SeedError(f"a salt is {2 * SALT_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def check_salt(salt: bytes) -> bytes:
    """Return `salt` itself, if it is valid.

    Raises:
        SeedError: it is not a `bytes` of 16.
    """
    if not isinstance(salt, bytes):
        raise SeedError(f"a salt is {SALT_BYTES} bytes, not of the type {type(salt).__name__}")
    if len(salt) != SALT_BYTES:
        raise SeedError(f"a salt is {SALT_BYTES} bytes, not {len(salt)}")
    return salt


def root_key(seed: Seed | str | int, salt: bytes | None = None) -> bytes:
    """Return the root key of a match: derived from its seed, and from its salt if it has one.

    With a salt it is the BLAKE2b hash of the salt under the key of the seed: 32 bytes.

    Raises:
        SeedError: The seed cannot be one, or the salt is not of 16 bytes.
    """
    key = Seed.of(seed).key
    if salt is None:
        return key
    return blake2b(check_salt(salt), digest_size=32, key=key, person=b"tt.salt").digest()


def commitment(seed: Seed | str | int, salt: bytes) -> str:
    """Return the commitment to seed and salt, for before a match: 32 hexadecimal digits.

    It reveals neither, and fits no others: given the salt afterwards, anybody can check that both
    were fixed before the first action.

    Raises:
        SeedError: the salt is not of 16 bytes.

    >>> salt = bytes(16)
    >>> commitment("old oak", salt) == commitment(" Old Oak", salt)
    True
    """
    content = Seed.of(seed).key + check_salt(salt)
    return blake2b(content, digest_size=16, person=b"tt.commit").hexdigest()


def _canonical(text: str) -> str:
    # Folding may denormalise and normalising may unfold, so both are repeated once: Unicode's own
    # recipe for caseless matching (D146).
    if text.isascii():
        return " ".join(text.casefold().split())
    for _ in range(2):
        text = _normalize(text)
        text = "".join(letter.casefold() if _is_known(letter) else letter for letter in text)
    return " ".join(_normalize(text).split())


def _is_known(letter: str) -> bool:
    # Letters younger than the tables may fold, combine and be put in order differently from one
    # Python to the next: they stay as and where they are.
    return ucd_3_2_0.category(letter) != "Cn"


def _normalize(text: str) -> str:
    pieces = ((known, "".join(letters)) for known, letters in groupby(text, _is_known))
    return "".join(
        ucd_3_2_0.normalize("NFKC", piece) if known else piece for known, piece in pieces
    )


def weekly(day: date) -> str:
    """Return the seed of the ISO week of `day`, the same for everybody: `2026-W47`.

    Args:
        day: a date in UTC; this module looks at no clock.

    >>> from datetime import date
    >>> weekly(date(2026, 11, 21))
    '2026-W47'
    """
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def daily(day: date) -> str:
    """Return the seed of a day, the same for everybody: `2026-11-21`.

    Args:
        day: a date in UTC.
    """
    return f"{day.year:04}-{day.month:02}-{day.day:02}"
