"""Tokens that make links impossible to guess.

A token has 128 bits. It is in the fragment of a link, which browsers do not send to a server. The
page sends it in its first message. A server derives the tokens of its tables from a key that stays
on its machine, so that it can show them again. To admit people it stores hashes of the tokens.
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
    """A token does not open any seat or table."""

    def __init__(
        self,
        message: str = "table not found; copy the whole link, including the part after #",
    ) -> None:
        super().__init__(message)


NO_REPLAY: Final = "replay not found"


class SeatTaken(NotAdmitted):
    """A token opened a seat until another person took it, from the lobby or with the invitation."""


_PUNCTUATION: Final = ".,;:!?)]}>\"'*\u2019\u201d\u2026\u00bb"
"""Characters after a link that belong to the sentence around it. No token contains them."""


def new_token() -> str:
    """Create a token: 128 random bits from the operating system."""
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> str:
    """Return the stored hash of a token, without punctuation that mail programs append."""
    data = token.rstrip(_PUNCTUATION).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=32, person=b"tt.token").hexdigest()


def matches(token: str, hashed: str) -> bool:
    """Check whether a token has this hash, compared in constant time."""
    return compare_digest(
        hash_token(token).encode(), hashed.encode()
    )  # a file may contain any text


class LinkKey:
    """The permanent secret of a server, from which all its tokens are derived.

    A token does not reveal the secret or other tokens.

    Args:
        secret: The secret of `KEY_BYTES` bytes. Another length raises a `ValueError`.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a key of {len(secret)} bytes, not of {KEY_BYTES}")
        self._secret = secret

    def token(self, *purpose: str | int | None) -> str:
        """Return the token for a purpose, which is always the same."""
        data = msgspec.json.encode(purpose)  # different for each purpose
        digest = blake2b(data, key=self._secret, digest_size=16, person=b"tt.link").digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")

    def seat(self, table: str, seat: Seat | None, generation: int = 0) -> str:
        """Return the token of a seat, or of spectators. Each generation has another token."""
        return self.token("table", table, seat, generation)

    def invitation(self, table: str) -> str:
        """Return the token of the invitation to a table."""
        return self.token("invitation", table)

    def opener(self, table: str) -> str:
        """Return the token that permits the person who opened a table to read its links again."""
        return self.token("opener", table)


class SeatTokens(Struct, frozen=True):
    """The hashes of a table's tokens, with None for a seat without a link."""

    seats: tuple[str | None, ...]
    spectators: str

    def admit(self, token: str) -> Seat | None:
        """Return the seat that a token opens, or None for a spectator.

        Raises:
            NotAdmitted: The token does not open this table.
        """
        # Compare with all hashes, so that the time does not depend on which one fits.
        fits = [hashed is not None and matches(token, hashed) for hashed in self.seats]
        watches = matches(token, self.spectators)
        if any(fits):
            return fits.index(True)
        if watches:
            return None
        raise NotAdmitted

    def replaced(self, seat: Seat, token: str) -> Self:
        """Return a copy with another token for a seat, so that its former token is invalid."""
        seats = [*self.seats]
        seats[seat] = hash_token(token)
        return replace(self, seats=tuple(seats))


def derived_tokens(key: LinkKey, table: str, people: Sequence[bool]) -> SeatTokens:
    """Return the hashes of the first tokens of a table, with one for each seat of a person."""
    seats = [hash_token(key.seat(table, seat)) if it else None for seat, it in enumerate(people)]
    return SeatTokens(tuple(seats), hash_token(key.seat(table, None)))


def new_seat_tokens(people: Sequence[bool]) -> tuple[SeatTokens, list[str | None], str]:
    """Return the hashes, the tokens of the seats of people, and the token of spectators."""
    tokens = [new_token() if person else None for person in people]
    spectators = new_token()
    hashes = tuple(None if token is None else hash_token(token) for token in tokens)
    return SeatTokens(hashes, hash_token(spectators)), tokens, spectators
