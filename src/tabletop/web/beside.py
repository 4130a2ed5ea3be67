"""A server for one session that is played elsewhere as well: the window beside a terminal.

    loop = asyncio.new_event_loop()
    console = Console(loop=loop)                 # runs the loop while a line is typed
    window = beside(session, loop)
    webbrowser.open(window.address)
    TerminalFront(Screen(session, console)).run()
    window.close()

Everything happens on one thread: the window answers whenever the loop runs. What is done there is
shown at the terminal at once, and the other way round. Whoever runs the session has the bots act.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from typing import Final

from tabletop.registry import Plugin
from tabletop.session import Session
from tabletop.web.app import Site
from tabletop.web.front import WebFront
from tabletop.web.games import Games
from tabletop.web.guard import Addresses
from tabletop.web.limits import Limits
from tabletop.web.serving import Serving, address_of, listen
from tabletop.web.table import WebTable
from tabletop.web.tokens import NotAdmitted, new_doors

NAME: Final = "here"
"""What the only table is called in addresses."""


class Window:
    """A page that shows a session, and at which it can be played on. Made by `beside`.

    Attributes:
        address: where it is: a link with a token, for one's own browser alone.
        table: what serves it.
    """

    def __init__(
        self, session: Session, plugin: Plugin, loop: AbstractEventLoop, host: str, port: int
    ) -> None:
        limits = Limits()
        doors, tokens, _ = new_doors([True])
        listening = listen(host, port)
        self.table = WebTable(
            session,
            doors,
            loop,
            sits={0: None},
            limits=limits,
            casual=True,
            runs_bots=False,
        )
        self.address = f"{address_of(listening, host)}/t/{NAME}#{tokens[0]}"
        games = Games([plugin], all_installed=False)
        site = Site(self, games, limits)
        self._serving = Serving(site.app(Addresses.of(host)), listening, loop)
        self._loop = loop

    def admit(self, name: str, token: str) -> tuple[WebTable, WebFront]:
        """Where somebody with a token sits.

        Raises:
            NotAdmitted: it opens nothing here.
        """
        if name != NAME:
            raise NotAdmitted("this link opens no table here")
        return self.table, self.table.front_of(token)

    def close(self) -> None:
        """Close the window's connections and stop listening. The loop must not run just now."""
        self.table.close()
        self._serving.end_now()


def beside(
    session: Session, loop: AbstractEventLoop, *, host: str = "127.0.0.1", port: int = 0
) -> Window:
    """Open a page on a session, at which its people can play on as well.

    It decides for all people's seats that no front has as its own, together with the terminal, and
    shows what the seat may know that is to decide.

    Args:
        session: what is shown. It may be closed before the window or after it.
        loop: runs the server, as often as it runs itself.
        host: where to listen; one's own machine alone by default.
        port: 0 for any that is free.

    Raises:
        CannotListen: somebody else listens there, or there is no such address.
    """
    return Window(session, session.plugin, loop, host, port)
