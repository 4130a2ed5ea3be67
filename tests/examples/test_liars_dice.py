"""The rules of `examples/liars_dice.py`: what a bid has to be, doubts, whose dice are seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import IllegalAction, Match, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch

liars: Any = load_file(Path(__file__).parents[2] / "examples" / "liars_dice.py")


def rolled(*cups: list[int]) -> AnyMatch:
    """A match in which these dice lie under the cups, and seat 0 is to act."""
    match = Match(liars.GAME, seed=1, seats=len(cups))
    match.state.dice = [list(cup) for cup in cups]
    return match


def play(match: AnyMatch, *lines: str) -> AnyMatch:
    for line in lines:
        match.play(match.parse(line))
    return match


def test_a_bid_has_more_dice_or_as_many_of_a_higher_face() -> None:
    match = play(rolled([1, 2], [3]), "bid 2 fives")
    assert [str(action) for action in match.legal_actions()] == [
        "liar",
        "bid 2 sixes",
        *(f"bid 3 {face}" for face in liars.FACES),
    ]
    with pytest.raises(IllegalAction, match="higher face"):
        play(match, "bid 2 fours")
    with pytest.raises(IllegalAction, match=r"\b3 dice$"):
        play(match, "bid 4 ones")


def test_nothing_can_be_doubted_before_a_bid() -> None:
    with pytest.raises(IllegalAction, match=r"\bno bid\b"):
        play(rolled([1, 2], [3]), "liar")


@pytest.mark.parametrize(("bid", "loser"), [("bid 2 threes", 1), ("bid 3 threes", 0)])
def test_who_is_wrong_about_the_bid_loses_a_die_and_begins(bid: str, loser: int) -> None:
    match = play(rolled([3, 2], [3, 5]), bid, "liar")
    assert [len(cup) for cup in match.state.dice] == [2 - (loser == 0), 2 - (loser == 1)]
    assert match.to_act == (loser,)
    assert match.state.bid is None


def test_who_is_out_is_passed_over_and_the_last_one_with_dice_wins() -> None:
    match = play(rolled([6], [2], [2]), "bid 1 sixes", "liar")
    assert match.to_act == (2,)
    match.state.dice = [[6], [], [2]]
    play(match, "bid 2 sixes", "liar")
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_everybody_sees_their_own_dice_and_all_cups_when_they_are_lifted() -> None:
    match = rolled([3, 2], [4, 5])
    assert match.view(0).dice == [[3, 2], [0, 0]]
    told: list[Any] = []
    match.observe(told.append, liars.Lifted, seat=None)
    play(match, "bid 1 sixes", "liar")
    assert told == [liars.Lifted(((3, 2), (4, 5)), 0)]


def test_dice_under_other_cups_are_rolled_anew_in_what_a_seat_imagines() -> None:
    match, rng = rolled([3, 2], [4, 5]), Streams("guess")["dice"]
    guesses = [liars.GAME.redeal(match.state, 0, rng).dice for _ in range(30)]
    assert {tuple(cups[0]) for cups in guesses} == {(3, 2)}
    assert len({tuple(cups[1]) for cups in guesses}) > 10
