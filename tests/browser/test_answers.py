"""What a table says to clicks and lines that it cannot follow, and what it shows of a part."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import NARROW, WIDE, Visitors
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


def alone(server: Server, visitors: Visitors, size: tuple[int, int] = WIDE) -> Screen:
    """Somebody who begins a match of Sorcery with a bot."""
    opened = server.open("sorcery", players=["human", "duelist"], seed="old oak")
    return visitors.sit(opened["links"][0], size=size)


def unlit_card(screen: Screen) -> str:
    """A card in the hand that cannot be played now: there is nobody to silence yet."""
    lit = {choice["path"][0] for choice in screen.state["choices"] if choice["path"]}
    cards = screen.page.locator('#picture .tt-part[data-part^="hand-"]')
    names: list[str] = cards.evaluate_all("parts => parts.map(part => part.dataset.part)")
    return next(name for name in names if name not in lit)


def test_what_cannot_be_used_says_why_when_it_is_tapped(server: Server, visitors: Visitors) -> None:
    screen = alone(server, visitors, NARROW)
    card = screen.part(unlit_card(screen))
    screen.click(card)
    screen.page.wait_for_selector("#bubble", state="visible")
    assert "Silence needs a target" in screen.text("#bubble")
    bubble, box = screen.page.locator("#bubble").bounding_box(), card.bounding_box()
    assert bubble is not None
    assert box is not None
    apart = max(box["y"] - bubble["y"] - bubble["height"], bubble["y"] - box["y"] - box["height"])
    assert apart < 40
    assert bubble["x"] >= 0
    assert bubble["x"] + bubble["width"] <= NARROW[0]
    screen.page.locator("#prompt").hover()
    undo = screen.page.locator("#undo")
    assert undo.is_disabled()
    assert "there is no action to undo" in (undo.get_attribute("title") or "")
    assert undo.get_attribute("aria-describedby") == "no-undo"
    assert "there is no action to undo" in screen.text("#no-undo")
    undo.tap(force=True)
    screen.page.get_by_text("there is no action to undo").locator("visible=true").first.wait_for()
    assert screen.ply() == 0


def test_a_line_that_is_refused_says_why_beside_it_and_another_is_played(
    server: Server, visitors: Visitors
) -> None:
    screen = alone(server, visitors)
    before = screen.text("#position")
    now = {choice["words"].split()[0] for choice in screen.state["choices"]}
    answers = {
        "attack 1 1": "no minion",
        "use 99": "“use” is not possible",
        "paly": "Possible now: ",
    }
    for line, said in answers.items():
        screen.type(line)
        screen.page.locator("#line-error", has_text=said).wait_for()
        assert screen.page.locator("#line").get_attribute("aria-invalid") == "true"
    possible = screen.text("#line-error").partition("Possible now: ")[2].rstrip(".")
    assert set(possible.split(", ")) == now
    assert screen.text("#position") == before
    screen.page.click("#actions .close")
    screen.page.keyboard.press("/")
    screen.page.keyboard.type("end")
    screen.page.keyboard.press("Enter")
    screen.until(lambda: screen.ply() > 0 and screen.state["your_turn"], "the next turn")
    screen.settled()
    assert screen.page.locator("#line").input_value() == ""


def test_an_error_about_a_line_disappears_with_the_next_action(
    server: Server, visitors: Visitors
) -> None:
    screen = alone(server, visitors)
    screen.type("paly")
    screen.page.locator("#line-error", has_text="paly").wait_for()
    screen.choose(screen.state["choices"][0])
    screen.until(lambda: screen.text("#line-error") == "", "no error")


def test_escape_and_a_click_elsewhere_take_a_choice_back(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open(
        "sorcery", players=["human", "duelist"], seed="old oak", options={"testing": True}
    )
    screen = visitors.sit(opened["links"][0])
    first = next(it["path"][0] for it in screen.state["choices"] if len(it["path"]) > 1)
    ways: list[Callable[[], object]] = [
        lambda: screen.page.keyboard.press("Escape"),
        lambda: screen.page.click("#title"),
        lambda: screen.page.click("#cancel"),
    ]
    for take_back in ways:
        screen.click(screen.part(first))
        assert screen.page.locator(".tt-chosen").count() == 1
        take_back()
        assert screen.page.locator(".tt-chosen").count() == 0
    assert screen.ply() == 0


def test_a_card_is_enlarged_with_its_text_while_it_is_pointed_at(
    server: Server, visitors: Visitors
) -> None:
    screen = alone(server, visitors)
    choice = next(it for it in screen.state["choices"] if it["words"].startswith("play"))
    card = screen.part(choice["path"][0])
    details = screen.page.locator("#inspect")
    assert not details.is_visible()
    card.hover()
    details.wait_for()
    assert screen.text("#inspect-title") == card.get_attribute("data-label")
    assert screen.text("#inspect-text") == card.get_attribute("data-about")
    drawn, enlarged = (
        it.bounding_box()
        for it in (card.locator("> .tt-ring"), details.locator("#inspect-picture > svg"))
    )
    assert drawn
    assert enlarged
    assert enlarged["width"] > 1.5 * drawn["width"]
    assert is_readable(screen)
    screen.page.mouse.move(2, 300)
    details.wait_for(state="hidden")
    card.hover()
    title = screen.text("#inspect-title")
    screen.choose(choice)  # another card may move below the mouse
    screen.until(lambda: not details.is_visible() or screen.text("#inspect-title") != title)


def is_readable(screen: Screen) -> bool:
    """Whether all texts of the enlarged card have at least 12 pixels."""
    small: float = screen.page.locator("#inspect svg text").evaluate_all(
        """texts => Math.min(...texts.filter((text) => text.textContent.trim()).map((text) =>
            parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
    )
    return small >= 12


def test_a_double_click_plays_one_card(server: Server, visitors: Visitors) -> None:
    screen = alone(server, visitors)
    whole = [
        it for it in screen.state["choices"] if len(it["path"]) == 1 and it["path"][0] != "end"
    ]
    screen.part(whole[0]["path"][0]).dblclick(delay=50)
    screen.until(lambda: screen.ply() > 0, "the card is played")
    screen.page.wait_for_timeout(300)
    assert screen.ply() == 1


def one_click(screen: Screen) -> Locator:
    """A card that one click plays."""
    return screen.part(
        next(
            it["path"][0]
            for it in screen.state["choices"]
            if len(it["path"]) == 1 and it["path"][0] != "end"
        )
    )


def test_one_tap_plays_a_card(server: Server, visitors: Visitors) -> None:
    screen = alone(server, visitors, NARROW)
    one_click(screen).tap()
    screen.until(lambda: screen.ply() == 1, "the card is played")
    assert not screen.page.locator("#inspect").is_visible()


def test_a_long_press_shows_a_card_and_does_not_play_it(server: Server, visitors: Visitors) -> None:
    screen = alone(server, visitors, NARROW)
    card = one_click(screen)
    box = card.bounding_box()
    assert box is not None
    finger = screen.page.context.new_cdp_session(screen.page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    screen.page.locator("#inspect-picture > svg").wait_for()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert screen.text("#inspect-title") == card.get_attribute("data-label")
    screen.page.wait_for_timeout(300)
    assert screen.ply() == 0
    screen.page.click("#inspect-close")
    card.tap()
    screen.until(lambda: screen.ply() == 1, "the card is played")


def test_a_player_may_want_to_be_asked_before_a_tap_plays(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("sorcery", players=["human", "duelist"], seed="old oak")
    screen = visitors.sit(opened["links"][0], size=NARROW, alone=True)
    screen.page.click("#open-about")
    screen.page.check("#confirm")
    screen.page.reload()
    screen.settled()
    one_click(screen).tap()
    screen.page.locator("#chooser button").wait_for()
    screen.page.wait_for_timeout(200)
    assert screen.ply() == 0
    screen.page.locator("#chooser button").click()
    screen.until(lambda: screen.ply() == 1, "the card is played")
