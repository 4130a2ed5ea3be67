"""Pages that games bring along: they are played on, and reach nothing but their table."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Browser

from tabletop.registry import load
from tests.browser.conftest import NARROW, WIDE, Visitors
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
    "own": "let in",
    "guessed": "token",
    "ofOther": "lost",
    "inline": "false",
    "evaluated": "EvalError",
    "script": "blocked",
    "opened": "null",
    "opener": "null",
    "worker": "SecurityError",
}
"""What the page of an attacker comes to; only its own link lets it in."""


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that offers a game with a page."""
    with served(tmp_path_factory.mktemp("tables"), games=[load(str(CANOES))]) as server:
        yield server


def until_after(screen: Screen, ply: int) -> None:
    """Wait until the page is told of more actions."""
    screen.until(lambda: screen.ply() > ply, "an answer")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_a_match_is_played_to_its_end_on_the_page_of_its_game(
    faces: Server, visitors: Visitors, size: tuple[int, int]
) -> None:
    opened = faces.open("upriver", names=["Ada", "Bo"], players=["human", "random"], seed="oak")
    screen = visitors.come(size=size)
    page = screen.page
    page.goto(opened["links"][0])
    assert page.url.partition("#")[0].endswith(f"/t/{opened['table']}/page/")
    while True:
        screen.until(lambda: screen.told.get("state") and (screen.over or screen.state["asked"]))
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
    page.wait_for_selector("#again:visible")
    assert screen.text("#prompt") == screen.state["over"]["text"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_page_of_the_how_to_is_played_on(tmp_path: Path, visitors: Visitors) -> None:
    for block in blocks(OWN_FACE):
        if block.title:
            add_to_file(tmp_path / block.title, block.text)
    with served(tmp_path / "tables", games=[load(str(tmp_path / "faced.py"))]) as server:
        screen = visitors.come(size=NARROW)
        screen.page.goto(server.open("heap", players=["human", "random"])["links"][0])
        while True:
            screen.until(
                lambda: screen.told.get("state") and (screen.over or screen.state["asked"])
            )
            if screen.over:
                break
            ply = screen.ply()
            screen.page.locator("#stones button:not(:disabled)").first.click()
            until_after(screen, ply)
        screen.page.get_by_text(screen.state["over"]["text"]).wait_for()
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
    assert screen.table["you"] == [1]
    screen.page.locator("#open-about").click()
    screen.page.get_by_text("The page of the game").click()
    screen.page.wait_for_selector(".river")
    screen.until(lambda: screen.told.get("table"), "a table")
    assert screen.table["you"] == [1]


def test_a_strip_in_the_page_of_a_game_says_one_s_time_and_who_plays_for_one_and_the_end(
    faces: Server, visitors: Visitors
) -> None:
    names = ["Ada", "Bo"]
    opened = faces.open("upriver", names=names, players=["human", "human"], clock=600)
    screen = visitors.come(size=NARROW)
    page = screen.page
    page.goto(opened["links"][0])
    page.get_by_role("timer").get_by_text("10:00").wait_for()
    table = faces.hosting.tables.listing.live[opened["table"]].table
    faces._loop.call_soon_threadsafe(table.reseat, 0, "random")
    page.get_by_text("random plays for Ada", exact=True).wait_for()
    page.get_by_role("button", name="Play yourself").tap()
    screen.until_played_by(0, "human")
    page.get_by_text("random plays for Ada", exact=True).wait_for(state="hidden")
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
    screen.page.locator("#again:visible").click()
    screen.until(lambda: screen.over and screen.state["over"]["next"], "a next table")
    screen.page.locator("#again:visible").click()
    screen.until(lambda: screen.told.get("state") and not screen.over, "the next match")
    assert opened["table"] not in screen.page.url
    assert screen.page.url.partition("#")[0].endswith("/page/")


def test_the_page_of_a_game_reaches_its_table_and_nothing_else(
    tmp_path: Path, browser: Browser
) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    folder.joinpath("index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,">'
        '<script type="module" src="attack.js"></script>'
    )
    shutil.copy(ATTACK, folder)
    attacker = replace(load(str(CANOES)), page=folder)
    with served(tmp_path / "tables", games=[attacker]) as server:
        other = server.open("lcr", players=["human", "human", "human"])["links"][0]
        own = server.open("upriver", players=["human", "human"])["links"][0]
        context = browser.new_context()
        page = context.new_page()
        page.goto(other)  # its token is kept in this tab
        page.wait_for_selector("#picture svg")
        page.goto(server.lobby)
        aims = quote(json.dumps([other, "http://127.0.0.2:9/t/x#y"]))
        before, _, token = own.partition("#")
        page.goto(f"{before}/page/?{aims}#{token}")
        page.wait_for_function("() => globalThis.told", timeout=60_000)
        told: dict[str, Any] = page.evaluate("globalThis.told")
        context.close()
        key = server.lobby.partition("#")[2]
        headers = {"authorization": f"Bearer {key}"}
        listed = httpx.get(f"{server.address}/api/tables", headers=headers).json()
    assert told == NOTHING
    assert len(listed) == 2
