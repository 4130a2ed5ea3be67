"""What every request has to pass, and what every answer says: who may talk with this server.

A page of somebody else must not reach it. A browser tells where a page comes from (Origin) and what
it takes the server for (Host): a name that was made to point here, and that this server was not
told to go by, is refused (DNS rebinding), and so is a page from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HOST: Final = re.compile(
    r"(?:(?P<name>[^\[\]@/?#\\,:\s]+)|\[(?P<number>[0-9a-f:.]+)\])(?::[0-9]{0,5})?"
)

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the pages of this server may load: nothing but what is its own."""

HEADERS: Final = {
    "content-security-policy": PAGE_POLICY,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
"""What every answer says, unless it says otherwise itself."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """What a server goes by.

    Attributes:
        names: names and addresses of hosts, in lower case; a port does not matter.
        any_number: whether every address in numbers is one: those of a machine that listens on all
            of its own cannot be made to point here by anybody else.
        public: those of the names at which pages may have come from another server before this one.
    """

    names: frozenset[str]
    any_number: bool = False
    public: frozenset[str] = frozenset()

    @classmethod
    def of(cls, host: str, public: Iterable[str] = ()) -> Addresses:
        """The addresses of a server that listens at `host`.

        Args:
            host: a name or an address; `0.0.0.0` and `::` mean all of the machine.
            public: further names that people reach it by.
        """
        further = frozenset(name.casefold() for name in public)
        everywhere = not host or (_is_number(host) and ip_address(host).is_unspecified)
        own = {host.casefold()} if not everywhere else set()
        loopback = LOOPBACK if everywhere or host.casefold() in LOOPBACK else frozenset()
        return cls(frozenset(own | loopback | further), everywhere, further)

    def serves(self, host: str | None) -> bool:
        """Whether the server goes by what a request calls it (the header Host)."""
        name = _host_name(host or "")
        return bool(name) and (name in self.names or (self.any_number and _is_number(name)))

    def trusts(self, origin: str | None, host: str | None) -> bool:
        """Whether a request may come from a page at `origin`; those of no page may."""
        if origin is None:
            return True
        where = urlsplit(origin).netloc.casefold() if origin.startswith("http") else ""
        return bool(where) and (
            where == (host or "").casefold() or _host_name(where) in self.public
        )


def _host_name(host: str) -> str:
    """The name of a host, without its port and brackets; empty when it makes no sense."""
    found = _HOST.fullmatch(host.casefold())
    return "" if found is None else found["name"] or found["number"]


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Refuses requests that are not meant for this server, or come from pages of others.

    Args:
        app: what answers the others.
        addresses: what the server goes by.
    """

    def __init__(self, app: ASGIApp, addresses: Addresses) -> None:
        self._app = app
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host"), headers.get("origin")
        if not self._addresses.serves(host):
            refusal = "this server does not go by that name (tabletop serve --public NAME)"
            await _refuse(scope, receive, send, 421, refusal)
        elif not self._addresses.trusts(origin, host):
            await _refuse(scope, receive, send, 403, "pages of other servers may not ask this one")
        else:
            await self._app(scope, receive, _with_headers(send))


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    await PlainTextResponse(f"{why}\n", status)(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent
