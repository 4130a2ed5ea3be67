"""Several people at a table: hidden hands, consent, and seats that are handed over."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitors
from tests.browser.policies import duel
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


DECKS = (
    ["Earth Elemental", "Potion Seller", "Novice Pyromancer", "Aura of Power", "Magic Fatigue"],
    ["Fire Elemental", "Bone Golem", "Giant Strength", "Dark Ritual", "Air Elemental"],
)
"""No card is in both, and none speaks of another: a name in a page says whose card it is."""


def names_in(*texts: str) -> set[str]:
    """The cards that are named in texts."""
    return {name for names in DECKS for name in names if any(name in text for text in texts)}


def test_two_browsers_play_one_match_and_neither_is_sent_the_other_s_hand(
    server: Server, visitors: Visitors
) -> None:
    decks = {f"deck{seat}": "\n".join(names * 3) for seat, names in enumerate(DECKS, 1)}
    opened = server.open("sorcery", names=["Ada", "Bo"], seed="old oak", options=decks)
    screens = [visitors.sit(link) for link in opened["links"]]
    match = server.hosting.tables._live[opened["table"]].table.session.match
    decide, shown = duel("two"), set[str]()
    for _ in range(8):
        mover = screens[screens[0].state["turn"][0]].settled()
        mover.choose(decide(mover.state["choices"]))
        for seat, screen in enumerate(screens):
            screen.until_ply(mover.ply())
            shown |= names_in(str(match.view()))
            seen = names_in(*screen.received, screen.page.content())
            assert seen & {*DECKS[seat]}
            assert seen & {*DECKS[1 - seat]} <= shown
    assert shown
    assert names_in(str(match.state)) - shown, "something was hidden"


def two_at_sorcery(server: Server, visitors: Visitors) -> tuple[Screen, Screen]:
    """Two people at a new table: the one to move, and the other."""
    opened = server.open("sorcery", names=["Ada", "Bo"], seed="old oak", options={"testing": True})
    screens = [visitors.sit(link) for link in opened["links"]]
    turn = screens[0].state["turn"][0]
    return screens[turn], screens[1 - turn]


def play_a_card(mover: Screen, other: Screen) -> None:
    """Play the first card that can be played without more ado."""
    choices = mover.settled().state["choices"]
    mover.choose(next(choice for choice in choices if choice["words"].startswith("play")))
    other.until_ply(mover.ply())


def test_an_action_is_taken_back_only_when_the_other_person_consents(
    server: Server, visitors: Visitors
) -> None:
    mover, other = two_at_sorcery(server, visitors)
    before = mover.text("#position")
    play_a_card(mover, other)
    after = mover.settled().text("#position")
    for answer in ("no", "yes"):
        mover.page.click("#undo")
        other.page.wait_for_selector("#consent", state="visible")
        assert "asks to take back the last action" in other.text("#consent")
        assert mover.text("#position") == after
        mover.page.get_by_text("waiting.").wait_for()
        other.page.click(f"#consent-{answer}")
        if answer == "no":
            mover.page.get_by_text("said no: nothing is taken back").wait_for()
            assert mover.settled().text("#position") == after
    mover.until_ply(0)
    assert mover.settled().text("#position") == before
    other.until_ply(0)


def test_who_has_asked_to_take_back_can_withdraw_it(server: Server, visitors: Visitors) -> None:
    mover, other = two_at_sorcery(server, visitors)
    play_a_card(mover, other)
    mover.page.click("#undo")
    mover.page.get_by_role("button", name="Withdraw").click()
    other.page.get_by_text("asks no more").wait_for()
    assert other.page.locator("#consent-yes").count() == 0
    play_a_card(mover, other)  # what was said of it is old now
    other.page.wait_for_selector("#consent", state="hidden")
    assert other.ply() == 2


def test_who_plays_with_bots_alone_takes_back_freely(server: Server, visitors: Visitors) -> None:
    opened = server.open(
        "sorcery", players=["human", "duelist"], seed="old oak", options={"testing": True}
    )
    screen = visitors.sit(opened["links"][0])
    before = screen.text("#position")
    choices = screen.state["choices"]
    screen.choose(next(choice for choice in choices if choice["words"].startswith("play")))
    screen.settled().page.click("#undo")
    screen.until_ply(0)
    assert screen.settled().text("#position") == before
    screen.page.click("#redo")
    screen.until_ply(1)


def test_a_seat_is_handed_to_a_bot_and_back(server: Server, visitors: Visitors) -> None:
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"], seed="old oak")
    ada, bo = screens = [visitors.sit(link) for link in opened["links"][:2]]
    ada.page.click("#open-about")
    ada.page.select_option("#player-0", "random")
    for screen in screens:
        screen.until_played_by(0, "random")
    ada.page.keyboard.press("Escape")
    said = "the bot random plays for Ada now"
    ada.page.locator("#lines .remark", has_text=said).wait_for(state="attached")
    bo.until(lambda: bo.ply() >= 1, "the move of the bot")
    assert "bot: random" in bo.text('.seat[data-seat="0"]')
    ada.page.click("#open-about")
    ada.page.select_option("#player-0", "human")
    for screen in screens:
        screen.until_played_by(0, "human")
    assert "bot" not in bo.text('.seat[data-seat="0"]')
