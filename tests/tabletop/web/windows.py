"""Programs at a terminal with a window, and the requests of a browser in that window."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pexpect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import constructor.program.cli
import lcr.program.cli
import sorcery.program.cli
import tabletop.cli
import tabletop.web.local_window  # so that no copy of this process imports it
from tabletop.protocol import state_after
from tests import terminals

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/t/here#[\w-]{22}")
MAINS = {
    "tabletop": tabletop.cli.main,
    "sorcery": sorcery.program.cli.main,
    "constructor": constructor.program.cli.main,
    "lcr": lcr.program.cli.main,
}
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}


class Page:
    """The page of a window: it remembers everything that it was sent."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self._state: dict[str, Any] | None = None

    def say(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def act(self, line: str, seat: int | None = None) -> None:
        self.say(type="act", line=line, seat=seat)

    def hear(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.socket.recv(timeout=60))
        if told["type"] == "changes":
            assert self._state is not None, "the first state has to be whole"
            told = state_after(self._state, told)
        if told["type"] == "state":
            self._state = told
        self.heard.append(told)
        return told

    def until(
        self, kind: str, fits: Callable[[dict[str, Any]], object] = lambda told: True
    ) -> dict[str, Any]:
        """The next message of a kind that fits."""
        while True:
            told = self.hear()
            if told["type"] == kind and fits(told):
                return told

    def state(self, ply: int) -> dict[str, Any]:
        """Return the next state with this number of actions."""
        return self.until("state", lambda told: told["ply"] == ply)

    def told(self) -> list[str]:
        """The lines of the log so far."""
        logs = (told for told in self.heard if told["type"] == "log")
        return [line["text"] for told in logs for line in told["lines"]]

    def closed(self) -> tuple[int, str]:
        """The code that the connection is closed with, and the last reason that was given."""
        reason = ""
        try:
            while True:
                told = self.hear()
                reason = told["message"] if told["type"] == "error" else reason
        except ConnectionClosed:
            return self.socket.protocol.close_code or 0, reason


@contextmanager
def page_at(address: str) -> Iterator[Page]:
    """The page at an address that a program has printed."""
    where, _, token = address.replace("http", "ws", 1).partition("#")
    with connect(f"{where}/socket", max_size=None, open_timeout=30) as socket:
        page = Page(socket)
        page.say(type="hello", token=token, picture="wide", changes=True)
        yield page


def at_terminal(
    *words: str,
    term: str = "xterm",
    cwd: Path | None = None,
    environment: Mapping[str, str] = NO_DISPLAY,
) -> AbstractContextManager[pexpect.spawn[str]]:
    """Start a program of the project by its name at a terminal of 80 columns and 24 lines."""
    program, *arguments = words
    variables = {**environment, "TERM": term}
    return terminals.at_terminal(MAINS[program], *arguments, cwd=cwd, environment=variables)


def hang_up(child: pexpect.spawn[str]) -> None:
    """Close the terminal of a program, which has to see to its own end."""
    with suppress(pexpect.ExceptionPexpect):  # it takes a moment
        child.close(force=False)


def address_of(child: pexpect.spawn[str]) -> str:
    """The address that a program prints next."""
    child.expect(ADDRESS)
    return str(child.match[0])
