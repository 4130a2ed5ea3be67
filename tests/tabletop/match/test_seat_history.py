"""The history of a seat: `Match.seat_history`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tabletop.games import cards, rps

from tabletop import ActionPlayed, Event, Match, Random, Seat
from tabletop.match import AnyMatch, DeliveredEvent
from tabletop.records import Journal, read, replay

OPENING = [rps.Show(0, "rock"), rps.Show(1, "paper"), rps.Show(1, "rock")]


def opened() -> Match[rps.Round, rps.Show]:
    match = Match(rps.GAME, seed=1, options={"rounds": 3})
    for show in OPENING:
        match.play(show)
    return match


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_history_of_a_seat_equals_the_events_of_its_observer(seat: Seat | None) -> None:
    match = Match(cards.GAME, seed="old oak", players=[Random(1)] * 2)
    events: list[Event] = []
    match.observe(events.append, seat=seat)
    match.run()
    seen = match.seat_history(seat)
    assert [delivered.event for delivered in seen.events] == events
    assert seen.view == match.view(seat)


def test_every_delivered_event_has_its_ply() -> None:
    assert opened().seat_history(0).events == (
        DeliveredEvent(1, ActionPlayed(1, 0, rps.Show(0, "rock"))),
        DeliveredEvent(2, ActionPlayed(2, 1, rps.Show(1, "paper"))),
        DeliveredEvent(2, rps.Revealed(("rock", "paper"))),
        DeliveredEvent(2, rps.RoundWon(1)),
        DeliveredEvent(3, ActionPlayed(3, 1, None)),
    )


def test_events_of_undone_actions_are_not_in_the_history() -> None:
    match, shorter = opened(), opened()
    shorter.undo()
    match.undo()
    match.play(rps.Show(0, "rock"))
    match.undo()
    assert match.seat_history(1) == shorter.seat_history(1)
    assert match.seat_history(1).events[-1].ply == 2
    match.redo()
    assert match.seat_history(0).events[-1] == DeliveredEvent(
        3, ActionPlayed(3, 0, rps.Show(0, "rock"))
    )


def test_the_history_is_the_same_on_a_clone_and_from_a_given_state() -> None:
    match = opened()
    assert match.clone().seat_history(0) == match.seat_history(0)
    begun = Match(rps.GAME, seed=2, options={"rounds": 3}, state=match.state)
    begun.play(rps.Show(0, "paper"))
    assert begun.seat_history(1).events[0].ply == 1


def test_the_history_is_the_same_in_a_resumed_match(tmp_path: Path) -> None:
    match = Match(cards.GAME, seed="oak", players=[Random(1)] * 2)
    with Journal.create(tmp_path / "match.jsonl", match):
        match.run(5)
        match.undo(2)
    resumed = replay(read(tmp_path / "match.jsonl"), cards.GAME)
    assert [resumed.seat_history(seat) for seat in (0, 1, None)] == [
        match.seat_history(it) for it in (0, 1, None)
    ]


def test_the_history_is_empty_before_the_first_action() -> None:
    match: AnyMatch = Match(cards.GAME, seed=3)
    assert match.seat_history().events == ()
    assert match.seat_history() == (match.view(), ())


def test_the_history_of_a_missing_seat_raises_an_error() -> None:
    with pytest.raises(ValueError, match="no seat 3"):
        opened().seat_history(2)
