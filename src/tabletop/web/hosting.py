"""The host's view of a server and remote control: tables, addresses, metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.web.answers import address_of, answered, json_answer, read_request, refusal, shows
from tabletop.web.limits import AddressLimits, is_address, network_of
from tabletop.web.lobby import InvalidRequest
from tabletop.web.numbers import CONTENT_TYPE, Number, memory, prometheus
from tabletop.web.store import TableStore
from tabletop.web.table_manager import TableManager
from tabletop.web.tokens import hash_token

MAX_ASKED: Final = 4096  # maximum size of a request of a host, in bytes

WRONG_KEY: Final = (
    "this key does not open the host's page; use the link that the server prints when it starts"
)

T = TypeVar("T")

Word = Annotated[str, Meta(max_length=200)]


class EndTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to end a table."""

    table: Word


class BlockAddress(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to block an address, or to unblock it."""

    address: Word
    blocked: bool


class Hosting:
    """Answers the requests of a host. They need the host's key.

    `/metrics` also accepts its own key.
    """

    def __init__(self, tables: TableManager, addresses: AddressLimits, store: TableStore) -> None:
        self._tables = tables
        self._addresses = addresses
        self._store = store
        self._metrics_key = tables.key.token("metrics")
        self._key = hash_token(tables.key.token("host"))

    @property
    def routes(self) -> list[Route]:
        """The routes of the host's requests."""
        return [
            Route("/api/host", self.overview),
            Route("/api/host/end", self.end_table, methods=["POST"]),
            Route("/api/host/block", self.block_address, methods=["POST"]),
            Route("/metrics", self.metrics),
        ]

    async def overview(self, request: Request) -> Response:
        """Return all data of the host's page."""
        if not shows(request, self._key):
            return refusal(401, WRONG_KEY)
        return json_answer(
            {
                "tables": self._tables.listing.overview(),
                "addresses": self._known(),
                "your_address": network_of(address_of(request)),
                "numbers": self._numbers(),
                "metrics": self._metrics_key,
            }
        )

    def _known(self) -> list[dict[str, Any]]:
        """Return the blocked addresses, then those of recent visitors, the latest first."""
        addresses, now = self._addresses, asyncio.get_running_loop().time()
        connections, seen = addresses.connections(), addresses.seen
        return [
            {
                "address": network,
                "requests": seen[network].requests if network in seen else 0,
                "seconds_since": now - seen[network].last if network in seen else None,
                "connections": connections.get(network, 0),
                "blocked": network in addresses.blocked,
            }
            for network in dict.fromkeys([*sorted(addresses.blocked), *reversed(seen)])
        ]

    async def end_table(self, request: Request) -> Response:
        """End a table."""
        return await self._do(request, EndTable, lambda it: self._tables.end(it.table))

    async def block_address(self, request: Request) -> Response:
        """Block an address, or unblock it."""
        host = network_of(address_of(request))
        return await self._do(request, BlockAddress, lambda it: self._block(it, host))

    async def _do(self, request: Request, kind: type[T], do: Callable[[T], object]) -> Response:
        """Do what the host wants, or refuse a request with a wrong key."""

        async def change() -> Response:
            do(await read_request(request, kind, MAX_ASKED))
            return json_answer({})

        return await answered(change) if shows(request, self._key) else refusal(401, WRONG_KEY)

    def _block(self, wanted: BlockAddress, host: str) -> None:
        network, addresses = network_of(wanted.address.strip()), self._addresses
        if network not in {*addresses.seen, *addresses.blocked} and not is_address(network):
            raise InvalidRequest(
                f"address: {wanted.address!r} is not an address; write it as 203.0.113.7"
            )
        if network == host and wanted.blocked:
            reason = "this is your own address, or the address of everybody behind your proxy"
            raise InvalidRequest(f"address: {network}: {reason}")
        self._store.set_blocked(network, is_blocked=wanted.blocked)
        if wanted.blocked:
            addresses.block(network, asyncio.get_running_loop().time())
        else:
            addresses.blocked.discard(network)

    async def metrics(self, request: Request) -> Response:
        """Return the metrics in the format of Prometheus."""
        if not shows(request, self._key, hash_token(self._metrics_key)):
            return refusal(401, WRONG_KEY)
        headers = {"cache-control": "no-store", "content-type": CONTENT_TYPE}
        return Response(prometheus(self._numbers()), headers=headers)

    def _numbers(self) -> list[Number]:
        connections = sum(self._addresses.connections().values())
        numbers = [
            *self._tables.listing.numbers(),
            Number("tabletop_connections", "Connections of screens", connections),
        ]
        size = memory()
        if size is not None:
            text = "Memory of the server's process, without the processes of bots"
            numbers.append(Number("process_resident_memory_bytes", text, size))
        return numbers
