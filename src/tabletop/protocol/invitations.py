"""Invitations: one link with which everybody takes a seat of a table.

seat = take_seat("http://127.0.0.1:8765/i/...#...", "Ada")
async with connect(seat.link) as table:
...
"""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final, NoReturn, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from tabletop.protocol.client import TableClosed, page_address, unreachable
from tabletop.states.bounds import Seat

MAX_ANSWER: Final = 1 << 20
"""Maximum size of an answer of a server in bytes."""

TIMEOUT: Final = 20.0
"""Seconds to wait for an answer."""

_REFUSED: Final = 300
"""The lowest status of an answer that is a refusal."""

T = TypeVar("T")


class Invitation(Struct, frozen=True):
    """A table for people with its invitation.

    Attributes:
        title: The title of the game.
        names: The names of the seats.
        free_seats: The seats that can be taken now.
        watch: The link to watch, or None if there is none.
    """

    title: str
    names: tuple[str, ...]
    free_seats: tuple[Seat, ...]
    watch: str | None


class TakenSeat(Struct, frozen=True):
    """A seat that this program has taken.

    Attributes:
        link: The link of the seat, for `connect`. It is the only way back to the seat.
        title: The title of the game.
        names: The names of the seats.
        seat: The seat.
    """

    link: str
    title: str
    names: tuple[str, ...]
    seat: Seat


class _FoundTable(Struct):
    title: str
    names: tuple[str, ...]
    free_seats: tuple[Seat, ...]
    spectator_path: str | None = None


class _FoundSeat(Struct):
    title: str
    names: tuple[str, ...]
    seat: Seat
    link: str


class _Failure(Struct):
    error: str


def is_invitation(link: str) -> bool:
    """Return whether a link has the form of an invitation: `http://HOST:PORT/i/TABLE#TOKEN`."""
    try:
        parts = urlsplit(_whole(link))
        _ = parts.port  # raises an error for an invalid port
    except ValueError:
        return False
    match parts.path.split("/"):
        case ["", "i", table] if table:
            return parts.scheme in {"http", "https"} and bool(parts.netloc and parts.fragment)
    return False


def read_invitation(link: str) -> Invitation:
    """Return the table of an invitation. It takes no seat.

    Raises:
        TableClosed: The invitation is not valid, or the server cannot be reached.
    """
    table = _ask(link, "", {}, _FoundTable)
    watch = None if table.spectator_path is None else page_address(link, table.spectator_path)
    return Invitation(table.title, table.names, table.free_seats, watch)


def take_seat(link: str, name: str = "") -> TakenSeat:
    """Take the next free seat of a table, and wait for the answer of its server.

    Args:
        link: The invitation.
        name: The name of the player. Without one, the seat keeps its name.

    Raises:
        TableClosed: No seat is free, the name is too long, or the server cannot be reached.
    """
    found = _ask(link, "/sit", {"name": name}, _FoundSeat)
    if not 0 <= found.seat < len(found.names):
        _refuse_answer()
    return TakenSeat(page_address(link, found.link), found.title, found.names, found.seat)


def _ask(link: str, does: str, body: dict[str, str], kind: type[T]) -> T:
    """Send a request about an invitation, and return its answer. Redirects are not followed."""
    parts = urlsplit(_whole(link))
    table = parts.path.rsplit("/", 1)[1]
    headers = {"authorization": f"Bearer {parts.fragment}", "content-type": "application/json"}
    connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = connect(parts.netloc, timeout=TIMEOUT)
    try:
        path = f"/api/invitations/{table}{does}"
        connection.request("POST", path, msgspec.json.encode(body), headers)
        answer = connection.getresponse()
        data = answer.read(MAX_ANSWER)
    except UnicodeError:  # in the host, the table or the token
        raise TableClosed(f"{link!r} is not an invitation: copy the whole link again") from None
    except (OSError, HTTPException) as error:
        raise unreachable(parts.netloc, error) from None
    finally:
        connection.close()
    try:
        if answer.status >= _REFUSED:
            raise TableClosed(msgspec.json.decode(data, type=_Failure).error)
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        _refuse_answer()


def _refuse_answer() -> NoReturn:
    raise TableClosed("the server does not answer as a tabletop server")


def _whole(link: str) -> str:
    """Return a link in which a mail program may have replaced `#`."""
    return link.strip().replace("%23", "#", 1)
