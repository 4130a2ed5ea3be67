"""`find_spectator_leak` returns a seat whose secrets a spectator's view reveals."""

from __future__ import annotations

from tests.tabletop.testing.leaky import Sealed, ShowsSpectators

from tabletop import Match
from tabletop.match.match_view import find_spectator_leak
from tabletop.registry import load


def test_a_seat_whose_hidden_cards_spectators_see_is_returned() -> None:
    match = Match(ShowsSpectators(), seed=1)
    assert find_spectator_leak(match) == 0


def test_a_spectators_view_of_open_cards_is_no_leak() -> None:
    match = Match(Sealed(), seed=1)
    assert find_spectator_leak(match) is None


def test_the_search_for_a_leak_draws_nothing_from_the_match() -> None:
    match = Match(load("sorcery").game, seed=1)
    before = match.digest()
    find_spectator_leak(match)
    assert match.digest() == before
