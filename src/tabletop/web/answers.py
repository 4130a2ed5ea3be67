"""Requests and responses in JSON: sender, token, body and refusals."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from tabletop.errors import RecordError, TabletopError
from tabletop.table.limits import TooFast
from tabletop.table.presenter import CANNOT_SAVE
from tabletop.web.limits import TooManyConnections
from tabletop.web.listing import TableLost
from tabletop.web.lobby import InvalidRequest
from tabletop.web.store import StoreError
from tabletop.web.table_manager import NoSeatFree, TooMany
from tabletop.web.tokens import NotAdmitted, matches
from tabletop.wording import truncate

T = TypeVar("T")

_log = logging.getLogger("tabletop")

MAX_BODY: Final = 1 << 18
"""The maximum size of a request for a table in bytes. It may contain the text of a deck."""


def json_answer(value: object, status: int = 200) -> Response:
    """Return a JSON response that is not cached."""
    data = msgspec.json.encode(value)
    headers = {"cache-control": "no-store"}
    return Response(data, status, headers, media_type="application/json")


def refusal(status: int, message: str) -> Response:
    """Return a JSON response with an error message."""
    return json_answer({"error": message}, status)


def address_of(connection: HTTPConnection) -> str:
    """Return the address of the client of a request or socket, or an empty text if unknown."""
    return connection.client.host if connection.client else ""


def bearer(request: Request) -> str:
    """Return the token in the header `Authorization` of a request, or an empty text."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.casefold() == "bearer" else ""


def shows(request: Request, *hashes: str) -> bool:
    """Check whether a request contains a token with one of these hashes."""
    token = bearer(request)
    return any(matches(token, hashed) for hashed in hashes)


async def read_request(request: Request, kind: type[T], most: int = MAX_BODY) -> T:
    """Decode the JSON body of a request as a type. An empty body counts as an empty object.

    Raises:
        InvalidRequest: The body is too long, incomplete or invalid.
    """
    data = b""
    try:
        async for part in request.stream():
            data += part
            if len(data) > most:
                raise InvalidRequest(f"the request is too long; send at most {most} bytes")
    except ClientDisconnect as error:
        raise InvalidRequest("the connection was closed") from error
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRequest(truncate(str(error), 300)) from error


async def answered(do: Callable[[], Awaitable[Response]]) -> Response:
    """Return the response of `do`. An expected error becomes a refusal."""
    try:
        return await do()
    except TimeoutError:
        return refusal(408, "the request did not arrive in time; try again")
    except (StoreError, RecordError) as error:  # the messages contain paths of the host
        _log.error("%s", error)
        return refusal(500, CANNOT_SAVE)
    except (TabletopError, TooManyConnections) as error:
        return refusal(_status_of(error), str(error))


def _status_of(error: Exception) -> int:
    match error:
        case TooMany() | TooFast() | TooManyConnections():
            return 429
        case NotAdmitted():
            return 404
        case NoSeatFree() | TableLost():
            return 409
        case _:
            return 400
