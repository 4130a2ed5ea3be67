"""A search tree with caches makes the same choices as a plain search."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from tabletop import Match, Random, Streams, Table
from tabletop.bots import ISMCTS
from tabletop.match import AnyMatch, playout
from tabletop.registry import Plugin, load

EXAMPLES = Path(__file__).parents[3] / "examples"


@dataclass(slots=True)
class Tries:
    """The visits, the availability, and the sum of the values of an action."""

    visits: int = 0
    available: int = 0
    total: float = 0.0

    def bound(self, exploration: float) -> float:
        bits = self.available.bit_length()
        return self.total / self.visits + exploration * sqrt(bits / self.visits)


def search_plainly(
    plugin: Plugin,
    match: AnyMatch,
    iterations: int,
    exploration: float,
    key: Callable[[Any, Any], Hashable] | None,
) -> dict[Any, tuple[int, float]]:
    """Return the visits of each action in a plain search, and the sum of the values."""
    game, seat = plugin.game, match.to_act[0]
    streams = Streams(Streams("tree")["bot"].below(1 << 62))
    picks, hidden, table = streams["picks"], streams["hidden"], Table(streams.child("rules"))
    own, sampler = match.legal_actions(seat), match.sampler(seat)
    tree: defaultdict[tuple[Hashable, ...], Tries] = defaultdict(Tries)
    for _ in range(iterations):
        state = sampler.sample(hidden)
        way: tuple[Hashable, ...] = ()
        path: list[tuple[Tries, int]] = []
        while (seats := game.to_act(state)) and (not path or path[-1][0].visits):
            actions: Sequence[Any] = game.legal_actions(state, seats[0]) if path else own
            keys = [key(state, it) if key and path else it for it in actions]
            found = [tree[*way, it] for it in keys]
            untried = [at for at, it in enumerate(found) if not it.visits]
            for it in found:
                it.available += bool(it.visits)
            if untried:
                at = untried[picks.below(len(untried)) if len(untried) > 1 else 0]
                found[at].available += 1
            else:
                at = max(range(len(found)), key=lambda at: found[at].bound(exploration))
            path.append((found[at], seats[0]))
            way = (*way, keys[at])
            game.apply(state, actions[at], table)
        outcome = game.outcome(playout(game, state, picks, table.rng, plies=2_000))
        for tries, chooser in path:
            tries.visits += 1
            tries.total += 0.5 if outcome is None else game.utility(outcome, chooser)
    return {it: (tree[it,].visits, tree[it,].total) for it in own if tree[it,].visits}


def group_cells(state: Any, action: Any) -> Hashable:
    """Return the same key for several cells of tic-tac-toe."""
    cell: int = action.cell
    return cell % 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plies", "iterations", "key"),
    [
        ("tictactoe", 2, 800, None),  # nothing is hidden, so nodes keep positions
        ("tictactoe", 1, 400, group_cells),
        ("pig", 5, 300, None),  # nodes after dice keep no positions
        ("crazy_eights", 4, 60, None),  # the list of actions of other seats varies
    ],
)
def test_a_search_with_caches_chooses_like_one_without(
    name: str, plies: int, iterations: int, key: Callable[[Any, Any], Hashable] | None
) -> None:
    plugin = load(str(EXAMPLES / f"{name}.py"))
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=2)
    for seat in range(2):
        match.set_player(seat, Random(f"seat {seat}"))
    match.run(plies)
    while len(match.legal_actions()) < 2:
        match.step()
    bot: ISMCTS[Any, Any] = ISMCTS(
        Streams("tree")["bot"], game=plugin.game, iterations=iterations, exploration=0.4, key=key
    )
    seat = match.to_act[0]
    bot.choose(match.view(seat), match.legal_actions(seat), match.sampler(seat))
    assert bot.statistics == search_plainly(plugin, match, iterations, 0.4, key)
