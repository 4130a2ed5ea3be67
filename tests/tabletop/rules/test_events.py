"""Events and observers: order, types, failures, and ends of subscriptions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from tests.tabletop.games import race

from tabletop import (
    ActionPlayed,
    BlindPlayer,
    Event,
    Match,
    MatchEnded,
    Observers,
    Random,
    event,
)
from tabletop.rules import ObserverFailure


@event
class Moved(Event):
    seat: int
    steps: int


@event
class Jumped(Moved):
    height: int = 1


@event
class Rested(Event):
    seat: int


Told = list[Any]


def telling(*failing: type[Event]) -> tuple[Observers, list[ObserverFailure], Told]:
    """Return observers, one of which fails; their failures; and the events of the others."""
    observers, failures, told = Observers(), list[ObserverFailure](), Told()
    observers.on_failure = failures.append
    observers.subscribe(told.append)
    observers.subscribe(fail, *failing)
    observers.subscribe(told.append)
    return observers, failures, told


def fail(event: Event) -> None:
    raise RuntimeError(f"cannot stand {event}")


# Events.


def test_events_with_equal_fields_are_equal() -> None:
    assert Moved(0, 1) == Moved(0, 1) != Moved(0, 2)
    assert hash(Moved(0, 1)) == hash(Moved(0, 1))
    assert repr(Jumped(0, 1)) == "Jumped(seat=0, steps=1, height=1)"
    moved: Any = Moved(0, 1)
    with pytest.raises(AttributeError):
        moved.note = "it carries nothing but its fields"


# Deliveries.


def test_observers_are_notified_in_the_order_of_subscription() -> None:
    observers, told = Observers(), Told()
    for name in "abc":
        observers.subscribe(partial(lambda name, event: told.append((name, event)), name))
    one, two = Moved(0, 1), Rested(0)
    observers.notify([one, two])
    assert told == [(name, event) for event in (one, two) for name in "abc"]


@pytest.mark.parametrize(
    ("types", "heard"),
    [
        ((), [Moved(0, 1), Jumped(0, 1), Rested(0)]),
        ((Event,), [Moved(0, 1), Jumped(0, 1), Rested(0)]),
        ((Moved,), [Moved(0, 1), Jumped(0, 1)]),
        ((Jumped,), [Jumped(0, 1)]),
        ((Jumped, Rested), [Jumped(0, 1), Rested(0)]),
        ((Jumped, Moved), [Moved(0, 1), Jumped(0, 1)]),
        ((MatchEnded,), []),
    ],
)
def test_an_observer_receives_its_types_and_their_subtypes_once(
    types: tuple[type[Event], ...], heard: Told
) -> None:
    observers, told = Observers(), Told()
    observers.subscribe(told.append, *types)
    observers.notify([Moved(0, 1), Jumped(0, 1), Rested(0)])
    assert told == heard


def test_is_observed_covers_the_types_of_all_subscriptions() -> None:
    observers = Observers()
    assert not observers
    assert not observers.is_observed(Moved)
    stop = observers.subscribe(print, Moved)
    assert observers
    assert observers.is_observed(Moved)
    assert observers.is_observed(Jumped)
    assert not observers.is_observed(Rested)
    for _ in range(2):  # a second call has no effect
        stop()
    assert not observers
    assert not observers.is_observed(Moved)


# Subscriptions during an event.


def test_an_observer_that_unsubscribes_during_an_event_receives_it_but_not_the_next() -> None:
    observers, told = Observers(), Told()
    stops: list[Callable[[], None]] = []
    observers.subscribe(lambda event: stops[0](), Moved)
    stops.append(observers.subscribe(told.append))
    observers.notify([Moved(0, 1), Moved(0, 2)])
    assert told == [Moved(0, 1)]


def test_an_observer_that_subscribes_during_an_event_receives_the_next() -> None:
    observers, told = Observers(), Told()
    observers.subscribe(lambda event: observers.subscribe(told.append), Rested)
    observers.notify([Rested(0), Moved(0, 1)])
    assert told == [Moved(0, 1)]


def test_events_added_by_a_handler_are_delivered_after_the_earlier_events() -> None:
    observers, first, second = Observers(), Told(), Told()
    events: list[Event] = [Moved(0, 1), Moved(1, 2)]
    observers.subscribe(first.append)
    observers.subscribe(lambda event: events.append(Rested(event.seat)), Moved)
    observers.subscribe(second.append)
    observers.notify(events)
    assert first == second == [Moved(0, 1), Moved(1, 2), Rested(0), Rested(1)]


# Failures.


def test_a_failing_observer_is_reported_and_does_not_stop_the_others() -> None:
    observers, failures, told = telling(Moved)
    events = [Moved(0, 1), Rested(0), Moved(0, 2)]
    observers.notify(events)
    assert told == [event for event in events for _ in range(2)]
    assert [failure.event for failure in failures] == [Moved(0, 1), Moved(0, 2)]
    assert {failure.handler for failure in failures} == {fail}
    assert isinstance(failures[0].error, RuntimeError)


def test_by_default_a_failure_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    observers = Observers()
    observers.subscribe(fail)
    with caplog.at_level(logging.ERROR, logger="tabletop"):
        observers.notify([Rested(0)])
    (record,) = caplog.records
    assert "failed on Rested(seat=0)" in record.getMessage()
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], RuntimeError)


def test_a_failing_on_failure_is_logged_and_stops_no_observer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(failure: ObserverFailure) -> None:
        raise KeyError("the reporter is broken")

    observers, _, told = telling()
    observers.on_failure = broken
    with caplog.at_level(logging.ERROR, logger="tabletop"):
        observers.notify([Rested(0)])
    assert told == [Rested(0), Rested(0)]
    (record,) = caplog.records
    assert "broken" in record.getMessage()
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], KeyError)


def test_an_interrupt_in_an_observer_is_raised() -> None:
    def interrupt(event: Event) -> None:
        raise KeyboardInterrupt

    observers, failures, _ = telling(Moved)
    observers.subscribe(interrupt)
    with pytest.raises(KeyboardInterrupt):
        observers.notify([Rested(0)])
    assert failures == []


# Work that is saved without observers.


def watched_race(*types: type[Event], players: Sequence[BlindPlayer] = ()) -> list[Event]:
    heard: list[Event] = []
    match = Match(race.GAME, seed="old oak", seats=2, players=players or (Random(1), Random(2)))
    match.observe(heard.append, *types)
    match.run()
    return heard


@pytest.mark.parametrize("types", [(ActionPlayed,), (MatchEnded,), (ActionPlayed, MatchEnded)])
def test_an_observer_of_match_events_receives_the_same_as_others(
    types: tuple[type[Event], ...],
) -> None:
    everything = watched_race()
    assert watched_race(*types) == [event for event in everything if isinstance(event, types)]


@pytest.mark.parametrize("types", [(), (Event,), (race.Moved,), (ActionPlayed, race.Moved)])
def test_rules_create_events_only_if_they_are_observed(types: tuple[type[Event], ...]) -> None:
    observers = Observers()
    observers.subscribe(print, ActionPlayed, MatchEnded)
    observed = [observers.rules_observed]
    leave = observers.subscribe(print, *types)
    observed.append(observers.rules_observed)
    leave()
    assert [*observed, observers.rules_observed] == [False, True, False]


def test_a_blind_player_does_not_choose_from_a_single_action() -> None:
    asked: list[int] = []

    class Counting(BlindPlayer):
        def pick(self, number: int) -> int:
            asked.append(number)
            return 0

    player = Counting()
    assert player.choose(None, ["only"]) == "only"
    assert player.choose(None, ["this", "that"]) == "this"
    assert asked == [2]
    watched_race(players=(player, player))
    assert set(asked) == {len(race.PACES)}
