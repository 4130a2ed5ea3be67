"""The last turn of the other players, and the log, next to the board."""

from __future__ import annotations

from functools import partial

import pytest

from tests.browser.conftest import NARROW, Visitors
from tests.browser.policies import building, rolling
from tests.browser.scenes import shown, staged
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow

SHOWN_END = "log => log.scrollHeight - log.scrollTop - log.clientHeight < 2"
"""Whether the newest line of the log is visible."""


def lines(screen: Screen, selector: str) -> list[str]:
    """Return the lines of a list."""
    return screen.page.locator(f"{selector} li").all_text_contents()


def test_the_turn_of_the_others_stays_listed_during_the_player_s_own_turn(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("sorcery", players=["human", "human"], names=["Ann", "Ben"])
    ann, ben = (visitors.sit(link) for link in opened["links"])
    assert not ann.page.locator("#turn").is_visible()
    ann.type("end")
    ben.until_ply(1)
    ben.settled().type("end")
    ann.until_ply(2)
    assert ann.settled().text("#turn-heading") == "What Ben did"
    turn = lines(ann, "#turn-lines")
    assert "Ben ends the turn." in turn
    assert not [line for line in turn if line.startswith("Ann")]
    ann.choose(ann.state["choices"][0])
    if ann.state["your_turn"]:
        assert lines(ann.settled(), "#turn-lines") == turn
    ann.page.reload()
    ann.settled()
    ben.until_ply(3)


def test_the_log_does_not_repeat_the_lines_of_the_last_turn(
    server: Server, visitors: Visitors
) -> None:
    screen = shown(visitors.sit(staged(server, "constructor-middle")))
    visible_lines = """() => [...document.querySelectorAll("#lines li")]
        .filter((line) => line.getBoundingClientRect().height > 10).length"""
    log = screen.page.evaluate(visible_lines)
    turn = lines(screen, "#turn-lines")
    assert turn
    assert log
    assert screen.page.locator("#lines li").count() == log + len(turn)
    screen.page.click("#look-back")
    screen.until(lambda: screen.page.evaluate(visible_lines) > log, "the whole log")


def test_a_line_of_the_turn_marks_its_part_of_the_board(server: Server, visitors: Visitors) -> None:
    screen = shown(visitors.sit(staged(server, "sorcery-middle")))
    for _ in ("played before the page was opened", "played since"):
        assert marked(screen) == 0
        screen.page.locator("#turn-lines li", has_text="attacks").first.hover()
        screen.until(partial(marked, screen), "a mark on the attacker")
        screen.page.mouse.move(2, 300)
        assert marked(screen) == 0
        ply = screen.ply()
        screen.type("end")
        screen.until_asked_after(ply)
        screen.settled()


def test_on_a_phone_a_tap_on_a_line_shows_its_part_of_the_board(
    server: Server, visitors: Visitors
) -> None:
    screen = visitors.sit(staged(server, "sorcery-middle"), size=NARROW)
    shown(screen)
    screen.page.get_by_role("button", name="Last turn").tap()
    screen.page.locator("#turn-lines li", has_text="attacks").first.tap()
    screen.page.locator("#story").wait_for(state="hidden")
    screen.until(partial(marked, screen), "a mark on the attacker")


def marked(screen: Screen) -> int:
    """Return how many parts are marked because the player points at a line."""
    return screen.page.locator("#picture .tt-pointed").count()


def test_the_log_follows_after_a_notice_has_taken_its_room(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", players=["human"] * 8)
    screen = visitors.sit(opened["links"][0])
    log = screen.page.locator("#log")
    server.play(opened["table"], rolling("log"), 20)
    screen.until_ply(20)
    screen.settled()
    assert log.evaluate("log => log.scrollHeight > log.clientHeight")
    assert log.evaluate(SHOWN_END)
    screen.page.evaluate(
        """() => {
            const notice = document.createElement("p");
            notice.style.height = "200px";
            document.getElementById("notes").append(notice);
        }"""
    )
    screen.until(lambda: log.evaluate(SHOWN_END), "the newest line")
    server.play(opened["table"], rolling("log"), 1)
    screen.until_ply(21)
    screen.settled()
    assert log.evaluate(SHOWN_END)
    log.evaluate("log => { log.scrollTop = 0; }")
    screen.page.wait_for_timeout(100)
    server.play(opened["table"], rolling("log"), 1)
    screen.until_ply(22)
    screen.settled()
    assert log.evaluate("log => log.scrollTop") == 0, "the reader has scrolled to earlier lines"


def test_lines_of_the_turn_below_the_end_of_a_long_log_do_not_make_the_page_higher(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("sorcery", players=["human", "random"], seed="old oak")
    screen = visitors.sit(opened["links"][0])
    for _ in range(5):
        ply = screen.ply()
        screen.type("end")
        screen.until_asked_after(ply)
    screen.settled()
    assert screen.page.locator("#lines > .above").count()
    assert screen.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


def test_undo_does_not_strike_out_what_was_said(server: Server, visitors: Visitors) -> None:
    opened = server.open("sorcery", players=["human", "human"], names=["Ann", "Ben"])
    ann, ben = (visitors.sit(link) for link in opened["links"])
    ann.choose(next(it for it in ann.state["choices"] if it["words"] != "end"))
    ben.page.fill("#say", "well played")
    ben.page.press("#say", "Enter")
    ann.page.locator("#lines .chat").wait_for()
    ann.page.click("#undo")
    ben.page.click("#consent-yes")
    ann.until(lambda: ann.page.locator("#lines .gone").count(), "an undone action")
    assert "gone" not in (ann.page.locator("#lines .chat").get_attribute("class") or "")


def test_moves_are_animated_at_the_chosen_speed(server: Server, visitors: Visitors) -> None:
    opened = server.open("constructor", players=["human"] * 3)
    screen = visitors.sit(opened["links"][0], motion="no-preference", alone=True)
    screen.page.evaluate(NOTE_DURATIONS)
    longest = []
    for ply, speed in enumerate(("slow", "fast", "none"), 1):
        screen.page.click("#open-about")
        screen.page.select_option("#speed", speed)
        screen.page.click("#close-about")
        screen.page.evaluate("() => { window.durations = []; }")
        server.play(opened["table"], building("speed"), 1)
        screen.until_ply(ply)
        screen.until(screen.shows_newest, "the newest state")
        longest.append(screen.page.evaluate("() => Math.max(0, ...window.durations)"))
    assert longest == [600, 96, 0]


NOTE_DURATIONS = """() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        window.durations.push(how.duration);
        return animate.call(this, frames, how);
    };
}"""
"""Notes how long each animation takes."""
