"""Votes on an undo and on a pause: the players who must agree, their answers, and dropped votes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from typing_extensions import override

from tabletop import Match, Seat, TabletopError
from tabletop.errors import IllegalAction, MatchOver, NotPermitted, OutOfDate
from tabletop.protocol import (
    ActIn,
    ConsentIn,
    ConsentOut,
    HoldOut,
    LogOut,
    MessageIn,
    NoteOut,
    ProposalOut,
    ProposeIn,
    RedoIn,
    ReseatIn,
    ResignIn,
    StateOut,
    TableOut,
    UndoIn,
)
from tabletop.registry import load
from tabletop.table.inputs import Freeze, HandOver, Tick
from tabletop.table.votes import PAUSED, RULES, Vote, VoteRule, VoteTable
from tests.tabletop.table.clients import Client
from tests.tabletop.table.failing_bots import Full
from tests.tabletop.table.sittings import Sitting, table_of

PAUSE = ProposeIn("pause")


class Players(NamedTuple):
    """A casual table with clocks, where Ada has rolled. Di is a spectator."""

    at: Sitting
    ada: Client
    bo: Client
    cy: Client
    di: Client


def players(present: Collection[Seat] = (0, 1, 2), **more: Any) -> Players:
    plugin = load("lcr")
    match = Match(plugin.game, seed="oak", seats=("Ada", "Bo", "Cy"))
    at = Sitting(match, plugin, undo="casual", **{"clock": 600, **more})
    ada, bo, cy, di = (Client(at, link) for link in (0, 1, 2, None))
    for seat in {0, 1, 2}.difference(present):
        at.close(seat)
    ada.ask(ActIn("roll"))
    return Players(at, ada, bo, cy, di)


class Rule(NamedTuple):
    """A kind of vote, a request for it, a request of the other kind, and its effect."""

    kind: str
    request: MessageIn
    other: MessageIn
    is_done: Callable[[Players], bool]

    def vote(self, *waiting: Seat, by: Seat = 0) -> Vote:
        return Vote(self.kind, (by,), waiting, 1 if self.kind == "undo" else 0)


UNDO_RULE = Rule("undo", UndoIn(actions=1), PAUSE, lambda it: it.at.match.ply == 0)
PAUSE_RULE = Rule("pause", PAUSE, UndoIn(actions=1), lambda it: it.at.table.requests.hold is PAUSED)

each_rule = pytest.mark.parametrize("rule", [UNDO_RULE, PAUSE_RULE], ids=lambda rule: rule.kind)


def said(client: Client) -> str:
    """Return all notes and lines of the log that a client has read."""
    told = [it for it in client.heard if isinstance(it, NoteOut | LogOut | ConsentOut)]
    return " ".join(map(str, told))


def proposals(client: Client) -> tuple[ProposalOut, ...]:
    """Return what a client can propose in the last state that it has received."""
    client.hear()
    return [it for it in client.heard if isinstance(it, StateOut)][-1].proposals


def started(rule: Rule) -> Players:
    """Players who have just been asked by Ada."""
    people = players()
    people.ada.holder.request(rule.request)
    for client in people[1:]:
        client.votes()
    return people


@each_rule
def test_everybody_else_is_asked_before_anything_is_done(rule: Rule) -> None:
    people = players()
    people.ada.holder.request(rule.request)
    for client, name in zip(people[1:4], ("Bo and Cy", "Ada", "Ada"), strict=True):
        [told] = client.votes()
        assert (told.kind, told.name, told.yours) == (rule.kind, name, client is people.ada)
    assert people.at.table.requests.votes.open == rule.vote(1, 2)
    assert not rule.is_done(people)


@each_rule
def test_spectators_receive_no_news_about_votes(rule: Rule) -> None:
    people = players()
    people.ada.holder.request(rule.request)
    people.bo.holder.request(ConsentIn(yes=False))
    assert people.di.votes() == []


@each_rule
def test_the_last_consent_has_the_effect(rule: Rule) -> None:
    people = started(rule)
    people.bo.holder.request(ConsentIn(yes=True))
    assert not rule.is_done(people)
    for client in people[1:4]:
        client.votes()
    people.cy.holder.request(ConsentIn(yes=True))
    assert rule.is_done(people)
    assert people.at.table.requests.votes.open is None
    assert [client.votes() for client in people[1:4]] == [[ConsentOut(0, "")]] * 3


@each_rule
def test_those_who_asked_learn_whose_answers_are_missing(rule: Rule) -> None:
    people = started(rule)
    people.bo.holder.request(ConsentIn(yes=True))
    assert [it.name for it in people.ada.votes()] == ["Cy"]
    assert people.bo.votes() == [ConsentOut(0, "")]
    assert people.cy.votes() == []


@each_rule
@pytest.mark.parametrize("answering", ["ada", "bo"])
def test_a_no_of_those_who_asked_or_must_answer_ends_the_vote(rule: Rule, answering: str) -> None:
    people = started(rule)
    client: Client = getattr(people, answering)
    client.holder.request(ConsentIn(yes=False))
    for other in people[1:4]:
        [ended] = other.votes()
        assert ended.kind == ""
        assert bool(ended.reason) == (other is not client)
    assert not rule.is_done(people)
    assert people.at.table.requests.votes.open is None


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
        getattr(people, answering).holder.request(consent)
    assert people.at.table.requests.votes.open == rule.vote(1, 2)


@each_rule
@pytest.mark.parametrize("yes", [True, False])
def test_players_answer_only_once(rule: Rule, yes: bool) -> None:
    people = started(rule)
    people.bo.holder.request(ConsentIn(yes=True))
    with pytest.raises(NotPermitted):
        people.bo.holder.request(ConsentIn(yes))
    assert people.at.table.requests.votes.open == rule.vote(2)


@each_rule
def test_an_answer_to_the_other_kind_of_vote_is_refused(rule: Rule) -> None:
    people = started(rule)
    other = "pause" if rule.kind == "undo" else "undo"
    with pytest.raises(OutOfDate):
        people.bo.holder.request(ConsentIn(yes=True, kind=other))
    people.bo.holder.request(ConsentIn(yes=True, kind=rule.kind))
    assert people.at.table.requests.votes.open == rule.vote(2)


@each_rule
def test_without_an_open_vote_an_answer_is_refused(rule: Rule) -> None:
    people = players()
    for kind in ("", rule.kind):
        with pytest.raises(OutOfDate):
            people.bo.holder.request(ConsentIn(yes=True, kind=kind))


@each_rule
def test_an_action_drops_the_vote(rule: Rule) -> None:
    people = started(rule)
    people.bo.holder.request(ActIn("roll"))
    people.ada.hear()
    assert "has continued" in said(people.ada)
    assert people.at.table.requests.votes.open is None


def bo_leaves_to_a_bot(people: Players) -> None:
    people.bo.holder.request(ReseatIn(1, "random"))


def bo_hands_over(people: Players) -> None:
    people.at.receive(HandOver(1, "Bo has a new player"))


@each_rule
@pytest.mark.parametrize("change", [bo_leaves_to_a_bot, bo_hands_over])
def test_a_new_player_drops_the_vote(rule: Rule, change: Callable[[Players], None]) -> None:
    people = started(rule)
    change(people)
    for client in people[1:4]:
        assert client.votes()[-1].kind == ""
    for client in (people.ada, people.cy):
        assert "dropped, because a seat has a new player" in said(client)
    assert "has continued" not in said(people.ada)
    assert people.at.table.requests.votes.open is None


@each_rule
@pytest.mark.parametrize("client", ["ada", "bo"])
def test_a_client_that_returns_receives_the_open_vote(rule: Rule, client: str) -> None:
    people = started(rule)
    link = getattr(people, client).holder.link
    people.at.close(link)
    assert [it.kind for it in Client(people.at, link).votes()] == [rule.kind]


@each_rule
@pytest.mark.parametrize("client", ["ada", "bo"])
def test_a_different_request_waits_until_the_vote_ends(rule: Rule, client: str) -> None:
    people = started(rule)
    with pytest.raises(NotPermitted, match="Ada asks to"):
        getattr(people, client).holder.request(rule.other)
    assert people.at.table.requests.votes.open == rule.vote(1, 2)


@each_rule
def test_the_same_request_of_another_player_is_a_consent(rule: Rule) -> None:
    people = started(rule)
    people.bo.holder.request(rule.request)
    assert people.at.table.requests.votes.open == rule.vote(2)
    people.cy.holder.request(rule.request)
    assert rule.is_done(people)


@each_rule
def test_the_same_request_cannot_be_repeated_by_those_who_asked(rule: Rule) -> None:
    people = started(rule)
    with pytest.raises(NotPermitted, match="must be answered first"):
        people.ada.holder.request(rule.request)


def test_a_request_to_undo_a_different_number_of_actions_is_no_consent() -> None:
    people = players()
    people.bo.holder.request(ActIn("roll"))
    people.ada.holder.request(UndoIn(actions=2))
    with pytest.raises(NotPermitted, match="Ada asks to undo 2 actions"):
        people.bo.holder.request(UndoIn(actions=1))


@each_rule
def test_spectators_cannot_ask(rule: Rule) -> None:
    people = players()
    with pytest.raises(NotPermitted):
        people.di.holder.request(rule.request)
    assert people.at.table.requests.votes.open is None


def test_a_vote_stays_open_if_its_effect_cannot_be_recorded() -> None:
    people = started(UNDO_RULE)
    people.bo.holder.request(ConsentIn(yes=True))
    full = Full()
    full.plies = 1
    people.at.match.set_recorder(full)
    with pytest.raises(TabletopError):
        people.cy.holder.request(ConsentIn(yes=True))
    assert people.at.match.ply == 1
    assert people.at.table.requests.votes.open == UNDO_RULE.vote(2)


def test_an_undo_with_consent_is_not_announced_as_a_dropped_vote() -> None:
    people = started(UNDO_RULE)
    people.bo.holder.request(ConsentIn(yes=True))
    people.cy.holder.request(ConsentIn(yes=True))
    people.ada.hear()
    assert "dropped" not in said(people.ada)


# Differences between the rules.


def test_an_undo_is_refused_if_a_player_has_no_client() -> None:
    match = Match(load("lcr").game, seed="oak", seats=("Ada", "Bo", "Cy"))
    at = Sitting(match, load("lcr"), undo="casual", seating={0: [0], 2: [2]})
    ada = Client(at)
    ada.ask(ActIn("roll"))
    with pytest.raises(NotPermitted, match="Bo is away"):
        ada.holder.request(UndoIn())


def test_a_request_says_whether_consent_ends_the_match() -> None:
    people = players()
    for kind, ends in (("pause", False), ("draw", True)):
        people.ada.holder.request(ProposeIn(kind))
        assert people.bo.votes()[-1].ends is ends
        people.bo.holder.request(ConsentIn(yes=False))


def test_a_pause_needs_the_consent_of_connected_players_only() -> None:
    people = players(present=(0, 2))
    people.ada.holder.request(PAUSE)
    assert people.at.table.requests.votes.open == PAUSE_RULE.vote(2)


def test_a_player_who_is_alone_pauses_at_once() -> None:
    people = players(present=(0,))
    people.ada.holder.request(PAUSE)
    people.ada.hear()
    assert "the clocks are paused, as Ada asked" in said(people.ada)


def test_a_repeated_request_succeeds_when_the_players_who_had_to_agree_have_left() -> None:
    people = started(PAUSE_RULE)
    people.at.close(1)
    people.at.close(2)
    people.ada.holder.request(PAUSE)
    assert people.at.table.requests.hold
    assert people.at.table.requests.votes.open is None
    assert people.ada.votes()[-1] == ConsentOut(0, "")


def test_anybody_starts_the_clocks_again_without_consent() -> None:
    people = players(present=(0,))
    people.ada.holder.request(PAUSE)
    people.bo.holder.request(ProposeIn("resume"))
    assert not people.at.table.requests.hold
    people.ada.hear()
    assert "Bo has started the clocks again" in said(people.ada)


@pytest.mark.parametrize("kind", ["pause", "resume"])
def test_a_pause_is_refused_if_nothing_would_change(kind: str) -> None:
    people = players()
    people.at.table.requests.set_hold(PAUSED if kind == "pause" else None)
    with pytest.raises(TabletopError, match="already"):
        people.ada.holder.request(ProposeIn(kind))


@pytest.mark.parametrize("kind", ["pause", "resume"])
def test_a_pause_is_refused_without_clocks(kind: str) -> None:
    people = players(clock=None)
    with pytest.raises(TabletopError, match="no clocks"):
        people.ada.holder.request(ProposeIn(kind))


def test_refused_proposals_do_not_count_for_the_limit_of_requests_to_others() -> None:
    people = players(clock=None)
    limit = people.at.table.limits.messages_at_once
    people.ada.ask(*[ProposeIn("pause", 1)] * (limit + 1), ProposeIn("draw", 2))
    assert people.at.table.requests.votes.open == Vote("draw", (0,), (1, 2))


def test_the_limit_of_requests_to_others_is_also_for_the_end_of_a_pause() -> None:
    people = players(present=(0,))
    limit = people.at.table.limits.messages_at_once
    people.ada.ask(*[PAUSE, ProposeIn("resume", 1)] * limit, PAUSE)
    assert people.ada.refused == []
    people.ada.ask(ProposeIn("resume", 1))
    assert people.ada.refused != []
    assert people.at.table.requests.hold


def test_the_clocks_start_again_while_another_vote_is_open() -> None:
    people = players()
    people.at.table.requests.set_hold(PAUSED)
    people.ada.holder.request(UndoIn(actions=1))
    people.bo.holder.request(ProposeIn("resume"))
    assert not people.at.table.requests.hold
    assert people.at.table.requests.votes.open == UNDO_RULE.vote(1, 2)


@pytest.mark.parametrize("kind", ["undo", "rematch", ""])
def test_a_kind_that_cannot_be_proposed_is_refused(kind: str) -> None:
    people = players()
    with pytest.raises(TabletopError, match="cannot be proposed"):
        people.ada.holder.request(ProposeIn(kind))


def test_a_state_contains_only_the_proposals_that_are_possible() -> None:
    people = players()
    assert [it.kind for it in proposals(people.ada)] == ["pause", "draw"]
    people.at.table.requests.set_hold(PAUSED, "a pause")
    assert [it.kind for it in proposals(people.ada)] == ["resume", "draw"]
    assert proposals(people.di) == ()


def test_a_reason_against_changes_of_the_match_applies_to_everything() -> None:
    people = players()
    table = people.at.table
    table.requests.set_hold(HoldOut("Adjourned"), refusal="adjourned until tomorrow")
    for request in (ActIn("roll"), UndoIn(), RedoIn(), ResignIn(), PAUSE):
        with pytest.raises(IllegalAction, match="adjourned until tomorrow"):
            people.bo.holder.request(request)
    people.bo.hear()
    state = [it for it in people.bo.heard if isinstance(it, StateOut)][-1]
    assert state == replace(
        state, your_turn=(), choices=(), can_undo=False, can_redo=False, can_resign=(), proposals=()
    )
    assert state.prompt == "Adjourned until tomorrow"
    [told] = [it for it in people.di.hear() if isinstance(it, TableOut)][-1:]
    assert told.hold == HoldOut("Adjourned")
    assert table.clocks.running == ()


def test_bots_wait_while_nobody_can_change_the_match() -> None:
    at = table_of(players=["human", "random", "random"])
    at.open(0)
    at.ask(0, ActIn("roll"))
    at.table.requests.set_hold(None, refusal="adjourned until tomorrow")
    at.wait(1000)
    at.receive(Tick())
    assert at.match.ply == 1
    at.table.requests.set_hold(None)
    at.receive(Tick())
    assert at.match.ply > 1


def test_a_table_that_is_closed_has_no_proposals() -> None:
    people = players()
    people.at.receive(Freeze())
    assert proposals(people.ada) == ()


def test_a_player_whose_seat_a_bot_plays_cannot_pause() -> None:
    people = players()
    people.ada.holder.request(ReseatIn(0, "random"))
    with pytest.raises(NotPermitted, match="you control no seat"):
        people.ada.holder.request(PAUSE)


def test_a_finished_match_is_not_paused() -> None:
    people = players()
    while not people.at.match.over:
        people.at.match.play(people.at.match.legal_actions()[0])
    with pytest.raises(MatchOver):
        people.ada.holder.request(PAUSE)


class Swap(VoteRule):
    """A made-up rule: the players agree to swap their places."""

    kind = "swap"
    request = "request to swap places"
    label = "Swap places"
    help = "Ask the others to swap places."
    agreed = False

    @override
    def aim(self, vote: Vote) -> str:
        return "swap places"

    @override
    def voters(self, table: VoteTable, by: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in table.people if seat not in by)

    @override
    def carry_out(self, table: VoteTable, vote: Vote) -> None:
        self.agreed = True


def test_a_further_rule_is_all_that_a_further_kind_of_vote_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rule = Swap()
    monkeypatch.setitem(RULES, rule.kind, rule)
    people = players()
    assert ProposalOut("swap", rule.label, rule.help) in proposals(people.ada)
    command = people.at.table.commands_of(people.ada.holder).parse("swap")
    people.ada.ask(command)
    for client in (people.bo, people.cy):
        assert not rule.agreed
        client.holder.request(ConsentIn(yes=True, kind="swap"))
    assert rule.agreed
