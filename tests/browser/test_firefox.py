"""What matters most works in Firefox as well: matches, the lobby, talk, a line that was cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.registry import load
from tests.browser.firefox import Firefox, firefox_path, running
from tests.browser.policies import duel, rolling
from tests.browser.server import Server, served

pytestmark = [pytest.mark.slow, pytest.mark.matrix]

ENTER, ESCAPE = "\ue007", "\ue00c"
"""Keys, as WebDriver names them."""

CANOES = Path(__file__).parents[2] / "examples" / "canoes.py"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One Firefox for all tests of this file."""
    with running(firefox_path(), tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def firefox(started: Firefox) -> Iterator[Firefox]:
    """The Firefox; nothing may go wrong on any of its pages."""
    started.faults.clear()
    yield started
    assert started.faults == []


def test_what_goes_wrong_on_a_page_would_be_seen(server: Server, started: Firefox) -> None:
    page = started.come(server.address)
    page.run("() => { console.error('a red line'); setTimeout(() => { throw Error('thrown') }) }")
    page.until(lambda: page.shows("body") and len(started.faults) >= 2, "both faults")
    assert {"a red line", "Error: thrown"} <= set(started.faults)
    page.close()


def test_sorcery_is_played_to_its_end_by_clicks_alone(server: Server, firefox: Firefox) -> None:
    opened = server.open("sorcery", players=["human", "duelist"], seed="pine")
    page = firefox.come(opened["links"][0])
    over = page.play(duel("clicks"))["over"]
    assert "no life left" in over["text"]
    page.until(lambda: page.shows("#ending"), "the ending")
    assert over["text"] in page.text("#ending")
    page.close()


def test_a_table_is_opened_in_the_lobby_and_played(server: Server, firefox: Firefox) -> None:
    host = firefox.come(server.lobby)
    host.until(lambda: host.shows("[data-game=lcr] .doing"), "the games")
    host.click("[data-game=lcr] .doing .quiet")
    host.click("#seed")
    host.type("old oak")
    host.click("#open-table")
    host.until(lambda: "/t/" in host.run("() => location.pathname"), "the table")
    assert host.play(rolling("lobby"))["over"]["seed"] == "old oak"
    host.close()


def test_h_asks_for_a_hint_which_is_marked(
    server: Server, firefox: Firefox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabletop.table.hints.hint_bot", lambda plugin: "duelist")
    players = ["human", "duelist"]
    opened = server.open("sorcery", players=players, seed="old oak", casual=True)
    page = firefox.come(opened["links"][0])
    page.asked()
    page.type("h")
    page.until(lambda: "Hint: " in page.text("#prompt"), "a hint")
    page.until(lambda: page.shows("#picture .tt-suggested"), "its mark")
    page.close()


def test_a_page_whose_line_was_cut_comes_back_by_itself(server: Server, firefox: Firefox) -> None:
    opened = server.open("lcr", players=["human", "random", "random"], seed="old oak")
    page = firefox.come(opened["links"][0])
    before = page.asked()
    server.cut()
    page.until(lambda: page.shows("#lost"), "the word that it is lost")
    page.until(lambda: not page.shows("#lost"), "the table again")
    page.choose(before["choices"][0])
    assert page.asked()["ply"] > before["ply"]
    page.close()


def test_people_talk_and_look_back(server: Server, firefox: Firefox) -> None:
    players = ["human", "human", "random"]
    opened = server.open("lcr", players=players, names=["Ada", "Bo"], seed="old oak")
    page, other = firefox.come(opened["links"][0]), firefox.come(opened["links"][1])
    page.asked()
    page.choose(page.state()["choices"][0])
    other.click("#say")
    other.type(f"<b>well</b> rolled{ENTER}")
    page.until(lambda: "<b>well</b> rolled" in page.text("#lines"), "what was said")
    page.click("#look-back")
    page.until(lambda: page.shows("#past > svg"), "the position of then")
    page.run("() => document.activeElement.blur()")
    page.type(ESCAPE)
    page.until(lambda: not page.shows("#past > svg"), "the present")
    for it in (page, other):
        it.close()


def test_a_game_is_played_on_its_own_page(tmp_path: Path, firefox: Firefox) -> None:
    with served(tmp_path / "tables", games=[load(str(CANOES))]) as server:
        opened = server.open("upriver", players=["human", "random"], seed="old oak")
        around = firefox.come(opened["links"][0])
        page = around.frame()
        page.until(lambda: page.shows(".river"), "the river")
        page.until(lambda: page.shows("button:not(:disabled)"), "a card to play")
        before = page.text("body")
        page.click("button:not(:disabled)")
        page.until(lambda: page.text("body") != before, "an answer")
        around.close()
