"""Votes on an undo and on a pause: the players who must agree, their answers, and dropped votes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import pytest

from tabletop import Match, Seat, TabletopError
from tabletop.errors import MatchOver, NotPermitted, OutOfDate
from tabletop.protocol import (
    ActIn,
    ConsentIn,
    MessageIn,
    PauseIn,
    PlayAgainIn,
    ReseatIn,
    UndoIn,
)
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table.messages import Changed, Notification, Vote, VoteAsked, VoteEnded
from tabletop.table.participants import Participant
from tabletop.table.session import Session
from tabletop.table.votes import RULES, VoteTable
from tests.tabletop.table.clients import Client
from tests.tabletop.table.test_session import Full

PAUSE = PauseIn(on=True)


class Clocks:
    """Clocks without time, which store connections and announcements."""

    def __init__(self, present: Collection[Seat]) -> None:
        self.present = present
        self.paused = False
        self.notes: list[str] = []

    def set_paused(self, paused: bool, note: str = "") -> None:
        self.paused = paused
        self.notes.append(note)


class Players(NamedTuple):
    """A casual table with clocks, where Ada has rolled; Di is a spectator."""

    session: Session
    clocks: Clocks
    ada: Client
    bo: Client
    cy: Client
    di: Client


def players(present: Collection[Seat] = (0, 1, 2)) -> Players:
    plugin = load("lcr")
    match = Match(plugin.game, seed="oak", seats=("Ada", "Bo", "Cy"))
    session = Session(match, plugin, [HUMAN] * 3, undo="casual")
    clocks = session.pausable = Clocks(present)
    ada, bo, cy, di = (Client(session, seats) for seats in ([0], [1], [2], []))
    ada.place.request(ActIn("roll"))
    return Players(session, clocks, ada, bo, cy, di)


class Rule(NamedTuple):
    """A kind of vote, a request for it, a request of the other kind, and its effect."""

    kind: str
    request: MessageIn
    other: MessageIn
    is_done: Callable[[Players], bool]

    def vote(self, *waiting: Seat, by: Seat = 0) -> Vote:
        return Vote(self.kind, (by,), waiting, 1 if self.kind == "undo" else 0)


UNDO_RULE = Rule("undo", UndoIn(actions=1), PAUSE, lambda it: it.session.match.ply == 0)
PAUSE_RULE = Rule("pause", PAUSE, UndoIn(actions=1), lambda it: it.clocks.paused)

each_rule = pytest.mark.parametrize("rule", [UNDO_RULE, PAUSE_RULE], ids=lambda rule: rule.kind)


def votes(client: Client) -> list[Notification]:
    """The news about votes that a client has received since the last call."""
    return [news for news in client.said() if isinstance(news, VoteAsked | VoteEnded)]


def started(rule: Rule) -> Players:
    """Players who have just been asked by Ada."""
    people = players()
    people.ada.place.request(rule.request)
    for client in people[2:]:
        votes(client)
    return people


@each_rule
def test_everybody_else_is_asked_before_anything_is_done(rule: Rule) -> None:
    people = players()
    people.ada.place.request(rule.request)
    assert [votes(client) for client in people[2:5]] == [[VoteAsked(rule.vote(1, 2))]] * 3
    assert people.session.vote == rule.vote(1, 2)
    assert not rule.is_done(people)


@each_rule
def test_spectators_receive_no_news_about_votes(rule: Rule) -> None:
    people = players()
    people.ada.place.request(rule.request)
    people.bo.place.request(ConsentIn(yes=False))
    assert votes(people.di) == []


@each_rule
def test_the_last_consent_has_the_effect(rule: Rule) -> None:
    people = started(rule)
    people.bo.place.request(ConsentIn(yes=True))
    assert not rule.is_done(people)
    people.cy.place.request(ConsentIn(yes=True))
    assert rule.is_done(people)
    assert people.session.vote is None
    assert votes(people.bo)[-1] == VoteEnded(rule.vote(2))


@each_rule
def test_those_who_asked_learn_whose_answers_are_missing(rule: Rule) -> None:
    people = started(rule)
    people.bo.place.request(ConsentIn(yes=True))
    assert [votes(client) for client in people[2:5]] == [
        [VoteAsked(rule.vote(2))],
        [VoteAsked(rule.vote(2))],
        [],
    ]


@each_rule
@pytest.mark.parametrize("answering", ["ada", "bo"])
def test_a_no_of_those_who_asked_or_must_answer_ends_the_vote(rule: Rule, answering: str) -> None:
    people = started(rule)
    client: Client = getattr(people, answering)
    client.place.request(ConsentIn(yes=False))
    ended = VoteEnded(rule.vote(1, 2), client.place.seats)
    assert [votes(client) for client in people[2:5]] == [[ended]] * 3
    assert not rule.is_done(people)
    assert people.session.vote is None


@each_rule
@pytest.mark.parametrize(
    ("answering", "consent", "error"),
    [
        ("ada", ConsentIn(yes=True), NotPermitted),
        ("di", ConsentIn(yes=True), NotPermitted),
        ("di", ConsentIn(yes=False), NotPermitted),
    ],
)
def test_other_answers_are_refused(
    rule: Rule, answering: str, consent: ConsentIn, error: type[Exception]
) -> None:
    people = started(rule)
    with pytest.raises(error):
        getattr(people, answering).place.request(consent)
    assert people.session.vote == rule.vote(1, 2)


@each_rule
@pytest.mark.parametrize("yes", [True, False])
def test_players_answer_only_once(rule: Rule, yes: bool) -> None:
    people = started(rule)
    people.bo.place.request(ConsentIn(yes=True))
    with pytest.raises(NotPermitted):
        people.bo.place.request(ConsentIn(yes))
    assert people.session.vote == rule.vote(2)


@each_rule
def test_an_answer_to_the_other_kind_of_vote_is_refused(rule: Rule) -> None:
    people = started(rule)
    other = "pause" if rule.kind == "undo" else "undo"
    with pytest.raises(OutOfDate):
        people.bo.place.request(ConsentIn(yes=True, kind=other))
    people.bo.place.request(ConsentIn(yes=True, kind=rule.kind))
    assert people.session.vote == rule.vote(2)


@each_rule
def test_without_an_open_vote_an_answer_is_refused(rule: Rule) -> None:
    people = players()
    for kind in ("", rule.kind):
        with pytest.raises(OutOfDate):
            people.bo.place.request(ConsentIn(yes=True, kind=kind))


@each_rule
def test_an_action_drops_the_vote(rule: Rule) -> None:
    people = started(rule)
    people.bo.place.request(ActIn("roll"))
    (ended,) = votes(people.ada)
    assert isinstance(ended, VoteEnded)
    assert (ended.vote, ended.refused) == (rule.vote(1, 2), ())
    assert "has continued" in ended.note
    assert people.session.vote is None


def bo_leaves_to_a_bot(people: Players) -> None:
    people.bo.place.request(ReseatIn(1, "random"))


def bo_hands_over(people: Players) -> None:
    people.session.handed_over()


@each_rule
@pytest.mark.parametrize("change", [bo_leaves_to_a_bot, bo_hands_over])
def test_a_new_player_drops_the_vote(rule: Rule, change: Callable[[Players], None]) -> None:
    people = started(rule)
    change(people)
    for client in people[2:5]:
        (ended,) = votes(client)
        assert isinstance(ended, VoteEnded)
        assert ended.note
        assert "has continued" not in ended.note
    assert people.session.vote is None


@each_rule
@pytest.mark.parametrize("client", ["ada", "bo"])
def test_a_client_that_returns_receives_the_open_vote(rule: Rule, client: str) -> None:
    people = started(rule)
    place = getattr(people, client).place
    seats = place.seats
    place.leave()
    assert votes(Client(people.session, seats)) == [VoteAsked(rule.vote(1, 2))]


@each_rule
@pytest.mark.parametrize("client", ["ada", "bo"])
def test_a_different_request_waits_until_the_vote_ends(rule: Rule, client: str) -> None:
    people = started(rule)
    with pytest.raises(NotPermitted, match="Ada asks to"):
        getattr(people, client).place.request(rule.other)
    assert people.session.vote == rule.vote(1, 2)


@each_rule
def test_the_same_request_of_another_player_is_a_consent(rule: Rule) -> None:
    people = started(rule)
    people.bo.place.request(rule.request)
    assert people.session.vote == rule.vote(2)
    people.cy.place.request(rule.request)
    assert rule.is_done(people)


@each_rule
def test_the_same_request_cannot_be_repeated_by_those_who_asked(rule: Rule) -> None:
    people = started(rule)
    with pytest.raises(NotPermitted, match="must be answered first"):
        people.ada.place.request(rule.request)


def test_a_request_to_undo_a_different_number_of_actions_is_no_consent() -> None:
    people = players()
    people.bo.place.request(ActIn("roll"))
    people.ada.place.request(UndoIn(actions=2))
    with pytest.raises(NotPermitted, match="Ada asks to undo 2 actions"):
        people.bo.place.request(UndoIn(actions=1))


@each_rule
def test_spectators_cannot_ask(rule: Rule) -> None:
    people = players()
    with pytest.raises(NotPermitted):
        people.di.place.request(rule.request)
    assert people.session.vote is None


def test_a_vote_stays_open_if_its_effect_cannot_be_recorded() -> None:
    people = started(UNDO_RULE)
    people.bo.place.request(ConsentIn(yes=True))
    full = Full()
    full.plies = 1
    people.session.match.set_recorder(full)
    with pytest.raises(TabletopError):
        people.cy.place.request(ConsentIn(yes=True))
    assert people.session.match.ply == 1
    assert people.session.vote == UNDO_RULE.vote(2)


def test_an_undo_with_consent_is_not_announced_as_a_dropped_vote() -> None:
    people = started(UNDO_RULE)
    people.bo.place.request(ConsentIn(yes=True))
    people.cy.place.request(ConsentIn(yes=True))
    ended = people.ada.about(Changed, VoteEnded)
    assert ended == [Changed(0), VoteEnded(UNDO_RULE.vote(2))]


# Differences between the rules.


def test_an_undo_is_refused_if_a_player_has_no_client() -> None:
    people = players(present=(0, 2))
    people.bo.place.leave()
    with pytest.raises(NotPermitted, match="Bo is away"):
        people.ada.place.request(UndoIn())


def test_a_pause_needs_the_consent_of_connected_players_only() -> None:
    people = players(present=(0, 2))
    people.bo.place.leave()
    people.ada.place.request(PAUSE)
    assert people.session.vote == PAUSE_RULE.vote(2)


def test_a_player_who_is_alone_pauses_at_once() -> None:
    people = players(present=(0,))
    people.ada.place.request(PAUSE)
    assert people.clocks.notes == ["the clocks are paused, as Ada asked"]
    assert votes(people.bo) == []


def test_a_repeated_request_succeeds_when_the_players_who_had_to_agree_have_left() -> None:
    people = started(PAUSE_RULE)
    people.clocks.present = (0,)
    people.ada.place.request(PAUSE)
    assert people.clocks.paused
    assert people.session.vote is None
    assert votes(people.bo) == [VoteEnded(PAUSE_RULE.vote(1, 2))]


def test_anybody_starts_the_clocks_again_without_consent() -> None:
    people = players(present=(0,))
    people.ada.place.request(PAUSE)
    people.bo.place.request(PauseIn(on=False))
    assert not people.clocks.paused
    assert people.clocks.notes[-1] == "Bo has started the clocks again"


@pytest.mark.parametrize("on", [True, False])
def test_a_pause_is_refused_if_nothing_would_change(on: bool) -> None:
    people = players()
    people.clocks.paused = on
    with pytest.raises(TabletopError, match="already"):
        people.ada.place.request(PauseIn(on))


@pytest.mark.parametrize("on", [True, False])
def test_a_pause_is_refused_without_clocks(on: bool) -> None:
    people = players()
    people.session.pausable = None
    with pytest.raises(TabletopError, match="no clocks"):
        people.ada.place.request(PauseIn(on))


def test_a_player_whose_seat_a_bot_plays_cannot_pause() -> None:
    people = players()
    people.ada.place.request(ReseatIn(0, "random"))
    with pytest.raises(NotPermitted, match="you control no seat"):
        people.ada.place.request(PAUSE)


def test_a_finished_match_is_not_paused() -> None:
    people = players()
    while not people.session.match.over:
        people.session.match.play(people.session.match.legal_actions()[0])
    with pytest.raises(MatchOver):
        people.ada.place.request(PAUSE)


class Rematch:
    """A made-up rule: the players agree to play again."""

    kind = "rematch"
    continued = reseated = ""
    informs_all = False
    agreed = False

    def aim(self, vote: Vote) -> str:
        return "play again"

    def actions(self, table: VoteTable, by: Participant, request: MessageIn) -> int | None:
        return 0 if isinstance(request, PlayAgainIn) else None

    def voters(self, table: VoteTable, by: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in table.people if seat not in by)

    def carry_out(self, table: VoteTable, vote: Vote) -> None:
        self.agreed = True


def test_a_further_rule_is_all_that_a_further_kind_of_vote_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people, rule = players(), Rematch()
    monkeypatch.setitem(RULES, rule.kind, rule)
    assert people.session.needs_consent(people.ada.place, PlayAgainIn())
    people.ada.place.request(PlayAgainIn())
    for client in (people.bo, people.cy):
        assert not rule.agreed
        client.place.request(ConsentIn(yes=True, kind="rematch"))
    assert rule.agreed
