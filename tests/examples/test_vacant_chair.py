"""The rules of `examples/vacant_chair.py`: what each card does, and who knows what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import Match, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch

chair: Any = load_file(Path(__file__).parents[2] / "examples" / "vacant_chair.py")
PLAIN = (chair.SCRIBE, chair.SCRIBE, chair.ABBOT, chair.ABBOT)


def court(*hands: list[int], deck: tuple[int, ...] = PLAIN) -> AnyMatch:
    """A match in which these hands are held, and seat 0 is to act."""
    match = Match(chair.GAME, seed=1, seats=len(hands))
    match.state.hands[:], match.state.deck[:] = map(list, hands), deck
    return match


def play(match: AnyMatch, line: str) -> list[list[int]]:
    match.play(match.parse(line))
    hands: list[list[int]] = match.state.hands
    return hands


def test_who_is_named_by_a_scribe_is_out() -> None:
    assert play(court([1, 5], [7], [6]), "scribe 2 widow")[1] == []
    assert play(court([1, 5], [7], [6]), "scribe 3 widow")[2] == [6]


def test_a_scribe_names_no_scribe() -> None:
    match = court([1, 5], [1], [6])
    assert not any(it.guess == chair.SCRIBE for it in match.legal_actions())


@pytest.mark.parametrize(("mine", "other", "out"), [(5, 7, 0), (7, 5, 1), (5, 5, None)])
def test_who_has_the_lower_card_before_a_fencer_is_out(
    mine: int, other: int, out: int | None
) -> None:
    hands = play(court([3, mine], [other], [6]), "fencer 2")
    assert [seat for seat in (0, 1) if not hands[seat]] == ([] if out is None else [out])


def test_nobody_can_aim_at_an_abbot_before_their_next_turn() -> None:
    match = court([4, 5], [3], [6])
    play(match, "abbot")
    assert {it.target for it in match.legal_actions()} == {2, None}
    play(match, "abbot")
    play(match, str(match.legal_actions()[0]))
    assert not match.state.safe[0]


def test_a_warden_makes_somebody_draw_anew_and_the_heir_is_out() -> None:
    assert play(court([5, 6], [7], [6]), "warden 2")[1][0] == PLAIN[-1]
    assert play(court([5, 6], [8], [6]), "warden 2")[1] == []


def test_an_envoy_exchanges_two_hands_and_both_know_them() -> None:
    match = court([6, 3], [5], [4])
    assert play(match, "envoy 2")[0] == [5]
    assert match.view(0).hands[1] == [3, 0]
    assert match.view(1).hands[0] == [5]
    assert match.view(2).hands[:2] == [[0], [0, 0]]


@pytest.mark.parametrize("other", [5, 6])
def test_the_widow_must_be_played_beside_the_warden_or_the_envoy(other: int) -> None:
    assert court([7, other], [3], [4]).legal_actions() == [chair.Play(chair.WIDOW)]


def test_who_lays_the_heir_down_is_out() -> None:
    assert play(court([8, 4], [3], [4]), "heir")[0] == []


def test_what_a_page_has_seen_stays_where_it_was_when_cards_are_dealt_anew() -> None:
    match = court([2, 3], [5], [4])
    play(match, "page 2")
    rng = Streams("dealt anew")["redeal"]
    deals = [chair.GAME.redeal(match.state, 0, rng).hands for _ in range(20)]
    assert {hands[1][0] for hands in deals} == {5}
    assert len({hands[2][0] for hands in deals}) > 1


def test_when_the_deck_has_run_out_the_highest_card_wins() -> None:
    match = court([4, 3], [5], [6], deck=(1,))
    play(match, "abbot")
    assert match.outcome is not None
    assert match.outcome.winners == (2,)


def test_the_last_one_left_wins() -> None:
    match = court([1, 3], [8])
    play(match, "scribe 2 heir")
    assert match.outcome is not None
    assert match.outcome.winners == (0,)
