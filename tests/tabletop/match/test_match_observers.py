"""Observers and recorders of a match, and failures in them or in the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tabletop.games import race, rps, walk
from tests.tabletop.told import tells

from tabletop import (
    ActionPlayed,
    ActionsUndone,
    ContractError,
    Event,
    IllegalAction,
    Match,
    MatchEnded,
    Observers,
    Outcome,
    Random,
    Seat,
    Table,
    event,
)
from tabletop.match import AnyMatch
from tabletop.rules import Concession, ObserverFailure


def short_race(**more: Any) -> Match[race.Track, str]:
    return Match(race.GAME, seed="old oak", seats=2, **more)


def test_observers_receive_events_in_order() -> None:
    received: list[Event] = []
    match = Match(rps.GAME, seed=1, options={"rounds": 1})
    match.observe(received.append)
    match.play(rps.Show(0, "rock"))
    match.play(rps.Show(1, "paper"))
    match.undo(2)
    assert received == [
        ActionPlayed(1, 0, rps.Show(0, "rock")),
        ActionPlayed(2, 1, rps.Show(1, "paper")),
        rps.Revealed(("rock", "paper")),
        rps.RoundWon(1),
        MatchEnded(Outcome(((1,), (0,)), "all rounds played", points=(0, 1))),
        ActionsUndone(2, 0),
    ]


def test_an_observer_receives_only_the_event_types_it_subscribed_to() -> None:
    moved: list[Event] = []
    ended: list[Event] = []
    match = short_race(options={"goal": 5, "start": "line"})
    match.observe(moved.append, race.Moved, ActionsUndone)
    match.observe(ended.append, MatchEnded)
    match.play("walk")
    match.undo()
    assert [type(received) for received in moved] == [race.Moved, ActionsUndone]
    assert ended == []
    while not match.over:
        match.play("walk")
    assert [type(received) for received in ended] == [MatchEnded]


def test_an_observer_is_called_after_the_action_and_can_unsubscribe() -> None:
    match = short_race()
    seen: list[object] = []
    stop = match.observe(lambda event: seen.append((match.ply, match.digest())), ActionPlayed)
    match.play("walk")
    assert seen == [(1, match.digest())]
    stop()
    stop()
    match.play("walk")
    match.undo()
    assert len(seen) == 1


def test_matches_can_share_their_observers() -> None:
    received: list[Event] = []
    observers = Observers()
    observers.subscribe(received.append, MatchEnded)
    for seed in range(3):
        Match(race.GAME, seed=seed, seats=1, players=[Random(seed)], observers=observers).run()
    assert len(received) == 3


def test_a_failing_observer_stops_neither_the_others_nor_the_match() -> None:
    received: list[Event] = []
    failures: list[ObserverFailure] = []
    match = short_race()

    def fail(event: Event) -> None:
        raise OSError("the printer is on fire")

    match.observe(fail, ActionPlayed)
    match.observe(received.append, ActionPlayed)
    match.on_observer_failure(failures.append)
    match.play("walk")
    assert match.ply == 1
    assert [type(event) for event in received] == [ActionPlayed]
    assert [(failure.handler, failure.event) for failure in failures] == [(fail, received[0])]
    assert str(failures[0].error) == "the printer is on fire"


def test_an_observer_may_play_actions_and_all_observers_receive_them_in_order() -> None:
    received: list[int] = []
    match = short_race()

    def answer(event: ActionPlayed) -> None:
        if event.ply < 4:
            match.play("run")

    match.observe(answer, ActionPlayed)
    match.observe(lambda event: received.append(event.ply), ActionPlayed)
    match.play("walk")
    assert match.actions == ("walk", "run", "run", "run")
    assert received == [1, 2, 3, 4]


def test_an_observer_may_undo_the_action_that_it_receives() -> None:
    match = short_race()
    before = match.digest()
    received: list[type] = []
    match.observe(lambda event: match.undo(), race.Moved)
    match.observe(lambda event: received.append(type(event)))
    match.play("walk")
    assert (match.ply, match.undone, match.digest()) == (0, 1, before)
    assert received == [ActionPlayed, race.Moved, ActionsUndone]


def test_an_observer_that_plays_an_action_stops_a_redo() -> None:
    match = short_race()
    for _ in range(4):
        match.play("walk")
    match.undo(4)

    def answer(event: ActionPlayed) -> None:
        if event.ply == 1:
            match.play("run")

    match.observe(answer, ActionPlayed)
    match.redo(4)
    assert match.actions == ("walk", "run")
    assert match.undone == 0


def test_an_action_undone_by_an_observer_is_not_redone_after_another_action() -> None:
    match = short_race(players=[Random(1), Random(2)])

    def go_back_and_leave(event: ActionPlayed) -> None:
        if event.ply == 3:
            match.undo(2)
            stop()

    stop = match.observe(go_back_and_leave, ActionPlayed)
    match.run(6)
    assert match.ply == 6
    assert match.undone == 0


def test_blind_players_and_others_play_the_same_match() -> None:
    class Seeing:
        def __init__(self, blind: Random) -> None:
            self.blind = blind

        def choose(self, view: object, actions: Any) -> Any:
            return self.blind.choose(view, actions)

    one = short_race(players=[Random(1), Random(2)])
    other = short_race(players=[Seeing(Random(1)), Seeing(Random(2))])
    received: dict[int, list[Event]] = {0: [], 1: []}
    one.observe(received[0].append)
    other.observe(received[1].append)
    assert one.run() == other.run()
    assert one.digest() == other.digest()
    assert received[0] == received[1]


# Failing rules.


@event
class Began(Event):
    """An event that is emitted before the rules fail."""


class Brittle(walk.LongWalk):
    """Fails in the middle of step number `at`, after changing half of the state."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.at = 0

    def apply(self, state: walk.Path, action: str, table: Table) -> None:
        table.emit(Began())
        super().apply(state, action, table)
        if self.error is not None and state.steps == self.at:
            raise self.error


def play(match: Match[walk.Path, str]) -> None:
    match.play("left")


def run(match: Match[walk.Path, str]) -> None:
    match.set_player(0, AlwaysLeft(1))
    match.run(1)


def redo(match: Match[walk.Path, str]) -> None:
    match.redo()


class AlwaysLeft(Random):
    """A blind player that takes the first action."""

    def __init__(self, chance: int) -> None:
        super().__init__(chance)
        self.pick = lambda count: 0


@pytest.mark.parametrize("plies", [0, 64])
@pytest.mark.parametrize("act", [play, run, redo])
@pytest.mark.parametrize(
    "error",
    [KeyError("place"), IllegalAction("late"), ContractError("x"), KeyboardInterrupt()],
)
def test_an_action_during_which_the_rules_fail_is_undone(
    plies: int, act: Callable[[Match[walk.Path, str]], None], error: BaseException
) -> None:
    game = Brittle()
    match = Match(game, seed=1)
    for number in range(plies):
        match.play(walk.ACTIONS[number % 3])
    match.play("left")
    match.undo()
    received: list[type] = []
    match.observe(lambda event: received.append(type(event)))
    before = match.digest(), match.streams(), match.actions, match.to_act
    game.error, game.at = error, plies + 1
    with pytest.raises((ContractError, KeyboardInterrupt)) as caught:
        act(match)
    if isinstance(error, Exception):
        assert isinstance(caught.value, ContractError)
        assert caught.value.ply == plies + 1
        assert tells(str(caught.value), f"longwalk: left ... ply {plies + 1}: ")
        assert caught.value.__cause__ is error
    else:
        assert caught.value is error
    assert (match.digest(), match.streams(), match.actions, match.to_act) == before
    assert received == []
    game.error = None
    match.play("right")
    assert received == [ActionPlayed, Began]


def test_an_interrupted_undo_changes_nothing() -> None:
    game = Brittle()
    match = Match(game, seed=1)
    for _ in range(100):
        match.play("left")
    before = match.digest(), match.streams(), match.actions, match.undone
    game.error, game.at = KeyboardInterrupt(), 80
    with pytest.raises(KeyboardInterrupt):
        match.undo(10)
    assert (match.digest(), match.streams(), match.actions, match.undone) == before
    game.error = None
    match.undo(100)
    match.redo(100)
    assert match.digest() == before[0]


# Failing recorders.


class Paper:
    """A recorder that can be made to run out of space."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.error: BaseException | None = None

    plies = -1

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        self._write(f"{match.ply} {seat} {action} {match.digest()}")

    def undone(self, match: AnyMatch, count: int) -> None:
        self._write(f"{match.ply} undo {count} {match.digest()}")

    def conceded(self, match: Any, concession: Concession) -> None:
        self._write(f"{concession.reason} {concession.seat}")

    def seated(self, seat: Seat, player: str) -> None:
        self._write(f"{player} at {seat}")

    def _write(self, line: str) -> None:
        if self.error is not None:
            raise self.error
        self.lines.append(line)


def test_the_recorder_writes_before_observers_are_notified() -> None:
    match, paper = short_race(), Paper()
    match.set_recorder(paper)
    seen: list[int] = []
    match.observe(lambda event: seen.append(len(paper.lines)), ActionPlayed, ActionsUndone)
    match.play("walk")
    match.undo()
    match.redo()
    assert seen == [1, 2, 3]
    assert paper.lines[0] == paper.lines[2]
    assert paper.lines[0].endswith(f" walk {match.digest()}")
    match.set_recorder(None)
    match.play("walk")
    assert len(paper.lines) == 3


@pytest.mark.parametrize("error", [OSError("full"), KeyboardInterrupt()])
def test_an_action_that_cannot_be_recorded_is_undone(error: BaseException) -> None:
    match, paper = short_race(players=[Random(1), Random(2)]), Paper()
    received: list[Event] = []
    match.observe(received.append)
    match.set_recorder(paper)
    match.run(20)
    match.undo(2)
    del received[:]
    before = match.digest(), match.streams(), match.actions, match.undone, match.to_act
    paper.error = error
    for act in (
        lambda: match.play("walk"),
        match.undo,
        match.redo,
        match.step,
        lambda: match.run(1),
    ):
        with pytest.raises(type(error)):
            act()
        assert (
            match.digest(),
            match.streams(),
            match.actions,
            match.undone,
            match.to_act,
        ) == before
    assert received == []
    paper.error = None
    match.redo(2)
    assert match.ply == before[3] + len(before[2])
    assert len(received) == 4
