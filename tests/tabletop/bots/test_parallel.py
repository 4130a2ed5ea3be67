"""Several trees for one choice, in processes of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import Match, Sampler, Streams, TabletopError
from tabletop.bots.parallel import RootParallel
from tabletop.match import AnyMatch
from tabletop.registry import load

TICTACTOE = str(Path(__file__).parents[3] / "examples" / "tictactoe.py")


def asked(match: AnyMatch) -> tuple[Any, Any, Any]:
    seat = match.to_act[0]
    return match.view(seat), match.legal_actions(seat), match.sampler(seat)


@pytest.mark.slow
def test_trees_add_up_to_one_choice_and_the_same_one_again() -> None:
    plugin = load("sorcery")
    match: AnyMatch = Match(plugin.game, seed="oak")
    seat = match.to_act[0]
    bot = RootParallel(match.chance_of(seat), plugin=plugin, trees=2, iterations=41)
    match.set_player(seat, bot)
    action = match.step(seat)
    first = bot.thought
    assert first is not None
    assert (first.action, first.iterations) == (action, 42), "each tree has an equal share"
    assert 0 < (first.share or 0) <= 1
    match.undo()
    assert match.step(seat) == action
    assert bot.thought is not None
    assert bot.thought._replace(seconds=first.seconds) == first
    bot.close()


@pytest.mark.slow
def test_it_is_not_shown_what_its_seat_does_not_see() -> None:
    plugin = load("sorcery")
    match: AnyMatch = Match(plugin.game, seed="oak")
    seat, game = match.to_act[0], match.game
    other = game.redeal(match.state, seat, Streams("other")["deal"])
    bot = RootParallel(Streams("own")["chance"], plugin=plugin, iterations=20)
    view, actions, sampler = asked(match)
    choices = []
    for at in (sampler, Sampler(game, other, seat)):
        bot._chance.offset = 0
        choices.append((bot.choose(view, actions, at), bot.thought and bot.thought.value))
    assert choices[0] == choices[1]
    bot.close()


@pytest.mark.slow
def test_nothing_is_asked_where_one_action_is_left_and_a_failure_is_said() -> None:
    plugin = load(TICTACTOE)
    match: AnyMatch = Match(plugin.game, seed="oak")
    view, actions, sampler = asked(match)
    chance = Streams("own")["chance"]
    bot = RootParallel(chance, plugin=plugin, trees=1, iterations=10**6)
    assert bot.choose(view, actions[:1], sampler) == actions[0]
    assert (chance.offset, bot.thought) == (0, None)
    with pytest.raises(TabletopError, match="a bot that is named may have at most 100000"):
        bot.choose(view, actions, sampler)
    bot.close()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({}, "give one of both"),
        ({"iterations": 5, "seconds": 1}, "give one of both"),
        ({"iterations": 5, "trees": 0}, "trees=0: write 1 or more"),
    ],
)
def test_arguments_out_of_range_are_refused(how: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RootParallel(Streams("own")["chance"], plugin=load(TICTACTOE), **how)
