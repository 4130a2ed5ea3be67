"""The levels of games without `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop import Game, Match, Options, Outcome, Seat, State, Streams, Table, state
from tabletop.match import AnyMatch
from tabletop.registry import Plugin


@state
class Numbers(State):
    """The numbers of both seats."""

    numbers: list[int]


class OneNumber(Game[Numbers, int]):
    """Seat 0 wins with the highest of 200 numbers, after a number of its opponent."""

    name = "one-number"

    def setup(self, options: Options, seats: int, rng: Streams) -> Numbers:
        return Numbers([])

    def to_act(self, state: Numbers) -> Sequence[Seat]:
        return (len(state.numbers),) if len(state.numbers) < 2 else ()

    def legal_actions(self, state: Numbers, seat: Seat) -> Sequence[int]:
        return range(200)

    def apply(self, state: Numbers, action: int, table: Table) -> None:
        state.numbers.append(action)

    def outcome(self, state: Numbers) -> Outcome | None:
        return Outcome.by_score(state.numbers) if len(state.numbers) == 2 else None


@pytest.mark.slow
def test_levels_without_evaluate_try_each_of_many_actions() -> None:
    plugin, numbers = Plugin(OneNumber()), dict[str, float]()
    for level in ("random", "easy", "fair"):
        chosen = []
        for seed in range(6):
            match: AnyMatch = Match(plugin.game, seed=seed)
            match.set_player(0, plugin.bot(level, match.bot_stream(0), 0))
            chosen.append(match.step())
        numbers[level] = sum(chosen) / len(chosen)
    assert numbers["random"] + 15 < numbers["easy"]
    assert numbers["easy"] + 10 < numbers["fair"]
