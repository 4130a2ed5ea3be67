"""A page with a table, what it is sent, and what people do there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import ConsoleMessage, Frame, Locator, Page, Request, Response, WebSocket

from tabletop.protocol import state_after

TIMEOUT: Final = 60.0
"""So many seconds a page has time for what should happen at once: machines are busy."""

Choice = dict[str, Any]
Policy = Callable[[list[Choice]], Choice]


class Screen:
    """A page, watched from its first moment on.

    Attributes:
        page: the page.
        received: every text that the server sent, as it came over the wire.
        faults: what must not happen: errors and warnings of the console, errors of scripts,
            violations of the Content-Security-Policy, requests that failed.
        forgiven: parts of faults that a test expects, as the browser itself tells of a lost line.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.received: list[str] = []
        self.told: dict[str, dict[str, Any]] = {}
        self.sockets: list[WebSocket] = []
        self.forgiven: list[str] = []
        self._faults: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._faults.append(f"script: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("websocket", self._connected)
        page.on("framenavigated", self._gone)
        page.set_default_timeout(TIMEOUT * 1000)

    # What is watched.

    @property
    def faults(self) -> list[str]:
        """What went wrong and is not forgiven."""
        return [fault for fault in self._faults if not any(part in fault for part in self.forgiven)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._faults.append(f"console: {message.text} ({message.location})")

    def _failed(self, request: Request) -> None:
        if request.url.endswith("/picture") and request.failure == "net::ERR_ABORTED":
            return  # a visitor has left the gallery before all pictures were loaded
        self._faults.append(f"request: {request.url.partition('#')[0]} {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._faults.append(f"answer: {response.status} {response.url.partition('#')[0]}")

    def _connected(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framereceived", self._hear)

    def _gone(self, frame: Frame) -> None:
        if frame == self.page.main_frame:
            self.told.clear()

    def _hear(self, frame: str | bytes) -> None:
        assert isinstance(frame, str)
        self.received.append(frame)
        message = json.loads(frame)
        if message["type"] == "changes":
            self.told["state"] = state_after(self.told["state"], message)
        else:
            self.told[message["type"]] = message

    # What stands there.

    @property
    def state(self) -> dict[str, Any]:
        """The last state that the page was sent."""
        return self.told["state"]

    @property
    def table(self) -> dict[str, Any]:
        """What the page was last told of the table."""
        return self.told["table"]

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.state["over"] is not None

    def text(self, selector: str) -> str:
        """What an element says, seen or not."""
        return self.page.locator(selector).text_content() or ""

    def until(self, wanted: Callable[[], object], what: str = "") -> None:
        """Wait until something holds.

        Raises:
            AssertionError: it does not come to hold.
        """
        deadline = time.monotonic() + TIMEOUT
        while not wanted():
            broken = [fault for fault in self.faults if fault.startswith("script")]
            assert not broken, broken
            assert time.monotonic() < deadline, f"{what or wanted} never came; {self.faults}"
            self.page.wait_for_timeout(30)

    def shows_newest(self) -> bool:
        """Whether the page shows the last state that it was sent."""
        state = self.told.get("state")
        if state is None:
            return False
        shown = self.page.evaluate(
            "() => ['prompt', 'position'].map(id => document.getElementById(id)?.textContent)"
        )
        over = state["over"]
        wanted = (over["text"] or "The match is over.") if over else state["prompt"]
        return list(shown) == [wanted, state["text"]]

    def settled(self) -> Screen:
        """Wait until the newest state is shown; whoever touches a key sees it at once."""
        self.until(lambda: "state" in self.told, "a first state")
        if not self.shows_newest():
            self.page.keyboard.press("Shift")
        self.until(self.shows_newest, "the newest state on the page")
        return self

    def ply(self) -> int:
        """How many actions have been played, as far as this page was told."""
        return int(self.state["ply"])

    def until_ply(self, ply: int) -> None:
        """Wait until the page is told of the state after so many actions."""
        self.until(lambda: self.ply() == ply, f"the state after {ply} actions")

    def until_asked_after(self, ply: int) -> None:
        """Wait until the page's person is to decide, after more than so many actions."""
        self.until(lambda: self.ply() > ply and self.state["your_turn"], "a turn")

    def until_played_by(self, seat: int, player: str) -> None:
        """Wait until the page is told who decides for a seat."""
        self.until(lambda: self.table["players"][seat] == player, f"seat {seat}: {player}")

    def until_replay_page(self) -> None:
        """Wait until the page is told the path of the replay page."""
        self.until(lambda: self.over and self.state["over"]["replay_page"], "a replay page")

    # What people do.

    def part(self, name: str) -> Locator:
        """A part of the picture."""
        return self.page.locator(f'#picture .tt-part[data-part="{name}"]')

    def choose(self, choice: Choice) -> None:
        """Play an action by clicks: on its parts in the picture, else on its button."""
        ply = self.ply()
        if choice["path"]:
            self.click_parts(choice)
        else:
            self.click_button(choice)
        self.until(lambda: self.ply() != ply, f"an answer to {choice['words']!r}")

    def click_parts(self, choice: Choice) -> None:
        """Click the parts of an action, and its button where these may mean several."""
        for name in choice["path"]:
            part = self.part(name)
            assert "tt-lit" in (part.get_attribute("class") or ""), f"{name} is not lit: {choice}"
            self.click(part)
        chooser = self.page.locator("#chooser")
        if chooser.is_visible():
            chooser.locator(f'button[data-words="{choice["words"]}"]').click()

    def click(self, part: Locator) -> None:
        """Click a part of the picture where a person would: on what is drawn of it."""
        part.click()

    def click_button(self, choice: Choice) -> None:
        """Click the button of an action: next to the board, or in the list of all actions."""
        words = f'button[data-words="{choice["words"]}"]'
        quick = self.page.locator(f"#quick {words}")
        if quick.is_visible():
            quick.click()
            return
        self.open_actions()
        self.page.locator(f"#choices {words}").click()

    def open_actions(self) -> None:
        """Open the list of all actions, which contains the line for typing."""
        if not self.page.locator("#actions").is_visible():
            self.page.locator("#open-actions, #bar-actions").locator("visible=true").click()

    def type(self, line: str) -> None:
        """Type a line, as at a terminal, after the answer to the last one closed the list."""
        field = self.page.locator("#line")
        self.until(
            lambda: not field.input_value() or field.get_attribute("aria-invalid") == "true",
            "the answer to the last line",
        )
        self.open_actions()
        field.fill(line)
        field.press("Enter")

    def play_turns(self, policy: Policy, turns: int = 10_000) -> None:
        """Play by clicks until the match is over, or so many actions are done."""
        for _ in range(turns):
            self.until(lambda: self.over or self.state["your_turn"], "a turn")
            self.settled()
            if self.over:
                return
            self.choose(policy(self.state["choices"]))
