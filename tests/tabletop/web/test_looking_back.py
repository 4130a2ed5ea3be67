"""Looking back: a client is shown an earlier position as its seat saw it then, and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest

from tabletop import Match, Streams
from tabletop.display import TextPicture
from tabletop.match import AnyMatch
from tabletop.protocol import TableSettings
from tabletop.protocol.messages import (
    ActIn,
    InvalidMessage,
    LookIn,
    MessageIn,
    RulesIn,
    UndoIn,
    decode,
)
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.session import Session
from tabletop.web import Limits
from tabletop.web.client import Client, Screen
from tabletop.web.render import Wants
from tabletop.web.socket import handle_message
from tabletop.web.table import WebTable
from tabletop.web.tokens import new_seat_tokens
from tests.tabletop.cli.program import TICTACTOE

SEALED = "tests/tabletop/games/sealed.py"
ALL_DATA = Wants("wide", data=True)


class Table:
    """A table of people, and what the screen of each link is told."""

    def __init__(self, table: WebTable) -> None:
        self.web = table
        self.session = table.session
        self.screens = {
            link: Screen(client, ALL_DATA) for link, client in table.clients._by_link.items()
        }
        for link, screen in self.screens.items():
            table.connect(table.clients[link], screen)

    def say(self, link: int | None, message: MessageIn) -> list[dict[str, Any]]:
        """Send a message from a screen: what that is told since."""
        client, screen = self.web.clients[link], self.screens[link]
        list(screen.due())
        handle_message(self.web, client, screen, message)
        return [json.loads(text) for text in screen.due()]

    def look(self, link: int | None, ply: int) -> dict[str, Any]:
        """What a screen is answered that looks back."""
        [told] = [it for it in self.say(link, LookIn(ply, 7)) if it.get("id") == 7]
        return told

    def state(self, link: int | None) -> dict[str, Any]:
        """The present state, as a screen is sent it."""
        told: dict[str, Any] = json.loads(self.web.clients[link].state_text(ALL_DATA))
        return told

    def act(self, line: str) -> None:
        """Act for the seat that is to act."""
        [seat] = self.session.match.to_act
        self.web.clients[seat if seat in self.screens else 0].request(ActIn(line, seat=seat))


@contextmanager
def seated(
    game: str, seats: int = 2, *, limits: Limits | None = None, shared: bool = False
) -> Iterator[Table]:
    """A table where each seat has a link, or all are behind one."""
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    tokens, _, _ = new_seat_tokens([True] * (1 if shared else seats))
    seating = {0: None} if shared else None
    with Session(match, plugin, [HUMAN] * seats, undo="free") as session:
        loop = asyncio.get_running_loop()
        web = WebTable(session, tokens, loop, TableSettings(), seating=seating, limits=limits)
        yield Table(web)
        web.close()


def on_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test on a loop."""

    def run() -> None:
        asyncio.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def random_line(match: AnyMatch, number: int) -> str:
    return str(Streams(f"line {number}")["choice"].choice(list(match.legal_actions())))


def test_each_client_is_shown_what_its_seat_saw_then() -> None:
    for game, plies in ((SEALED, 12), ("sorcery", 14)):

        async def test(game: str = game, plies: int = plies) -> None:
            with seated(game) as at:
                match = at.session.match
                then = []
                for number in range(plies):
                    then.append({link: at.state(link) for link in at.screens})
                    if match.over:
                        break
                    at.act(random_line(match, number))
                shared = 0
                for ply, states in enumerate(then):
                    for link, state in states.items():
                        past = at.look(link, ply)
                        kinds = (past["type"], past["ply"], past["log_line"])
                        assert kinds == ("past", ply, state["log_line"])
                        assert (past["text"], past["view"]) == (state["text"], state["view"])
                        assert past["svg"].startswith("<svg")
                        assert "data-action" not in past["svg"]
                    texts = {state["text"] for state in states.values()}
                    shared += len(texts) == 1
                assert shared < len(then), "the seats see different things, or this shows nothing"

        asyncio.run(test())


@on_a_loop
async def test_what_has_been_undone_is_not_shown() -> None:
    with seated(TICTACTOE) as at:
        for line in ("5", "1", "9"):
            at.act(line)
        undone = at.look(1, 3)
        at.web.clients[0].request(UndoIn(actions=2))
        refused = at.look(1, 3)
        assert (refused["type"], refused["reason"]) == ("refused", "refused")
        assert refused["message"] == "3 actions: 1 played so far"
        assert at.look(1, 1)["log_line"] == at.state(1)["log_line"]
        for line in ("2", "3"):
            at.act(line)
        again = at.look(1, 3)
        assert again["text"] == at.state(1)["text"] != undone["text"]
        assert again["svg"] != undone["svg"]
        told = [
            line for line in at.web.clients[1].lines_after(0) if line.number <= again["log_line"]
        ]
        assert told[-1].ply == 3


@on_a_loop
async def test_a_picture_of_then_is_told_the_events_up_to_then() -> None:
    with seated("lcr", 3) as at:
        for _ in range(6):
            at.act("roll")
        now = [at.look(None, ply)["svg"] for ply in range(7)]
        assert "rolled" not in now[0]
        assert ["Rolled by Player 1" in svg for svg in now[1:4]] == [True, False, False]
        with seated("lcr", 3) as earlier:
            for ply in range(7):
                assert earlier.look(None, ply)["svg"] == now[ply]
                if ply < 6:
                    earlier.act("roll")


@on_a_loop
async def test_who_shares_a_screen_is_shown_what_they_saw_and_only_while_they_sit_there() -> None:
    with seated(SEALED, shared=True) as at:
        client: Client = at.web.clients[0]
        client.covers = True
        match = at.session.match
        client.taken(0)
        own = [match.view(0)]
        at.say(0, ActIn("hide 1", seat=0))
        own.append(match.view(0))
        assert client.covered == 1
        refused = at.look(0, 0)
        assert (refused["reason"], refused["message"]) == (
            "illegal",
            "several players share this screen; take your turn first",
        )
        at.say(0, ActIn("ready"))
        views = [at.look(0, ply)["view"] for ply in (0, 1)]
        for view, mine in zip(views, own, strict=True):
            assert view["hands"][0] == ["sealed"] * len(mine.hands[0])
            assert view["hands"][1] == match.state.hands[1]
        client.holder = None  # nobody has sat down yet
        client.covers = True
        view = at.look(0, 0)["view"]
        assert view["hands"] == [["sealed"] * 3] * 2


@on_a_loop
async def test_a_position_is_drawn_once_and_not_too_many_at_once() -> None:
    drawn = mock.Mock(return_value="<svg/>")
    limits = Limits(looks=0.001, looks_at_once=3)
    with mock.patch.object(TextPicture, "draw", drawn), seated(SEALED, limits=limits) as at:
        for _ in range(4):
            at.act("show 1")
        list(at.screens[0].due())  # the present position, which is drawn as well
        drawn.reset_mock()
        looked = [at.look(0, ply)["type"] for ply in (0, 1, 1, 0, 2)]
        assert looked == ["past"] * 5
        assert drawn.call_count == 3
        refused = at.look(0, 3)
        assert (refused["type"], refused["reason"]) == ("refused", "busy")
        assert at.look(0, 1)["type"] == "past"
        assert at.look(1, 3)["type"] == "past", "each link has a share of its own"


@on_a_loop
async def test_a_screen_is_sent_of_then_what_it_wants() -> None:
    with seated(TICTACTOE) as at:
        at.act("5")
        for wants, has in (
            (Wants("", data=True), (False, True)),
            (Wants("narrow"), (True, False)),
            (Wants(), (False, False)),
        ):
            at.screens[0].wants = wants
            past = at.look(0, 0)
            assert (past["svg"] != "", past["view"] is not None) == has
            assert past["text"]


@on_a_loop
async def test_after_the_end_a_window_that_stays_can_be_looked_back_at() -> None:
    with seated(TICTACTOE, shared=True) as at:
        for line in "14253":
            at.act(line)
        client = at.web.clients[0]
        client.freeze()
        at.session.close()
        assert at.look(0, 2)["ply"] == 2
        assert at.say(0, UndoIn(3))[-1]["type"] == "refused"


@on_a_loop
async def test_the_rules_are_told_to_whoever_asks_and_the_table_says_whether_there_are_any() -> (
    None
):
    with seated(TICTACTOE) as at:
        assert json.loads(at.web.clients[None].table_text())["rules"] is True
        [told] = [it for it in at.say(None, RulesIn(4)) if it.get("id") == 4]
        assert told == {"type": "rules", "id": 4, "text": at.session.plugin.rules}
        assert "Three marks" in told["text"]
    with seated(SEALED) as at:
        assert json.loads(at.web.clients[0].table_text())["rules"] is False
        [told] = [it for it in at.say(0, RulesIn(4)) if it.get("id") == 4]
        assert told["message"] == "Sealed words has no rulebook"


@pytest.mark.parametrize("ply", [-1, 2**60, "3", None])
def test_a_ply_that_is_no_number_of_actions_is_no_message(ply: object) -> None:
    with pytest.raises(InvalidMessage, match="ply"):
        decode(json.dumps({"type": "look", "ply": ply}))
