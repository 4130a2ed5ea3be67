"""Hints, and bots that think: what a page says and marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.registry import load
from tabletop.table import bot_turns as bots_module
from tests.browser.conftest import NARROW, WIDE, Visitors
from tests.browser.screen import Screen
from tests.browser.server import Server, served
from tests.tabletop.bots.gates import GAME, Gates

pytestmark = pytest.mark.slow


@pytest.fixture
def _quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorcery's own bot gives hints: it needs no time."""
    monkeypatch.setattr("tabletop.table.hints.hint_bot", lambda plugin: "duelist")


def in_a_duel(server: Server, visitors: Visitors, *, narrow: bool = False) -> Screen:
    """A person at a casual table of Sorcery, who is to act."""
    players = ["human", "duelist"]
    opened = server.open("sorcery", players=players, seed="old oak", casual=True)
    screen = visitors.sit(opened["links"][0], size=NARROW if narrow else WIDE)
    screen.until(lambda: screen.state["your_turn"], "a turn")
    return screen.settled()


def hinted(screen: Screen) -> str:
    """Wait for a hint; the words of the action that is marked in the list."""
    screen.page.locator("#prompt", has_text="Hint: ").wait_for()
    marked = screen.page.locator("#choices button.suggested")
    assert marked.count() == 1
    words = marked.get_attribute("data-words") or ""
    choice = next(it for it in screen.state["choices"] if it["words"] == words)
    assert screen.text("#prompt") == f"Hint: {choice['label']}"
    parts = screen.page.locator("#picture .tt-suggested").evaluate_all(
        "parts => parts.map((part) => part.dataset.part)"
    )
    assert sorted(parts) == sorted(set(choice["path"]))
    return words


@pytest.mark.usefixtures("_quick_hints")
def test_h_asks_for_a_hint_which_is_marked_in_the_list_and_in_the_picture(
    server: Server, visitors: Visitors
) -> None:
    screen = in_a_duel(server, visitors)
    screen.page.keyboard.press("h")
    words = hinted(screen)
    assert screen.page.locator("#hint").is_disabled()
    screen.page.keyboard.press("/")
    screen.page.locator(f'#choices button[data-words="{words}"]').click()
    screen.until(lambda: screen.ply() > 0, "the move")
    screen.settled()
    assert screen.page.locator(".suggested, .tt-suggested").count() == 0
    assert "Hint" not in screen.text("#prompt")


@pytest.mark.usefixtures("_quick_hints")
def test_a_hint_comes_at_the_touch_of_a_button_on_a_phone(
    server: Server, visitors: Visitors
) -> None:
    screen = in_a_duel(server, visitors, narrow=True)
    screen.page.locator("#hint").tap()
    hinted(screen)


def test_a_hint_says_what_speaks_for_it_and_what_is_next_best(
    server: Server, visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabletop.table.hints.hint_bot", lambda plugin: "search:60")
    screen = in_a_duel(server, visitors)
    while len(screen.state["choices"]) < 3:
        screen.choose(screen.state["choices"][-1])
        screen.until(lambda: screen.state["your_turn"], "a turn")
        screen.settled()
    board = screen.page.locator("#picture").bounding_box()
    screen.page.keyboard.press("h")
    because = screen.page.locator("#because", has_text="simulations")
    because.wait_for()
    labels = "|".join(re.escape(choice["label"]) for choice in screen.state["choices"])
    said = (
        r"\d+ of 60 simulations chose this action"
        rf" · next best: ({labels}) \(\d+\)(, ({labels}) \(\d+\))?"
    )
    assert re.fullmatch(said, because.text_content() or "")
    assert re.fullmatch(r"Hint: .* \(rated \d+ of 100\)", screen.text("#prompt"))
    assert screen.page.locator("#picture").bounding_box() == board, "nothing has moved"
    guide = screen.page.locator("#guide")
    assert guide.evaluate("guide => guide.scrollHeight <= guide.clientHeight"), "all is visible"
    screen.open_actions()
    screen.page.locator("#choices button.suggested").click()
    screen.until(lambda: screen.text("#because") == "", "the next position")


@pytest.mark.usefixtures("_quick_hints")
def test_an_h_that_is_typed_into_the_line_asks_for_nothing(
    server: Server, visitors: Visitors
) -> None:
    screen = in_a_duel(server, visitors)
    screen.open_actions()
    screen.page.locator("#line").press("h")
    assert screen.page.locator("#line").input_value() == "h"
    assert not screen.page.locator("#hint").is_disabled()


@pytest.fixture
def gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gates:
    """The gates of bots, which think as long as a test wants."""
    monkeypatch.setenv("GATES", str(tmp_path))
    monkeypatch.setattr(bots_module, "UNSAID", 0.0)
    return Gates(tmp_path)


@pytest.fixture
def gated(gates: Gates) -> Iterator[Server]:
    """A server that offers the game of those bots."""
    with served(gates.folder / "tables", games=[load(GAME)]) as server:
        yield server


def test_a_page_says_that_a_bot_thinks_and_that_it_does_no_more(
    gates: Gates, gated: Server, visitors: Visitors
) -> None:
    names, options = ["Bob", "Ada"], {"start": "line"}
    opened = gated.open("gated", players=["patient", "human"], names=names, options=options)
    screen = visitors.come()
    screen.page.goto(opened["links"][1])
    screen.page.locator("#prompt", has_text="Bob is thinking …").wait_for()
    gates.open(0)
    screen.until_ply(1)
    screen.settled()
    assert "thinking" not in screen.text("#prompt")
    screen.page.close()


def test_the_lobby_lists_bots_from_easy_to_hard_and_then_the_game_s_own(
    server: Server, visitors: Visitors
) -> None:
    host = visitors.come()
    host.page.goto(server.lobby)
    host.page.locator("[data-game=sorcery]").get_by_role("button", name="Options").click()
    menu = host.page.get_by_label("Player of seat 2")
    groups = menu.locator("optgroup").evaluate_all("groups => groups.map((it) => it.label)")
    assert groups[:2] == ["Bots, from easy to hard", "Made for this game"]
    bots = menu.locator("option").all_text_contents()
    assert bots[:5] == ["a person", "Easy bot", "Medium bot", "Hard bot", "Duelist bot"]
    menu.select_option("easy")
    host.page.click("#open-table")
    host.page.wait_for_url("**/t/**")
    assert host.settled().table["players"] == ["human", "easy"]


def test_the_title_is_on_one_line_next_to_the_button_for_hints(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("constructor", players=["human", *["random"] * 3], casual=True)
    screen = visitors.sit(opened["links"][0]).settled()
    title = screen.page.locator("#title")
    screen.page.set_viewport_size({"width": 390, "height": 844})
    box = title.bounding_box()
    assert box is not None
    assert box["height"] < 20
