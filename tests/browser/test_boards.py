"""Games that say little of how they look: in words alone, or on a ready board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tabletop.registry import load
from tests.browser.conftest import NARROW, SIDEWAYS, WIDE, Visitors
from tests.browser.server import Server, served

pytestmark = pytest.mark.slow

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
MARKET: Final = """
from tabletop import NOBODY, OWNER, Outcome, SecretGame, State, secret, state


@state
class Stalls(State):
    deck: list[int] = secret(to=NOBODY, back=0)
    hands: list[list[int]] = secret(to=OWNER, back=0)
    turn: int = 0


class Market(SecretGame[Stalls, str]):
    name = "market"

    def setup(self, options, seats, rng):
        cards = rng["deck"].sample(range(1, 61), 60)
        return Stalls(cards[10:], [cards[:5], cards[5:10]])

    def to_act(self, state):
        return () if state.turn == 9 else (state.turn % 2,)

    def legal_actions(self, state, seat):
        hand = state.hands[seat]
        sells = [f"sell {card} for {coins}" for card in hand for coins in range(1, 7)]
        return [*sells, *(f"keep {card}" for card in hand)]

    def apply(self, state, action, table):
        state.turn += 1

    def outcome(self, state):
        return Outcome.win(0, 2) if state.turn == 9 else None

"""


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with Go, chess, and a game that has neither a picture nor words of its own."""
    tmp_path = tmp_path_factory.mktemp("boards")
    market = tmp_path / "market.py"
    market.write_text(MARKET)
    games = [load(str(path)) for path in (EXAMPLES / "go.py", EXAMPLES / "chess.py", market)]
    with served(tmp_path / "tables", games=games) as server:
        yield server


@pytest.mark.parametrize("size", [WIDE, pytest.param(NARROW, marks=pytest.mark.matrix)])
def test_without_a_picture_words_and_grouped_actions_fill_the_page(
    size: tuple[int, int], boards: Server, visitors: Visitors
) -> None:
    opened = boards.open("market", players=["human", "human"], names=["Ada", "Bo"])
    screen = visitors.come(size=size)
    screen.page.goto(opened["links"][0])
    screen.page.wait_for_selector("#choices .group")
    assert "Bo: 5 hidden" in screen.page.inner_html("#picture").replace("&nbsp;", " ")
    assert screen.page.locator("#choices h3").all_inner_texts() == ["sell 30", "keep 5"]
    words = screen.page.locator("#picture svg").bounding_box()
    actions = screen.page.locator("#actions").bounding_box()
    assert words
    assert actions
    assert words["y"] < 100, "the words are above"
    assert words["y"] + words["height"] < actions["y"] < 0.5 * size[1]
    assert actions["height"] > 0.4 * size[1]
    screen.page.click("#choices button >> nth=-1")
    screen.page.wait_for_selector("#lines li", state="attached")


def test_in_landscape_a_text_is_next_to_its_actions(boards: Server, visitors: Visitors) -> None:
    opened = boards.open("market", players=["human", "human"])
    screen = visitors.sit(opened["links"][0], size=SIDEWAYS)
    picture, actions, guide = (
        screen.page.locator(name).bounding_box()
        for name in ("#picture > svg", "#quick button >> nth=0", "#guide")
    )
    assert picture
    assert actions
    assert guide
    assert picture["height"] > 80
    assert picture["x"] + picture["width"] <= guide["x"] + 1
    assert guide["x"] <= actions["x"]


def test_the_details_of_the_end_cover_no_words(boards: Server, visitors: Visitors) -> None:
    opened = boards.open("market", players=["human", "random"])
    screen = visitors.sit(opened["links"][0])
    screen.play_turns(lambda choices: choices[0])
    words = screen.page.locator("#picture").bounding_box()
    screen.page.click("#details summary")
    details = screen.page.locator("#details dl").bounding_box()
    assert words
    assert details
    assert words["y"] + words["height"] <= details["y"]


def test_a_held_key_shows_the_numbers_of_places(boards: Server, visitors: Visitors) -> None:
    screen = visitors.sit(boards.open("go", players=["human", "human"])["links"][0])
    names = screen.page.locator("#picture .tt-name")
    screen.page.keyboard.down("n")
    assert names.count() == 81
    assert screen.page.locator("[data-part=e5] .tt-name").text_content() == "e5"
    screen.page.keyboard.up("n")
    assert names.count() == 0


def test_a_place_of_a_ready_board_is_clicked(boards: Server, visitors: Visitors) -> None:
    opened = boards.open("go", players=["human", "human"], names=["Ada", "Bo"])
    screen = visitors.come()
    screen.page.goto(opened["links"][0])
    screen.page.click("[data-part=e5]")
    screen.page.wait_for_selector("[data-part=e5][data-label='e5: Ada, just now']")
    assert screen.page.locator("#lines").inner_text() == "Ada plays e5."


def test_a_promotion_is_chosen_from_a_menu_on_the_board(boards: Server, visitors: Visitors) -> None:
    fen = {"fen": "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"}
    opened = boards.open("chess", players=["human", "human"], names=["Ada", "Bo"], options=fen)
    screen = visitors.come(size=NARROW)
    screen.page.goto(opened["links"][0])
    rook = screen.page.locator("[data-part=a7b8r]")
    screen.page.click("[data-part=a7]")
    assert not rook.is_visible()
    screen.page.click("[data-part=b8]")
    area = rook.bounding_box()
    assert area
    assert min(area["width"], area["height"]) >= 44
    rook.click()
    screen.page.wait_for_selector("[data-part=b8][data-label='b8: Ada rook, just now']")
    assert screen.page.locator("#lines").text_content() == "Ada plays axb8=R+."


def test_an_impossible_second_part_has_the_reason_for_the_chosen_piece(
    boards: Server, visitors: Visitors
) -> None:
    opened = boards.open("chess", players=["human", "human"], names=["Ada", "Bo"])
    screen = visitors.sit(opened["links"][0])
    screen.page.click("[data-part=b1]")
    screen.page.click("[data-part=b3]")
    screen.page.locator("#bubble", has_text="the knight on b1 cannot go to b3").wait_for()
