"""Tokens: links that nobody can guess.

A token has 128 bits. It is in the fragment of a link, which no browser sends to a server; the page
sends it in its first message. A server derives the tokens of its tables from a key that stays on
its machine, so that it can tell them again; for admission it keeps their hashes.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import blake2b
from hmac import compare_digest
from typing import Final, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.errors import TabletopError
from tabletop.states.bounds import Seat

KEY_BYTES: Final = 32


class NotAdmitted(TabletopError):
    """A token opens nothing here."""


class SeatTaken(NotAdmitted):
    """A token has opened a seat here until Someone from the lobby took that."""


_PUNCTUATION: Final = ".,;:!?)]}>\"'*\u2019\u201d\u2026\u00bb"
"""Characters after a link that belong to the sentence around it. No token contains them."""


def new_token() -> str:
    """Make a token: 128 bits from the operating system."""
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> str:
    """Return the hash of a token, by which it is admitted.

    Mail and chat programs append the punctuation after a link to it: "TOKEN." is the same token.
    """
    data = token.rstrip(_PUNCTUATION).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=32, person=b"tt.token").hexdigest()


def matches(token: str, hashed: str) -> bool:
    """Check whether a token has this hash, compared in constant time."""
    return compare_digest(hash_token(token).encode(), hashed.encode())  # a file may hold any text


class LinkKey:
    """The lasting secret of a server. All its tokens are derived from it, and none tells another.

    Args:
        secret: `KEY_BYTES` bytes; others are refused with a `ValueError`.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a key of {len(secret)} bytes, not of {KEY_BYTES}")
        self._secret = secret

    def token(self, *purpose: str | int | None) -> str:
        """The token for a purpose, the same each time."""
        data = msgspec.json.encode(purpose)  # no two purposes are written the same
        own = blake2b(data, key=self._secret, digest_size=16, person=b"tt.link").digest()
        return urlsafe_b64encode(own).decode().rstrip("=")

    def seat(self, table: str, seat: Seat | None, generation: int = 0) -> str:
        """The token of a seat at a table, or of spectators; a new generation is another one."""
        return self.token("table", table, seat, generation)

    def opener(self, table: str) -> str:
        """The token of who has opened a table: it is told the links again for it."""
        return self.token("opener", table)


class SeatTokens(Struct, frozen=True):
    """The hashes of a table's tokens; None for a seat without a link."""

    seats: tuple[str | None, ...]
    spectators: str

    def admit(self, token: str) -> Seat | None:
        """The seat that a token opens; None for a spectator, `NotAdmitted` for nothing."""
        # Compare with all of them, whichever fits: the time it takes tells nothing.
        fits = [hashed is not None and matches(token, hashed) for hashed in self.seats]
        watches = matches(token, self.spectators)
        if any(fits):
            return fits.index(True)
        if watches:
            return None
        raise NotAdmitted("table not found; copy the whole link, including the part after #")

    def replaced(self, seat: Seat, token: str) -> Self:
        """These, with another token for a seat: its former one opens nothing any more."""
        seats = [*self.seats]
        seats[seat] = hash_token(token)
        return replace(self, seats=tuple(seats))


def derived_tokens(key: LinkKey, table: str, people: Sequence[bool]) -> SeatTokens:
    """The hashes of the first tokens of a table, with one for each seat of a person."""
    seats = [hash_token(key.seat(table, seat)) if it else None for seat, it in enumerate(people)]
    return SeatTokens(tuple(seats), hash_token(key.seat(table, None)))


def new_seat_tokens(people: Sequence[bool]) -> tuple[SeatTokens, list[str | None], str]:
    """Make the hashes, the tokens of seats for people, and the token of spectators."""
    tokens = [new_token() if person else None for person in people]
    spectators = new_token()
    hashes = tuple(None if token is None else hash_token(token) for token in tokens)
    return SeatTokens(hashes, hash_token(spectators)), tokens, spectators
