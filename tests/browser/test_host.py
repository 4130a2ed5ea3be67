"""The host's page: the list of visitors, the end of a table, and blocked addresses."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.browser.conftest import NARROW, Visitors
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


def at_host(server: Server, visitors: Visitors) -> Screen:
    """The host, at a phone."""
    host = visitors.come(size=NARROW, alone=True)
    host.page.goto(server.host)
    host.page.wait_for_selector("#tables-list li")
    return host


def test_the_host_sees_who_is_where_and_ends_a_table_with_two_presses(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", names=["Ada", "Bo", "Cy", "Di"], players=["human"] * 3 + ["random"])
    ada = visitors.sit(opened["links"][0], alone=True)
    host = at_host(server, visitors)
    row = host.page.locator(f"#tables-list > li[data-name='{opened['table']}']")
    assert "Ada" in (row.text_content() or "")
    assert "1 of 3 people here" in (row.text_content() or "")
    assert "Random bot" in (row.text_content() or "")
    row.locator("summary").click()
    assert row.locator("details a").first.get_attribute("href") == opened["links"][0]
    row.get_by_role("button", name="End Left").click()
    row.get_by_role("button", name="No").click()
    row.get_by_role("button", name="End Left").click()
    ada.type("roll")
    ada.until_ply(1)
    host.until(lambda: "1 action played" in (row.text_content() or ""), "the news")
    assert row.locator("details").get_attribute("open") is not None, "what is open stays so"
    row.get_by_role("button", name="Close the table permanently").click()
    host.until(lambda: row.count() == 0, "a list without it")
    ada.until(lambda: ada.page.locator("#stopped").is_visible(), "the end of the table")
    assert "The host has closed this table" in ada.text("#stopped")
    assert ada.page.locator("#stopped").get_by_text("Back to the lobby").is_visible()
    assert ada.page.locator("#picture svg").is_visible(), "what it was stays to be seen"
    assert ada.page.locator("#choices button").count() == 0
    width = host.page.evaluate("document.documentElement.scrollWidth")
    assert width <= NARROW[0], "all fits on a phone"


def test_the_host_blocks_an_address_and_unblocks_it(server: Server, visitors: Visitors) -> None:
    def asked() -> int:
        headers = {"x-forwarded-for": "203.0.113.7"}
        return httpx.get(server.address, headers=headers, timeout=60).status_code

    server.open("lcr")
    assert asked() == 200
    host = at_host(server, visitors)
    row = host.page.locator("#addresses-list > li[data-name='203.0.113.7']")
    row.get_by_role("button", name=re.compile("^Block")).click()
    row.get_by_role("button", name=re.compile("^Unblock")).wait_for()
    assert asked() == 403
    assert "blocked" in (row.text_content() or "")
    row.get_by_role("button", name=re.compile("^Unblock")).click()
    row.get_by_role("button", name=re.compile("^Block")).wait_for()
    assert asked() == 200
    own = host.page.locator("#addresses-list > li[data-name='127.0.0.1']")
    assert own.get_by_role("button").count() == 0, "nobody locks themselves out"
    assert "(you)" in (own.text_content() or "")


def test_what_the_host_is_refused_is_said_and_the_focus_stays(
    server: Server, visitors: Visitors
) -> None:
    headers = {"x-forwarded-for": "203.0.113.8"}
    httpx.get(server.address, headers=headers, timeout=60)
    host = at_host(server, visitors)
    host.forgiven.append("500")
    host.page.route("**/block", lambda it: it.fulfill(status=500, json={"error": "not now"}))
    row = host.page.locator("#addresses-list > li[data-name='203.0.113.8']")
    row.get_by_role("button").click()
    host.until(lambda: host.text("#addresses-error") == "not now", "the reason")
    host.until(lambda: row.locator("button:focus").count() == 1, "the focus")


def test_without_the_hosts_key_nothing_is_shown(server: Server, visitors: Visitors) -> None:
    stranger = visitors.come(alone=True)
    stranger.forgiven.append("401")
    stranger.page.goto(server.lobby.replace("/#", "/host#"))  # the lobby's key is another one
    stranger.page.wait_for_selector("#locked", state="visible")
    assert "does not open the host's page" in stranger.text("#key-error")
    assert not stranger.page.locator("#tables").is_visible()
    stranger.page.fill("#key", server.host)
    stranger.page.click("#unlock button")
    stranger.page.wait_for_selector("#numbers", state="visible")
    kept = "[JSON.stringify(sessionStorage), JSON.stringify(localStorage)].join()"
    assert server.host.partition("#")[2] not in stranger.page.evaluate(kept)
