"""What matters most works in Firefox as well: a match, the lobby, a hint, a line that was cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.firefox import Firefox, firefox_path, running
from tests.browser.policies import duel, rolling
from tests.browser.server import Server

pytestmark = pytest.mark.slow


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
    host.until(lambda: host.shows("#people-list li"), "the form")
    host.run(
        """(game) => {
            const choose = (menu, value) => {
                menu.value = value;
                menu.dispatchEvent(new Event("input", { bubbles: true }));
                menu.dispatchEvent(new Event("change", { bubbles: true }));
            };
            choose(document.getElementById("game"), game);
            for (const menu of [...document.querySelectorAll("#people-list select")].slice(1)) {
                choose(menu, "random");
            }
        }""",
        "lcr",
    )
    host.click("#seed")
    host.type("old oak")
    host.click("#open-table")
    host.until(lambda: host.shows("#opened-list a.button"), "the links")
    host.go(host.run("() => document.querySelector('#opened-list a.button').href"))
    assert host.play(rolling("lobby"))["over"]["seed"] == "old oak"
    host.close()


def test_h_asks_for_a_hint_which_is_marked(
    server: Server, firefox: Firefox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabletop.session.hints.hint_bot", lambda plugin: "duelist")
    players = ["human", "duelist"]
    opened = server.open("sorcery", players=players, seed="old oak", casual=True)
    page = firefox.come(opened["links"][0])
    page.asked()
    page.type("h")
    page.until(lambda: "Hint: " in page.text("#prompt"), "a hint")
    page.until(lambda: page.shows("#choices button.suggested"), "its mark")
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
