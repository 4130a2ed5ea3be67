"""The links of tables, and the rules on who may see which of them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from tabletop.states.bounds import Seat
from tabletop.table.presenter import SharedPaths
from tabletop.web.store import SavedTable
from tabletop.web.tokens import LinkKey, hash_token, matches

TAKEN = "taken over by another player"
"""The reason for hiding the link of a seat from the person who opened the table."""

FORMER: Final = 100
"""Maximum number of former links per seat that are recognized. Each wrong token is compared with
them.
"""


class TableLinks(Struct, frozen=True):
    """The links of a table: the paths of its pages, with their tokens.

    Attributes:
        links: The link of each seat, or None if the seat has none or it must not be shown.
        link_notes: For each seat, the reason why there is no link, or an empty text.
        invitation: The link with which people take the free seats, or None if there are no such
            seats.
        spectators: The link to watch, or None if it cannot be shown or if players may not have it.
        spectators_see_more: Whether a spectator sees more than a seat may. Only the host gets the
            link then.
    """

    table: str
    title: str
    names: tuple[str, ...]
    links: tuple[str | None, ...]
    link_notes: tuple[str, ...]
    invitation: str | None
    spectators: str | None
    spectators_see_more: bool


class OpenedTable(TableLinks, frozen=True, kw_only=True):
    """A table that has been opened, with its links.

    Attributes:
        opener: The token of the person who opened the table. It permits reading the links again.
        commitment: The commitment to the seed and the salt, or None without a salt.
    """

    opener: str
    commitment: str | None = None


class JoinedSeat(Struct, frozen=True):
    """A seat that a person has taken with the invitation or from the lobby, and its link."""

    table: str
    title: str
    names: tuple[str, ...]
    seat: Seat
    link: str


def is_opener(key: LinkKey, table: str, token: str) -> bool:
    """Check whether a token belongs to the person who opened a table."""
    return matches(token, hash_token(key.opener(table)))


class Invitation(Struct, frozen=True):
    """A table for a person with its invitation.

    Attributes:
        free_seats: The seats that can be taken now.
        spectator_path: The link to watch, or None if the table is not open.
        state: See `Standing`.
    """

    table: str
    title: str
    names: tuple[str, ...]
    free_seats: tuple[Seat, ...]
    spectator_path: str | None
    state: str


def is_invitation(key: LinkKey, table: str, token: str) -> bool:
    """Check whether a token is that of the invitation to a table."""
    return matches(token, hash_token(key.invitation(table)))


def invitation_path(key: LinkKey, saved: SavedTable) -> str | None:
    """Return the invitation to a table, or None if it has no seats for it."""
    return f"/i/{saved.table}#{key.invitation(saved.table)}" if saved.shared_seats else None


def links_of(key: LinkKey, saved: SavedTable, *, for_host: bool = False) -> TableLinks:
    """Return the links of a table.

    Only the host gets the links of seats that other people have taken. If a spectator sees more
    than a seat may, only the host gets the link to watch.
    """
    links: list[str | None] = []
    notes = []
    for seat, hashed in enumerate(saved.tokens.seats):
        link, reason = _link_of(key, saved, seat, hashed), ""
        if hashed is None:
            reason = "a bot plays here"
        elif link is None:
            reason = "its link was created by an earlier server and cannot be shown again"
        elif saved.generation(seat) and not for_host:
            link, reason = None, TAKEN
        links.append(link)
        notes.append(reason)
    may_watch = for_host or not saved.spectators_see_more
    spectators = _link_of(key, saved, None, saved.tokens.spectators) if may_watch else None
    return TableLinks(
        saved.table,
        saved.title,
        saved.names,
        tuple(links),
        tuple(notes),
        invitation_path(key, saved),
        spectators,
        saved.spectators_see_more,
    )


def _link_of(key: LinkKey, saved: SavedTable, seat: Seat | None, hashed: str | None) -> str | None:
    """Return the link to a seat, or to watch, or None if the key does not give the stored token."""
    generation = 0 if seat is None else saved.generation(seat)
    token = key.seat(saved.table, seat, generation)
    is_ours = hashed is not None and matches(token, hashed)
    return page_of(saved.table, token) if is_ours else None


def spectator_path(key: LinkKey, saved: SavedTable) -> str | None:
    """Return the link to watch for everybody in the lobby or with the invitation.

    Return None if the table has no open seats or if a spectator sees more than a seat may.
    """
    if not saved.open_seats or saved.spectators_see_more:
        return None
    return _link_of(key, saved, None, saved.tokens.spectators)


def shared_paths(key: LinkKey, saved: SavedTable) -> SharedPaths:
    """Return the paths of a table that its players may share."""
    watch, invitation = spectator_path(key, saved), invitation_path(key, saved)
    return SharedPaths(watch or "", invitation or "", saved.shared_seats)


def is_overtaken(key: LinkKey, saved: SavedTable, token: str) -> bool:
    """Check whether a token is one of the last `FORMER` tokens that no longer open a seat."""
    taken = [(seat, saved.generation(seat)) for seat in saved.shared_seats]
    former = [
        key.seat(saved.table, seat, generation)
        for seat, now in taken
        for generation in range(max(0, now - FORMER), now)
    ]
    return any(matches(token, hash_token(it)) for it in former)


def page_of(table: str, token: str = "") -> str:
    """Return the path of a table's page, with `token` as its fragment."""
    return f"/t/{table}#{token}" if token else f"/t/{table}"


def next_pages(key: LinkKey, saved: SavedTable, follows: SavedTable | None) -> list[str]:
    """Return the page of the next table for each seat of a table, and then for spectators.

    Each player moves one seat further. A path contains the first token of the new seat if that
    token still opens it. It may not, because another person may have taken the seat.
    """
    seats = len(saved.names)
    hashes = (None,) * seats if follows is None else follows.tokens.seats
    watching = None if follows is None else follows.tokens.spectators
    there = [((seat - 1) % seats, hashes[(seat - 1) % seats]) for seat in range(seats)]
    pages = []
    for seat, hashed in (*there, (None, watching)):
        token = key.seat(saved.next, seat)
        opens = hashed is not None and matches(token, hashed)
        pages.append(page_of(saved.next, token if opens else ""))
    return pages
