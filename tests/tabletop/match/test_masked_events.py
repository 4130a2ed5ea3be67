"""Events are masked for the seat of an observer, for spectators, or not at all."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest
from tests.tabletop.games import rps, sealed
from typing_extensions import override

from tabletop import (
    ALL,
    ActionPlayed,
    ActionsUndone,
    Event,
    Match,
    MatchEnded,
    Observers,
    Seat,
    Watcher,
)
from tabletop.match import AnyMatch
from tabletop.rules import ObserverFailure

EVERYBODY: tuple[Watcher, ...] = (ALL, None, 0, 1)


def watched(game: rps.RockPaperScissors = rps.GAME) -> tuple[AnyMatch, dict[Any, list[Any]]]:
    """Return a match of one round, and the events that every watcher receives."""
    match = Match(game, seed=1, options={"rounds": 1})
    received: dict[Any, list[Any]] = {watcher: [] for watcher in EVERYBODY}
    for watcher, events in received.items():
        match.observe(events.append, seat=watcher)
    return match, received


def test_a_secret_choice_is_delivered_to_its_seat_and_to_a_log() -> None:
    match, received = watched()
    choice = rps.Show(0, "rock")
    match.play(choice)
    whole, masked = ActionPlayed(1, 0, choice), ActionPlayed(1, 0, None)
    assert received == {ALL: [whole], None: [masked], 0: [whole], 1: [masked]}


def test_an_action_has_the_views_of_its_observer_before_and_after_it() -> None:
    match: AnyMatch = Match(sealed.Sealed(), seed=1)
    hand, received = match.state.hands[0].copy(), dict[Any, Any]()
    for watcher in EVERYBODY:
        match.observe(partial(received.setdefault, watcher), ActionPlayed, seat=watcher)
    match.play(sealed.Use(shown=True, place=0))
    rest = match.state.hands[0].copy()
    match.play(match.legal_actions()[0])
    before = {watcher: played.before.hands[0] for watcher, played in received.items()}
    after = {watcher: played.after.hands[0] for watcher, played in received.items()}
    hidden = [sealed.HIDDEN] * 3
    assert before == {ALL: hand, None: hidden, 0: hand, 1: hidden}
    assert after == {ALL: rest, None: hidden, 0: rest, 1: hidden}


def test_an_action_can_be_pickled_without_the_positions() -> None:
    match, received = watched()
    match.play(rps.Show(0, "rock"))
    (copy,) = pickle.loads(pickle.dumps(received[0]))
    assert copy == ActionPlayed(1, 0, rps.Show(0, "rock"))
    assert (copy.before, copy.after) == (None, None)


def test_a_revealed_choice_is_delivered_to_everybody() -> None:
    match, received = watched()
    match.play(rps.Show(0, "rock"))
    match.play(rps.Show(1, "paper"))
    revealed = [events[1:4] for events in received.values()]
    last = ActionPlayed(2, 1, rps.Show(1, "paper"))
    assert revealed == [[last, rps.Revealed(("rock", "paper")), rps.RoundWon(1)]] * 4


def test_the_end_and_undone_actions_are_delivered_to_everybody() -> None:
    match, received = watched()
    match.play(rps.Show(0, "rock"))
    match.undo()
    match.play(rps.Show(0, "rock"))
    match.play(rps.Show(1, "paper"))
    for events in received.values():
        assert [event for event in events if isinstance(event, ActionsUndone)] == [
            ActionsUndone(1, 0)
        ]
        assert isinstance(events[-1], MatchEnded)


def test_subscribed_types_apply_to_the_masked_event() -> None:
    class Whispers(rps.RockPaperScissors):
        @override
        def view_event(self, event: Event, state: rps.Round, seat: Seat | None) -> Event | None:
            return rps.RoundWon(9) if isinstance(event, ActionPlayed) else None

    match = Match(Whispers(), seed=1)
    received: list[object] = []
    match.observe(received.append, rps.RoundWon, seat=1)
    match.play(rps.Show(0, "rock"))
    assert received == [rps.RoundWon(9)]


@pytest.mark.parametrize("error", [None, KeyError("who knows")])
def test_an_event_whose_masking_fails_is_delivered_to_no_seat_and_reported(
    error: Exception | None,
) -> None:
    class Silent(rps.RockPaperScissors):
        @override
        def view_event(self, event: Event, state: rps.Round, seat: Seat | None) -> Event | None:
            if error:
                raise error
            return None

    match, received = watched(Silent())
    failures: list[ObserverFailure] = []
    match.on_observer_failure(failures.append)
    match.play(rps.Show(0, "rock"))
    assert [len(received[watcher]) for watcher in EVERYBODY] == [1, 0, 0, 0]
    assert [failure.error for failure in failures] == ([error] * 3 if error else [])
    assert match.ply == 1


def test_an_event_is_masked_by_the_state_after_its_action() -> None:
    """The first choice is delivered after both were made, but stays hidden."""
    match = Match(rps.GAME, seed=1)
    received: list[Any] = []

    def answer(event: ActionPlayed) -> None:
        if event.ply == 1:
            match.play(rps.Show(1, "paper"))

    match.observe(answer, ActionPlayed)
    match.observe(received.append, ActionPlayed, seat=None)
    match.play(rps.Show(0, "rock"))
    assert received == [ActionPlayed(1, 0, None), ActionPlayed(2, 1, rps.Show(1, "paper"))]


def test_a_new_observer_receives_no_event_that_was_not_masked_for_it() -> None:
    match = Match(rps.GAME, seed=1)
    received: list[Any] = []
    match.observe(lambda event: match.observe(received.append, seat=1), ActionPlayed)
    match.play(rps.Show(0, "rock"))
    assert received == []
    match.play(rps.Show(1, "paper"))
    assert received[0] == ActionPlayed(2, 1, rps.Show(1, "paper"))


def test_a_seat_observer_can_unsubscribe_and_needs_an_existing_seat() -> None:
    match = Match(rps.GAME, seed=1)
    received: list[Any] = []
    stop = match.observe(received.append, seat=1)
    match.play(rps.Show(0, "rock"))
    stop()
    match.play(rps.Show(1, "paper"))
    assert len(received) == 1
    with pytest.raises(ValueError, match=r"\bseat 3\b"):
        match.observe(print, seat=2)


def test_shared_observers_mask_by_the_rules_of_each_match() -> None:
    observers = Observers()
    received: list[Any] = []
    observers.subscribe(received.append, ActionPlayed, seat=1)
    for seed in (1, 2):
        Match(rps.GAME, seed=seed, observers=observers).play(rps.Show(0, "rock"))
    assert received == [ActionPlayed(1, 0, None)] * 2
