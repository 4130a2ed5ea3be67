"""A sampler gives players states that are like the real one, without access to the real one."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from tests.tabletop.games import cards
from tests.tabletop.games.cards import Trick

from tabletop import ContractError, Game, Match, Random, Sampler, Stream, Streams
from tabletop.bots import ExternalBot
from tabletop.match import AnyMatch, ask


class Dreamer:
    """A bot that keeps its samples, and plays the first action."""

    def __init__(self, chance: Stream) -> None:
        self.chance = chance
        self.dreams: list[Trick] = []

    def choose(self, view: Trick, actions: Sequence[Any], sampler: Sampler[Trick]) -> Any:
        self.dreams.append(sampler.sample(self.chance))
        assert cards.GAME.view(self.dreams[-1], sampler.seat) == view
        return actions[0]


def dreaming(match: AnyMatch) -> list[Dreamer]:
    dreamers = [Dreamer(match.bot_stream(seat)) for seat in range(match.seats)]
    for seat, dreamer in enumerate(dreamers):
        match.set_player(seat, dreamer)
    return dreamers


def test_a_player_with_a_sampler_parameter_receives_one_for_its_seat() -> None:
    match: AnyMatch = Match(cards.GAME, seed="dream")
    dreamers = dreaming(match)
    match.run()
    assert [len(it.dreams) for it in dreamers] == [match.ply // 2] * 2
    assert any(0 not in dream.deck and dream.deck for dream in dreamers[0].dreams)


def test_samples_are_the_same_after_an_undo_and_on_a_clone() -> None:
    match: AnyMatch = Match(cards.GAME, seed="dream")
    first, _ = dreaming(match)
    match.run(6)
    match.undo(4)
    twin = match.clone()
    other, _ = dreaming(twin)
    match.run(4)
    twin.run(4)
    assert first.dreams[-2:] == first.dreams[1:3] == other.dreams


def test_a_sample_is_a_copy_and_reveals_no_hidden_values() -> None:
    match: AnyMatch = Match(cards.GAME, seed="dream")
    before = match.digest()
    sampler = match.sampler(0)
    drawn = sampler.sample(Streams("known")["draws"])
    again = Sampler(cards.GAME, drawn, 0).sample(Streams("known")["draws"])
    assert drawn == again != match.state
    drawn.hands[0].clear()
    drawn.deck.clear()
    assert match.digest() == before
    assert {name for name in dir(sampler) if not name.startswith("_")} == {"sample", "seat"}


@pytest.mark.parametrize("send", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_sampler_cannot_be_copied_or_pickled(send: Any) -> None:
    match: AnyMatch = Match(cards.GAME, seed="dream")
    with pytest.raises(TypeError, match="real state"):
        send(match.sampler(0))


class Unfinished(cards.Tricks):
    """A game with hidden values that does not override `redeal`."""

    redeal = Game.redeal


def test_a_game_without_redeal_raises_an_error_and_not_the_real_state() -> None:
    match: AnyMatch = Match(Unfinished(), seed="dream")
    with pytest.raises(ContractError, match=r"cards .*\bview\b.*\bredeal\b"):
        match.sampler(0).sample(Streams("own")["chance"])


def test_a_player_that_delegates_passes_the_sampler_on() -> None:
    match: AnyMatch = Match(cards.GAME, seed="dream")
    dreamer = Dreamer(Streams("own")["chance"])

    class Delegate:
        def choose(self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]) -> Any:
            return ask(dreamer, view, actions, sampler)

    match.set_player(0, Delegate())
    match.step(0)
    assert len(dreamer.dreams) == 1


def test_a_player_without_a_sampler_parameter_is_called_without_it() -> None:
    class First:
        def choose(self, view: Any, actions: Sequence[Any]) -> Any:
            return actions[0]

    match: AnyMatch = Match(cards.GAME, seed="dream")
    actions = match.legal_actions(0)
    assert ask(First(), match.view(0), actions, match.sampler(0)) is actions[0]


# Another process receives the samples as JSON.

AWAY = """
import json, sys

def told():
    return json.loads(sys.stdin.readline())

def answer(kind, **fields):
    print(json.dumps({"type": kind, **fields}), flush=True)

while not (asked := told()).get("over"):
    if asked["type"] != "state":
        continue
    assert not any(asked["view"]["hands"][1] + asked["view"]["deck"])
    for number in range(1, 4):
        answer("sample", count=number)
        states = told()["states"]
        assert len(states) == number
        for state in states:
            assert all(state["hands"][1] + state["deck"])
            assert state["hands"][0] == asked["view"]["hands"][0]
    answer("act", line=asked["choices"][-1]["words"])
"""


@pytest.mark.slow
def test_sampled_states_are_sent_to_a_bot_in_another_process() -> None:
    match: AnyMatch = Match(cards.GAME, seed="dream")
    words = [sys.executable, "-c", AWAY]
    away = ExternalBot(match.bot_stream(0), game=match.game, seat=0, words=words)
    away.join(match)
    match.set_player(0, away)
    match.set_player(1, Random(1))
    match.run()
    assert match.over
    away.close(match.outcome)
