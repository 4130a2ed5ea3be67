"""Looking back: a client is shown an earlier position as its seat saw it then, and nothing else."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import pytest

from tabletop import Match, Streams
from tabletop.display import TextPicture
from tabletop.match import AnyMatch
from tabletop.protocol.incoming import (
    ActIn,
    InvalidMessage,
    LookIn,
    MessageIn,
    RulesIn,
    SitIn,
    UndoIn,
    decode,
)
from tabletop.protocol.outgoing import encode
from tabletop.registry import load
from tabletop.table.inputs import Freeze, Wants
from tabletop.table.limits import TableLimits
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.table.sittings import ALL_DATA, Sitting

SEALED = "tests/tabletop/games/sealed.py"


class Table(Sitting):
    """A table with a screen for each link."""

    def say(self, link: int | None, message: MessageIn) -> list[dict[str, Any]]:
        """Send a message from a screen. Return the messages that it receives."""
        self.hear(link)
        self.ask(link, message)
        return [json.loads(encode(told)) for told in self.hear(link)]

    def look(self, link: int | None, ply: int) -> dict[str, Any]:
        """Return the answer to a screen that looks back."""
        [told] = [it for it in self.say(link, LookIn(ply, 7)) if it.get("id") == 7]
        return told

    def state(self, link: int | None) -> dict[str, Any]:
        """Return the present state as a screen receives it."""
        state = self.presenter.state(self.table.holders[link], ALL_DATA, self.now)
        told: dict[str, Any] = json.loads(encode(state))
        return told

    def act(self, line: str) -> None:
        """Act for the seat that is to act."""
        [seat] = self.match.to_act
        self.ask(seat if seat in self.screens else 0, ActIn(line, seat=seat))


def seated(
    game: str, seats: int = 2, *, limits: TableLimits | None = None, shared: bool = False
) -> Table:
    """Return a table with a link for each seat, or with one link for all."""
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    seating = {0: None} if shared else None
    table = Table(match, plugin, seating=seating, limits=limits or TableLimits(), undo="free")
    table.open(*[holder.link for holder in table.table.holders], wants=ALL_DATA)
    return table


def random_line(match: AnyMatch, number: int) -> str:
    return str(Streams(f"line {number}")["choice"].choice(list(match.legal_actions())))


@pytest.mark.parametrize(
    ("game", "plies"), [(SEALED, 12), pytest.param("sorcery", 14, marks=pytest.mark.slow)]
)
def test_each_client_is_shown_what_its_seat_saw_then(game: str, plies: int) -> None:
    at = seated(game)
    match = at.match
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


def test_what_has_been_undone_is_not_shown() -> None:
    at = seated(TICTACTOE)
    for line in ("5", "1", "9"):
        at.act(line)
    undone = at.look(1, 3)
    at.ask(0, UndoIn(actions=2))
    refused = at.look(1, 3)
    assert (refused["type"], refused["reason"]) == ("refused", "refused")
    assert refused["message"] == "3 actions: 1 played so far"
    assert at.look(1, 1)["log_line"] == at.state(1)["log_line"]
    for line in ("2", "3"):
        at.act(line)
    again = at.look(1, 3)
    assert again["text"] == at.state(1)["text"] != undone["text"]
    assert again["svg"] != undone["svg"]
    lines = at.table.holders[1].lines_after(0)
    told = [line for line in lines if line.number <= again["log_line"]]
    assert told[-1].ply == 3


def test_a_picture_of_then_is_told_the_events_up_to_then() -> None:
    at = seated("lcr", 3)
    for _ in range(6):
        at.act("roll")
    now = [at.look(None, ply)["svg"] for ply in range(7)]
    assert "rolled" not in now[0]
    assert ["Rolled by Player 1" in svg for svg in now[1:4]] == [True, False, False]
    earlier = seated("lcr", 3)
    for ply in range(7):
        assert earlier.look(None, ply)["svg"] == now[ply]
        if ply < 6:
            earlier.act("roll")


def test_who_shares_a_screen_is_shown_what_they_saw_and_only_while_they_sit_there() -> None:
    at = seated(SEALED, shared=True)
    client = at.table.holders[0]
    client.covers = True
    match = at.match
    at.ask(0, SitIn(0))
    own = [match.view(0)]
    at.say(0, ActIn("hide 1", seat=0))
    own.append(match.view(0))
    assert client.covered == 1
    refused = at.look(0, 0)
    assert refused["reason"] == "illegal"
    at.say(0, SitIn(1))
    views = [at.look(0, ply)["view"] for ply in (0, 1)]
    for view, mine in zip(views, own, strict=True):
        assert view["hands"][0] == ["sealed"] * len(mine.hands[0])
        assert view["hands"][1] == match.state.hands[1]
    client.sitting = None  # nobody has sat down yet
    client.covers = True
    view = at.look(0, 0)["view"]
    assert view["hands"] == [["sealed"] * 3] * 2


def test_a_position_is_drawn_once_and_not_too_many_at_once() -> None:
    drawn = mock.Mock(return_value="<svg/>")
    limits = TableLimits(looks=0.001, looks_at_once=3)
    with mock.patch.object(TextPicture, "draw", drawn):
        at = seated(SEALED, limits=limits)
        for _ in range(4):
            at.act("show 1")
        at.hear(0)  # the present position, which is drawn as well
        drawn.reset_mock()
        looked = [at.look(0, ply)["type"] for ply in (0, 1, 1, 0, 2)]
        assert looked == ["past"] * 5
        assert drawn.call_count == 3
        refused = at.look(0, 3)
        assert (refused["type"], refused["reason"]) == ("refused", "busy")
        assert at.look(0, 1)["type"] == "past"
        assert at.look(1, 3)["type"] == "past", "each link has a share of its own"


def test_a_screen_is_sent_of_then_what_it_wants() -> None:
    at = seated(TICTACTOE)
    at.act("5")
    for wants, has in (
        (Wants("", data=True), (False, True)),
        (Wants("narrow"), (True, False)),
        (Wants(), (False, False)),
    ):
        at.open(0, wants=wants)
        past = at.look(0, 0)
        assert (past["svg"] != "", past["view"] is not None) == has
        assert past["text"]


def test_after_the_end_a_window_that_stays_can_be_looked_back_at() -> None:
    at = seated(TICTACTOE, shared=True)
    for line in "14253":
        at.act(line)
    at.receive(Freeze())
    at.table.close()
    assert at.look(0, 2)["ply"] == 2
    assert at.say(0, UndoIn(3))[-1]["type"] == "refused"


def test_the_rules_are_told_to_whoever_asks_and_the_table_says_whether_there_are_any() -> None:
    at = seated(TICTACTOE)
    assert at.presenter.table(at.table.holders[None], 0).rules is True
    [told] = [it for it in at.say(None, RulesIn(4)) if it.get("id") == 4]
    assert told == {"type": "rules", "id": 4, "text": at.table.plugin.rules}
    assert "Three marks" in told["text"]
    at = seated(SEALED)
    assert at.presenter.table(at.table.holders[0], 0).rules is False
    [told] = [it for it in at.say(0, RulesIn(4)) if it.get("id") == 4]
    assert told["message"] == "Sealed words has no rulebook"


@pytest.mark.parametrize("ply", [-1, 2**60, "3", None])
def test_a_ply_that_is_no_number_of_actions_is_no_message(ply: object) -> None:
    with pytest.raises(InvalidMessage, match="ply"):
        decode(json.dumps({"type": "look", "ply": ply}))
