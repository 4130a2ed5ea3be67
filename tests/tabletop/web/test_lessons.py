"""The tutorial of a game: its sentences in states, and the texts of the bundled games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from lcr import PLUGIN
from lcr.rules.state import LcrState, Roll
from tabletop import Match, Seat, Streams
from tabletop.registry import load
from tests.tabletop.web.served import Server, with_server

LONGEST = 100


def failing(view: LcrState, seat: Seat, actions: Sequence[Roll]) -> Iterator[str]:
    raise ValueError("no lessons")


@with_server()
async def test_a_state_contains_sentences_only_if_the_client_requests_them(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"])
    async with server.screen(opened["links"][0], lessons=True) as screen:
        state = await screen.until("state")
        assert state["your_turn"]
        assert "Click Roll" in state["lessons"][0]
    async with server.screen(opened["links"][0]) as screen:
        assert (await screen.until("state"))["lessons"] == []


@with_server(plugins=(replace(PLUGIN, lessons=failing),))
async def test_the_match_continues_without_lessons_if_they_fail(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"])
    async with server.screen(opened["links"][0], lessons=True) as screen:
        state = await screen.until("state")
        assert state["choices"]
        assert state["lessons"] == []


@pytest.mark.parametrize(("game", "number"), [("lcr", 4), ("sorcery", 9), ("constructor", 11)])
def test_the_sentences_of_a_game_appear_in_random_matches(game: str, number: int) -> None:
    plugin = load(game)
    assert plugin.lessons is not None
    shown: set[str] = set()
    stream = Streams("lessons")["choices"]
    for seed in range(4):
        match = Match(plugin.game, seed=str(seed))
        while not match.over and match.ply < 400:
            for seat in match.to_act:
                actions = match.legal_actions(seat)
                shown.update(plugin.lessons(match.view(seat), seat, actions))
            match.play(stream.choice(match.legal_actions()))
    assert len(shown) >= number
    assert max(map(len, shown)) <= LONGEST
    assert all(sentence.endswith(".") for sentence in shown)
