"""A Firefox, driven by WebDriver BiDi: pages, what happens on them, and hands that click and type.

It speaks to the browser of the system itself, which needs no other driver.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import pytest
from websockets.sync.client import ClientConnection, connect

from tabletop.protocol import state_after
from tests.browser.chromium import is_demanded
from tests.browser.screen import TIMEOUT, Choice, Policy

NAMES: Final = ("firefox-esr", "firefox")
"""What it is called on one machine and another."""

ADVICE: Final = "apt-get install firefox-esr, or set TABLETOP_FIREFOX=PATH"

READY: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
"""What it says when it can be spoken to."""

SETTINGS: Final = {
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.server": "",
    "ui.prefersReducedMotion": 1,
}
"""What it does without: pages of its own, requests to others, and motion."""

LISTEN: Final = """
() => {
  window.heard = [];
  const Own = window.WebSocket;
  window.WebSocket = class extends Own {
    constructor(...address) {
      super(...address);
      this.addEventListener("message", ({ data }) => window.heard.push(data));
    }
  };
}
"""
"""Notes what a page is sent: BiDi tells nothing of WebSockets."""

SHOWN: Final = """
(selector) => [...document.querySelectorAll(selector)].some((it) => it.checkVisibility())
"""

PLACE: Final = """
(selector) => {
  const found = [...document.querySelectorAll(selector)].find((it) => it.checkVisibility());
  if (!found) return null;
  found.scrollIntoView({ block: "nearest", behavior: "instant" });
  const { x, y, width, height } = found.getBoundingClientRect();
  const at = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return document.elementFromPoint(...at)?.closest(selector) === found ? at : null;
}
"""
"""Where to click on something: null while it is covered."""


def find_firefox(environment: Mapping[str, str] = os.environ) -> str | None:
    """The path of the browser, or None: TABLETOP_FIREFOX, else the first that is installed."""
    chosen = environment.get("TABLETOP_FIREFOX")
    names = (chosen,) if chosen else NAMES
    found = (shutil.which(name, path=environment.get("PATH")) for name in names)
    return next((path for path in found if path), None)


def missing(environment: Mapping[str, str] = os.environ) -> str:
    """Why there is no browser, and what helps."""
    chosen = environment.get("TABLETOP_FIREFOX")
    why = f"TABLETOP_FIREFOX={chosen} is no program" if chosen else "no Firefox was found"
    return f"{why}; {ADVICE}"


def firefox_path() -> str:
    """Where Firefox is; where it is missing, tests are skipped, or fail where it is demanded."""
    if path := find_firefox():
        return path
    if is_demanded():
        pytest.fail(missing(), pytrace=False)
    pytest.skip(f"NOT RUN: {missing()}")


class Failed(AssertionError):
    """Firefox has refused a command, or a script has failed."""


class Firefox:
    """A browser that runs.

    Attributes:
        faults: errors and warnings of consoles and scripts, by what they say.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self.faults: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.ask("script.addPreloadScript", functionDeclaration=LISTEN)

    def ask(self, method: str, **params: Any) -> Any:
        """Send a command, and return what it gives."""
        self._number += 1
        told = {"id": self._number, "method": method, "params": params}
        self._socket.send(json.dumps(told))
        while True:
            answer = json.loads(self._socket.recv(timeout=TIMEOUT))
            if answer.get("method") == "log.entryAdded":
                self._note(answer["params"])
            elif answer.get("id") == self._number:
                if answer["type"] == "error":
                    raise Failed(f"{method}: {answer['message']}")
                return answer["result"]

    def _note(self, entry: dict[str, Any]) -> None:
        if entry["level"] in {"error", "warn"}:
            self.faults.append(str(entry["text"]))

    def come(self, link: str) -> FirefoxPage:
        """Open a link in a tab of its own."""
        context = self.ask("browsingContext.create", type="tab")["context"]
        size = {"width": 1280, "height": 800}
        self.ask("browsingContext.setViewport", context=context, viewport=size)
        page = FirefoxPage(self, context)
        page.go(link)
        return page


class FirefoxPage:
    """A tab, and what its person does."""

    def __init__(self, browser: Firefox, context: str) -> None:
        self._browser = browser
        self._context = context

    def go(self, link: str) -> None:
        """Load a page."""
        self._browser.ask(
            "browsingContext.navigate", context=self._context, url=link, wait="complete"
        )

    def close(self) -> None:
        """Close the tab."""
        self._browser.ask("browsingContext.close", context=self._context)

    def frame(self) -> FirefoxPage:
        """Return the page in the first frame of this page."""
        tree = self._browser.ask("browsingContext.getTree", root=self._context)
        return FirefoxPage(self._browser, tree["contexts"][0]["children"][0]["context"])

    def run(self, function: str, *arguments: str) -> Any:
        """Call a function of JavaScript; what it returns comes as JSON."""
        told = self._browser.ask(
            "script.callFunction",
            functionDeclaration=f"(...it) => JSON.stringify(({function})(...it) ?? null)",
            arguments=[{"type": "string", "value": it} for it in arguments],
            target={"context": self._context},
            awaitPromise=False,
        )
        if told["type"] == "exception":
            raise Failed(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    def until(self, wanted: Callable[[], Any], what: str) -> Any:
        """Wait until something holds, and return it."""
        deadline = time.monotonic() + TIMEOUT
        while not (found := wanted()):
            assert time.monotonic() < deadline, f"{what} never came; {self._browser.faults}"
            time.sleep(0.02)
        return found

    def shows(self, selector: str) -> bool:
        """Whether something that fits can be seen."""
        return bool(self.run(SHOWN, selector))

    def text(self, selector: str) -> str:
        """What an element says, seen or not."""
        return str(self.run("(it) => document.querySelector(it)?.textContent ?? ''", selector))

    def click(self, selector: str) -> None:
        """Click the middle of something, once nothing covers it."""
        x, y = self.until(lambda: self.run(PLACE, selector), f"a free {selector}")
        move = {"type": "pointerMove", "x": x, "y": y}
        button = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self._act("pointer", [move, *button])

    def type(self, letters: str) -> None:
        """Press keys."""
        kinds = ("keyDown", "keyUp")
        self._act("key", [{"type": kind, "value": it} for it in letters for kind in kinds])

    def _act(self, kind: str, actions: list[dict[str, Any]]) -> None:
        hand = {"type": kind, "id": kind, "actions": actions}
        self._browser.ask("input.performActions", context=self._context, actions=[hand])

    # A table.

    def state(self) -> dict[str, Any]:
        """The last state that the page was sent; empty before the first."""
        state: dict[str, Any] = {}
        for text in self.run("() => window.heard"):
            told = json.loads(text)
            if told["type"] == "state":
                state = told
            elif told["type"] == "changes":
                state = state_after(state, told)
        return state

    def asked(self) -> dict[str, Any]:
        """Wait until its person is to act, or all is over, and the page shows it."""

        def shown() -> dict[str, Any] | None:
            state = self.state()
            if not state or not (state["your_turn"] or state["over"]):
                return None
            return state if self.text("#position") == state["text"] else None

        found: dict[str, Any] = self.until(shown, "a turn")
        return found

    def choose(self, choice: Choice) -> None:
        """Play an action by clicks: on its parts in the picture, else on its button."""
        ply, words = self.state()["ply"], f'button[data-words="{choice["words"]}"]'
        for name in choice["path"]:
            self.click(f'#picture .tt-part.tt-lit[data-part="{name}"]')
        if not choice["path"]:
            self.click(f"#quick {words}")
        elif self.shows("#chooser"):
            self.click(f"#chooser {words}")
        self.until(lambda: self.state()["ply"] != ply, f"an answer to {choice['words']!r}")

    def play(self, policy: Policy) -> dict[str, Any]:
        """Play by clicks until the match is over; the last state."""
        while not (state := self.asked())["over"]:
            self.choose(policy(state["choices"]))
        return state


@contextmanager
def running(path: str, folder: Path) -> Iterator[Firefox]:
    """A Firefox as long as the block runs, with a profile of its own in a folder."""
    lines = [f"user_pref({json.dumps(it)}, {json.dumps(to)});" for it, to in SETTINGS.items()]
    (folder / "user.js").write_text("\n".join(lines), "utf-8")
    command = [path, "--headless", "--no-remote", "--profile", str(folder)]
    with subprocess.Popen(
        [*command, "--remote-debugging-port", "0"], stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stderr is not None
        try:
            address = f"{_address(program.stderr)}/session"
            with connect(address, max_size=None, open_timeout=TIMEOUT) as socket:
                yield Firefox(socket)
        finally:
            program.kill()


def _address(said: IO[str]) -> str:
    for line in said:
        if found := READY.search(line):
            return found[1]
    raise Failed("Firefox has ended before it could be spoken to")
