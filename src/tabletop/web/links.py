"""The links of tables: who is told which of them, when a table is opened and again later."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from tabletop.states.bounds import Seat
from tabletop.web.store import SavedTable
from tabletop.web.tokens import LinkKey, hash_token, matches

TAKEN = "taken over by another player"
"""Why who has opened a table is not told the link of a seat."""

FORMER: Final = 100
"""So many former links of a seat are known as such: each wrong token is compared with them."""


class TableLinks(Struct, frozen=True):
    """The links of a table: the paths of its pages, with their tokens.

    Attributes:
        links: of each seat; None where there is none, or it is not told.
        why: for each seat, why there is none; else empty.
        spectators: The link to watch; None if it cannot be shown, or if players may not have it.
        outseen: Whether a spectator sees more than a seat may. Only the host gets the link then.
    """

    table: str
    title: str
    names: tuple[str, ...]
    links: tuple[str | None, ...]
    why: tuple[str, ...]
    spectators: str | None
    outseen: bool


class OpenedTable(TableLinks, frozen=True, kw_only=True):
    """A table that has been opened, with its links.

    Attributes:
        opener: the token of who has opened it, who is told its links again for it.
    """

    opener: str
    commitment: str | None = None


class JoinedSeat(Struct, frozen=True):
    """A seat that Someone from the lobby has taken, and its link."""

    table: str
    title: str
    names: tuple[str, ...]
    seat: Seat
    link: str


def is_opener(key: LinkKey, table: str, token: str) -> bool:
    """Check whether a token is that of who has opened a table."""
    return matches(token, hash_token(key.opener(table)))


def links_of(key: LinkKey, saved: SavedTable, *, for_host: bool = False) -> TableLinks:
    """Return the links of a table.

    Only the host gets the links of seats that others have taken, and the link to watch if a
    spectator sees more than a seat may.
    """
    links: list[str | None] = []
    why = []
    for seat, hashed in enumerate(saved.tokens.seats):
        link, reason = _link_of(key, saved, seat, hashed), ""
        if hashed is None:
            reason = "a bot plays here"
        elif link is None:
            reason = "its link was created by an earlier server and cannot be shown again"
        elif saved.generation(seat) and not for_host:
            link, reason = None, TAKEN
        links.append(link)
        why.append(reason)
    may_watch = for_host or not saved.outseen
    spectators = _link_of(key, saved, None, saved.tokens.spectators) if may_watch else None
    told = tuple(links), tuple(why), spectators, saved.outseen
    return TableLinks(saved.table, saved.title, saved.names, *told)


def _link_of(key: LinkKey, saved: SavedTable, seat: Seat | None, hashed: str | None) -> str | None:
    """The link to a seat, or to watch; None where the key does not make what is admitted."""
    generation = 0 if seat is None else saved.generation(seat)
    token = key.seat(saved.table, seat, generation)
    is_ours = hashed is not None and matches(token, hashed)
    return page_of(saved.table, token) if is_ours else None


def watch_link(key: LinkKey, saved: SavedTable) -> str | None:
    """Return the link to watch for everybody in the lobby, players included.

    There is none (None) unless the table has open seats, or if a spectator sees more than a seat
    may.
    """
    if not saved.open_seats or saved.outseen:
        return None
    return _link_of(key, saved, None, saved.tokens.spectators)


def is_overtaken(key: LinkKey, saved: SavedTable, token: str) -> bool:
    """Check whether a token has opened a seat until Someone from the lobby took that, not long ago.

    Those before the last `FORMER` are forgotten.
    """
    taken = [(seat, saved.generation(seat)) for seat in saved.open_seats]
    former = [
        key.seat(saved.table, seat, generation)
        for seat, now in taken
        for generation in range(max(0, now - FORMER), now)
    ]
    return any(matches(token, hash_token(it)) for it in former)


def page_of(table: str, token: str = "") -> str:
    """The path of a table's page, with what its token opens."""
    return f"/t/{table}#{token}" if token else f"/t/{table}"


def next_pages(key: LinkKey, saved: SavedTable, follows: SavedTable | None) -> list[str]:
    """For each seat of a table, then for spectators, their page of the table that follows it.

    Everybody sits a seat further there. It has the first token of that seat, if that still opens
    it: somebody else may have taken it; and tables of before open with the same tokens.
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
