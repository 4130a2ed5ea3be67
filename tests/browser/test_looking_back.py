"""Looking back: an earlier position stands there until somebody wants to be here again."""

from __future__ import annotations

import pytest

from tests.browser.conftest import NARROW, WIDE, Visitors
from tests.browser.policies import building, duel, rolling
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


def in_a_duel(
    server: Server, visitors: Visitors, *, turns: int = 5, narrow: bool = False
) -> Screen:
    """A person at a casual table of Sorcery, who has done some things."""
    players = ["human", "duelist"]
    opened = server.open("sorcery", players=players, seed="old oak", casual=True)
    server.play(opened["table"], duel("back"), turns)
    screen = visitors.sit(opened["links"][0], size=NARROW if narrow else WIDE)
    screen.until(lambda: screen.state["your_turn"], "a turn")
    return screen.settled()


def then(screen: Screen) -> str:
    """What is said of how far back it is."""
    return " ".join(screen.text("#then > p").split())


def at(screen: Screen, ply: int) -> Screen:
    """Wait until the position after so many actions is shown."""
    said = f"after {ply} of" if ply else "before the first of"
    screen.page.locator("#then-text", has_text=said).wait_for()
    return screen


def is_here(screen: Screen) -> bool:
    """Whether the present position is shown, and can be played at."""
    page = screen.page
    shown = not page.locator("#then, #past").first.is_visible()
    can = not page.evaluate("() => document.getElementById('picture').inert")
    return shown and can and page.locator("#picture .tt-lit").count() > 0


def test_a_line_of_the_log_shows_the_position_of_then_where_nothing_can_be_clicked(
    server: Server, visitors: Visitors
) -> None:
    screen = in_a_duel(server, visitors)
    page, present = screen.page, screen.page.locator("#picture").inner_html()
    lines = page.locator("#lines li[tabindex]")
    ply = int(lines.nth(6).get_attribute("data-ply") or 0)
    assert 0 < ply < screen.ply()
    lines.nth(6).click()
    at(screen, ply)
    assert then(screen).startswith(f"Looking back: after {ply} of {screen.ply()} actions")
    assert page.locator("#past > svg").is_visible()
    assert page.locator("#past [tabindex], #past [role=button], #past [data-action]").count() == 0
    assert page.evaluate("() => document.getElementById('choices').inert")
    assert page.locator("#lines li[aria-current]").get_attribute("data-ply") == str(ply)
    later = page.locator("#lines li.later").evaluate_all("all => all.map(it => +it.dataset.ply)")
    assert later
    assert min(later) >= ply
    told = screen.told["past"]
    assert screen.text("#position") == told["text"] != screen.state["text"]
    page.locator("#past svg .tt-part").first.click()
    assert not page.locator("#bubble").is_visible()
    page.click("#then-now")
    assert is_here(screen)
    assert page.locator("#picture").inner_html() == present
    assert screen.text("#position") == screen.state["text"]
    assert page.locator("#lines .later, #lines [aria-current]").count() == 0


def test_with_the_keyboard_alone_one_comes_back_and_goes_on(
    server: Server, visitors: Visitors
) -> None:
    screen = in_a_duel(server, visitors)
    page, keys, newest = screen.page, screen.page.keyboard, screen.ply()
    page.focus("#look-back")
    for place in ("#turn-lines", "#lines"):
        keys.press("Tab")
        assert page.evaluate(f"() => document.activeElement.matches('{place} li')")
    assert page.locator("#lines li[tabindex='0']").count() == 1
    for _ in range(4):
        keys.press("ArrowUp")
    ply = page.evaluate("() => +document.activeElement.dataset.ply")
    keys.press("Enter")
    at(screen, ply)
    keys.press("ArrowLeft")
    at(screen, ply - 1)
    keys.press("ArrowRight")
    at(screen, ply)
    for _ in range(newest):  # faster than anybody asks
        keys.press("ArrowLeft")
    at(screen, 0)
    assert page.locator("#then-back").is_disabled()
    keys.press("ArrowLeft")
    keys.press("h")
    keys.press("/")
    at(screen, 0)
    for _ in range(newest):
        keys.press("ArrowRight")
    screen.until(lambda: is_here(screen), "now")
    page.click("#look-back")
    at(screen, newest - 1)
    keys.press("Escape")
    assert is_here(screen)


def test_news_are_told_and_throw_nobody_out(server: Server, visitors: Visitors) -> None:
    # First basements are chosen there and back again, whatever the dice: 0 1 2 3 3 2 1 0.
    opened = server.open("constructor", players=["human"] * 4)
    server.play(opened["table"], building("x"), 2)
    watching = visitors.sit(opened["spectators"])
    ada = visitors.sit(opened["links"][0])
    for screen in (watching, ada):
        screen.until_ply(2)
        screen.settled().page.click("#look-back")
        at(screen, 1)
        assert then(screen) == "Looking back: after 1 of 2 actions"
    server.play(opened["table"], building("x"), 5)
    for screen, turn in ((watching, ""), (ada, ", and it is your turn")):
        screen.page.locator("#then-news", has_text="since").wait_for()
        screen.until_ply(7)
        assert then(screen) == f"Looking back: after 1 of 7 actions 5 actions since{turn}"
        assert screen.page.locator("#past > svg").is_visible()
        screen.page.click("#then-now")
        assert screen.settled().page.locator("#picture > svg").is_visible()


def test_what_was_taken_back_leads_nowhere(server: Server, visitors: Visitors) -> None:
    opened = server.open("sorcery", players=["human", "duelist"], seed="old oak", casual=True)
    server.play(opened["table"], duel("back"), 5)
    screen, other = (visitors.sit(opened["links"][0]) for _ in range(2))
    screen.until(lambda: screen.state["your_turn"], "a turn")
    other.until(lambda: other.state["your_turn"], "a turn")
    other.settled()
    screen.settled()
    page, newest = screen.page, screen.ply()
    page.click("#look-back")
    at(screen, newest - 1)
    other.page.click("#undo")
    screen.until(lambda: screen.ply() < newest, "an undo")
    page.locator("#then").wait_for(state="hidden")
    gone = page.locator("#lines li.gone")
    screen.until(lambda: gone.count() > 0, "a line that leads nowhere")
    plies = gone.evaluate_all("all => all.map(it => +it.dataset.ply)")
    assert min(plies) > screen.ply()
    gone.first.click()
    assert gone.first.get_attribute("tabindex") is None
    page.wait_for_timeout(200)
    assert screen.told["past"]["ply"] == newest - 1, "nothing else has been asked for"
    assert not page.locator("#then").is_visible()


def test_on_a_phone_the_log_gives_way_to_the_position(server: Server, visitors: Visitors) -> None:
    screen = in_a_duel(server, visitors, narrow=True)
    page, newest = screen.page, screen.ply()
    page.locator("#bar-log").tap()
    page.locator("#lines li[tabindex]").last.tap()  # the present position
    assert is_here(screen) is True
    page.locator("#look-back").tap()
    at(screen, newest - 1)
    assert not page.locator("#story").is_visible()
    box = page.locator("#then").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= NARROW[0]
    for button in ("#then-back", "#then-on", "#then-now"):
        size = page.locator(button).bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 44
    page.locator("#then-back").tap()
    at(screen, newest - 2)
    assert 'width="390"' in screen.told["past"]["svg"]
    page.locator("#then-now").tap()
    assert is_here(screen)


def test_a_match_that_is_over_can_be_gone_through(server: Server, visitors: Visitors) -> None:
    opened = server.open("lcr", players=["human", "random", "random"], seed="plum")
    server.play(opened["table"], rolling("x"))
    screen = visitors.sit(opened["links"][0])
    screen.until_replay_page()
    screen.settled()
    screen.page.click("#look-back")
    at(screen, screen.ply() - 1)
    assert screen.page.locator("#past > svg").is_visible()
    assert screen.page.locator("#again").is_visible()
    assert not screen.page.evaluate("() => document.getElementById('ending').inert")
    screen.page.keyboard.press("Escape")
    assert not screen.page.locator("#then").is_visible()
    assert screen.page.locator("#picture > svg").is_visible()
