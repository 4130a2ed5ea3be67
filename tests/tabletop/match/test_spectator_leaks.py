"""find_spectator_leak names a seat from which a spectator's view does not hide its secrets."""

from __future__ import annotations

from tests.tabletop.testing.leaky import Sealed, ShowsSpectators

from tabletop import Match
from tabletop.match.match_view import find_spectator_leak
from tabletop.registry import load


def test_a_seat_whose_hidden_cards_spectators_see_is_found() -> None:
    match = Match(ShowsSpectators(), seed=1)
    assert find_spectator_leak(match) == 0


def test_spectators_who_see_only_open_cards_outsee_no_seat() -> None:
    match = Match(Sealed(), seed=1)
    assert find_spectator_leak(match) is None


def test_looking_for_an_outseen_seat_draws_nothing_from_the_match() -> None:
    match = Match(load("sorcery").game, seed=1)
    before = match.digest()
    find_spectator_leak(match)
    assert match.digest() == before
