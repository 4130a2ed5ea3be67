"""Resigning and offering a draw in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, expect

from tests.browser.conftest import WIDE, Visitors, mainly
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow

PHONES = ((320, 640), (390, 844), (667, 375))


def two_at_sorcery(server: Server, visitors: Visitors, **settings: bool) -> tuple[Screen, Screen]:
    opened = server.open("sorcery", names=["Ada", "Bo"], seed="old oak", **settings)
    ada, bo = (visitors.sit(link) for link in opened["links"])
    return ada.settled(), bo.settled()


def test_a_player_resigns_after_a_question_and_both_read_the_reason(
    server: Server, visitors: Visitors
) -> None:
    ada, bo = two_at_sorcery(server, visitors)
    ada.page.click("#open-concede")
    ada.page.click("#close-concede")
    assert ada.state["over"] is None
    ada.page.click("#open-concede")
    expect(ada.page.locator("#concede-text")).to_contain_text("You lose if you resign")
    ada.page.click("#resign")
    for screen in (ada, bo):
        expect(screen.page.locator("#ending-heading")).to_contain_text("Bo wins (Ada resigned)")
        expect(screen.page.locator("#open-concede")).to_be_hidden()
        expect(screen.page.locator("#replay")).to_be_visible()
    assert ada.page.locator("#lines", has_text="Ada resigned.").count() == 1


def test_a_draw_is_offered_and_accepted_on_the_other_side(
    server: Server, visitors: Visitors
) -> None:
    ada, bo = two_at_sorcery(server, visitors)
    for answer in ("no", "yes"):
        ada.page.click("#open-concede")
        ada.page.click("#offer-draw")
        expect(bo.page.locator("#consent")).to_contain_text("Ada asks to end the match in a draw")
        bo.page.click(f"#consent-{answer}")
        expect(bo.page.locator("#consent")).to_be_hidden()
    for screen in (ada, bo):
        expect(screen.page.locator("#ending-heading")).to_contain_text("A draw (by agreement)")


def test_a_refusal_is_shown_until_the_match_ends(server: Server, visitors: Visitors) -> None:
    ada, bo = two_at_sorcery(server, visitors)
    ada.page.click("#open-concede")
    ada.page.click("#offer-draw")
    bo.page.click("#consent-no")
    expect(ada.page.locator("#consent")).to_contain_text("Bo refused")
    bo.page.click("#open-concede")
    bo.page.click("#resign")
    expect(ada.page.locator("#ending-heading")).to_be_visible()
    expect(ada.page.locator("#consent")).to_be_hidden()


def test_a_player_among_bots_can_resign_but_offers_no_draw(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", players=["human", "random", "random"], seed="old oak")
    screen = visitors.sit(opened["links"][0]).settled()
    screen.page.click("#open-concede")
    expect(screen.page.locator("#concede-text")).to_contain_text("a bot plays on")
    expect(screen.page.locator("#offer-draw")).to_be_hidden()
    expect(screen.page.locator("#resign")).to_be_visible()


def test_a_spectator_has_no_flag(server: Server, visitors: Visitors) -> None:
    opened = server.open("sorcery", names=["Ada", "Bo"])
    screen = visitors.sit(opened["spectators"])
    expect(screen.page.locator("#picture svg")).to_be_visible()
    expect(screen.page.locator("#open-concede")).to_be_hidden()


@pytest.mark.parametrize("size", mainly(*PHONES))
def test_questions_and_lessons_on_a_phone_leave_seats_board_and_prompt_visible(
    server: Server, visitors: Visitors, size: tuple[int, int]
) -> None:
    opened = server.open("sorcery", names=["Ada", "Bo"], seed="old oak")
    ada = visitors.sit(opened["links"][0].replace("#", "?learn#"), size=size)
    expect(ada.page.locator("#lesson")).to_be_visible()
    assert covered(ada, "#lesson") == []
    bo = visitors.sit(opened["links"][1], size=size)
    bo.page.click("#open-concede")
    bo.page.click("#offer-draw")
    for screen, button in ((ada, "#consent-yes"), (bo, "#consent-no")):
        expect(screen.page.locator(button)).to_be_in_viewport(ratio=1)
        assert covered(screen, "#consent") == []


@pytest.mark.parametrize("size", mainly(*PHONES))
def test_on_a_phone_invitations_and_pauses_leave_the_seats_visible(
    server: Server, visitors: Visitors, size: tuple[int, int]
) -> None:
    opened = server.open("sorcery", names=["Ada", "Bo"], clock=600)
    ada = visitors.sit(opened["links"][0], size=size)
    expect(ada.page.locator("#open-invite")).to_be_in_viewport(ratio=1)
    assert covered(ada, "#inviting") == []
    bo = visitors.sit(opened["links"][1])
    bo.page.close()
    ada.page.click("#open-about")
    ada.page.get_by_role("button", name="pause").click()
    expect(ada.page.locator("#go-on")).to_be_in_viewport(ratio=1)
    assert covered(ada, "#hold") == []
    watcher = visitors.sit(opened["spectators"], size=size)
    expect(watcher.page.locator("#hold")).to_be_visible()
    assert set(covered(watcher, "#hold")) <= {"#prompt"}


def covered(screen: Screen, notice: str) -> list[str]:
    """Return what a notice overlaps that a player reads meanwhile."""
    parts = ["#seats", "#picture", "#prompt", "#quick", "#tools"]
    boxes = {it: screen.page.locator(it).bounding_box() for it in [notice, *parts]}
    above = boxes.pop(notice)
    assert above is not None
    return [name for name, box in boxes.items() if box is not None and overlap(above, box)]


def overlap(a: FloatRect, b: FloatRect) -> bool:
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def test_the_flag_fits_into_the_header_and_leaves_the_board_alone(
    server: Server, visitors: Visitors
) -> None:
    ada, _ = two_at_sorcery(server, visitors, casual=True)  # with hints
    for width, height in (*PHONES, WIDE):
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.wait_for_timeout(100)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
        flag = ada.page.locator("#open-concede").bounding_box()
        assert flag is not None
        assert flag["x"] + flag["width"] <= width
    board = ada.page.locator("#picture").bounding_box()
    ada.page.click("#open-concede")
    ada.page.click("#offer-draw")
    expect(ada.page.locator("#consent")).to_be_visible()
    assert ada.page.locator("#picture").bounding_box() == board
