"""Requests that are no pages: what was asked, by whom, and answers as JSON."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from tabletop.errors import RecordError, TabletopError
from tabletop.web.limits import TooFast, TooManyConnections
from tabletop.web.listing import CANNOT_SAVE, TableLost
from tabletop.web.lobby import InvalidRequest
from tabletop.web.store import StoreError
from tabletop.web.table_manager import NoSeatFree, TooMany
from tabletop.web.tokens import NotAdmitted, matches

_log = logging.getLogger("tabletop")

MAX_BODY: Final = 1 << 18
"""The largest request for a table: it may hold the text of a deck."""


def json_answer(value: object, status: int = 200) -> Response:
    """An answer that nobody keeps."""
    data = msgspec.json.encode(value)
    headers = {"cache-control": "no-store"}
    return Response(data, status, headers, media_type="application/json")


def refusal(status: int, message: str) -> Response:
    """An answer that says what is wrong."""
    return json_answer({"error": message}, status)


def address_of(connection: HTTPConnection) -> str:
    """The address that a request, or a socket, comes from; empty where it is not known."""
    return connection.client.host if connection.client else ""


def bearer(request: Request) -> str:
    """The token that a request shows in its header `Authorization`; empty for none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.casefold() == "bearer" else ""


def shows(request: Request, *hashes: str) -> bool:
    """Check whether a request shows a token with one of these hashes."""
    token = bearer(request)
    return any(matches(token, hashed) for hashed in hashes)


async def read_body(request: Request, most: int = MAX_BODY) -> bytes:
    """The body of a request, or `InvalidRequest` when it is too long, or does not come whole."""
    data = b""
    try:
        async for part in request.stream():
            data += part
            if len(data) > most:
                raise InvalidRequest(f"the request is too long; send at most {most} bytes")
    except ClientDisconnect as error:
        raise InvalidRequest("the connection was closed") from error
    return data


async def answered(do: Callable[[], Awaitable[Response]]) -> Response:
    """The answer to a request; what it cannot be given for is told."""
    try:
        return await do()
    except TimeoutError:
        return refusal(408, "the request has not come in time")
    except (StoreError, RecordError) as error:  # which name folders
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
