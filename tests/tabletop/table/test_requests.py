"""Requests at a table: actions, bots, the record, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tabletop import IllegalAction, Match, Plugin
from tabletop.match import AnyMatch
from tabletop.protocol import (
    ActIn,
    NoteOut,
    RedoIn,
    RefusedOut,
    ReseatIn,
    SayIn,
    StateOut,
    UndoIn,
)
from tabletop.records import HUMAN, Journal, read, replay
from tabletop.registry import load
from tabletop.table import Replaced
from tests.tabletop.table.clients import Client
from tests.tabletop.table.failing_bots import GAME, PLUGIN, Full
from tests.tabletop.table.sittings import Sitting

ROOT = Path(__file__).parents[3]


def table(*players: str, **more: Any) -> Sitting:
    """People at one screen, whose bots act only when the test lets them."""
    match: AnyMatch = Match(GAME, seed="oak")
    at = Sitting(match, PLUGIN, players or (HUMAN, HUMAN), seating={0: None}, undo="free", **more)
    at.bots_think = False
    return at


def pair(plugin: Plugin = PLUGIN) -> tuple[Sitting, Client, Client]:
    """Two people with links of their own."""
    at = Sitting(Match(plugin.game), plugin, [HUMAN, HUMAN], undo="free")
    return at, Client(at, 0), Client(at, 1)


def test_a_table_waits_for_people_and_then_for_bots() -> None:
    at = table(HUMAN, "random")
    client = Client(at)
    assert (at.table.waiting_for, at.table.bot_to_act) == ((0,), None)
    assert not at.table.requests.advance()
    client.ask(ActIn("5"))
    assert (at.table.waiting_for, at.table.bot_to_act) == ((), 1)
    assert at.match.ply == 1, "the bot has not acted yet"
    assert at.table.requests.advance()
    assert not at.table.requests.advance()
    assert at.match.ply == 2


def test_taking_back_goes_to_the_last_turn_of_a_person_and_forward_again() -> None:
    at = table(HUMAN, "random")
    client = Client(at)
    client.ask(ActIn("5"))
    at.table.requests.advance()
    actions = at.match.actions
    client.ask(UndoIn())
    assert (at.match.ply, at.match.undone) == (0, 2)
    revision = at.table.requests.positions.revision
    client.ask(RedoIn())
    assert at.match.actions == actions
    assert at.table.requests.positions.revision == revision + 2, "one for each action"
    client.ask(UndoIn(actions=1))
    assert at.match.ply == 1


def test_the_record_has_actions_and_seats(tmp_path: Path) -> None:
    match: AnyMatch = Match(GAME, seed="oak")
    with (
        Journal.create(tmp_path / "match.jsonl", match) as journal,
    ):
        at = Sitting(match, PLUGIN, seating={0: None}, undo="free", recorder=journal)
        Client(at).ask(ActIn("5"), ReseatIn(1, "random"), UndoIn(), ActIn("1"))
        at.table.close()
    record = read(tmp_path / "match.jsonl")
    assert record.players == (HUMAN, "random")
    assert replay(record, GAME).digest() == match.digest()
    assert match.recorder is None


def test_what_cannot_be_recorded_is_refused_and_changes_nothing() -> None:
    at = table(recorder=Full())
    client = Client(at)
    client.ask(ActIn("5"), ReseatIn(0, "random"))
    assert ["cannot be saved" in why for why in client.refused] == [True, True]
    assert at.match.ply == 0
    assert at.table.players == (HUMAN, HUMAN)


def test_a_closed_table_no_longer_observes_the_match() -> None:
    at = table()
    client = Client(at)
    at.table.close()
    at.match.play(at.match.legal_actions()[0])
    assert client.events(None) == []


def test_a_closed_table_refuses_requests() -> None:
    at = table()
    at.table.close()
    with pytest.raises(IllegalAction, match="closed"):
        at.table.holders[0].request(ActIn("5"))
    assert at.match.ply == 0


def test_a_failed_bot_gets_a_successor_and_everybody_is_told() -> None:
    at = table(HUMAN, "crash")
    client = Client(at)
    client.ask(ActIn("5"))
    assert at.table.requests.advance()
    assert at.table.players == (HUMAN, "nonsense")
    client.ask(SayIn("hm"))  # returns the effects
    [failed] = [effect for effect in at.effects if isinstance(effect, Replaced)]
    assert (failed.seat, failed.player, failed.successor) == (1, "crash", "nonsense")
    assert isinstance(failed.error, ZeroDivisionError)
    assert any(isinstance(it, NoteOut) and "has failed" in it.text for it in client.heard)


def test_a_match_of_failing_bots_ends_with_random_ones() -> None:
    at = table("nonsense", "crash")
    while at.table.requests.advance():
        pass
    assert at.match.over
    assert at.table.players == ("random", "random")


def test_nobody_acts_in_a_match_that_is_over() -> None:
    at = table()
    client = Client(at)
    client.ask(*map(ActIn, ("1", "4", "2", "5", "3", "6")))
    assert client.refused == ["the match is over"]


def test_a_match_that_is_over_goes_on_when_somebody_takes_back() -> None:
    at = table()
    client = Client(at)
    client.ask(*map(ActIn, ("1", "4", "2", "5", "3")), UndoIn(), ActIn("6"))
    assert client.refused == []
    assert at.match.ply == 5
    assert not at.match.over


# An action names the position that it answers.


def test_the_same_action_again_is_one_and_nothing_is_said() -> None:
    at, ann, _ = pair()
    ann.ask(ActIn("5", 0, ply=0), ActIn("5", 0, ply=0))
    assert (at.match.ply, ann.refused) == (1, [])


def test_an_action_for_an_earlier_position_is_refused() -> None:
    at = table()
    ann = Client(at)
    ann.ask(ActIn("5", ply=0), ActIn("1", ply=0), ActIn("1", ply=7))
    assert at.match.ply == 1
    assert ["the position has changed" in it for it in ann.refused] == [True, True]


def test_an_action_that_was_taken_back_can_be_played_again() -> None:
    at = table()
    ann = Client(at)
    ann.ask(ActIn("5", ply=0), UndoIn(actions=1), ActIn("5", ply=0))
    assert (at.match.ply, ann.refused) == (1, [])


def test_an_action_for_a_position_before_an_undo_is_refused_in_a_new_one_of_the_same_ply() -> None:
    at = table()
    ann = Client(at)
    ann.ask(ActIn("5"))
    seen = at.table.requests.positions.revision
    ann.ask(UndoIn(actions=1), ActIn("1"), ActIn("9", revision=seen))
    assert at.match.ply == 1
    assert ["the position has changed" in it for it in ann.refused] == [True]
    ann.ask(ActIn("9", revision=at.table.requests.positions.revision))
    assert at.match.ply == 2


def test_an_action_for_a_position_before_a_redo_is_refused() -> None:
    at = table()
    ann = Client(at)
    ann.ask(ActIn("5"), UndoIn(actions=1))
    seen = at.table.requests.positions.revision
    ann.ask(RedoIn(actions=1), ActIn("1", revision=seen))
    assert at.match.ply == 1
    assert len(ann.refused) == 1


def test_no_revision_of_a_position_repeats() -> None:
    at = table()
    ann = Client(at)
    revisions = [at.table.requests.positions.revision]
    for request in (
        ActIn("5"),
        UndoIn(actions=1),
        RedoIn(actions=1),
        ActIn("1"),
        UndoIn(actions=2),
        ActIn("5"),
    ):
        ann.ask(request)
        revisions.append(at.table.requests.positions.revision)
    assert revisions == sorted(set(revisions))


def test_the_same_action_for_the_same_revision_again_is_played_once() -> None:
    at, ann, _ = pair()
    seen = at.table.requests.positions.revision
    ann.ask(ActIn("5", 0, revision=seen), ActIn("5", 0, revision=seen))
    assert (at.match.ply, ann.refused) == (1, [])


def test_who_chooses_at_the_same_time_is_not_late_when_another_was_quicker() -> None:
    plugin = load(str(ROOT / "examples" / "simultaneous.py"))
    at, ann, bo = pair(plugin)
    words = [str(at.match.legal_actions(seat)[0]) for seat in (0, 1)]
    seen = at.table.requests.positions.revision
    ann.ask(ActIn(words[0], 0, revision=seen))
    bo.ask(ActIn(words[1], 1, revision=seen))
    assert (at.match.ply, bo.refused) == (2, [])


class AlmostFull(Full):
    """A recorder with room for a few lines."""

    room = 3

    @override
    def played(self, match: Any, seat: int, action: Any) -> None:
        if not self.room:
            super().played(match, seat, action)
        self.room -= 1
        self.plies = match.ply

    @override
    def undone(self, match: Any, count: int) -> None:
        self.plies = match.ply


def test_everybody_sees_the_actions_that_are_redone_before_one_cannot_be_recorded() -> None:
    at = table(recorder=AlmostFull())
    at.open(0)
    at.ask(0, ActIn("1"), ActIn("5"), UndoIn(actions=2))
    at.told(0, StateOut)
    at.ask(0, RedoIn(id=7, actions=2))
    heard = at.hear(0)
    assert [it.ply for it in heard if isinstance(it, StateOut)] == [at.match.ply] == [1]
    assert [it.reason for it in heard if isinstance(it, RefusedOut)] == ["record"]
