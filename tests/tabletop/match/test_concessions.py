"""Concessions: resigning, losing on time, and agreeing to a draw."""

from __future__ import annotations

import pickle

import pytest
from tests.tabletop.games import race, rope

from tabletop import Conceded, Event, Match, MatchEnded, Outcome, Random, TabletopError
from tabletop.errors import MatchOver, RecordLost
from tabletop.match import AnyMatch
from tabletop.registry import load
from tabletop.rules import Concession


def race_of_two() -> AnyMatch:
    match = Match(race.GAME, seed="oak", seats=["Ann", "Bo"], options={"goal": 9})
    match.play("walk")
    match.play("walk")
    return match


def chips_of(*names: str) -> AnyMatch:
    return Match(load("lcr").game, seed="oak", seats=names)


def test_the_other_of_two_players_wins_after_a_resignation() -> None:
    match = race_of_two()
    match.concede(1)
    assert match.over
    assert match.outcome == Outcome(((0,), (1,)), "Bo resigned")
    assert match.legal_actions(0) == ()


def test_a_loss_on_time_is_part_of_the_outcome() -> None:
    match = race_of_two()
    match.concede(0, "time")
    assert match.outcome == Outcome(((1,), (0,)), "Ann ran out of time")


def test_an_agreed_draw_ends_the_match() -> None:
    match = race_of_two()
    match.agree_draw()
    assert match.over
    assert match.outcome == Outcome(((0, 1),), "by agreement")
    assert match.outcome.is_draw


def test_nothing_can_be_played_redone_or_conceded_after_the_end() -> None:
    match = race_of_two()
    match.undo()
    match.concede(1)
    assert match.undone == 0
    with pytest.raises(MatchOver):
        match.play("walk")
    with pytest.raises(MatchOver):
        match.concede(0)
    with pytest.raises(MatchOver):
        match.agree_draw()


def test_an_action_listed_before_a_concession_is_refused() -> None:
    match = race_of_two()
    (action, *_) = match.legal_actions()
    match.concede(1)
    with pytest.raises(MatchOver):
        match.play(action)


def test_several_players_continue_and_the_loser_is_ranked_last() -> None:
    match = chips_of("Ann", "Bo", "Cy")
    straight = chips_of("Ann", "Bo", "Cy")
    for it in (match, straight):
        for seat in range(3):
            it.set_player(seat, Random(seat))
    outcome = straight.run()
    assert outcome is not None
    (winner,) = outcome.winners
    match.concede(winner)
    assert not match.over
    match.run()
    assert match.actions == straight.actions
    assert match.outcome is not None
    assert match.outcome.ranking[-1] == (winner,)
    assert match.outcome.ranking[0] == tuple(seat for seat in range(3) if seat != winner)
    assert match.outcome.reason.endswith(f"{match.names[winner]} resigned")


def test_the_last_player_who_has_not_lost_wins_and_the_first_loser_is_last() -> None:
    match = chips_of("Ann", "Bo", "Cy", "Di")
    match.concede(2)
    match.concede(0, "time")
    match.concede(3)
    assert match.over
    assert match.outcome is not None
    assert match.outcome.ranking == ((1,), (3,), (0,), (2,))
    assert match.outcome.winners == (1,)


def test_a_draw_is_among_the_players_who_have_not_lost() -> None:
    match = chips_of("Ann", "Bo", "Cy")
    match.concede(1)
    match.agree_draw()
    assert match.outcome is not None
    assert match.outcome.ranking == ((0, 2), (1,))


def test_a_seat_loses_only_once() -> None:
    match = chips_of("Ann", "Bo", "Cy")
    match.concede(1)
    with pytest.raises(TabletopError):
        match.concede(1, "time")
    assert match.lost == (1,)


def test_nobody_loses_alone_and_there_is_no_draw_in_a_cooperative_match() -> None:
    match = Match(rope.GAME, seed="oak")
    with pytest.raises(TabletopError):
        match.concede(0)
    with pytest.raises(TabletopError):
        match.agree_draw()
    assert not match.over


def test_observers_receive_the_loss_and_then_the_end() -> None:
    match, seen = race_of_two(), list[Event]()
    match.observe(seen.append, seat=0)
    match.concede(1)
    assert seen == [Conceded(1, "resigned"), MatchEnded(Outcome(((0,), (1,)), "Bo resigned"))]


def test_undo_takes_back_a_concession_with_the_last_action_before_it() -> None:
    match = race_of_two()
    match.concede(1)
    match.undo()
    assert (match.over, match.concessions, match.undone) == (False, (), 1)
    match.redo()
    assert not match.over


def test_undo_of_later_actions_keeps_a_concession() -> None:
    match = chips_of("Ann", "Bo", "Cy")
    match.concede(1)
    match.play(match.legal_actions()[0])
    match.undo()
    assert match.concessions == (Concession(0, 1, "resigned"),)


def test_copies_and_pickles_contain_concessions() -> None:
    match = race_of_two()
    match.concede(1)
    for copy in (match.clone(), pickle.loads(pickle.dumps(match))):
        assert copy.over
        assert copy.outcome == match.outcome


class Full:
    """A recorder that cannot write a concession."""

    plies = 0

    def played(self, *_: object) -> None: ...

    def undone(self, *_: object) -> None: ...

    def seated(self, *_: object) -> None: ...

    def conceded(self, *_: object) -> None:
        raise RecordLost("the disk is full")


def test_a_concession_that_cannot_be_recorded_changes_nothing() -> None:
    match, seen = race_of_two(), list[Event]()
    match.undo()
    match.observe(seen.append)
    match.set_recorder(Full())
    before = match.to_act, match.undone
    with pytest.raises(RecordLost):
        match.concede(0)
    with pytest.raises(RecordLost):
        match.agree_draw()
    assert (match.to_act, match.undone) == before
    assert (match.concessions, match.outcome, seen) == ((), None, [])
