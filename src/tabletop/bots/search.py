"""Monte Carlo search with hidden hands, random events, several seats and simultaneous choices.

`ISMCTS` is information-set Monte Carlo tree search after Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search" (2012). Each iteration samples a state that is possible
for the seat. The iteration descends the tree along actions that are legal in this state, adds one
action, rates the resulting state, and updates all actions on the path. Random events are drawn
again in every iteration (open loop). The exploration bonus of an action depends on how often the
action was available, not on the visits of its parent.

The tree branches on public information. A seat that knows more, because it has made a secret
choice, has separate statistics. No player in the tree can therefore react to another player's
secret choice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, TypeVar

from typing_extensions import override

from tabletop.bots.search_bot import SearchBot
from tabletop.bots.search_tree import Tree
from tabletop.errors import TabletopError
from tabletop.match.players import Sampler
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.game import Game, Table
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

EXPLORATION: Final = 0.6
"""Default exploration weight. The paper uses 0.7 for values from 0 to 1."""


class ISMCTS(SearchBot[S, A]):
    """A bot that uses information-set Monte Carlo tree search.

    The bot chooses the action with the most iterations. Seats that choose simultaneously do not see
    each other's choices.

    Args:
        stream: The random stream of the seat. See `SearchBot` for this and the other arguments.
        exploration: The weight of exploration, 0.0 or more. Higher values spend more iterations on
            actions that were rarely chosen. Values of states range from 0.0 to 1.0.
        key: Returns the identity of an action in the tree, given the state and the action. The
            result must be hashable. By default, the identity is the action itself. A key is
            necessary if actions name hidden cards by their index in a hand, because the same index
            is a different card in every sampled state.

    Raises:
        ValueError: An argument is out of range.

    >>> from tabletop import Match
    >>> from tabletop.registry import load
    >>> plugin = load("sorcery")
    >>> match = Match(plugin.game, seed="old oak")
    >>> bot = ISMCTS(match.bot_stream(0), game=plugin.game, iterations=50)
    >>> match.set_player(0, bot)
    >>> _ = match.step()
    >>> bot.last_search.iterations
    50
    """

    def __init__(
        self,
        stream: Stream,
        *,
        game: Game[S, A],
        exploration: float = EXPLORATION,
        key: Callable[[S, A], Hashable] | None = None,
        **others: Any,
    ) -> None:
        super().__init__(stream, game=game, **others)
        if exploration < 0:
            raise ValueError(f"exploration must be at least 0, not {exploration}")
        self._exploration = exploration
        self._key = key

    @override
    def _search(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        hidden, table = streams["hidden"], Table(streams.child("rules"))
        tree = Tree(
            self._game,
            sampler.seat,
            actions,
            worthwhile=self._worthwhile,
            key=self._key,
            exploration=self._exploration,
            draw=lambda: sampler.sample(hidden),
            rate=lambda state: self._rate(state, table),
            picks=self._picks,
            table=table,
        )
        for _ in self._count_iterations():
            tree.iterate()
        nodes = tree.root.children
        self.statistics = {
            action: (nodes[action].visits, nodes[action].total)
            for action in actions
            if action in nodes
        }
        return most_visited(self.statistics)


def most_visited(statistics: Mapping[A, tuple[int, float]]) -> tuple[A, float, float]:
    """Return the action with the most iterations, its mean value, and its share of iterations."""
    # `max` returns the first of equal actions, in the order of `legal_actions`.
    best = max(
        statistics,
        key=lambda action: (
            statistics[action][0],
            statistics[action][1] / statistics[action][0],
        ),
    )
    visits, total = statistics[best]
    return best, total / visits, visits / sum([visits for visits, _ in statistics.values()])


class FlatMonteCarlo(SearchBot[S, A]):
    """A bot that searches all actions equally often and chooses the one with the best mean value.

    Args:
        stream: The random stream of the seat. See `SearchBot` for this and the other arguments.
        plies: The number of random plies before `evaluate` rates a state. Unlike a tree search,
            this bot does not look ahead if `plies` is 0.
    """

    def __init__(self, stream: Stream, *, game: Game[S, A], plies: int = 8, **others: Any) -> None:
        super().__init__(stream, game=game, plies=plies, **others)

    @override
    def _search(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        hidden, table = streams["hidden"], Table(streams.child("rules"))
        totals, visits = [0.0] * len(actions), [0] * len(actions)
        for number in self._count_iterations():
            index = number % len(actions)
            state = sampler.sample(hidden)
            visits[index] += 1
            try:
                self._game.apply(state, actions[index], table)
            except TabletopError:  # a match undoes such an action, so it is worth nothing
                continue
            totals[index] += self._rate(state, table)[sampler.seat]
        rows = zip(actions, visits, totals, strict=True)
        self.statistics = {action: (count, total) for action, count, total in rows if count}
        means = [total / count for total, count in zip(totals, visits, strict=True) if count]
        best = max(range(len(means)), key=means.__getitem__)
        return actions[best], means[best], None
