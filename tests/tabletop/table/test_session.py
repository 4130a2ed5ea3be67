"""A session: bots that act when they are asked to, the record, the score, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import Match
from tabletop.errors import NotAnAction, RecordLost
from tabletop.match import AnyMatch
from tabletop.protocol import ActIn, RedoIn, ReseatIn, UndoIn
from tabletop.records import HUMAN, Journal, read, replay
from tabletop.registry import load
from tabletop.rules import Concession
from tabletop.table import BotFailed
from tabletop.table.messages import Changed, Seated
from tabletop.table.session import Session
from tests.tabletop.table.clients import Client
from tests.tabletop.table.failing_bots import GAME, PLUGIN

ROOT = Path(__file__).parents[3]


def table(*players: str, **more: Any) -> Session:
    return Session(Match(GAME, seed="oak"), PLUGIN, players or (HUMAN, HUMAN), **more)


def test_a_session_waits_for_people_and_lets_bots_act_when_it_is_asked_to() -> None:
    session = table(HUMAN, "random")
    client = Client(session)
    assert (session.waiting_for, session.bot_to_act) == ((0,), None)
    assert not session.advance()
    client.ask(ActIn("5"))
    assert (session.waiting_for, session.bot_to_act) == ((), 1)
    assert session.match.ply == 1, "nobody has asked the bot yet"
    assert session.advance()
    assert not session.advance()
    assert session.match.ply == 2


def test_taking_back_goes_to_the_last_turn_of_a_person_and_forward_again() -> None:
    session = table(HUMAN, "random")
    client = Client(session)
    client.ask(ActIn("5"))
    session.advance()
    actions = session.match.actions
    client.ask(UndoIn())
    assert (session.match.ply, session.match.undone) == (0, 2)
    client.heard.clear()
    client.ask(RedoIn())
    assert session.match.actions == actions
    assert [news.ply for news in client.heard if isinstance(news, Changed)] == [1, 2]
    client.ask(UndoIn(actions=1))
    assert session.match.ply == 1


def test_the_record_has_actions_and_seats(tmp_path: Path) -> None:
    match: AnyMatch = Match(GAME, seed="oak")
    with (
        Journal.create(tmp_path / "match.jsonl", match) as journal,
        Session(match, PLUGIN, (HUMAN, HUMAN), recorder=journal) as session,
    ):
        Client(session).ask(ActIn("5"), ReseatIn(1, "random"), UndoIn(), ActIn("1"))
    record = read(tmp_path / "match.jsonl")
    assert record.players == (HUMAN, "random")
    assert replay(record, GAME).digest() == match.digest()
    assert match.recorder is None


class Full:
    """A recorder that can write nothing more."""

    plies = 0

    def played(self, match: Any, seat: int, action: Any) -> None:
        raise RecordLost("the disk is full")

    def undone(self, match: Any, count: int) -> None:
        raise RecordLost("the disk is full")

    def conceded(self, match: Any, concession: Concession) -> None:
        raise RecordLost("the disk is full")

    def seated(self, seat: int, player: str) -> None:
        raise RecordLost("the disk is full")


def test_what_cannot_be_recorded_is_refused_and_changes_nothing() -> None:
    session = table(recorder=Full())
    client = Client(session)
    client.ask(ActIn("5"), ReseatIn(0, "random"))
    assert client.refused == ["the disk is full"] * 2
    assert session.match.ply == 0
    assert session.players == (HUMAN, HUMAN)


def test_after_it_is_closed_nobody_is_told_anything() -> None:
    session = table()
    client = Client(session)
    session.close()
    client.heard.clear()
    session.match.play(session.match.legal_actions()[0])
    assert client.heard == []


def test_clients_are_notified_of_a_failed_bot_and_its_successor() -> None:
    session = table(HUMAN, "crash")
    client = Client(session)
    client.ask(ActIn("5"))
    client.heard.clear()
    assert session.advance()
    failed, seated = client.heard[:2]
    assert isinstance(failed, BotFailed)
    assert (failed.seat, failed.player) == (1, "crash")
    assert isinstance(failed.error, ZeroDivisionError)
    assert seated == Seated(1, "nonsense")


def test_only_bots_go_on_too_where_a_client_is_told() -> None:
    session = table("nonsense", "crash")
    client = Client(session)
    while session.advance():
        pass
    assert session.match.over
    assert session.players == ("random", "random")
    failed = [it.player for it in client.heard if isinstance(it, BotFailed)]
    assert sorted(failed) == ["crash", "nonsense", "nonsense"]


def test_a_bot_that_fails_where_nobody_is_told_fails_the_session() -> None:
    with pytest.raises(NotAnAction, match="played by Nonsense: "):
        table("nonsense", "random").advance()
    with pytest.raises(ZeroDivisionError):
        table("crash", "random").advance()


def test_nobody_acts_in_a_match_that_is_over() -> None:
    session = table()
    client = Client(session)
    client.ask(*map(ActIn, ("1", "4", "2", "5", "3", "6")))
    assert client.refused == ["the match is over"]


def test_a_match_that_is_over_goes_on_when_somebody_takes_back() -> None:
    session = table()
    client = Client(session)
    client.ask(*map(ActIn, ("1", "4", "2", "5", "3")), UndoIn(), ActIn("6"))
    assert client.refused == []
    assert session.match.ply == 5
    assert not session.match.over


# An action names the position that it answers.


def test_the_same_action_again_is_one_and_nothing_is_said() -> None:
    with Session(Match(GAME), PLUGIN, [HUMAN, HUMAN]) as session:
        ann = Client(session, [0])
        ann.ask(ActIn("5", 0, ply=0), ActIn("5", 0, ply=0))
        assert (session.match.ply, ann.refused) == (1, [])


def test_an_action_for_an_earlier_position_is_refused() -> None:
    with Session(Match(GAME), PLUGIN, [HUMAN, HUMAN]) as session:
        ann = Client(session)
        ann.ask(ActIn("5", ply=0), ActIn("1", ply=0), ActIn("1", ply=7))
        assert session.match.ply == 1
        assert ["the position has changed" in it for it in ann.refused] == [True, True]


def test_an_action_that_was_taken_back_can_be_played_again() -> None:
    with Session(Match(GAME), PLUGIN, [HUMAN, HUMAN]) as session:
        ann = Client(session)
        ann.ask(ActIn("5", ply=0), UndoIn(actions=1), ActIn("5", ply=0))
        assert (session.match.ply, ann.refused) == (1, [])


def test_an_action_for_a_position_before_an_undo_is_refused_in_a_new_one_of_the_same_ply() -> None:
    with Session(Match(GAME), PLUGIN, [HUMAN, HUMAN]) as session:
        ann = Client(session)
        ann.ask(ActIn("5"))
        seen = session.revision
        ann.ask(UndoIn(actions=1), ActIn("1"), ActIn("9", revision=seen))
        assert session.match.ply == 1
        assert ["the position has changed" in it for it in ann.refused] == [True]
        ann.ask(ActIn("9", revision=session.revision))
        assert session.match.ply == 2


def test_an_action_for_a_position_before_a_redo_is_refused() -> None:
    with Session(Match(GAME), PLUGIN, [HUMAN, HUMAN]) as session:
        ann = Client(session)
        ann.ask(ActIn("5"), UndoIn(actions=1))
        seen = session.revision
        ann.ask(RedoIn(actions=1), ActIn("1", revision=seen))
        assert session.match.ply == 1
        assert len(ann.refused) == 1


def test_no_revision_of_a_position_repeats() -> None:
    with Session(Match(GAME), PLUGIN, [HUMAN, HUMAN]) as session:
        ann = Client(session)
        revisions = [session.revision]
        for request in (
            ActIn("5"),
            UndoIn(actions=1),
            RedoIn(actions=1),
            ActIn("1"),
            UndoIn(actions=2),
            ActIn("5"),
        ):
            ann.ask(request)
            revisions.append(session.revision)
        assert revisions == sorted(set(revisions))


def test_the_same_action_for_the_same_revision_again_is_played_once() -> None:
    with Session(Match(GAME), PLUGIN, [HUMAN, HUMAN]) as session:
        ann = Client(session, [0])
        seen = session.revision
        ann.ask(ActIn("5", 0, revision=seen), ActIn("5", 0, revision=seen))
        assert (session.match.ply, ann.refused) == (1, [])


def test_who_chooses_at_the_same_time_is_not_late_when_another_was_quicker() -> None:
    plugin = load(str(ROOT / "examples" / "simultaneous.py"))
    with Session(Match(plugin.game), plugin, [HUMAN, HUMAN]) as session:
        ann, bo = Client(session, [0]), Client(session, [1])
        words = [str(session.match.legal_actions(seat)[0]) for seat in (0, 1)]
        seen = session.revision
        ann.ask(ActIn(words[0], 0, revision=seen))
        bo.ask(ActIn(words[1], 1, revision=seen))
        assert (session.match.ply, bo.refused) == (2, [])
