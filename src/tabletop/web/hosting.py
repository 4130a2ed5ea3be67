"""A server with many tables, and a lobby in which they are opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tabletop.storage.places import tables_directory
from tabletop.web.app import Site
from tabletop.web.games import Games
from tabletop.web.guard import LOOPBACK, Addresses
from tabletop.web.house import House, Opened
from tabletop.web.limits import Limits
from tabletop.web.opening import Setup
from tabletop.web.serving import Serving, address_of, listen
from tabletop.web.shelf import Shelf
from tabletop.web.tokens import hashed, new_token

FAREWELL: Final = 0.2
"""So many seconds screens have to hear that the server comes to an end."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens, and how it is reached.

    Attributes:
        host: a name or an address of this machine.
        port: 0 for any that is free.
        names: further names that people reach it by.
    """

    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether other machines reach it as well."""
        return self.host.casefold() not in LOOPBACK

    @property
    def addresses(self) -> Addresses:
        """What requests may call it."""
        return Addresses.of(self.host, self.names)


class Hosting:
    """A server with a lobby.

    Args:
        place: where it listens.
        loop: where it runs.
        games: what can be played.
        open_lobby: whether everybody who reaches it may open tables; else who has the key.
        limits: how many tables there may be, and how much a client may do.
        directory: where tables are kept; that of the user when not given.
        scored: whether scores are kept.

    Attributes:
        address: what a browser on this machine is given.
        house: its tables.

    Raises:
        CannotListen: somebody else listens there, or there is no such address.
    """

    def __init__(
        self,
        place: Place,
        loop: asyncio.AbstractEventLoop,
        games: Games,
        *,
        open_lobby: bool = False,
        limits: Limits | None = None,
        directory: Path | None = None,
        scored: bool = True,
    ) -> None:
        limits = limits or Limits()
        listening = listen(place.host, place.port)
        self.address = address_of(listening, place.host)
        self._loop = loop
        self._key = None if open_lobby else new_token()
        shelf = Shelf(directory or tables_directory())
        self.house = House(games, shelf, loop, limits=limits, scored=scored)
        key = None if self._key is None else hashed(self._key)
        site = Site(self.house, games, limits, house=self.house, key=key)
        self._serving = Serving(site.app(place.addresses), listening, loop)

    @property
    def lobby(self) -> str:
        """The link of the lobby, with the key that opens tables there."""
        return f"{self.address}/" + ("" if self._key is None else f"#{self._key}")

    def open(self, setup: Setup, path: Path | None = None) -> Opened:
        """Open a table; see `tabletop.web.house.House.open`."""
        return self.house.open(setup, path)

    def links(self, opened: Opened) -> Iterable[tuple[int, str]]:
        """The links of the seats of a table, with the numbers of these, from 1."""
        for number, link in enumerate(opened.links, 1):
            if link is not None:
                yield number, self.address + link

    async def run(self) -> None:
        """Serve until somebody calls `leave`, or the task is cancelled."""
        try:
            await self._serving.until_it_ends()
        finally:
            self.house.close()

    def give_up(self) -> None:
        """Come to an end before anything was served."""
        self.house.close()
        self._serving.give_up()

    def leave(self) -> None:
        """Come to an end soon: everybody is told, and all records are closed."""
        self.house.close()
        self._loop.call_later(FAREWELL, self._serving.end)
