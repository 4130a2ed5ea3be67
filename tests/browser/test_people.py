"""Several people at a table: hidden hands, consent, and seats that are handed over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.errors import TabletopError
from tabletop.registry import load
from tabletop.table.idle_timeout import IdleTimeout
from tabletop.table.inputs import Reseat, Tick
from tabletop.table.successors import Successors
from tabletop.web.runner import TableRunner
from tests.browser.conftest import NARROW, WIDE, Visitors
from tests.browser.policies import duel
from tests.browser.screen import Screen
from tests.browser.server import HASTY, Server, served

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
    match = server.hosting.tables.listing.live[opened["table"]].table.match
    decide, shown = duel("two"), set[str]()
    for _ in range(4):
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
        assert "asks to undo 1 action" in other.text("#consent")
        assert mover.text("#position") == after
        mover.page.get_by_text("Waiting for an answer.").wait_for()
        other.page.click(f"#consent-{answer}")
        if answer == "no":
            mover.page.get_by_text("refused the undo request").wait_for()
            assert mover.settled().text("#position") == after
    mover.until_ply(0)
    assert mover.settled().text("#position") == before
    other.until_ply(0)


@pytest.mark.matrix  # the conversations test the same without a browser
def test_who_has_asked_to_take_back_can_withdraw_it(server: Server, visitors: Visitors) -> None:
    mover, other = two_at_sorcery(server, visitors)
    play_a_card(mover, other)
    mover.page.click("#undo")
    mover.page.get_by_role("button", name="Withdraw").click()
    assert mover.page.evaluate("() => document.activeElement.id") == "picture"
    other.page.get_by_text("withdrawn the request").wait_for()
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
    said = "the Random bot plays for Ada now"
    ada.page.locator("#lines .remark", has_text=said).wait_for(state="attached")
    bo.until(lambda: bo.ply() >= 1, "the move of the bot")
    assert "Random bot" in bo.text('.seat[data-seat="0"]')
    ada.page.click("#open-about")
    ada.page.select_option("#player-0", "human")
    for screen in screens:
        screen.until_played_by(0, "human")
    assert "bot" not in bo.text('.seat[data-seat="0"]')


def table_of(server: Server, opened: dict[str, Any]) -> TableRunner:
    """A table, as the server has it."""
    return server.hosting.tables.listing.live[opened["table"]].runner


def test_a_bot_that_plays_for_somebody_is_said_until_they_play_themselves(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"], seed="old oak")
    ada, bo = (visitors.sit(link) for link in opened["links"][:2])
    server._loop.call_soon_threadsafe(table_of(server, opened).receive, Reseat(0, "random"))
    ada.page.get_by_text("The Random bot is playing for you.").wait_for()
    bo.until_played_by(0, "random")
    assert bo.text("#standing") == ""
    ada.page.click("#standing button")
    bo.until_played_by(0, "human")
    ada.until(lambda: ada.text("#standing") == "", "an end of it")


def test_who_has_no_time_left_is_told_so_and_offered_nothing_that_is_refused(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"], clock=600)
    ada = visitors.sit(opened["links"][0])
    table = table_of(server, opened)

    def run_out() -> None:
        table.table.clocks._left[0] = 0.0
        table.receive(Reseat(0, "random"))

    server._loop.call_soon_threadsafe(run_out)
    ada.page.get_by_text("Your time is up: a bot plays this seat.").wait_for()
    assert ada.page.locator("#standing button").count() == 0
    ada.page.click("#open-about")
    assert ada.page.locator("#player-0 option[value=human]").is_disabled()


def test_what_is_refused_in_the_dialog_is_said_above_it_and_nothing_seems_done(
    server: Server, visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise TabletopError("not today")

    monkeypatch.setattr(Successors, "reseat_for", refuse)
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"])
    page = visitors.sit(opened["links"][0]).page
    page.click("#open-about")
    page.select_option("#player-0", "random")
    page.locator("#about #bubble").get_by_text("not today").wait_for()
    assert page.input_value("#player-0") == "human"


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Server]:
    """A server where who is away may be replaced at once."""
    with served(tmp_path, limits=replace(HASTY, away_timeout=0.1)) as server:
        yield server


@pytest.mark.parametrize(
    "size",
    [pytest.param(NARROW, id="narrow"), pytest.param(WIDE, id="wide", marks=pytest.mark.matrix)],
)
def test_the_seat_of_who_has_gone_is_given_to_a_bot_beside_the_board(
    impatient: Server, visitors: Visitors, size: tuple[int, int]
) -> None:
    players = ["human", "human", "random"]
    opened = impatient.open("lcr", names=["Ada", "Bo", "Cy"], players=players)
    ada, bo = (visitors.sit(link, size=size) for link in opened["links"][:2])
    bo.page.goto("about:blank")
    notice = ada.page.locator("#standing .notice")
    notice.get_by_text("Bo has been away for a long time.").wait_for()
    assert ada.page.locator("#notes .notice").count() == 0, "it is said once"
    told, board = notice.bounding_box(), ada.page.locator("#board").bounding_box()
    assert told
    assert board
    beside = told["x"] >= board["x"] + board["width"]
    assert beside or told["y"] >= board["y"] + board["height"], "it covers nothing of the board"
    notice.get_by_role("button", name="Let a bot play").click()
    ada.until(lambda: ada.table["players"][1] != "human", "a bot")
    notice.wait_for(state="detached")


def test_who_does_not_act_is_told_so_in_other_words_than_the_others(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"], players=["human", "human", "random"])
    screens = [visitors.sit(link) for link in opened["links"][:2]]
    slow = screens[0].state["turn"][0]
    table = table_of(server, opened)

    def wait() -> None:
        table.table.successors.idle = IdleTimeout(0.2)
        table.receive(Tick())

    server._loop.call_soon_threadsafe(wait)
    screens[slow].page.get_by_text("You have not moved for a long time").wait_for()
    screens[1 - slow].page.get_by_text("has not acted for a long time.").wait_for()
    for screen in screens:
        assert "this seat may be given" not in screen.text("#notes")


@pytest.mark.long
def test_a_player_passes_until_the_end_of_the_turn(tmp_path: Path, visitors: Visitors) -> None:
    with served(tmp_path, games=[load("tests/tabletop/games/guards.py")]) as server:
        opened = server.open("guards", names=["Ada", "Bo", "Cy"])
        ada, bo, _ = (visitors.sit(link) for link in opened["links"])
        button = bo.page.locator("#choices .pass-turn")
        assert not button.count()
        ada.settled().type("take")
        button.click()
        ada.until_ply(3)
        ada.settled().type("take")
        button.get_by_text("Stop passing").wait_for()
        bo.until_ply(6)
        bo.settled()
        assert not button.count()
