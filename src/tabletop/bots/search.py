"""Monte Carlo search with hidden hands, chance, several seats and simultaneous choices.

Information-set Monte Carlo tree search after Cowling, Powley and Whitehouse, "Information Set Monte
Carlo Tree Search" (2012). Each iteration draws a whole state that the seat may be in, goes down a
tree through actions that are legal there, adds one action, rates what it has come to, and notes
that at all actions on the way. Chance is drawn anew in every iteration (an open loop), and how
often an action was available counts, not how often its parent was visited.

The tree branches at what everybody has been told. What a seat knows beyond that, of actions chosen
in secret, leads to statistics of its own: nobody in the tree sees another's secret choice.
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
"""How much an action that was seldom tried gains; the paper has 0.7 for values from 0 to 1."""


class ISMCTS(SearchBot[S, A]):
    """Information-set Monte Carlo tree search.

    The choice is the action that was tried most. Where several seats choose at once, none sees what
    the others choose.

    Args:
        chance: the stream of its seat; see `SearchBot`, for the other arguments as well.
        exploration: how much an action that was seldom tried gains, from 0.0; values lie between
            0.0 and 1.0.
        key: what an action is in the tree, as a function of the state and the action: where hidden
            cards are named by their places in a hand, the same action would mean another card in
            every deal. It must be hashable; the action itself without it.

    Raises:
        ValueError: an argument is out of range.

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
        chance: Stream,
        *,
        game: Game[S, A],
        exploration: float = EXPLORATION,
        key: Callable[[S, A], Hashable] | None = None,
        **others: Any,
    ) -> None:
        super().__init__(chance, game=game, **others)
        if exploration < 0:
            raise ValueError(f"exploration={exploration}: write 0 or more")
        self._exploration = exploration
        self._key = key

    @override
    def _think(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        hidden, table = streams["hidden"], Table(streams.child("rules"))
        tree = Tree(
            self._game,
            sampler.seat,
            actions,
            policy=self._policy,
            key=self._key,
            exploration=self._exploration,
            draw=lambda: sampler.sample(hidden),
            rate=lambda state: self._rate(state, table),
            picks=self._picks,
            table=table,
        )
        for _ in self._rounds():
            tree.iterate()
        nodes = tree.root.children
        self.statistics = {it: (nodes[it].visits, nodes[it].total) for it in actions if it in nodes}
        return most_tried(self.statistics)


def most_tried(tries: Mapping[A, tuple[int, float]]) -> tuple[A, float, float]:
    """Return the action that was tried most, its mean worth, and its share of all tries."""
    # Of equals the first is chosen: actions have an order of their own.
    best = max(tries, key=lambda action: (tries[action][0], tries[action][1] / tries[action][0]))
    visits, total = tries[best]
    return best, total / visits, visits / sum([visits for visits, _ in tries.values()])


class FlatMonteCarlo(SearchBot[S, A]):
    """Flat Monte Carlo: every action is tried equally often, and the one that goes best is chosen.

    Args:
        chance: the stream of its seat; see `SearchBot`, for the other arguments as well.
        plies: as of a `SearchBot`: unlike a tree, it sees nothing of what follows without them.
    """

    def __init__(self, chance: Stream, *, game: Game[S, A], plies: int = 8, **others: Any) -> None:
        super().__init__(chance, game=game, plies=plies, **others)

    @override
    def _think(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        hidden, table = streams["hidden"], Table(streams.child("rules"))
        totals, tries = [0.0] * len(actions), [0] * len(actions)
        for number in self._rounds():
            place = number % len(actions)
            state = sampler.sample(hidden)
            tries[place] += 1
            try:
                self._game.apply(state, actions[place], table)
            except TabletopError:  # a match undoes such an action, so it is worth nothing
                continue
            totals[place] += self._rate(state, table)[sampler.seat]
        known = zip(actions, tries, totals, strict=True)
        self.statistics = {action: (tried, total) for action, tried, total in known if tried}
        means = [total / tried for total, tried in zip(totals, tries, strict=True) if tried]
        best = max(range(len(means)), key=means.__getitem__)
        return actions[best], means[best], None
