"""What the examples bring for bots that look ahead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop import Match, Seat, Streams
from tabletop.match import AnyMatch
from tabletop.registry import load

EXAMPLES = Path(__file__).parents[2] / "examples"
RATED = (
    "backgammon",
    "caverns",
    "chess",
    "crazy_eights",
    "deck_builder",
    "flotsam",
    "go",
    "harbour",
    "hearts",
    "herons",
    "nettles",
    "upriver",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", RATED)
def test_ratings_lie_between_0_and_1_and_something_is_always_worth_trying(name: str) -> None:
    plugin = load(str(EXAMPLES / f"{name}.py"))
    assert plugin.evaluate is not None
    match, chance = Match(plugin.game, seed=4), Streams(4)["random"]
    while match.to_act and match.ply < 300:
        seat = match.to_act[0]
        actions = match.legal_actions(seat)
        before = match.digest()
        tried = actions if plugin.policy is None else plugin.policy(match.state, actions)
        assert tried
        assert [it for it in actions if it in tried] == list(tried)
        for rated in range(match.seats):
            assert 0.0 <= plugin.evaluate(match.state, rated) <= 1.0
        assert match.digest() == before
        match.play(chance.choice(actions))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["harbour", "liars_dice"])
def test_beliefs_lie_between_0_and_1_for_all_that_a_seat_may_take_for_real(name: str) -> None:
    plugin = load(str(EXAMPLES / f"{name}.py"))
    assert plugin.belief is not None
    match, chance = Match(plugin.game, seed=4, seats=3), Streams(4)["random"]
    seen = set()
    while match.to_act and match.ply < 300:
        seat = match.to_act[0]
        for _ in range(3):
            state = match.sampler(seat).sample(chance)
            weight = plugin.belief(state, seat)
            seen.add(weight)
            assert 0.0 < weight <= 1.0
        match.play(chance.choice(match.legal_actions(seat)))
    assert len(seen) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bot", "other"),
    [("liars_dice", "search:60", "sober"), ("harbour", "search:60", "honest")],
)
def test_who_weighs_what_was_said_beats_who_says_the_truth(name: str, bot: str, other: str) -> None:
    plugin = load(str(EXAMPLES / f"{name}.py"))
    won = 0
    for number in range(20):
        match: AnyMatch = Match(plugin.game, seed=number)
        seat = number % 2
        for at, player in ((seat, bot), (1 - seat, other)):
            match.set_player(at, plugin.bot(player, match.bot_stream(at), at))
        outcome = match.run()
        won += outcome is not None and outcome.winners == (seat,)
    assert won >= 13


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_hard_never_loses_tic_tac_toe_whatever_the_other_does(seat: Seat) -> None:
    plugin = load(str(EXAMPLES / "tictactoe.py"))
    seen = set()

    def after(*moves: object) -> AnyMatch:
        match = Match(plugin.game, seed=1)
        for move in moves:
            match.play(move)
        return match

    def search(match: AnyMatch) -> None:
        position = str(match.state)
        if position in seen:
            return
        seen.add(position)
        if match.outcome is not None:
            assert match.outcome.winners != (1 - seat,), match.actions
        elif match.to_act == (seat,):
            match.set_player(seat, plugin.bot("hard", match.bot_stream(seat), seat))
            match.step()
            search(match)
        else:
            for action in match.legal_actions():
                search(after(*match.actions, action))

    search(after())
    assert len(seen) > 50
