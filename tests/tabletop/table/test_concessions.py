"""Resigning, offering a draw, and losing on time at a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tabletop import Match, Outcome
from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.protocol import (
    ActIn,
    ConsentIn,
    ConsentOut,
    DoneOut,
    LogOut,
    ProposeIn,
    RefusedOut,
    ReseatIn,
    ResignIn,
    StateOut,
    TableOut,
    UndoIn,
)
from tabletop.records import HUMAN, Journal, read, replay
from tabletop.registry import load
from tabletop.rules import Concession
from tabletop.table.inputs import Fault, Link
from tabletop.table.limits import TableLimits
from tabletop.table.match_table import TableState
from tests.tabletop.games import race, rope
from tests.tabletop.table.sittings import WORDS, Sitting, at_game, table_of

RACE = race.PLUGIN


def race_of_two(**settings: Any) -> Sitting:
    """Two people, who have come and played an action each."""
    at = at_game(RACE, (HUMAN, HUMAN), **settings)
    at.open(0, 1)
    at.wait()
    while at.match.to_act == (1,) or not at.match.ply:
        at.ask(at.match.to_act[0], ActIn("walk"))
        at.wait()
    return at


def chips_of_three(**settings: Any) -> Sitting:
    at = table_of("lcr", names=["Ann", "Bo", "Cy"], **settings)
    at.open(0, 1, 2, None)
    at.wait()
    return at


def refusals(at: Sitting, link: Link) -> list[RefusedOut]:
    return at.told(link, RefusedOut)


def last_state(at: Sitting, link: Link) -> StateOut:
    return at.presenter.state(at.table.holders[link], WORDS, at.now)


# Resigning.


def test_the_other_player_wins_when_one_resigns() -> None:
    at = race_of_two()
    at.ask(0, ResignIn(id=1))
    assert DoneOut(1) in at.hear(0)
    state = at.told(1, StateOut)[-1]
    assert state.over is not None
    assert state.over.winners == (1,)
    assert state.over.reason == "Player 1 resigned"


def test_everybody_reads_who_has_resigned() -> None:
    at = race_of_two()
    at.hear(1)
    at.ask(0, ResignIn(id=1))
    lines = [line.text for log in at.told(1, LogOut) for line in log.lines]
    assert lines[0] == "Player 1 resigned."


def test_a_player_can_resign_while_others_are_to_act() -> None:
    at = race_of_two()
    assert at.match.to_act == (0,)
    at.ask(1, ResignIn())
    assert at.match.outcome == Outcome(((0,), (1,)), "Player 2 resigned")


def test_nobody_resigns_for_another_player_or_as_a_spectator() -> None:
    at = race_of_two()
    at.open(None)
    at.ask(0, ResignIn(1, seat=1))
    at.ask(None, ResignIn(2))
    assert [it.reason for it in refusals(at, 0)] == ["refused"]
    assert [it.reason for it in refusals(at, None)] == ["refused"]
    assert not at.match.over


def test_a_bot_plays_on_for_one_of_several_players_who_is_ranked_last() -> None:
    at = chips_of_three()
    at.ask(0, ResignIn(id=1))
    at.wait()
    assert not at.match.over
    assert at.table.players[0] != HUMAN
    for _ in range(200):
        for link in {*at.match.to_act}.intersection({1, 2}):
            at.ask(link, ActIn("roll"))
        at.wait(10)
    outcome = at.match.outcome
    assert outcome is not None
    assert outcome.ranking[-1] == (0,)


def test_a_player_who_has_resigned_cannot_return() -> None:
    at = chips_of_three()
    at.ask(0, ResignIn())
    at.wait()
    at.hear(0)
    at.ask(0, ReseatIn(0, HUMAN, 2))
    assert [it.id for it in refusals(at, 0)] == [2]
    assert at.table.players[0] != HUMAN
    assert not at.table.successors.is_free(0, at.now + 10**6)


def test_everybody_learns_which_seats_are_lost_for_their_players() -> None:
    at = chips_of_three()
    assert at.told(1, TableOut)[-1].lost == ()
    at.ask(0, ResignIn())
    at.wait()
    assert at.told(1, TableOut)[-1].lost == (0,)


def test_the_last_action_stays_marked_after_a_resignation() -> None:
    at = at_game(load("constructor"), (HUMAN,) * 4)
    at.open(0, 1)
    at.ask(0, ActIn("0"))
    before = at.table.holders[1].perspective.log.recent_events(1)
    assert before
    at.ask(1, ResignIn())
    assert at.table.holders[1].perspective.log.recent_events(1)[: len(before)] == before


def test_a_person_at_a_shared_keyboard_resigns_for_the_seat_to_act() -> None:
    at = at_game(RACE, (HUMAN, HUMAN), seating={0: None})
    at.open(0)
    at.ask(0, ActIn("walk"))
    (seat,) = at.match.to_act
    at.ask(0, ResignIn())
    assert at.match.lost == (seat,)


def test_a_game_may_switch_resigning_and_draws_off() -> None:
    at = at_game(replace(RACE, resign=False, draws=False), (HUMAN, HUMAN))
    at.open(0, 1)
    at.ask(0, ResignIn(1), ProposeIn("draw", 2))
    assert [it.id for it in refusals(at, 0)] == [1, 2]
    state = last_state(at, 0)
    assert (state.can_resign, state.proposals) == ((), ())


def test_nobody_resigns_in_a_cooperative_game() -> None:
    at = at_game(rope.PLUGIN, (HUMAN, HUMAN))
    at.open(0, 1)
    at.ask(0, ResignIn(1), ProposeIn("draw", 2))
    assert [it.id for it in refusals(at, 0)] == [1, 2]
    assert not at.match.over


def test_the_state_names_the_seats_that_can_resign() -> None:
    at = chips_of_three()
    assert last_state(at, 0).can_resign == (0,)
    assert last_state(at, None).can_resign == ()
    at.ask(0, ResignIn())
    at.wait()
    assert last_state(at, 0).can_resign == ()
    at.ask(1, ResignIn())
    assert last_state(at, 2).can_resign == ()


# Draws.


def test_a_draw_needs_the_consent_of_the_others() -> None:
    at = race_of_two()
    at.hear(1)
    at.ask(0, ProposeIn("draw", 1))
    assert not at.match.over
    asked = at.told(1, ConsentOut)[-1]
    assert (asked.kind, asked.yours) == ("draw", False)
    at.ask(1, ConsentIn(yes=True))
    assert at.match.outcome == Outcome(((0, 1),), "by agreement")
    assert at.told(0, StateOut)[-1].over is not None


def test_a_refused_draw_changes_nothing() -> None:
    at = race_of_two()
    at.ask(0, ProposeIn("draw", 1))
    at.ask(1, ConsentIn(yes=False))
    assert at.table.requests.votes.open is None
    assert not at.match.over


def test_two_players_who_offer_a_draw_have_agreed() -> None:
    at = race_of_two()
    at.ask(0, ProposeIn("draw"))
    at.ask(1, ProposeIn("draw"))
    assert at.match.outcome is not None
    assert at.match.outcome.is_draw


def test_an_action_declines_a_draw() -> None:
    at = race_of_two()
    at.ask(1, ProposeIn("draw"))
    at.ask(0, ActIn("walk"))
    at.hear(0)
    at.ask(0, ConsentIn(yes=True, id=3))
    assert [it.id for it in refusals(at, 0)] == [3]
    assert not at.match.over


def test_a_bot_accepts_no_draw() -> None:
    at = at_game(RACE, (HUMAN, "random"))
    at.open(0)
    at.ask(0, ProposeIn("draw", 1))
    assert [it.id for it in refusals(at, 0)] == [1]
    assert last_state(at, 0).proposals == ()


def test_a_draw_is_refused_to_a_player_whose_opponent_never_has_a_client() -> None:
    at = at_game(RACE, (HUMAN, HUMAN), seating={0: [0]})
    at.open(0)
    at.ask(0, ProposeIn("draw", 1))
    assert [it.id for it in refusals(at, 0)] == [1]
    assert not at.match.over


def test_players_who_have_not_lost_can_agree_to_a_draw() -> None:
    at = chips_of_three()
    at.ask(0, ResignIn())
    at.wait()
    assert last_state(at, 0).proposals == ()
    at.ask(1, ProposeIn("draw"))
    at.ask(2, ConsentIn(yes=True))
    assert at.match.outcome is not None
    assert at.match.outcome.ranking == ((1, 2), (0,))


# Time.


def test_a_player_without_time_loses() -> None:
    at = race_of_two(clock=60)
    at.wait(61)
    assert at.match.outcome == Outcome(((1,), (0,)), "Player 1 ran out of time")
    assert at.table.players == (HUMAN, HUMAN)


def test_a_player_who_does_not_act_in_time_loses() -> None:
    at = race_of_two(move_time=30)
    at.wait(31)
    assert at.match.outcome == Outcome(((1,), (0,)), "Player 1 ran out of time")


def test_a_bot_takes_over_instead_if_the_table_wants_it() -> None:
    at = race_of_two(clock=60, bot_on_time=True)
    at.wait(61)
    assert at.match.lost == ()
    assert at.table.players[0] != HUMAN


def test_a_bot_plays_on_for_one_of_several_players_without_time() -> None:
    at = chips_of_three(clock=60)
    at.wait(61)
    assert at.match.concessions == (Concession(0, 0, "time"),)
    assert at.table.players[0] != HUMAN
    assert at.table.players[1:] == (HUMAN, HUMAN)
    assert not at.match.over


def test_a_bot_plays_on_in_a_cooperative_game() -> None:
    at = at_game(rope.PLUGIN, (HUMAN, HUMAN), clock=60)
    at.open(0, 1)
    at.wait(61)
    assert at.match.lost == ()
    assert at.table.players[0] != HUMAN


def test_a_player_who_goes_away_does_not_lose() -> None:
    at = race_of_two(limits=TableLimits(away_timeout=50))
    at.close(0)
    at.wait(500)
    assert at.match.lost == ()
    assert at.table.successors.offered == (0,)


# Undo.


def test_a_lost_match_cannot_be_undone_between_people() -> None:
    at = race_of_two(undo="casual")
    at.ask(0, ResignIn())
    at.hear(1)
    at.ask(1, UndoIn(5))
    assert [it.id for it in refusals(at, 1)] == [5]
    assert at.match.over


def test_one_person_among_bots_may_undo_a_resignation() -> None:
    at = at_game(RACE, (HUMAN, "random"), undo="free")
    at.open(0)
    at.ask(0, ActIn("walk"))
    at.wait(5)
    at.ask(0, ResignIn())
    assert at.match.over
    at.ask(0, UndoIn(actions=1))
    assert not at.match.over


# Records.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


@pytest.fixture
def recorded(path: Path) -> Iterator[Sitting]:
    plugin = load("lcr")
    match: AnyMatch = Match(plugin.game, seed="oak", seats=["Ann", "Bo", "Cy"])
    with Journal.create(path, match):
        at = Sitting(match, plugin, clock=60, left=[60, 60, 60])
        at.open(0, 1, 2)
        at.wait()
        yield at
        at.table.close()


def test_a_restarted_table_remembers_losses(path: Path, recorded: Sitting) -> None:
    recorded.ask(0, ActIn("roll"))
    recorded.ask(1, ResignIn())
    recorded.wait(3)
    record = read(path)
    match: AnyMatch = Match(load("lcr").game, seed="oak", seats=["Ann", "Bo", "Cy"])
    again = Sitting(
        match,
        load("lcr"),
        record.players,
        clock=60,
        left=[60, None, 60],
        seating={0: [0], 1: [1], 2: [2]},
    )
    again.table.restore(record, TableState(), now=0)
    assert match.lost == (1,)
    before, after = recorded.table.state(recorded.now), again.table.state(0)
    assert structs.replace(before, clock=()) == structs.replace(after, clock=())
    again.open(2)
    lines = [line.text for log in again.told(2, LogOut) for line in log.lines]
    assert "Bo resigned." in lines


def test_a_bot_takes_the_seat_of_a_loser_after_a_restart_in_between(path: Path) -> None:
    plugin = load("lcr")
    match: AnyMatch = Match(plugin.game, seed="oak", seats=3)
    with Journal.create(path, match):
        match.concede(1)
    record = read(path)
    again = table_of("lcr")
    again.table.restore(record, TableState(), now=0)
    again.wait(1)
    assert again.table.players[1] != HUMAN


def test_the_record_of_a_table_replays_with_the_same_outcome(path: Path, recorded: Sitting) -> None:
    recorded.wait(61)
    recorded.ask(1, ProposeIn("draw"))
    recorded.ask(2, ConsentIn(yes=True))
    assert recorded.match.over
    assert replay(read(path), load("lcr").game).outcome == recorded.match.outcome


class Full:
    """A recorder that cannot write, until it has room again."""

    plies = 2
    has_room = False

    def _write(self, *_: object) -> None:
        if not self.has_room:
            raise RecordLost("the disk is full")

    played = undone = seated = conceded = _write


def test_a_resignation_that_cannot_be_saved_is_refused() -> None:
    at = race_of_two()
    at.match.set_recorder(Full())
    at.ask(0, ResignIn(1))
    assert [it.reason for it in refusals(at, 0)] == ["record"]
    assert not at.match.over


def test_a_loss_on_time_that_cannot_be_saved_is_tried_again() -> None:
    at, full = race_of_two(clock=60), Full()
    at.match.set_recorder(full)
    at.wait(61)
    assert not at.match.over
    assert any(isinstance(it, Fault) for it in at.effects)
    full.has_room = True
    at.wait(60)
    assert at.match.lost == (0,)


def start_nothing(stream: object) -> Any:
    """Fail to start a bot."""
    raise OSError("its file is missing")


@pytest.mark.parametrize("save_again", [0, 5])
def test_a_bot_that_fails_to_start_for_a_loser_is_tried_again_later(save_again: int) -> None:
    plugin = replace(load("lcr"), bots={"best": start_nothing}, levels={})
    at = at_game(plugin, [HUMAN] * 3, limits=TableLimits(save_again=save_again))
    at.open(0, 1, 2)
    at.ask(0, ResignIn())
    at.wait(12)
    assert at.match.lost == (0,)
    assert [type(error) for error in at.faults] == [OSError] * 3
