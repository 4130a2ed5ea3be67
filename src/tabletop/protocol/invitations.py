"""Take a seat at a table with its invitation, the link that everybody may open."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import quote, urlsplit

from tabletop.protocol.client import TableClosed, parse_link

SECONDS: Final = 10.0
"""Seconds for which a server may take to answer."""

LONGEST_ANSWER: Final = 1 << 16
"""Maximum size of an answer in bytes."""


async def seat_link(link: str, name: str = "") -> str:
    """Return the link of a seat: the link itself, or that of a free seat of an invitation.

    Args:
        link: The link of a seat, or an invitation: `http://HOST/i/TABLE#TOKEN`.
        name: The name of the player in the seat of an invitation. By default, the seat keeps its
            name.

    Raises:
        TableClosed: The link is not valid, the server cannot be reached, or no seat is free.
    """
    parts = urlsplit(link.strip().replace("%23", "#", 1))
    if not parts.path.startswith("/i/") or parts.scheme not in {"http", "https"}:
        parse_link(link)
        return link
    path = f"/api/invitations/{quote(parts.path.removeprefix('/i/'), safe='')}/sit"
    answer = await asyncio.to_thread(
        _post, parts.scheme, parts.netloc, path, parts.fragment, {"name": name}
    )
    return f"{parts.scheme}://{parts.netloc}{answer['link']}"


def _post(scheme: str, host: str, path: str, token: str, body: dict[str, str]) -> dict[str, str]:
    """Send a JSON request with a token, and return the JSON object of the answer."""
    kind = HTTPSConnection if scheme == "https" else HTTPConnection
    try:
        with closing(kind(host, timeout=SECONDS)) as connection:
            headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
            connection.request("POST", path, json.dumps(body), headers)
            response = connection.getresponse()
            answer = json.loads(response.read(LONGEST_ANSWER))
    except (OSError, HTTPException, ValueError) as error:
        raise TableClosed(f"{host} cannot be reached: {error}") from None
    if not isinstance(answer, dict) or "link" not in answer:
        reason = answer.get("error") if isinstance(answer, dict) else None
        raise TableClosed(str(reason or f"{host} did not give a seat"))
    return answer
