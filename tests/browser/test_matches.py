"""Whole matches, played by clicks alone."""

from __future__ import annotations

import pytest

from tests.browser.conftest import NARROW, Visitors
from tests.browser.policies import building, duel, rolling
from tests.browser.screen import Choice, Policy, Screen
from tests.browser.server import Server

pytestmark = pytest.mark.slow


def test_sorcery_is_played_to_its_end_by_clicks_alone(server: Server, visitors: Visitors) -> None:
    table = server.open("sorcery", players=["human", "duelist"], seed="pine")
    screen = visitors.sit(table["links"][0])
    screen.play_turns(duel("clicks"))
    ends_well(screen, "no life left", "pine")


@pytest.mark.matrix
def test_constructor_is_played_to_its_end_by_clicks_alone(
    server: Server, visitors: Visitors
) -> None:
    players, seed, patience = ["human", "builder"], "old stone", {"patience": 4}
    table = server.open("constructor-small", players=players, seed=seed, options=patience)
    screen = visitors.sit(table["links"][0])
    screen.play_turns(sevens(building("clicks")))
    ends_well(screen, "nobody has built for 4 turns", seed)
    rows = screen.page.locator("#ending .points tbody tr").all_text_contents()
    first, second = screen.state["over"]["points"]
    assert rows == [f"1Blue{first}", f"2Red{second}"]


def sevens(decide: Policy) -> Policy:
    """Choose 7 whenever the dice are thrown: the geese are sent."""

    def choose(choices: list[Choice]) -> Choice:
        seven = next((it for it in choices if it["path"] == ["roll-7"]), None)
        return seven or decide(choices)

    return choose


@pytest.mark.matrix
def test_lcr_is_played_to_its_end_by_clicks_alone_on_a_phone(
    server: Server, visitors: Visitors
) -> None:
    table = server.open("lcr", seats=3, players=["human", "random", "random"], seed="old oak")
    screen = visitors.sit(table["links"][0], size=NARROW)
    screen.play_turns(rolling("clicks"))
    ends_well(screen, "chips")


@pytest.mark.parametrize(
    "turns",
    [pytest.param(3, id="three turns"), pytest.param(1000, id="all", marks=pytest.mark.matrix)],
)
def test_a_match_is_played_by_the_keyboard_alone(
    server: Server, visitors: Visitors, turns: int
) -> None:
    table = server.open("sorcery", players=["human", "duelist"], seed="pine")
    screen = visitors.sit(table["links"][0])
    decide = duel("clicks")
    for _ in range(turns):
        screen.until(lambda: screen.over or screen.state["your_turn"], "a turn")
        screen.settled()
        if screen.over:
            break
        by_keys(screen, decide(screen.state["choices"]))
    server.play(table["table"], decide)
    screen.until(lambda: screen.over, "the end")
    ends_well(screen, "no life left", "pine")


def by_keys(screen: Screen, choice: Choice) -> None:
    """Play an action with Tab, the arrow keys and Enter, from wherever the focus is."""
    ply = screen.ply()
    for name in choice["path"]:
        go_to(screen, f'.tt-part[data-part="{name}"] > .tt-touch')
        screen.page.keyboard.press("Enter")
    chooser = screen.page.locator("#chooser")
    if not choice["path"] or chooser.is_visible():
        go_to(screen, f'button[data-words="{choice["words"]}"]')
        screen.page.keyboard.press("Enter")
    screen.until(lambda: screen.ply() != ply, f"an answer to {choice['words']!r}")


def go_to(screen: Screen, selector: str, steps: int = 200) -> None:
    """Press Tab until something has the focus."""
    for _ in range(steps):
        if screen.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
        screen.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def ends_well(screen: Screen, reason: str, seed: str = "old oak") -> None:
    """The page tells how the match ended."""
    screen.settled()
    ending = screen.text("#ending")
    assert screen.state["over"]["text"] in ending
    assert reason in ending
    assert seed in ending
    assert f"tabletop play {screen.table['game']}" in ending
