"""Reloads, second tabs, cut lines and killed servers: the match goes on where it was."""

from __future__ import annotations

import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.browser.conftest import Visitors
from tests.browser.policies import duel
from tests.browser.server import Server

pytestmark = pytest.mark.slow

LOST_LINE = ["WebSocket connection to", "net::ERR_"]
"""What the browser itself says in the console of a line that cannot be opened just now."""


FAINT = "() => Number(getComputedStyle(document.getElementById('choices')).opacity)"

SEEN = """
() => [...document.querySelectorAll("#picture .tt-part")]
  .map((part) => [part.dataset.part, part.dataset.about, part.dataset.label, part.textContent])
"""


def test_a_page_that_was_sent_changes_shows_what_a_second_tab_and_a_new_load_show(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("constructor-small", players=["human", "builder"], seed="old oak")
    first = visitors.sit(opened["links"][0])
    for _ in range(4):
        first.until(lambda: first.state["your_turn"], "a turn")
        first.choose(first.state["choices"][-1])
    first.until(lambda: first.state["your_turn"], "a turn")
    assert any('"svg":[' in text for text in first.received)
    seen, log = first.settled().page.evaluate(SEEN), first.text("#lines")
    second = visitors.another_window(first.page.context)
    second.page.goto(opened["links"][0])
    assert second.settled().page.evaluate(SEEN) == seen
    first.page.reload()
    assert first.settled().page.evaluate(SEEN) == seen
    assert first.text("#lines") == log
    ply = first.ply()
    first.choose(first.state["choices"][0])
    first.until_asked_after(ply)  # until then the bot plays on
    second.until_ply(first.ply())
    assert second.settled().text("#position") == first.settled().text("#position")


def test_a_page_that_was_offline_comes_back_by_itself(server: Server, visitors: Visitors) -> None:
    opened = server.open("sorcery", names=["Ada", "Bo"], seed="old oak")
    screens = [visitors.sit(link, alone=True) for link in opened["links"]]
    turn = screens[0].state["turn"][0]
    mover, gone = screens[turn], screens[1 - turn]
    for screen in screens:
        screen.forgiven += LOST_LINE
    gone.page.context.set_offline(True)
    gone.page.wait_for_function("() => !navigator.onLine")
    server.cut()
    gone.page.wait_for_selector("#lost", state="visible")
    assert "Connection lost" in gone.text("#lost-text")
    assert gone.page.evaluate(FAINT) < 1, "what would not be sent looks so"
    mover.until(lambda: len(mover.sockets) == 2, "a new line")
    mover.page.wait_for_selector("#lost", state="hidden")
    mover.page.wait_for_selector(f'.seat.away[data-seat="{1 - turn}"]')
    mover.choose(next(it for it in mover.state["choices"] if it["words"] == "end"))
    gone.page.context.set_offline(False)
    gone.page.wait_for_selector("#lost", state="hidden")
    assert gone.page.evaluate(FAINT) == 1
    gone.until(lambda: gone.ply() == mover.ply(), "what happened meanwhile")
    assert gone.settled().state["your_turn"] == [1 - turn]
    assert mover.page.locator(".seat.away").count() == 0
    gone.choose(duel("on")(gone.state["choices"]))


def test_words_about_something_not_sent_go_away_with_the_reason(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", players=["human", "human", "random"])
    ada = visitors.sit(opened["links"][0], alone=True)
    ada.forgiven += LOST_LINE
    ada.page.context.set_offline(True)
    ada.page.wait_for_selector("#lost", state="visible")
    ada.page.fill("#say", "hello")
    ada.page.press("#say", "Enter")
    ada.page.wait_for_selector("#bubble", state="visible")
    ada.type("roll")
    ada.page.wait_for_selector("#line-error:not(:empty)")
    ada.page.context.set_offline(False)
    ada.page.wait_for_selector("#lost", state="hidden")
    assert ada.text("#line-error") == ""
    assert not ada.page.is_visible("#bubble")


def test_a_match_goes_on_after_its_server_was_killed_and_started_again(
    tmp_path: Path, visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    port = free_port()
    begin = ["sorcery", "--seed", "old oak", "--bot", "2", "--no-score", "--port", str(port)]
    with serve(*begin) as (server, said):
        screen = visitors.sit(link_in(said))
        screen.play_turns(duel("begin"), 3)
        screen.until(lambda: screen.state["your_turn"], "a turn")
        position = screen.settled().text("#position")
        screen.forgiven += LOST_LINE
        server.send_signal(signal.SIGKILL)
        screen.page.wait_for_selector("#lost", state="visible")
    with serve("--port", str(port)):
        screen.page.wait_for_selector("#lost", state="hidden")
        assert screen.settled().text("#position") == position
        screen.play_turns(duel("on"), 2)


def free_port() -> int:
    """A port that nobody listens at, below those that the system hands out to others meanwhile."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def serve(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program as a process of its own, and what it said before it served."""
    command = [sys.executable, "-m", "tabletop", "serve", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = program.stdout.readline()
            assert line, said
            said += line
        try:
            yield program, said
        finally:
            program.kill()


def link_in(said: str) -> str:
    """The first link of a seat that the program has said."""
    found = re.search(r"http://\S+/t/\S+", said)
    assert found, said
    return found[0]
