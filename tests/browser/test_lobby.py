"""The lobby: a table is opened, its links are handed out, and it is played."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors
from tests.browser.policies import rolling
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


def in_lobby(server: Server, visitors: Visitors) -> Screen:
    """The host, before the form."""
    host = visitors.come()
    host.page.goto(server.lobby)
    host.page.wait_for_selector("#people-list li")
    return host


def test_a_table_is_opened_in_the_lobby_and_played_and_leads_back_there(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors)
    host.page.select_option("#game", "lcr")
    host.page.get_by_label("Name at seat 1").fill("Ada")
    for seat in (2, 3):
        host.page.get_by_label(f"Who plays seat {seat}").select_option("random")
    host.page.fill("#seed", "old oak")
    host.page.click("#open-table")
    links = host.page.locator("#opened-list .links li")
    links.nth(3).wait_for()
    assert "Ada" in (links.first.text_content() or "")
    host.page.wait_for_selector("#tables-list li[data-table]")
    table = visitors.follow(host, "#opened-list a.button >> nth=0").settled()
    assert table.table["names"][0] == "Ada"
    table.play_turns(rolling("lobby"))
    assert "old oak" in table.settled().text("#ending")
    table.page.click("#lobby")
    table.page.wait_for_selector("#new", state="visible")  # the host's key came along


def test_a_wish_that_cannot_be_granted_says_what_would_be(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors)
    host.forgiven.append("400")
    host.page.select_option("#game", "sorcery")
    host.page.fill("#option-deck1", "Fire Elemantal")
    host.page.click("#open-table")
    host.until(lambda: host.text("#open-error"), "a reason")
    assert "Fire Elemental" in host.text("#open-error")
    assert host.page.locator("#opened-list .links").count() == 0


def test_without_the_key_no_table_is_opened(server: Server, visitors: Visitors) -> None:
    stranger = visitors.come()
    stranger.forgiven.append("401")
    stranger.page.goto(server.address)
    stranger.page.wait_for_selector("#locked", state="visible")
    assert not stranger.page.locator("#new").is_visible()
    stranger.page.fill("#key", server.lobby)
    stranger.page.click("#unlock button")
    stranger.page.wait_for_selector("#new", state="visible")


def test_a_link_that_opens_nothing_says_so(server: Server, visitors: Visitors) -> None:
    opened = server.open("lcr", seats=3)
    stranger = visitors.come()
    stranger.page.goto(opened["links"][0].partition("#")[0] + "#nonsense")
    stranger.page.wait_for_selector("#fatal", state="visible")
    assert stranger.text("#fatal")
