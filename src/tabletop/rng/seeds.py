"""Seeds and salts.

A seed can be any text. Players pass seeds on by word of mouth, so case, Unicode form and extra
spaces do not matter. Case folding uses the Unicode 3.2 tables, which are part of every version of
Python, so a text gives the same key in every version. With a salt, the seed alone does not
determine the draws.
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
    """A seed: a string, and the root key from which all random streams of a match are derived.

    Two seeds are equal if their canonical texts are equal: `Seed("Brave Old World") ==
    Seed("  brave old world")`. Any text is a seed, including the empty text.

    Args:
        text: The seed. `Seed.of` also accepts integers and seeds.

    Attributes:
        text: The seed as given, without leading and trailing spaces.

    Raises:
        SeedError: `text` is not a string, or contains a lone surrogate, which no file can store.
    """

    __slots__ = ("_key", "text")

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise SeedError(f"a seed must be a string or a whole number, not {text!r}")
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise SeedError(
                f"the seed {text!a} contains half a character (a lone surrogate): write it again"
            )
        self.text: str = text.strip()
        self._key: bytes | None = None

    @classmethod
    def of(cls, value: Seed | str | int) -> Seed:
        """Return `value` as a seed. An integer stands for its decimal digits.

        Raises:
            SeedError: `value` is neither a seed, a valid string nor an integer.
        """
        if isinstance(value, Seed):
            return value
        if isinstance(value, str):
            return cls(value)
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise SeedError(f"a seed must be a string or a whole number, not {value!r}")
        return cls(str(index(value)))

    @property
    def canonical(self) -> str:
        """The canonical text: NFKC-normalised, case-folded, with single spaces."""
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
"""The size of a salt in bytes.

A salt has 128 bits, so that it cannot be found by trial and error.
"""


def new_salt() -> bytes:
    """Return a new salt of 16 bytes from the operating system.

    In a match with a salt, the seed alone reveals nothing. Keep the salt secret from all players
    until the match is over.
    """
    return os.urandom(SALT_BYTES)


def read_salt(text: str) -> bytes:
    """Parse a salt from 32 hexadecimal digits, the reverse of `salt.hex()`.

    Raises:
        SeedError: The text does not have this form. The message does not quote it, because it may
            be a mistyped secret.
    """
    if not re.fullmatch(f"[0-9a-fA-F]{{{2 * SALT_BYTES}}}", text):
        raise SeedError(f"a salt is {2 * SALT_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def check_salt(salt: bytes) -> bytes:
    """Return `salt` unchanged if it is valid.

    Raises:
        SeedError: The salt is not a `bytes` object of length 16.
    """
    if not isinstance(salt, bytes):
        raise SeedError(
            f"a salt is {SALT_BYTES} bytes, not an object of type {type(salt).__name__}"
        )
    if len(salt) != SALT_BYTES:
        raise SeedError(f"a salt is {SALT_BYTES} bytes, not {len(salt)}")
    return salt


def root_key(seed: Seed | str | int, salt: bytes | None = None) -> bytes:
    """Return the root key of a match: 32 bytes, derived from the seed and, if given, the salt.

    With a salt, the key is the BLAKE2b hash of the salt, keyed with the key of the seed.

    Raises:
        SeedError: The seed is invalid, or the salt is not a `bytes` object of length 16.
    """
    key = Seed.of(seed).key
    if salt is None:
        return key
    return blake2b(check_salt(salt), digest_size=32, key=key, person=b"tt.salt").digest()


def commitment(seed: Seed | str | int, salt: bytes) -> str:
    """Return a commitment to a seed and a salt, to publish before a match: 32 hexadecimal digits.

    The commitment reveals neither the seed nor the salt. Publish both after the match, so that
    everybody can verify that they were fixed before the first action.

    Raises:
        SeedError: The salt is not a `bytes` object of length 16.

    >>> salt = bytes(16)
    >>> commitment("old oak", salt) == commitment(" Old Oak", salt)
    True
    """
    content = Seed.of(seed).key + check_salt(salt)
    return blake2b(content, digest_size=16, person=b"tt.commit").hexdigest()


def _canonical(text: str) -> str:
    # Folding may denormalise and normalising may unfold, so both are done twice: Unicode's own
    # recipe for caseless matching (D146).
    if text.isascii():
        return " ".join(text.casefold().split())
    for _ in range(2):
        text = _normalize(text)
        text = "".join(letter.casefold() if _is_known(letter) else letter for letter in text)
    return " ".join(_normalize(text).split())


def _is_known(letter: str) -> bool:
    # Python versions may fold, combine and order letters differently if they are newer than the
    # tables, so such letters stay unchanged.
    return ucd_3_2_0.category(letter) != "Cn"


def _normalize(text: str) -> str:
    pieces = ((known, "".join(letters)) for known, letters in groupby(text, _is_known))
    return "".join(
        ucd_3_2_0.normalize("NFKC", piece) if known else piece for known, piece in pieces
    )


def weekly(day: date) -> str:
    """Return the seed of the ISO week of `day`, such as `2026-W47`: the same seed for everybody.

    Args:
        day: A date in UTC. This function never reads the clock.

    >>> from datetime import date
    >>> weekly(date(2026, 11, 21))
    '2026-W47'
    """
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def daily(day: date) -> str:
    """Return the seed of a day, such as `2026-11-21`: the same seed for everybody.

    Args:
        day: A date in UTC.
    """
    return f"{day.year:04}-{day.month:02}-{day.day:02}"
