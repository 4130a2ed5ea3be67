"""What a table tells in step with its board, and how it goes on when a match is over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.browser.conftest import NARROW, SIDEWAYS, WIDE, Visitors
from tests.browser.policies import duel, rolling
from tests.browser.screen import Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow

NOTE_STEPS = """() => {
    window.steps = [];
    const told = () => [...document.querySelectorAll('#lines li')].filter(
        (line) => line.textContent.includes('builds a basement')).length;
    const drawn = () => document.querySelectorAll(
        '#picture [aria-label*="basement on vertex"]').length;
    const note = () => window.steps.push([told(), drawn()]);
    new MutationObserver(note).observe(document.getElementById('lines'), {childList: true});
}"""
"""Notes, whenever the log has grown, how many basements it tells of and how many are drawn."""


def test_a_line_of_the_log_appears_with_the_position_that_it_led_to(
    server: Server, visitors: Visitors
) -> None:
    players = ["human", "builder", "builder", "builder"]
    # When a clock runs or stops, the table is told anew, while lines wait for their positions.
    opened = server.open("constructor", players=players, seed="old oak", clock=600)
    screen = visitors.sit(opened["links"][0], motion="no-preference")
    screen.page.evaluate(NOTE_STEPS)
    screen.click(screen.part(screen.state["choices"][0]["path"][0]))
    screen.until_asked_after(6)
    screen.until(screen.shows_newest, "the newest state")
    steps = screen.page.evaluate("() => window.steps")
    assert [told for told, drawn in steps if told != drawn] == []
    assert steps[-1] == [7, 7]
    assert len(steps) > 2


def test_a_log_has_headings_for_turns_and_the_colours_of_players(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("sorcery", players=["human", "duelist"], seed="old oak")
    screen = visitors.sit(opened["links"][0])
    screen.play_turns(duel("log"), 3)
    screen.until(lambda: screen.page.locator("#lines .turn").count() >= 2, "two turns")
    heading = screen.page.locator("#lines .turn").last
    assert "'s turn" in (heading.text_content() or "")
    assert heading.locator("svg.mark").count() == 1
    colours = screen.page.locator(
        "#lines .of-blue:not(.turn), #lines .of-red:not(.turn)"
    ).evaluate_all(
        "lines => [...new Set(lines.map((line) => getComputedStyle(line).borderLeftColor))]"
    )
    assert len(colours) == 2


# What is long, and what opens.


def box(found: Locator) -> FloatRect:
    """Where an element is."""
    place = found.bounding_box()
    assert place is not None
    return place


def test_actions_of_the_picture_are_listed_only_on_request_and_the_board_keeps_its_size(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("constructor", players=["human"] + ["builder"] * 3, seed="old oak")
    screen = visitors.sit(opened["links"][0])
    board = box(screen.page.locator("#picture"))
    choices = screen.page.locator("#choices button")
    assert screen.page.locator("#quick button").count() == 0
    assert not choices.first.is_visible()
    ways: list[Callable[[], object]] = [
        lambda: screen.page.keyboard.press("Escape"),
        lambda: screen.page.mouse.click(board["x"] + 2, board["y"] + 2),
        lambda: screen.page.click("#actions .close"),
    ]
    for close in ways:
        screen.page.click("#open-actions")
        assert choices.count() == len(screen.state["choices"])
        assert choices.first.is_visible()
        assert box(screen.page.locator("#picture")) == board
        assert box(screen.page.locator("#actions"))["x"] >= board["x"] + board["width"]
        close()
        assert not choices.first.is_visible()
    screen.page.click("#open-actions")
    choices.last.click()
    screen.until(lambda: screen.ply() > 0, "the basement")
    assert not choices.first.is_visible()
    screen.settled()
    assert box(screen.page.locator("#picture")) == board


def test_the_board_has_the_same_size_in_the_whole_match(server: Server, visitors: Visitors) -> None:
    opened = server.open("lcr", players=["human", "random", "random"], seed="holly")
    for size in (WIDE, NARROW, SIDEWAYS):
        screen = visitors.sit(opened["links"][0], size=size)
        sizes = [box(screen.page.locator("#picture"))]
        screen.page.evaluate(WATCH_SIZE)
        server.play(opened["table"], rolling("size"), 3)
        screen.until_asked_after(1)
        screen.settled()
        sizes += screen.page.evaluate("() => window.sizes")
        assert [
            it
            for it in sizes
            if (it["width"], it["height"]) != (sizes[0]["width"], sizes[0]["height"])
        ] == []


WATCH_SIZE = """() => {
    window.sizes = [];
    new ResizeObserver(([it]) => window.sizes.push(it.target.getBoundingClientRect().toJSON()))
        .observe(document.getElementById("picture"));
}"""
"""Notes the size of the picture, now and after each change."""


def test_the_table_says_truly_whether_anybody_is_asked_before_taking_back(
    server: Server, visitors: Visitors
) -> None:
    for players, casual, said in (
        (["human", "random", "random"], False, "anything, without asking"),
        (["human"] * 3, False, "if the others agree, but never past dice"),
        (["human"] * 3, True, "if the others agree, also past dice"),
    ):
        opened = server.open("lcr", players=players, casual=casual)
        screen = visitors.sit(opened["links"][0])
        screen.page.click("#open-about")
        assert said in screen.text("#about-body")
    spectator = visitors.sit(opened["spectators"])
    spectator.page.click("#open-about")
    assert "if the others agree" not in spectator.text("#about-body")


def test_a_button_that_names_a_request_closes_its_dialog_and_shows_the_refusal(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", players=["human", "human", "human"])
    player, spectator = map(visitors.sit, (opened["links"][0], opened["spectators"]))
    for screen in (player, spectator):
        screen.page.click("#open-about")
        screen.page.evaluate("""() => {
          const button = document.createElement("button");
          Object.assign(button, { id: "new", type: "button", textContent: "Pause" });
          Object.assign(button.dataset, { request: "propose", fields: '{"kind": "pause"}' });
          document.getElementById("about").append(button);
        }""")
    expect(spectator.page.locator("#new")).to_be_hidden()
    player.page.click("#new")
    expect(player.page.locator("#about")).to_be_hidden()
    expect(player.page.locator("#bubble")).to_contain_text("no clocks")


@pytest.mark.parametrize(
    "size",
    [pytest.param(NARROW, id="narrow"), pytest.param(WIDE, id="wide", marks=pytest.mark.matrix)],
)
def test_the_link_past_the_picture_leads_to_the_line_and_keeps_the_seat(
    server: Server, visitors: Visitors, size: tuple[int, int]
) -> None:
    opened = server.open("lcr", players=["human", "human", "human"])
    screen = visitors.sit(opened["links"][0], size=size)
    page = screen.page
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "line"
    assert page.locator("#line").is_visible()
    assert page.url == opened["links"][0]
    page.keyboard.type("roll")
    page.keyboard.press("Enter")
    screen.until_ply(1)
    assert screen.table["your_seats"] == [0]
    page.keyboard.press("Escape")
    if size == NARROW:
        page.click("#bar-log")
    page.click("#look-back")
    page.wait_for_selector("#then", state="visible")
    assert not page.locator(".skip").is_visible(), "it would lead nowhere"
    watching = visitors.sit(opened["spectators"], size=size)
    assert not watching.page.locator(".skip").is_visible()


def test_the_dialog_about_a_table_stays_as_it_is_until_it_says_something_else(
    server: Server, visitors: Visitors
) -> None:
    opened = server.open("lcr", players=["human", "human", "random"], clock=600)
    bo, ada = (visitors.sit(link) for link in opened["links"][:2])
    page = ada.page
    page.click("#open-about")
    page.click("#keys")
    ada.until(lambda: ada.table["running"] == [0], "a clock that runs")
    page.evaluate("() => { document.querySelector('#about-body dl').dataset.same = 'yes'; }")
    bo.type("roll")
    ada.until(lambda: ada.table["running"] == [1], "another one")
    ada.settled()
    assert page.locator("#about-body dl[data-same]").count() == 1
    bo.page.goto("about:blank")
    page.locator("#about-body li[data-seat='0']", has_text="not here").wait_for()
    assert page.locator("#about-body dl[data-same]").count() == 0, "it says something else"
    assert page.locator("#about-body details:has(#keys)").get_attribute("open") is not None
    assert page.evaluate("() => document.activeElement.id") == "keys"


# The end.


def steps_through(replay: Screen) -> None:
    """A replay shows another picture after each step."""
    picture = replay.page.locator("svg").first
    pictures = {picture.inner_html()}
    for _ in range(3):
        replay.page.keyboard.press("ArrowRight")
        replay.until(lambda: picture.inner_html() not in pictures, "another picture")
        pictures.add(picture.inner_html())


def begun(screen: Screen) -> bool:
    """Whether a page shows a match that is not over."""
    return "state" in screen.told and not screen.over


def test_everybody_sees_the_result_beside_the_board_and_its_film_and_plays_again(
    server: Server, visitors: Visitors
) -> None:
    players = ["human", "human", "random"]
    opened = server.open("lcr", names=["Ada", "Bo", "Cy"], players=players, seed="holly")
    screens = [
        visitors.sit(link, alone=True) for link in [*opened["links"][:2], opened["spectators"]]
    ]
    server.play(opened["table"], rolling("x"))
    for screen in screens:
        screen.until_replay_page()
        result = screen.settled().page.locator("#ending-heading")
        over, ending = screen.state["over"], screen.text("#ending")
        assert over["text"] in (result.text_content() or "")
        assert result.locator(".mark").count() == len(over["winners"])
        told = [over["text"], over["reason"], "holly", over["command"], over["salt"]]
        assert [words for words in told if words not in ending] == []
        assert not screen.page.locator("#details dl").is_visible()
        picture, shown = box(screen.page.locator("#picture")), box(result)
        assert picture["x"] + picture["width"] <= shown["x"], "all of the board is seen"
    ada, bo, watching = screens
    assert watching.page.locator("#again").count() == 0
    ada.page.click("#details summary")
    assert ada.page.locator("#details dl").is_visible()
    ada.page.keyboard.press("Escape")
    assert not ada.page.locator("#details dl").is_visible()
    steps_through(visitors.follow(ada, "#replay"))
    bo.page.click("#again")
    bo.until(lambda: "table" in bo.told and bo.table["names"] == ["Bo", "Cy", "Ada"], "the table")
    assert (bo.settled().table["your_seats"], bo.ply()) == ([0], 0)
    watching.page.get_by_text("Bo would like to play again").first.wait_for()
    ada.page.get_by_text("Bo wants a rematch.").wait_for()
    assert ada.page.locator("#notices .notice:visible").count() == 1
    offer = ada.page.locator("#rematch a")
    assert offer.get_attribute("href") == ada.page.locator("a#again").get_attribute("href")
    assert not watching.page.locator("#rematch").is_visible(), "a spectator was not asked"
    for screen, you in ((ada, [2]), (watching, [])):
        screen.page.click("a#again")
        screen.until(partial(begun, screen), "the next match")
        assert (screen.settled().table["your_seats"], screen.table["names"][0]) == (you, "Bo")
