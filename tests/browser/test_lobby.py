"""The lobby: a table is opened, its links are handed out, seats are taken, and people come back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import Visitors
from tests.browser.policies import rolling
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


def in_lobby(server: Server, visitors: Visitors, *, alone: bool = False) -> Screen:
    """Somebody with the lobby's key, before the form; `alone` in a browser of their own."""
    host = visitors.come(alone=alone)
    host.page.goto(server.lobby)
    host.page.wait_for_selector("#people-list li")
    return host


def test_a_table_is_opened_in_the_lobby_and_played_and_leads_back_there(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors)
    host.page.select_option("#game", "lcr")
    host.page.get_by_label("Name of seat 1").fill("Ada")
    for seat in (2, 3):
        host.page.get_by_label(f"Player of seat {seat}").select_option("random")
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


@pytest.mark.parametrize("token", ["nonsense", "abc%"])
def test_a_link_that_opens_nothing_says_so(server: Server, visitors: Visitors, token: str) -> None:
    opened = server.open("lcr", seats=3)
    stranger = visitors.come()
    stranger.page.goto(opened["links"][0].partition("#")[0] + f"#{token}")
    stranger.page.wait_for_selector("#fatal", state="visible")
    assert stranger.text("#fatal")


def mine(screen: Screen, table: str) -> Locator:
    """A table in the list of one's own."""
    return screen.page.locator(f"#mine-list li[data-table='{table}']")


def test_a_seat_is_taken_from_the_list_and_found_again_under_my_tables(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors, alone=True)
    host.page.select_option("#game", "sorcery")
    host.page.get_by_label("Player of seat 2").select_option("human")
    host.page.check("#open-seats")
    host.page.click("#open-table")
    table = host.page.locator("#opened-list .links").first.get_attribute("data-table") or ""
    guest = in_lobby(server, visitors, alone=True)
    row = guest.page.locator(f"#tables-list li[data-table='{table}']")
    assert "1 seat free" in (row.text_content() or "")
    assert row.get_by_role("link", name="Watch").count() == 1
    guest.page.set_viewport_size({"width": 390, "height": 800})
    joins, form = (guest.page.locator(it).bounding_box() for it in (f"#join-{table}", "#new"))
    assert joins is not None
    assert form is not None
    assert joins["y"] < form["y"], "on a phone, tables to join come before the form"
    guest.page.fill("#my-name", "Bo")
    row.get_by_role("button").click()
    guest.page.wait_for_url("**/t/**")
    assert guest.settled().table["your_seats"] == [1]
    host.page.locator("#opened-list >> text=taken over by another player").wait_for(timeout=30_000)
    guest.page.click("#open-about")
    assert "The link to watch" in guest.text("#about-body")
    guest.page.click("#to-lobby")
    own = mine(guest, table)
    own.locator("text=Continue as Bo").wait_for()
    assert own.get_attribute("data-state") == "on"
    own.locator("a").click()
    assert guest.settled().table["your_seats"] == [1]
    # Who has opened it is told the links again, in another tab, and not the one that was taken.
    later = visitors.another_tab(host.page.context)
    later.page.goto(server.address)
    later.forgiven.append("401")
    mine(later, table).get_by_role("button", name="Links").click()
    links = later.page.locator("#opened-list .links li")
    links.nth(2).wait_for()
    assert "/t/" in links.first.locator("input").input_value()
    assert "taken over by another player" in (links.nth(1).text_content() or "")
    mine(later, table).get_by_role("button", name="Remove").click()
    later.until(lambda: mine(later, table).count() == 0, "a list without it")
    later.page.reload()
    later.page.wait_for_selector("#locked", state="visible")
    assert not later.page.locator("#mine").is_visible()


LOOK = "() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
"""Makes the lobby look how all stands."""


def test_lists_stay_as_they_are_while_nothing_changes_and_a_refusal_is_said_once(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors, alone=True)
    host.forgiven.append("500")
    host.page.select_option("#game", "lcr")
    host.page.click("#open-table")
    row = host.page.locator("#mine-list li[data-state=on]")
    row.wait_for()
    row.evaluate("it => { it.dataset.same = 'yes'; }")
    with host.page.expect_response("**/api/mine"):
        host.page.evaluate(LOOK)
    host.page.wait_for_timeout(100)
    assert row.get_attribute("data-same") == "yes"
    host.page.route("**/links", lambda it: it.fulfill(status=500, json={"error": "not now"}))
    for _ in range(2):
        with host.page.expect_response("**/links"):
            row.get_by_role("button", name="Links").click()
        host.until(lambda: host.text("#mine-error") == "not now", "the reason")
    focused = host.page.evaluate("() => document.activeElement.id")
    assert focused == f"links-{row.get_attribute('data-table')}"
    assert host.page.get_by_text("not now").count() == 1


def test_who_is_refused_a_seat_is_still_at_the_button(server: Server, visitors: Visitors) -> None:
    opened = server.open("lcr", players=["human", "human", "random"], open=[1])
    guest = in_lobby(server, visitors, alone=True)
    guest.forgiven.append("500")
    guest.page.route("**/join", lambda it: it.fulfill(status=500, json={"error": "not now"}))
    guest.page.click(f"#join-{opened['table']}")
    guest.until(lambda: guest.text("#join-error") == "not now", "the reason")
    focused = "() => document.activeElement.id"
    guest.until(lambda: guest.page.evaluate(focused) == f"join-{opened['table']}", "the focus")


def test_an_answer_that_breaks_off_is_none(server: Server, visitors: Visitors) -> None:
    host = in_lobby(server, visitors, alone=True)
    host.page.select_option("#game", "lcr")
    host.page.click("#open-table")
    host.page.locator("#mine-list li[data-state=on]").wait_for()
    for path in ("**/api/mine", "**/api/tables", "**/links"):
        host.page.route(path, lambda it: it.fulfill(status=200, body='{"half'))
    with host.page.expect_response("**/api/mine"):
        host.page.evaluate(LOOK)
    host.page.locator("#tables-list .error", has_text="cannot be reached").wait_for()
    host.page.get_by_role("button", name="Links").click()
    host.page.locator("#mine-error", has_text="cannot be reached").wait_for()
    assert host.page.locator("#mine-list li[data-state=on]").count() == 1


def test_my_tables_say_what_is_over_and_what_is_gone(server: Server, visitors: Visitors) -> None:
    over = server.open("lcr", names=["Ada"], players=["human", "random", "random"])
    ended = server.open("lcr", names=["Bo"], seats=3)
    ada = visitors.sit(over["links"][0], alone=True)
    ada.page.goto(ended["links"][0])
    ada.settled()
    server.play(over["table"], rolling("mine"))
    server.end(ended["table"])
    ada.until(lambda: ada.page.locator("#stopped").is_visible(), "the end of the table")
    ada.page.evaluate(
        """() => {
            const kept = JSON.parse(localStorage.getItem("tabletop:mine"));
            const other = (table, link) => ({...kept[0], table, seats: [{link, as: "Cy"}]});
            const gone = other("nowhere12345", "/t/nowhere12345#x");
            const evil = other("evil12345678", "javascript:alert(1)");
            localStorage.setItem("tabletop:mine", JSON.stringify([gone, evil, 7, ...kept]));
        }"""
    )
    ada.page.goto(server.lobby)
    ada.page.get_by_role("button", name="Show all 3").click()
    for name, state, words in (
        (over["table"], "over", "over"),
        (ended["table"], "ended", "closed by the host"),
        ("nowhere12345", "gone", "no longer work"),
    ):
        row = mine(ada, name)
        row.and_(ada.page.locator(f"[data-state={state}]")).wait_for()
        assert words in (row.text_content() or "")
        assert row.locator("a").count() == (state == "over")
    assert ada.page.locator("#mine-list li").count() == 3
    assert "javascript" not in ada.page.content()


def test_where_nothing_may_be_stored_tables_are_opened_as_well(
    server: Server, visitors: Visitors
) -> None:
    host = visitors.come(alone=True)
    host.page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"]) {
            const get = () => { throw new DOMException("no", "SecurityError"); };
            Object.defineProperty(window, name, { get });
        }"""
    )
    host.page.goto(server.lobby)
    host.page.wait_for_selector("#people-list li")
    host.page.select_option("#game", "lcr")
    host.page.click("#open-table")
    host.page.locator("#mine-list li").get_by_role("button", name="Links").wait_for()
    href = host.page.locator("#opened-list a.button").first.get_attribute("href") or ""
    host.page.goto(href)
    assert host.settled().table["your_seats"] == [0]
