"""Tokens: links that nobody can guess.

A token has 128 random bits. It is in the fragment of a link, which no browser sends to a server;
the page sends it in its first message. The server keeps only a hash: its files do not help to take
a seat.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import blake2b
from hmac import compare_digest

from msgspec import Struct

from tabletop.errors import TabletopError
from tabletop.states.bounds import Seat


class NotAdmitted(TabletopError):
    """A token opens nothing here."""


def new_token() -> str:
    """Make a token: 128 bits from the operating system."""
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> str:
    """The hash of a token, which is all that is kept of it."""
    data = token.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=32, person=b"tt.token").hexdigest()


def matches(token: str, hashed: str) -> bool:
    """Check whether a token has this hash, compared in constant time."""
    return compare_digest(hash_token(token), hashed)


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
        raise NotAdmitted("this link opens no table here")


def new_seat_tokens(people: Sequence[bool]) -> tuple[SeatTokens, list[str | None], str]:
    """Make the hashes, the tokens of seats for people, and the token of spectators."""
    tokens = [new_token() if person else None for person in people]
    spectators = new_token()
    hashes = tuple(None if token is None else hash_token(token) for token in tokens)
    return SeatTokens(hashes, hash_token(spectators)), tokens, spectators
