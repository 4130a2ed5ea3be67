"""A game's own page: people play on it, and it reaches nothing but its table."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator

from tabletop import Plugin
from tabletop.registry import load
from tabletop.table.inputs import Reseat
from tests.browser.conftest import NARROW, WIDE, Visitors, mainly
from tests.browser.screen import Screen
from tests.browser.server import Server, served
from tests.pages import add_to_file, blocks

pytestmark = pytest.mark.slow

CANOES = Path(__file__).parents[2] / "examples" / "canoes.py"

OWN_FACE = Path(__file__).parents[2] / "docs" / "how-to" / "own-face.md"
ATTACK = Path(__file__).parent / "data" / "attack.js"

NOTHING = {
    "local": "SecurityError",
    "session": "SecurityError",
    "database": "SecurityError",
    "cookie": "SecurityError",
    "tables": "TypeError",
    "unread": "TypeError",
    "open": "TypeError",
    "openUnread": "TypeError",
    "mine": "TypeError",
    "join": "TypeError",
    "host": "TypeError",
    "numbers": "TypeError",
    "page": "TypeError",
    "plain": "TypeError",
    "elsewhere": "TypeError",
    "socketElsewhere": "lost",
    "socket": "lost",
    "ofOther": "lost",
    "link": "TypeError",
    "inline": "false",
    "evaluated": "EvalError",
    "script": "blocked",
    "opened": "null",
    "opener": "null",
    "worker": "SecurityError",
    "around": "SecurityError",
    "address": "SecurityError",
    "pushed": "SecurityError",
    "framed": "empty",
}
"""What the page of an attacker comes to."""

EAGER = """
import { connect } from "/tabletop.js";
const table = connect();
table.on("state", ({ choices, ply }) => {
  const button = document.querySelector("button") ?? document.createElement("button");
  button.value = ply;
  button.disabled = !choices.length;
  button.onclick = () => table.act(choices[0]);
  document.body.append(button);
});
"""
"""The page of a game with one button, which plays the first legal action."""


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that offers a game with a page."""
    with served(tmp_path_factory.mktemp("tables"), games=[load(str(CANOES))]) as server:
        yield server


def own_page(screen: Screen) -> FrameLocator:
    """Return the game's own page, which our page shows in a frame."""
    return screen.page.frame_locator("#frame")


def until_after(screen: Screen, ply: int) -> None:
    """Wait until the page is told of more actions."""
    screen.until(lambda: screen.ply() > ply, "an answer")


@pytest.mark.parametrize(
    ("size", "turns"),
    [
        pytest.param(NARROW, 6, id="narrow"),
        pytest.param(WIDE, 1000, id="wide", marks=pytest.mark.matrix),
    ],
)
def test_a_match_is_played_on_the_page_of_its_game(
    faces: Server, visitors: Visitors, size: tuple[int, int], turns: int
) -> None:
    opened = faces.open("upriver", names=["Ada", "Bo"], players=["human", "random"], seed="oak")
    screen = visitors.come(size=size)
    screen.page.goto(opened["links"][0])
    page = own_page(screen)
    for _ in range(turns):
        screen.until(
            lambda: screen.told.get("state") and (screen.over or screen.state["your_turn"])
        )
        ply = screen.ply()
        if screen.over:
            break
        if len(screen.state["view"]["hands"][0]) == 8:
            page.locator("#hand button:not(.deck):not(:disabled)").first.click()
            side = page.locator(".mine:not(:disabled)")
            (side if side.count() else page.locator(".bank:not(:disabled)")).click()
        else:
            page.locator(".deck").click()
        until_after(screen, ply)
    faces.play(opened["table"], lambda choices: choices[0] if len(choices) < 8 else choices[-1])
    screen.until(lambda: screen.over, "the end")
    page.locator("#again:visible").wait_for()
    assert page.locator("#prompt").text_content() == screen.state["over"]["text"]
    width = "document.documentElement.scrollWidth"
    assert screen.page.evaluate(width) <= size[0]
    assert page.locator("body").evaluate(width) <= size[0]


def test_the_page_of_the_how_to_is_played_on(tmp_path: Path, visitors: Visitors) -> None:
    for block in blocks(OWN_FACE):
        if block.title:
            add_to_file(tmp_path / block.title, block.text)
    with served(tmp_path / "tables", games=[load(str(tmp_path / "faced.py"))]) as server:
        screen = visitors.come(size=NARROW)
        screen.page.goto(server.open("heap", players=["human", "random"])["links"][0])
        while True:
            screen.until(
                lambda: screen.told.get("state") and (screen.over or screen.state["your_turn"])
            )
            if screen.over:
                break
            ply = screen.ply()
            own_page(screen).locator("#stones button:not(:disabled)").first.click()
            until_after(screen, ply)
        own_page(screen).get_by_text(screen.state["over"]["text"]).wait_for()
        screen.page.close()  # before the server ends, which the page would complain of


def test_a_page_of_a_game_leads_to_ours_and_back_with_the_same_seat(
    faces: Server, visitors: Visitors
) -> None:
    opened = faces.open("upriver", players=["human", "human"])
    screen = visitors.come()
    screen.page.goto(opened["links"][1])
    screen.page.get_by_text("Plain page").click()
    screen.settled()
    assert screen.page.url.partition("#")[0].endswith("/plain")
    assert screen.table["your_seats"] == [1]
    screen.page.locator("#open-about").click()
    screen.page.get_by_text("The page of the game").click()
    own_page(screen).locator(".river").first.wait_for()
    screen.until(lambda: screen.told.get("table"), "a table")
    assert screen.table["your_seats"] == [1]


def test_a_strip_in_the_page_of_a_game_says_one_s_time_and_who_plays_for_one_and_the_end(
    faces: Server, visitors: Visitors
) -> None:
    names = ["Ada", "Bo"]
    opened = faces.open("upriver", names=names, players=["human", "human"], clock=600)
    screen = visitors.come(size=NARROW)
    page = screen.page
    page.goto(opened["links"][0])
    page.get_by_role("timer").get_by_text("10:00").wait_for()
    runner = faces.hosting.tables.listing.live[opened["table"]].runner
    faces._loop.call_soon_threadsafe(runner.receive, Reseat(0, "random"))
    page.get_by_text("The Random bot is playing for Ada", exact=True).wait_for()
    page.get_by_role("button", name="Play yourself").tap()
    screen.until_played_by(0, "human")
    page.get_by_text("The Random bot is playing for Ada", exact=True).wait_for(state="hidden")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    faces.play(opened["table"], lambda choices: choices[0] if len(choices) < 8 else choices[-1])
    page.get_by_text("The match is over", exact=True).wait_for()


def test_who_plays_again_on_a_page_of_a_game_comes_to_such_a_page(
    faces: Server, visitors: Visitors
) -> None:
    opened = faces.open("upriver", players=["human", "random"], seed="oak")
    faces.play(opened["table"], lambda choices: choices[0] if len(choices) < 8 else choices[-1])
    screen = visitors.come()
    screen.page.goto(opened["links"][0])
    own_page(screen).locator("#again:visible").click()
    screen.until(lambda: screen.over and screen.state["over"]["next_table"], "a next table")
    own_page(screen).locator("#again:visible").click()
    screen.until(lambda: screen.told.get("state") and not screen.over, "the next match")
    assert opened["table"] not in screen.page.url
    own_page(screen).locator(".river").first.wait_for()


@pytest.mark.parametrize("press", mainly("double tap", "double click", "held Enter"))
def test_a_repeated_press_on_a_page_of_a_game_plays_one_action(
    tmp_path: Path, visitors: Visitors, press: str
) -> None:
    with served(tmp_path / "tables", games=[with_page(tmp_path, EAGER)]) as server:
        opened = server.open("upriver", players=["human", "human"], seed="oak")
        screen = visitors.come(size=NARROW if press == "double tap" else WIDE, alone=True)
        screen.page.clock.install()
        screen.page.goto(opened["links"][0])
        button = own_page(screen).locator("button")
        button.wait_for()
        screen.page.clock.pause_at(2_000_000_000)  # the machine may be busy between the presses
        repeat(screen, button, press)
        assert screen.ply() == 1
        screen.page.clock.run_for(1000)
        button.click()
        screen.until_ply(2)  # of the same player
        screen.page.close()  # before the server ends, which the page would complain of


def test_two_clicks_on_a_page_of_a_game_in_two_places_play_two_actions(
    tmp_path: Path, visitors: Visitors
) -> None:
    with served(tmp_path / "tables", games=[with_page(tmp_path, EAGER)]) as server:
        opened = server.open("upriver", players=["human", "human"], seed="oak")
        screen = visitors.come()
        screen.page.goto(opened["links"][0])
        button = own_page(screen).locator("button")
        button.click(position={"x": 5, "y": 5})
        screen.until_ply(1)
        button.click(position={"x": 95, "y": 95})
        screen.until_ply(2)
        screen.page.close()


def test_the_page_of_a_game_reaches_its_table_and_nothing_else(
    tmp_path: Path, browser: Browser
) -> None:
    attacker = with_page(tmp_path, ATTACK.read_text("utf-8"))
    arrived: list[bytes] = []
    with (
        served(tmp_path / "tables", games=[attacker]) as server,
        listening("127.0.0.2", arrived) as elsewhere,
    ):
        other = server.open("lcr", players=["human", "human", "human"])["links"][0]
        own = server.open("upriver", players=["human", "human"])["links"][0]
        context = browser.new_context()
        page = context.new_page()
        page.goto(other)  # its token is kept in this tab
        page.wait_for_selector("#picture svg")
        page.goto(server.lobby)
        page.goto(own)
        frame = page.frame_locator("#frame").locator("body")
        aims = [other, f"http://{elsewhere}/t/x#y"]
        told: dict[str, Any] = frame.evaluate("(_, aims) => attack(aims)", aims, timeout=60_000)
        seen: str = frame.evaluate("() => globalThis.seen")
        assert page.url == own
        frame.evaluate("(_, aims) => { location.href = aims[1]; }", aims)
        page.wait_for_timeout(500)
        assert page.url == own
        context.close()
        tables = set(server.hosting.tables.listing.live)
    assert told == NOTHING
    assert own.partition("#")[2] not in seen
    assert '"view"' in seen
    assert "#" not in seen
    assert b"".join(arrived) == b""  # a browser may connect in advance, and sends nothing then
    assert len(tables) == 2


def with_page(tmp_path: Path, script: str) -> Plugin:
    """Return Upriver with a page that runs a script."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,">'
        '<link rel="stylesheet" href="page.css"><script type="module" src="page.js"></script>'
    )
    (folder / "page.css").write_text("button { width: 100px; height: 100px; }")
    (folder / "page.js").write_text(script, "utf-8")
    return replace(load(str(CANOES)), page=folder)


def repeat(screen: Screen, button: Locator, press: str) -> None:
    """Press a button twice within the time of a double click, after the first action was played."""
    page = screen.page
    box = button.bounding_box()
    assert box is not None
    x, y = box["x"] + 20, box["y"] + 20
    for number in range(2):
        if press == "double tap":
            page.touchscreen.tap(x, y)
        elif press == "double click":
            page.mouse.move(x, y)
            page.mouse.down(click_count=number + 1)
            page.mouse.up(click_count=number + 1)
        else:
            button.focus()
            page.keyboard.down("Enter")
        screen.until_ply(1)
        own_page(screen).locator('button[value="1"]').wait_for()
    screen.page.wait_for_timeout(300)


@contextmanager
def listening(host: str, arrived: list[bytes]) -> Iterator[str]:
    """Yield an address that collects the data of every connection."""
    with socket.create_server((host, 0)) as server:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.settimeout(1)
                    with suppress(OSError):
                        arrived.append(connection.recv(1000))
                    connection.close()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield f"{host}:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
    thread.join()
