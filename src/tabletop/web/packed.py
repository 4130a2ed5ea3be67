"""Response bodies that many clients request, made and compressed once, and cached by browsers."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response

SMALLEST: Final = 9
"""The level of gzip. The best compression is affordable because it is done once."""


class Packed:
    """A response body, uncompressed and as gzip, with its entity tag.

    Creating an instance takes some milliseconds for each 100 kB. Answering with it is fast.
    """

    def __init__(self, body: bytes | str, kind: str) -> None:
        self.body: bytes = body.encode() if isinstance(body, str) else body
        self._packed = gzip.compress(self.body, SMALLEST, mtime=0)
        self._kind = kind
        # The tag is weak, because both forms of the body share it.
        self._tag = f'W/"{sha256(self.body).hexdigest()[:32]}"'

    def answer(self, request: Headers, headers: Mapping[str, str]) -> Response:
        """Return the response to a request with headers, 304 if the browser has this body."""
        headers = {**headers, "etag": self._tag, "vary": "accept-encoding"}
        if self._tag in map(str.strip, request.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.get("accept-encoding", ""):
            packed = {**headers, "content-encoding": "gzip"}
            return Response(self._packed, headers=packed, media_type=self._kind)
        return Response(self.body, headers=headers, media_type=self._kind)


class MadeOnce:
    """Response bodies that take long to make. Each is made in a thread, once for all clients.

    Args:
        kind: The media type of the bodies.
        most: The number of bodies to keep. The oldest are made again if they are needed.
    """

    def __init__(self, kind: str, most: int) -> None:
        self._kind = kind
        self._most = most
        self._made: dict[str, asyncio.Future[Packed]] = {}
        self._one = asyncio.Semaphore()

    async def get(self, name: str, make: Callable[[], str]) -> Packed:
        """Return the body with a name. If `make` fails, its error is raised for all that wait."""
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = asyncio.ensure_future(self._make(make))
            for oldest in [*self._made][: -self._most]:
                del self._made[oldest]
        try:
            return await asyncio.shield(made)  # others may wait for it, too
        except Exception:
            self._made.pop(name, None)
            raise

    async def _make(self, make: Callable[[], str]) -> Packed:
        async with self._one:  # in a thread, so that tables are served meanwhile
            return await asyncio.to_thread(lambda: Packed(make(), self._kind))
