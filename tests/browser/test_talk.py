"""People talk, watch, and stop the clocks."""

from __future__ import annotations

import pytest

from tests.browser.conftest import NARROW, Visitors
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


def say(screen: Screen, text: str) -> None:
    """Say something, and wait until it has been said."""
    screen.page.fill("#say", text)
    screen.page.press("#say", "Enter")
    screen.until(lambda: screen.page.input_value("#say") == "", "that it was said")


def test_what_is_said_stands_in_the_log_as_text_in_the_colour_of_who_says_it(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", names=["Ada", "<i>Bo</i>", "Cy"], seed="old oak")
    ada, bo = (visitors.sit(link) for link in opened["links"][:2])
    watcher = visitors.sit(opened["spectators"])
    say(bo, "<b>hello</b> & good luck")
    for screen in (ada, bo, watcher):
        line = screen.page.locator("#lines .chat")
        line.wait_for()
        assert line.text_content() == "<i>Bo</i>: <b>hello</b> & good luck"
        assert "of-red" in (line.get_attribute("class") or "")
        assert screen.page.locator("#lines i, #lines b").count() == 0
    assert ada.page.get_attribute("#log", "aria-live") == "polite"
    assert not watcher.page.locator("#talk").is_visible()
    ada.page.reload()
    again = ada.settled().page.locator("#lines .chat")
    again.wait_for()
    assert again.count() == 1
    ada.page.locator("#watching", has_text="1 watching").wait_for()


def test_a_player_who_writes_too_fast_reads_why_a_message_was_not_sent(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", seats=3)
    ada = visitors.sit(opened["links"][0])
    # In one go, because a player may send a message each second.
    ada.page.evaluate("""() => {
        const field = document.querySelector("#say");
        for (const text of [...Array(10).keys(), "one more"]) {
            field.value = text;
            field.form.requestSubmit();
        }
    }""")
    ada.page.locator("#bubble", has_text="wait a moment").wait_for()
    assert ada.page.input_value("#say") == "one more", "the text must not be lost"


def test_a_phone_says_that_something_was_said_while_the_log_was_closed(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"], seed="old oak")
    ada = visitors.sit(opened["links"][0], size=NARROW)
    bo = visitors.sit(opened["links"][1])
    assert not ada.page.locator("#unread").is_visible()
    say(bo, "are you there?")
    ada.page.locator("#unread", has_text="1 new").wait_for()
    assert ada.text("#heard") == "Bo: are you there?"
    ada.page.click("#bar-log")
    assert not ada.page.locator("#unread").is_visible()
    ada.page.locator("#lines .chat", has_text="are you there?").wait_for()
    say(ada, "yes")
    say(bo, "good")
    ada.page.locator("#lines .chat", has_text="good").wait_for()
    assert not ada.page.locator("#unread").is_visible(), "the log is open"


@pytest.mark.matrix  # the conversations test the same without a browser
def test_people_stop_the_clocks_together_and_one_lets_them_run(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"], seed="old oak", clock=600, increment=9)
    ada, bo, cy = (visitors.sit(link) for link in opened["links"])
    bo.page.click("#open-about")
    assert "each action adds 9 seconds" in bo.text("#about-body")
    bo.page.click("#pause")
    for screen in (ada, cy):
        screen.page.locator("#consent", has_text="Bo asks to stop the clocks").wait_for()
    bo.page.get_by_text("Waiting for an answer.").wait_for()
    ada.page.click("#consent-no")
    bo.page.get_by_text("Ada refused the pause").wait_for()
    bo.page.click("#open-about")
    bo.page.click("#pause")
    for screen in (ada, cy):
        screen.page.click("#consent-yes")
    for screen in (ada, bo, cy):
        screen.page.wait_for_selector("#hold", state="visible")
    stood = ada.text("[data-clock='0']")
    ada.page.wait_for_timeout(1200)
    assert ada.text("[data-clock='0']") == stood
    cy.page.click("#go-on")
    ada.page.wait_for_selector("#hold", state="hidden")
    ada.until(lambda: ada.text("[data-clock='0']") != stood, "that the clock runs")


def test_the_lobby_asks_for_clocks_and_says_what_cannot_be(
    server: Server, visitors: Visitors
) -> None:
    host = visitors.come()
    host.forgiven.append("400")
    host.page.goto(server.lobby)
    host.page.locator("[data-game=lcr]").get_by_role("button", name="Options").click()
    host.page.fill("#increment", "5")
    host.page.click("#open-table")
    host.until(lambda: host.text("#open-error"), "a reason")
    assert "needs a clock" in host.text("#open-error")
    host.page.fill("#increment", "")
    host.page.fill("#move-time", "45")
    host.page.select_option("#idle-timeout", "120")
    host.page.click("#open-table")
    host.page.wait_for_url("**/t/**")
    table = host.settled()
    settings = table.table["settings"]
    assert (settings["move_time"], settings["idle_timeout"]) == (45, 120)
    table.page.click("#open-about")
    assert "45 seconds for each action" in table.text("#about-body")
