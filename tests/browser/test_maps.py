"""An open map: the tile is seen where it would lie, turned, and laid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import FloatRect

from tabletop.registry import load
from tests.browser.conftest import NARROW, WIDE, Visitors, mainly
from tests.browser.screen import Screen
from tests.browser.server import Server, served

pytestmark = pytest.mark.slow

PLACE: Final = "1,0"
"""The tile fits there in three turns: not with the wood towards the meadow."""

CLEARING: Final = """
from dataclasses import field

from tabletop import Game, Outcome, Plugin, State, state
from tabletop.display import MapPicture, TextView
from tabletop.parts.board import Cell
from tabletop.parts.maps import Laid, TileSet

TILES = TileSet(("wood meadow meadow meadow",))


@state
class Clearing(State):
    laid: dict[Cell, Laid] = field(default_factory=lambda: {(0, 0): Laid(0)})


class ClearingGame(Game):
    name = "clearing"

    def setup(self, options, seats, rng):
        return Clearing()

    def to_act(self, state):
        return ((len(state.laid) + 1) % 2,) if len(state.laid) < 30 else ()

    def legal_actions(self, state, seat):
        return TILES.ways(state.laid, 0)

    def apply(self, state, action, table):
        state.laid[action.place] = Laid(0, action.turn)

    def outcome(self, state):
        return None if self.to_act(state) else Outcome.win(0, 2)


class ClearingPicture(MapPicture):
    tiles = TILES
    colours = {"wood": "#4f7a4a"}

    def laid(self, view):
        return view.laid

    def hand(self, view):
        return 0


class ClearingText(TextView):
    def asked(self, view, seat, names):
        return "Lay it"


PLUGIN = Plugin(ClearingGame(), picture=ClearingPicture, text=ClearingText())
"""


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a game on an open map."""
    tmp_path = tmp_path_factory.mktemp("maps")
    clearing = tmp_path / "clearing.py"
    clearing.write_text(CLEARING)
    with served(tmp_path / "tables", games=[load(str(clearing))]) as server:
        yield server


@pytest.fixture
def screen(maps: Server, visitors: Visitors, request: pytest.FixtureRequest) -> Screen:
    """The first player, before the first tile is laid."""
    opened = maps.open("clearing", players=["human", "human"])
    return visitors.sit(opened["links"][0], size=getattr(request, "param", WIDE))


def touch(screen: Screen, part: str) -> None:
    """Click the middle of a part, or tap it on a phone."""
    box = box_of(screen, part)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    size = screen.page.viewport_size
    if size is not None and size["width"] == NARROW[0]:
        screen.page.touchscreen.tap(x, y)
    else:
        screen.page.mouse.click(x, y)


def box_of(screen: Screen, part: str) -> FloatRect:
    box = screen.page.locator(f"[data-part='{part}'] > .tt-ring").bounding_box()
    assert box is not None
    return box


def seen(screen: Screen) -> list[str]:
    """What is seen between clicks: after which parts it comes."""
    found: list[str] = screen.page.evaluate(
        "() => [...document.querySelectorAll('.tt-after')]"
        ".filter((one) => getComputedStyle(one).visibility === 'visible')"
        ".map((one) => one.dataset.after)"
    )
    return found


@pytest.mark.parametrize("screen", mainly(WIDE, NARROW), indirect=True)
def test_the_tile_is_seen_where_it_would_lie_and_turned_before_it_is_laid(screen: Screen) -> None:
    assert screen.text("#prompt") == "Lay it"
    assert seen(screen) == []
    touch(screen, PLACE)
    assert screen.text("#prompt") == "Place the tile (click it to turn it)"
    assert seen(screen) == [PLACE]
    there, tried = box_of(screen, PLACE), box_of(screen, f"{PLACE}>1")
    assert there["x"] + there["width"] / 2 == pytest.approx(tried["x"] + tried["width"] / 2, abs=1)
    assert there["y"] + there["height"] / 2 == pytest.approx(
        tried["y"] + tried["height"] / 2, abs=1
    )
    touch(screen, f"{PLACE}>1")
    assert seen(screen) == [f"{PLACE}\n{PLACE}>1"]
    assert screen.ply() == 0, "nothing is asked of the rules before the tile is laid"
    touch(screen, f"{PLACE}=1")
    screen.until_ply(1)
    assert screen.state["svg"].count(f'data-key="{PLACE}"') == 1
    assert seen(screen) == []


def test_after_the_last_turn_the_first_comes_again_and_a_click_beside_it_takes_all_back(
    screen: Screen,
) -> None:
    for part in (PLACE, f"{PLACE}>1", f"{PLACE}>2"):
        touch(screen, part)
    assert seen(screen) == [f"{PLACE}\n{PLACE}>1\n{PLACE}>2"]
    touch(screen, PLACE)
    assert seen(screen) == [PLACE]
    screen.page.mouse.click(300, 250)
    assert seen(screen) == []
    assert screen.text("#prompt") == "Lay it"


def test_quick_clicks_turn_and_never_lay(screen: Screen) -> None:
    box = box_of(screen, PLACE)
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    screen.page.mouse.click(*middle, click_count=3)
    assert seen(screen) == [f"{PLACE}\n{PLACE}>1\n{PLACE}>2"]
    assert screen.ply() == 0


def test_the_keyboard_turns_lays_and_takes_back(screen: Screen) -> None:
    def focused() -> str:
        found: str = screen.page.evaluate(
            "() => document.activeElement.closest('.tt-part')?.dataset.part ?? ''"
        )
        return found

    keyboard = screen.page.keyboard
    screen.page.locator(f"[data-part='{PLACE}'] > .tt-touch").focus()
    keyboard.press("Enter")
    keyboard.press("Tab")
    assert focused() == f"{PLACE}>1"
    keyboard.press("Enter")
    assert focused() == f"{PLACE}>2", "the keyboard stays with the tile"
    keyboard.press("Escape")
    assert (seen(screen), focused()) == ([], PLACE)
    keyboard.press("Enter")
    for _ in range(2):
        keyboard.press("Tab")
    assert focused() == f"{PLACE}=0"
    keyboard.press("Enter")
    screen.until_ply(1)


def test_what_comes_between_clicks_is_in_the_pictures_of_nobody_else(
    maps: Server, visitors: Visitors
) -> None:
    opened = maps.open("clearing", players=["human", "human"])
    for link in (opened["links"][1], opened["spectators"]):
        assert "tt-after" not in visitors.sit(link).state["svg"]
