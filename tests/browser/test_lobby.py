"""The lobby: games are chosen, bots played, friends invited, seats taken, and people come back."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator

from tabletop.protocol import take_seat
from tabletop.registry import Plugin
from tests.browser.conftest import NARROW, WIDE, Visitors, mainly
from tests.browser.policies import rolling
from tests.browser.scenes import shown
from tests.browser.screen import Screen
from tests.browser.server import Server, served
from tests.tabletop.web.test_links import OpenHands

pytestmark = pytest.mark.slow


def in_lobby(server: Server, visitors: Visitors, *, alone: bool = False) -> Screen:
    """Return a visitor in the lobby; `alone` with a browser of their own."""
    host = visitors.come(alone=alone)
    host.page.goto(server.lobby)
    host.page.wait_for_selector("#games-list li")
    return host


def card(screen: Screen, game: str) -> Locator:
    return screen.page.locator(f"#games-list li[data-game='{game}']")


def set_up(screen: Screen, game: str) -> None:
    """Show the options of a game."""
    card(screen, game).get_by_role("button", name="Options").click()
    screen.page.wait_for_selector("#setup[open]")


def invite(screen: Screen, game: str) -> str:
    """Open a table with friends, and return the invitation."""
    card(screen, game).get_by_role("button", name="Play with friends").click()
    screen.page.wait_for_selector("#invite[open]")
    return screen.page.input_value("#invite-link")


def invitation(server: Server) -> str:
    """Open a table with a free seat, and return the invitation."""
    told = server.open("sorcery", players=["human", "human"])
    return server.address + str(told["invitation"])


def table_of(link: str) -> str:
    return link.partition("#")[0].rpartition("/")[2]


def test_one_click_begins_a_match_against_bots_of_medium_level(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors)
    host.page.fill("#my-name", "Ada")
    card(host, "sorcery").get_by_role("button", name="Play a bot").click()
    host.page.wait_for_url("**/t/**")
    table = host.settled().table
    assert table["your_seats"] == [0]
    assert table["players"] == ["human", "fair"]
    assert table["names"][0] == "Ada"
    assert host.page.locator("#hint").is_visible()
    host.page.click("#open-about")
    host.page.click("#to-lobby")
    host.page.wait_for_selector("#games-list li", state="visible")  # the lobby's key came along
    assert host.page.input_value("#my-name") == "Ada"


COUNT_CLICKS = """addEventListener("click", () => {
    sessionStorage.setItem("clicks", 1 + Number(sessionStorage.getItem("clicks")));
}, true);"""


def clicks(screen: Screen) -> int:
    """Return the number of clicks in a tab so far."""
    return int(screen.page.evaluate("sessionStorage.getItem('clicks')"))


def newcomer(visitors: Visitors, link: str) -> Screen:
    """Return a visitor whose clicks are counted."""
    screen = visitors.come(alone=True)
    screen.page.add_init_script(COUNT_CLICKS)
    screen.page.goto(link)
    return screen


def test_two_clicks_lead_to_the_first_move_against_a_bot(
    server: Server, visitors: Visitors
) -> None:
    host = newcomer(visitors, server.lobby)
    card(host, "sorcery").get_by_role("button", name="Play a bot").click()
    host.page.wait_for_url("**/t/**")
    host.choose(shown(host).state["choices"][0])
    assert clicks(host) == 2


def test_three_clicks_on_each_side_lead_to_the_first_move_against_a_friend(
    server: Server, visitors: Visitors
) -> None:
    host = newcomer(visitors, server.lobby)
    friend = newcomer(visitors, invite(host, "sorcery"))
    friend.page.click("#sit")
    host.page.click("#invite-sit")
    for screen in (host, friend):
        screen.page.wait_for_url("**/t/**")
        screen.settled()
    host.choose(next(it for it in host.state["choices"] if it["words"] == "end"))
    friend.choose(shown(friend).state["choices"][0])
    assert clicks(host) == 3
    assert clicks(friend) <= 3


@pytest.mark.parametrize("size", mainly(NARROW, WIDE))
def test_the_first_match_shows_one_sentence_at_a_time(
    size: tuple[int, int], server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors)
    card(host, "sorcery").get_by_role("button", name="Learn").click()
    host.page.wait_for_url("**/t/**?learn#*")
    host.page.set_viewport_size({"width": size[0], "height": size[1]})
    table = host.settled()
    assert table.table["players"] == ["human", "easy"]
    assert table.table["hints"]
    sentences = table.state["lessons"]
    lesson = table.page.locator("#lesson-text")
    assert lesson.text_content() == sentences[0]
    board = table.page.locator("#board").bounding_box()
    table.page.click("#lesson-next")
    assert lesson.text_content() == sentences[1]
    table.choose(table.state["choices"][0])
    table.until(lambda: table.state["your_turn"], "a turn")
    table.until(lambda: lesson.text_content() not in sentences[:2], "another sentence")
    assert table.page.locator("#board").bounding_box() == board
    table.page.hover("#prompt")  # the details of the card would cover the button
    table.page.click("#lesson-skip")
    assert not table.page.locator("#lesson").is_visible()
    assert "?learn" not in table.page.url
    table.page.reload()
    assert not table.settled().page.locator("#lesson").is_visible()


def test_the_number_of_players_is_chosen_on_the_card(server: Server, visitors: Visitors) -> None:
    host = in_lobby(server, visitors)
    card(host, "lcr").get_by_label("Players of").select_option("5")
    card(host, "lcr").get_by_role("button", name="Play a bot").click()
    host.page.wait_for_url("**/t/**")
    assert host.settled().table["players"] == ["human", *["random"] * 4]


def test_each_card_has_a_picture_a_sentence_and_the_rules(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors)
    sorcery = card(host, "sorcery")
    assert "2 players · 30 min" in (sorcery.text_content() or "")
    sorcery.scroll_into_view_if_needed()
    width = "() => document.querySelector('[data-game=sorcery] img').naturalWidth"
    host.until(lambda: host.page.evaluate(width) > 0, "the picture")
    sorcery.get_by_role("button", name="Rules").click()
    host.page.wait_for_selector("#rules[open]")
    assert "20 life" in host.text("#rules-body")


def test_friends_sit_down_with_one_invitation(server: Server, visitors: Visitors) -> None:
    host = in_lobby(server, visitors, alone=True)
    host.page.fill("#my-name", "Ada")
    link = invite(host, "lcr")
    assert host.page.locator("#invite-here").is_visible(), "the server listens on this machine only"
    host.page.get_by_text("2 of 3 seats are free").wait_for()
    guests = []
    for name in ("Bo", "Cy"):
        guest = visitors.come(alone=True)
        guest.page.goto(link)
        guest.page.fill("#my-name", name)
        guest.page.click("#sit")
        guest.page.wait_for_url("**/t/**")
        guests.append(guest.settled())
    assert [it.table["your_seats"] for it in guests] == [[1], [2]]
    host.page.get_by_text("No seat is free any more").wait_for(timeout=30_000)
    host.page.click("#invite-sit")
    assert host.settled().table["names"] == ["Ada", "Bo", "Cy"]
    assert host.table["your_seats"] == [0]
    late = visitors.come(alone=True)
    late.page.goto(link)
    late.until(lambda: late.text("#free") == "No seat is free any more.", "that none is free")
    assert not late.page.locator("#sit").is_visible()
    guests[0].page.goto(link)
    guests[0].page.get_by_role("link", name="Continue as Bo").click()
    assert guests[0].settled().table["your_seats"] == [1]


@pytest.mark.parametrize("size", mainly(NARROW, WIDE))
def test_the_table_shows_its_invitation_while_seats_are_free(
    size: tuple[int, int], server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", players=["human"] * 3)
    host = visitors.sit(opened["links"][0], size=size, alone=True)
    host.page.click("#open-invite")
    host.page.wait_for_selector("#invite[open]")
    link = host.page.input_value("#invite-link")
    assert link == server.address + opened["invitation"]
    host.page.get_by_text("2 of 3 seats are free.").wait_for()
    host.page.click("#close-invite")
    for name in ("Ben", "Cy"):
        assert host.page.locator("#inviting").is_visible()
        take_seat(link, name)
        host.until(partial(host.page.get_by_text(name).count), name)
    host.page.wait_for_selector("#inviting", state="hidden")


def test_a_guest_whose_seat_was_taken_in_the_meantime_reads_why(
    server: Server, visitors: Visitors
) -> None:
    link = invitation(server)
    guest, other = visitors.come(alone=True), visitors.come(alone=True)
    guest.forgiven.append("409")
    for it in (guest, other):
        it.page.goto(link)
        it.page.wait_for_selector("#sit", state="visible")
    other.page.click("#sit")
    other.page.wait_for_url("**/t/**")
    guest.page.click("#sit")
    guest.until(lambda: "no seat is free" in guest.text("#sit-error"), "the reason")
    assert not guest.page.locator("#sit").is_visible()


def test_an_invitation_that_is_not_valid_says_so(server: Server, visitors: Visitors) -> None:
    link = invitation(server)
    guest = visitors.come()
    guest.forgiven.append("404")
    guest.page.goto(link[:-3])
    guest.until(lambda: "not valid" in guest.text("#problem"), "the reason")
    assert not guest.page.locator("#table").is_visible()


def test_the_page_of_an_invitation_continues_after_a_refused_request(
    server: Server, visitors: Visitors
) -> None:
    link = invitation(server)
    guest = visitors.come(alone=True)
    guest.forgiven.append("429")
    guest.page.clock.install()
    busy = "**/api/invitations/*"
    guest.page.route(busy, lambda it: it.fulfill(status=429, json={"error": "too many requests"}))
    guest.page.goto(link)
    guest.until(lambda: "too many" in guest.text("#problem"), "the reason")
    guest.page.unroute(busy)
    guest.page.clock.run_for(5000)
    guest.page.wait_for_selector("#sit", state="visible")
    guest.until(lambda: not guest.text("#problem"), "no reason any more")


def test_a_table_of_an_earlier_version_shows_the_links_of_its_seats(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors, alone=True)
    table = table_of(invite(host, "sorcery"))
    host.page.click("#close-invite")
    live = server.hosting.tables.listing.live[table]
    server.hosting.tables.listing.listed[table] = live.saved = replace(live.saved, invited=())
    mine(host, table).get_by_role("button", name="Invite").click()
    host.page.wait_for_selector("#invite[open]")
    assert not host.page.locator("#invite-link").is_visible()
    host.page.evaluate("navigator.clipboard.writeText = async (it) => { window.copied = it; }")
    host.page.get_by_role("button", name="Copy the link of Player 2").click()
    host.until(lambda: host.page.evaluate("window.copied"), "the link")
    guest = visitors.sit(host.page.evaluate("window.copied"), alone=True)
    assert guest.table["your_seats"] == [1]


def test_an_invitation_is_copied_and_shared_by_the_phone(
    server: Server, visitors: Visitors
) -> None:
    host = visitors.come(alone=True)
    host.page.add_init_script("navigator.share = async (it) => { window.shared = it; };")
    host.page.goto(server.lobby)
    host.page.wait_for_selector("#games-list li")
    link = invite(host, "lcr")
    host.page.get_by_role("button", name="Copy the invitation").click()
    host.page.get_by_role("button", name="Copy the invitation").get_by_text("Copied").wait_for()
    host.page.get_by_role("button", name="Share").click()
    assert host.page.evaluate("() => window.shared.url") == link


def test_other_devices_get_the_address_in_the_network_as_a_qr_code(
    tmp_path: Path, visitors: Visitors
) -> None:
    with served(tmp_path, host="0.0.0.0") as server:
        host = in_lobby(server, visitors, alone=True)
        link = invite(host, "lcr")
        assert link.startswith(f"{server.hosting.shared_address}/i/")
        host.page.wait_for_selector("#invite-qr", state="visible")
        assert not host.page.locator("#invite-here").is_visible()


def test_a_table_is_opened_with_options_and_played(server: Server, visitors: Visitors) -> None:
    host = in_lobby(server, visitors)
    set_up(host, "lcr")
    host.page.get_by_label("Name of seat 1").fill("Ada")
    host.page.fill("#seed", "old oak")
    host.page.click("#open-table")
    host.page.wait_for_url("**/t/**")
    table = host.settled()
    assert table.table["names"][0] == "Ada"
    table.play_turns(rolling("lobby"))
    assert "old oak" in table.settled().text("#ending")


def test_options_of_a_game_have_labels_in_words(server: Server, visitors: Visitors) -> None:
    host = in_lobby(server, visitors)
    set_up(host, "lcr")
    host.page.get_by_label("Seed of the course").fill("5")
    host.page.click("#open-table")
    host.page.wait_for_url("**/t/**")
    table = host.settled()
    table.play_turns(rolling("options"))
    assert "Seed of the course: 5" in table.settled().text("#details")


def test_settings_of_a_table_are_checked_and_sent(server: Server, visitors: Visitors) -> None:
    host = in_lobby(server, visitors)
    set_up(host, "sorcery")
    host.page.fill("#clock", "0.7")
    host.page.click("#open-table")
    host.page.wait_for_selector("#clock:focus:invalid")  # the browser has refused it
    host.page.fill("#clock", "1.5")
    host.page.fill("#increment", "3")
    host.page.check("#casual")
    host.page.check("#no-hints")
    host.page.click("#open-table")
    host.page.wait_for_url("**/t/**")
    settings = host.settled().table["settings"]
    assert (settings["clock"], settings["increment"], settings["casual"]) == (90, 3, True)
    assert not host.page.locator("#hint").is_visible()


def test_a_table_that_only_the_host_can_watch_is_not_followed(
    tmp_path: Path, visitors: Visitors
) -> None:
    with served(tmp_path, games=[Plugin(OpenHands())]) as server:
        visitor = in_lobby(server, visitors, alone=True)
        set_up(visitor, OpenHands.name)
        for player in visitor.page.locator("#people-list select").all():
            player.select_option("random")
        visitor.page.click("#open-table")
        visitor.until(lambda: "only the host" in visitor.text("#open-error"), "the reason")
        assert len(server.hosting.tables.listing.live) == 1
        visitor.page.close()


def test_a_table_that_cannot_be_opened_is_refused_with_a_reason(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors)
    host.forgiven.append("400")
    set_up(host, "sorcery")
    host.page.fill("#option-deck1", "Fire Elemantal")
    host.page.click("#open-table")
    host.until(lambda: host.text("#open-error"), "a reason")
    assert "Fire Elemental" in host.text("#open-error")
    assert host.page.locator("#setup").is_visible()


def test_without_the_key_no_table_is_opened(server: Server, visitors: Visitors) -> None:
    stranger = visitors.come()
    stranger.forgiven.append("401")
    stranger.page.goto(server.address)
    stranger.page.wait_for_selector("#locked", state="visible")
    assert not stranger.page.locator("#games").is_visible()
    stranger.page.fill("#key", server.lobby)
    stranger.page.click("#unlock button")
    stranger.page.wait_for_selector("#games", state="visible")


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
    invite(host, "lcr")
    host.page.click("#close-invite")
    set_up(host, "sorcery")
    host.page.get_by_label("Player of seat 2").select_option("human")
    host.page.check("#open-seats")
    host.page.click("#open-table")
    host.page.wait_for_selector("#invite[open]")
    invitation = host.page.input_value("#invite-link")
    table = table_of(invitation)
    guest = in_lobby(server, visitors, alone=True)
    row = guest.page.locator(f"#tables-list li[data-table='{table}']")
    assert "1 seat free" in (row.text_content() or "")
    assert guest.page.locator("#tables-list li").count() == 1, "only open tables are listed"
    assert row.get_by_role("link", name="Watch").count() == 1
    guest.page.set_viewport_size({"width": 390, "height": 800})
    joins, games = (guest.page.locator(it).bounding_box() for it in (f"#join-{table}", "#games"))
    assert joins is not None
    assert games is not None
    assert joins["y"] < games["y"], "on a phone, tables to join come before the games"
    guest.page.fill("#my-name", "Bo")
    row.get_by_role("button").click()
    guest.page.wait_for_url("**/t/**")
    assert guest.settled().table["your_seats"] == [1]
    guest.page.click("#open-about")
    assert "The link to watch" in guest.text("#about-body")
    guest.page.click("#to-lobby")
    own = mine(guest, table)
    own.locator("text=Continue as Bo").wait_for()
    assert own.get_attribute("data-state") == "on"
    own.locator("a").click()
    assert guest.settled().table["your_seats"] == [1]
    # The person who opened the table finds the invitation in another tab, too.
    later = visitors.another_window(host.page.context)
    later.page.goto(server.address)
    later.forgiven.append("401")
    mine(later, table).get_by_role("button", name="Invite").click()
    later.page.wait_for_selector("#invite[open]")
    assert later.page.input_value("#invite-link") == invitation
    later.page.click("#close-invite")
    mine(later, table).get_by_role("button", name="Remove").click()
    later.until(lambda: mine(later, table).count() == 0, "a list without it")


LOOK = "() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
"""Makes the lobby look how all stands."""


def test_lists_stay_as_they_are_while_nothing_changes_and_a_refusal_is_said_once(
    server: Server, visitors: Visitors
) -> None:
    host = in_lobby(server, visitors, alone=True)
    host.forgiven.append("500")
    invite(host, "lcr")
    host.page.click("#close-invite")
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
            row.get_by_role("button", name="Invite").click()
        host.until(lambda: host.text("#mine-error") == "not now", "the reason")
    focused = host.page.evaluate("() => document.activeElement.id")
    assert focused == f"invite-{row.get_attribute('data-table')}"
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
    invite(host, "lcr")
    host.page.click("#close-invite")
    host.page.locator("#mine-list li[data-state=on]").wait_for()
    for path in ("**/api/mine", "**/api/tables", "**/links"):
        host.page.route(path, lambda it: it.fulfill(status=200, body='{"half'))
    with host.page.expect_response("**/api/mine"):
        host.page.evaluate(LOOK)
    host.page.locator("#tables-list .error", has_text="cannot be reached").wait_for()
    host.page.get_by_role("button", name="Invite").click()
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
    host.page.wait_for_selector("#games-list li")
    invite(host, "lcr")
    host.page.click("#close-invite")
    host.page.locator("#mine-list li").get_by_role("button", name="Invite").click()
    host.page.click("#invite-sit")
    assert host.settled().table["your_seats"] == [0]
