"""The rules of `examples/deck_builder.py`: turns, trades, sets of cards, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop import IllegalAction, Match, Selections
from tabletop.envs import ActionIndex
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.testing import check_picture

town: Any = load_file(Path(__file__).parents[2] / "examples" / "deck_builder.py")


def holding(*hands: str, market: Sequence[str] = ()) -> AnyMatch:
    """Return a match in which the seats hold these cards, and have only candles in the deck."""
    match = Match(town.GAME, seed=1, seats=len(hands))
    for seat, hand in enumerate(hands):
        match.state.hands[seat][:] = sorted(hand.split())
        match.state.decks[seat][:] = ["candle"] * 5
        match.state.owned[seat][:] = [*hand.split(), *["candle"] * 5]
    match.state.market.update(dict.fromkeys(market, 10))
    return match


def play(match: AnyMatch, *lines: str) -> None:
    for line in lines:
        match.play(match.parse(line))


def test_a_match_begins_with_seven_candles_three_trees_and_ten_trades() -> None:
    match = Match(town.GAME, seed=1, seats=3)
    assert all(sorted(cards) == ["candle"] * 7 + ["tree"] * 3 for cards in match.state.owned)
    assert len(match.state.market) == 17
    assert match.state.market["smoke"] == 20


def test_coins_of_lights_and_trades_are_spent_on_cards() -> None:
    match = holding("key lantern candle", "tree")
    play(match, "play key", "buy lantern", "buy tree")
    assert match.state.discards[0] == ["lantern", "tree"]
    assert town.purse(match.state) == 0
    play(match, "end")
    assert match.to_act == (1,)
    assert len(match.state.hands[0]) == 5


def test_no_trade_is_played_after_a_card_was_bought() -> None:
    match = holding("key book candle", "tree")
    play(match, "buy candle")
    with pytest.raises(IllegalAction):
        play(match, "play book")


def test_up_to_three_cards_are_trashed_in_any_order() -> None:
    match = holding("flame tree candle tree", "tree")
    play(match, "play flame")
    assert isinstance(match.legal_actions(), Selections)
    play(match, "trash tree candle tree")
    assert match.state.hands[0] == []
    assert sorted(match.state.owned[0]) == [*["candle"] * 5, "flame"]


def test_nothing_need_be_trashed() -> None:
    match = holding("flame tree", "tree")
    play(match, "play flame", "trash")
    assert match.state.hands[0] == ["tree"]


def test_as_many_cards_are_drawn_as_were_discarded() -> None:
    match = holding("hourglass tree tree", "tree")
    play(match, "play hourglass", "discard tree tree")
    assert match.state.hands[0] == ["candle", "candle"]
    assert match.state.discards[0] == ["tree", "tree"]


def test_a_trashed_card_is_replaced_by_one_that_costs_up_to_two_more() -> None:
    match = holding("hammer tree", "tree", market=["book", "eye"])
    play(match, "play hammer", "trash tree")
    gains = {action.card for action in match.legal_actions()}
    assert "book" in gains
    assert "eye" not in gains
    play(match, "gain book")
    assert match.state.discards[0] == ["book"]


def test_the_others_discard_down_to_three_cards_unless_they_hold_a_shield() -> None:
    match = holding("claw", "tree tree gate gate candle", "shield tree tree tree tree")
    play(match, "play claw")
    assert match.to_act == (1,)
    assert [len(action.cards) for action in match.legal_actions()] == [2] * 5
    play(match, "discard gate tree")
    assert match.to_act == (0,)
    assert match.state.hands[1] == ["candle", "gate", "tree"]


def test_each_of_the_others_gains_smoke() -> None:
    match = holding("storm", "tree", "shield")
    play(match, "play storm")
    assert [cards.count("smoke") for cards in match.state.owned] == [0, 1, 0]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play candle", r"\bwhen you buy\b"),
        ("play book", r"\bnot hold\b"),
        ("buy tower", r"^the tower costs 8, and you have 1$"),
        ("gain tree", r"^no card allows that$"),
        ("trash tree", r"^no card allows that$"),
    ],
)
def test_a_refusal_states_the_reason(line: str, reason: str) -> None:
    match = holding("candle tree", "tree")
    with pytest.raises(IllegalAction, match=reason):
        play(match, line)


def test_cards_that_are_sold_out_and_a_second_buy_are_refused() -> None:
    match = holding("candle candle", "tree")
    match.state.market["tree"] = 0
    with pytest.raises(IllegalAction, match=r"^no tree is left$"):
        play(match, "buy tree")
    play(match, "buy candle")
    with pytest.raises(IllegalAction, match=r"\bbuy left$"):
        play(match, "buy candle")


def test_the_turn_is_ended_before_the_match() -> None:
    match = holding("star star star", "tree")
    match.state.market["tower"] = 1
    play(match, "buy tower")
    assert not match.over
    play(match, "end")
    assert match.outcome is not None
    assert match.outcome.points == (6, 1)


def test_a_redeal_keeps_the_cards_of_each_seat() -> None:
    match = Match(town.GAME, seed=1)
    redealt = [match.sampler(0).sample(match.bot_stream(0)) for _ in range(20)]
    assert all(it.hands[0] == match.state.hands[0] for it in redealt)
    assert len({tuple(sorted(it.hands[1])) for it in redealt}) > 1
    assert all(town.GAME.fault(it) is None for it in redealt)


def test_a_mask_marks_the_selections() -> None:
    match, index = holding("flame tree tree", "tree"), ActionIndex(town.GAME)
    play(match, "play flame")
    marked = [
        str(index.action(int(at))) for at in np.flatnonzero(index.mask(match.legal_actions()))
    ]
    assert sorted(marked) == ["trash", "trash tree", "trash tree tree"]


@pytest.mark.slow
def test_every_position_can_be_drawn() -> None:
    assert check_picture(town.GAME, town.TownPicture(), matches=1, plies=8) > 20


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "other"), [("mayor", "miser"), ("miser", "search:10")])
def test_a_level_beats_the_one_below_it(bot: str, other: str) -> None:
    won = 0.0
    for number in range(30):
        match: AnyMatch = Match(town.GAME, seed=number)
        seat = number % 2
        for at, player in ((seat, bot), (1 - seat, other)):
            match.set_player(at, town.PLUGIN.bot(player, match.bot_stream(at), at))
        outcome = match.run()
        assert outcome is not None
        won += seat in outcome.winners if outcome.winners else 0.5
    assert won > 15
