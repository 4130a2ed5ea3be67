"""What is spared when few observe, and that nobody notices."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop import ActionPlayed, BlindPlayer, Event, Match, MatchEnded, Observers, Random
from tests.tabletop.games import race


def watched_race(*types: type[Event], players: Sequence[BlindPlayer] = ()) -> list[Event]:
    heard: list[Event] = []
    match = Match(race.GAME, seed="old oak", seats=2, players=players or (Random(1), Random(2)))
    match.observe(heard.append, *types)
    match.run()
    return heard


@pytest.mark.parametrize("types", [(ActionPlayed,), (MatchEnded,), (ActionPlayed, MatchEnded)])
def test_who_observes_the_match_alone_hears_what_others_hear_of_it(
    types: tuple[type[Event], ...],
) -> None:
    everything = watched_race()
    assert watched_race(*types) == [event for event in everything if isinstance(event, types)]


def test_rules_make_no_events_for_who_observes_the_match_alone() -> None:
    observers = Observers()
    observers.subscribe(print, ActionPlayed, MatchEnded)
    assert not observers.rules_observed


@pytest.mark.parametrize("types", [(), (Event,), (race.Moved,), (ActionPlayed, race.Moved)])
def test_rules_make_events_for_who_observes_them(types: tuple[type[Event], ...]) -> None:
    observers = Observers()
    leave = observers.subscribe(print, *types)
    assert observers.rules_observed
    leave()
    assert not observers.rules_observed


def test_a_blind_player_is_not_asked_where_there_is_one_action() -> None:
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
