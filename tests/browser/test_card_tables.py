"""Cards that are called by their places, verbs that are buttons, and seats that are aimed at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletop.registry import load
from tests.browser.conftest import Visitors
from tests.browser.screen import Screen
from tests.browser.server import Server, served

pytestmark = pytest.mark.slow

LAMPS = """
from tabletop import Outcome, Plugin, SecretGame, State, secret, state
from tabletop.display import CardTable, Face


def sees(state, seat, owner):
    return seat != owner


@state
class Night(State):
    hands: list[list[int]] = secret(to=sees, back=0)
    oil: int = 1
    turn: int = 0


class Lamps(SecretGame[Night, str]):
    name = "lamps"
    cooperative = True

    def setup(self, options, seats, rng):
        cards = rng["deck"].sample(range(1, 7), 6)
        return Night([cards[:3], cards[3:]])

    def to_act(self, state):
        return () if state.turn == 4 else (state.turn % 2,)

    def all_actions(self, options, seats):
        verbs = [f"{verb} {at}" for verb in ("light", "drop") for at in (1, 2, 3)]
        return verbs + [f"tell {seat} {what}" for seat in (1, 2) for what in ("low", "high")]

    def legal_actions(self, state, seat):
        return [it for it in self.all_actions({}, 2) if not self.why_not(state, it)]

    def why_not(self, state, action):
        if action.startswith("tell"):
            if not state.oil:
                return "there is no oil left"
            return "tell the other keeper" if action[5] == str(state.turn % 2 + 1) else ""
        return "the card is gone" if int(action[-1]) > len(state.hands[state.turn % 2]) else ""

    def apply(self, state, action, table):
        if action.startswith("tell"):
            state.oil -= 1
        else:
            state.hands[state.turn % 2].pop(int(action[-1]) - 1)
        state.turn += 1

    def outcome(self, state):
        return Outcome.together(1, 2) if state.turn == 4 else None


class Table(CardTable):
    buttons = ("light", "drop", "low", "high")

    def hands(self, view, seat):
        return [[Face(words=str(card or "?")) for card in hand] for hand in view.hands]

    def piles(self, view, seat):
        return {"lost": []}

    def aim(self, action):
        return int(action[5]) - 1 if action.startswith("tell") else None

    def place(self, action):
        return None if action.startswith("tell") else int(action[-1]) - 1


PLUGIN = Plugin(Lamps(), picture=Table)
"""


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a game in which nobody sees their own cards."""
    tmp_path = tmp_path_factory.mktemp("lamps")
    file = tmp_path / "lamps.py"
    file.write_text(LAMPS)
    with served(tmp_path / "tables", games=[load(str(file))]) as server:
        yield server


def play(screen: Screen, *parts: str) -> None:
    """Click parts that are lit, the last of which plays an action."""
    ply = screen.ply()
    for name in parts:
        assert "tt-lit" in (screen.part(name).get_attribute("class") or ""), name
        screen.click(screen.part(name))
    screen.until_ply(ply + 1)
    screen.settled()


def test_a_verb_is_clicked_before_its_card_or_seat_or_after_it(
    lamps: Server, visitors: Visitors
) -> None:
    opened = lamps.open("lamps", players=["human", "human"], names=["Ada", "Bo"])
    ada, bo = (visitors.sit(link) for link in opened["links"])
    play(ada, "do high", "seat 2")
    bo.until_ply(1)
    bo.settled()
    play(bo, "2.3", "do light")
    ada.until_ply(2)
    ada.settled()
    ada.click(ada.part("1.2"))
    shown = ada.page.locator("#choices button").all_text_contents()
    assert shown == ["Light 2", "Drop 2"]
    ada.click(ada.part("1.2"))
    play(ada, "do drop", "1.2")


def test_a_seat_that_cannot_be_aimed_at_says_why_and_what_has_no_action_says_so(
    lamps: Server, visitors: Visitors
) -> None:
    opened = lamps.open("lamps", players=["human", "human"], names=["Ada", "Bo"])
    ada, bo = (visitors.sit(link) for link in opened["links"])
    ada.click(ada.part("seat 1"))
    ada.page.locator("#bubble", has_text="tell the other keeper").wait_for()
    ada.click(ada.part("lost"))
    ada.page.locator("#bubble", has_text="this cannot be used now").wait_for()
    play(ada, "seat 2", "do low")
    bo.until_ply(1)
    bo.settled()
    bo.click(bo.part("seat 1"))
    bo.page.locator("#bubble", has_text="there is no oil left").wait_for()
