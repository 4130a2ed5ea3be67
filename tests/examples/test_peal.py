"""The rules of `examples/peal.py`: hands unseen by their holders, and what is told of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.program_runs import run_here

from tabletop import Match, Outcome, Streams
from tabletop.cli import main
from tabletop.match import AnyMatch
from tabletop.registry import load
from tabletop.testing import LawBroken, check_game

SOURCE = str(Path(__file__).parents[2] / "examples" / "peal.py")
PLUGIN: Any = load(SOURCE)
GAME = PLUGIN.game
KINDS = tuple(bell + note for bell in "bcis" for note in "12345")


def holding(*hands: str, deck: str = "") -> AnyMatch:
    """A match with these hands and this deck, whose last card is drawn first."""
    match = Match(GAME, seed=1, seats=len(hands))
    state: Any = match.state
    state.hands = [hand.split() for hand in hands]
    state.could = [[KINDS for _ in hand] for hand in state.hands]
    state.deck = deck.split()
    return match


def play(match: AnyMatch, *lines: str) -> Any:
    for line in lines:
        match.play(match.parse(line))
    return match.state


def legal(match: AnyMatch) -> list[str]:
    return [str(action) for action in match.legal_actions()]


def test_each_sees_the_hands_of_the_others_and_not_their_own() -> None:
    match = holding("b1 c2", "i3 s4", deck="b2")
    assert match.view(0).hands == [["?", "?"], ["i3", "s4"]]
    assert match.view(1).hands == [["b1", "c2"], ["?", "?"]]
    assert match.view(None).hands == [["?", "?"], ["?", "?"]]
    assert match.view(None).deck == ["?"]


def test_a_card_that_is_due_sounds_and_another_is_drawn_to_the_end_of_the_hand() -> None:
    state = play(holding("b2 b1 c3 c4", "i1 i2 i3 i4", deck="s5 s1"), "ring 2")
    assert (state.due, state.score, state.breath) == (["b2", "c1", "i1", "s1"], 1, 8)
    assert state.hands[0] == ["b2", "c3", "c4", "s1"]


def test_a_card_that_is_not_due_is_lost_with_a_breath() -> None:
    match = holding("b2 b1", "i1 i2", deck="s5")
    state = play(match, "ring 1")
    assert (state.lost, state.score, state.breath) == (["b2"], 0, 7)
    state.breath = 0
    play(match, "ring 2")
    assert (state.lost, state.breath) == (["b2", "i2"], 0)


def test_the_oldest_card_is_dropped_for_a_breath_up_to_eight() -> None:
    match = holding("b2 b1", "i1 i2", deck="s5 s4")
    assert play(match, "drop").breath == 8
    match.state.breath = 3
    state = play(match, "drop")
    assert (state.breath, state.lost) == (4, ["b2", "i1"])


def test_what_is_told_narrows_every_card_of_the_hand() -> None:
    match = holding("b2 b1", "i1 s2 i3")
    assert legal(match)[3:] == ["tell 2 iron", "tell 2 silver", "tell 2 1", "tell 2 2", "tell 2 3"]
    state = play(match, "tell 2 iron", "tell 1 2", "tell 2 2")
    iron, twos = ("i1", "i3", "i4", "i5"), ("b2", "c2", "s2")
    assert (state.could[1], state.breath) == ([iron, twos, iron], 5)
    state.breath = 0
    match.state.turn = 0
    assert not any("tell" in it for it in legal(match))


def test_when_the_deck_is_empty_the_hands_are_played_to_the_last_card() -> None:
    match = holding("b2", "i1 c1")
    play(match, "drop", "ring 2")
    assert match.outcome == Outcome.together(1, 2, best=20)


def test_with_all_cards_rung_all_have_won() -> None:
    match = holding("s5", "i1", deck="c4")
    match.state.due[:] = ["b6", "c6", "i6", "s5"]
    play(match, "ring 1")
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)


def test_whoever_imagines_their_hand_keeps_to_what_was_told() -> None:
    match = holding("b2 s1 i3 c3", "b1 b4", deck="b3 s2 i2 c5 s3")
    play(match, "drop", "tell 1 silver", "drop", "tell 1 3")
    could = match.state.could[0]
    rng, draw = Streams("anew")["redeal"], GAME.redealer(match.state, 0)
    dealt = [draw(rng) for _ in range(400)]
    hands = {tuple(state.hands[0]) for state in dealt}
    assert all(card in own for hand in hands for card, own in zip(hand, could, strict=True))
    assert len(hands) > 3
    assert {tuple(state.hands[1]) for state in dealt} == {tuple(match.state.hands[1])}


def test_it_is_played_by_words_in_a_terminal() -> None:
    words = ["play", SOURCE, "--seed", "old oak", "--seats", "2", "--no-score", "--bot", "2"]
    done = run_here(main, words, "tell 2 1\nring 4\ndrop\n")
    assert "Player 1 tells Player 2 what is 1." in done.stdout
    assert "Player 2 rings i1." in done.stdout
    assert "i2 (2345)" in done.stdout
    assert "Player 1 cracks i1." in done.stdout


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_its_bot_rings_three_cards_in_four(seats: int) -> None:
    scores = []
    for number in range(12):
        bots = [PLUGIN.bots["ringer"](None)] * seats
        match = Match(GAME, seed=f"peal {number}", seats=seats, players=bots)
        match.run()
        scores.append(match.outcome.points[0] if match.outcome else 0)
    assert sum(scores) / len(scores) > 13


@pytest.mark.slow
@pytest.mark.matrix
def test_who_looks_ahead_rings_more_than_half() -> None:
    match = Match(GAME, seed="peal", seats=2)
    for seat in range(2):
        match.set_player(seat, PLUGIN.bot("search:60", match.bot_stream(seat), seat))
    match.run()
    assert match.outcome is not None
    assert match.outcome.points[0] > 10


class Loses(type(GAME)):  # type: ignore[misc]
    """Loses a card that was rung."""

    name = "loses"

    def apply(self, state: Any, action: Any, table: Any) -> None:
        super().apply(state, action, table)
        state.lost = [card for card in state.lost if card != "b4"]


@pytest.mark.slow
def test_the_kit_says_where_a_card_is_lost() -> None:
    with pytest.raises(LawBroken, match="b4 is missing") as caught:
        check_game(Loses(), matches=2, seats=2, seeded=False)
    assert caught.value.law == "fault"
