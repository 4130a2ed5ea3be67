"""Who may sit where: links that nobody can guess.

A token is 128 bits. It stands in the fragment of a link, which no browser sends to a server; the
page sends it as its first message. Only a hash of it is kept: whoever reads the files of the server
cannot sit down with what stands there.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from hmac import compare_digest

from msgspec import Struct

from tabletop.errors import TabletopError
from tabletop.outcome import Seat


class NotAdmitted(TabletopError):
    """A token opens nothing here."""


def new_token() -> str:
    """A fresh token: 128 bits from the operating system."""
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    """What is kept of a token."""
    data = token.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=32, person=b"tt.token").hexdigest()


def is_same(token: str, kept: str) -> bool:
    """Whether a token is the one whose hash was kept, compared in constant time."""
    return compare_digest(hashed(token), kept)


class Doors(Struct, frozen=True):
    """Whom a table admits.

    Attributes:
        seats: the hash of the token of each seat; None for one that has no link.
        spectators: that of the token for spectators.
    """

    seats: tuple[str | None, ...]
    spectators: str

    def admit(self, token: str) -> Seat | None:
        """Whose token it is: a seat, or None for a spectator.

        Raises:
            NotAdmitted: nobody's.
        """
        # All are compared, whichever fits: how long it takes tells nothing.
        fits = [kept is not None and is_same(token, kept) for kept in self.seats]
        watches = is_same(token, self.spectators)
        if any(fits):
            return fits.index(True)
        if watches:
            return None
        raise NotAdmitted("this link opens no table here")


def new_doors(people: list[bool]) -> tuple[Doors, list[str | None], str]:
    """Fresh tokens for a table.

    Args:
        people: for each seat, whether it gets a link.

    Returns:
        The doors; the token of each seat; that of spectators.
    """
    tokens = [new_token() if person else None for person in people]
    spectators = new_token()
    kept = tuple(None if token is None else hashed(token) for token in tokens)
    return Doors(kept, hashed(spectators)), tokens, spectators
