"""Several cards of a hand are clicked in any order, and played with one button."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.browser.conftest import NARROW, WIDE, Visitors, mainly
from tests.browser.screen import Screen
from tests.browser.server import Server, served
from tests.potluck import PLUGIN, Kitchens, Potluck

pytestmark = pytest.mark.slow


class InWords(Potluck):
    name = "words"


class WithButton(Potluck):
    name = "button"


class Buttons(Kitchens):
    """The hands, and a button to click before the cards."""

    buttons = ("put",)


@pytest.fixture(scope="module")
def potluck(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a game of several choices, with a picture of cards and without."""
    games = [
        PLUGIN,
        replace(PLUGIN, game=InWords(), picture=None),
        replace(PLUGIN, game=WithButton(), picture=Buttons),
    ]
    with served(tmp_path_factory.mktemp("potluck") / "tables", games=games) as server:
        yield server


def seated(server: Server, visitors: Visitors, game: str, size: tuple[int, int]) -> Screen:
    opened = server.open(game, players=["human", "human"], names=["Ada", "Bo"])
    return visitors.sit(opened["links"][0], size=size)


def classes(screen: Screen, part: str) -> set[str]:
    return {*(screen.part(part).get_attribute("class") or "").split()}


@pytest.mark.parametrize("size", mainly(NARROW, WIDE))
def test_cards_are_clicked_in_any_order_and_played_with_done(
    potluck: Server, visitors: Visitors, size: tuple[int, int]
) -> None:
    ada = seated(potluck, visitors, "potluck", size)
    done = ada.page.locator("#quick button.main")
    assert done.is_disabled()
    for part in ("soup", "bread-2", "cake"):
        ada.click(ada.part(part))
    assert done.text_content() == "Done (3 of 3)"
    assert "tt-lit" not in classes(ada, "bread")
    ada.click(ada.part("cake"))  # the second click takes the card back
    assert done.text_content() == "Done (2 of 3)"
    assert "tt-chosen" in classes(ada, "bread-2")
    done.click()
    ada.until_ply(1)
    assert "put bread soup" in ada.text("#lines")


def test_a_button_is_clicked_before_the_cards(potluck: Server, visitors: Visitors) -> None:
    ada = seated(potluck, visitors, "button", WIDE)
    done = ada.page.locator("#quick button.main")
    assert done.count() == 0
    for part in ("do put", "cake", "bread-2"):
        assert "tt-lit" in classes(ada, part), part
        ada.click(ada.part(part))
    done.click()
    ada.until_ply(1)
    assert "put bread cake" in ada.text("#lines")


def test_without_a_picture_the_items_are_buttons(potluck: Server, visitors: Visitors) -> None:
    ada = seated(potluck, visitors, "words", WIDE)
    items = ada.page.locator("#choices button[aria-pressed]")
    assert items.all_text_contents() == ["bread", "bread", "cake", "soup"]
    for at in (3, 0):
        items.nth(at).click()
    assert items.nth(3).get_attribute("aria-pressed") == "true"
    ada.page.locator("#choices button.main").click()
    ada.until_ply(1)
