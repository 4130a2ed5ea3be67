"""Monte Carlo search with hidden hands, chance, several seats and simultaneous choices.

Information-set Monte Carlo tree search after Cowling, Powley and Whitehouse, "Information Set Monte
Carlo Tree Search" (2012): one tree of actions for the searching seat. Each iteration draws a whole
state that the seat may be in, goes down the tree through actions that are legal there, adds one
action, rates what it has come to, and notes that at all actions on the way. Chance is drawn anew in
every iteration (an open loop). How often an action was available counts, not how often its parent
was visited.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import sqrt
from typing import Any, Final, Generic, TypeVar

from typing_extensions import override

from tabletop.bots.thinking import Evaluate, Policy, Thinker
from tabletop.game import Game, Table
from tabletop.outcome import Seat
from tabletop.players import Sampler
from tabletop.playouts import playout
from tabletop.rng import Stream, Streams
from tabletop.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

EXPLORATION: Final = 0.6
"""How much an action that was seldom tried gains; the paper has 0.7 for values from 0 to 1."""


class _Node:
    """An action in the tree, and what may follow it."""

    __slots__ = ("available", "children", "seats", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0  # the iterations in which it could have been chosen
        self.total = 0.0  # of the values for the seat that chooses it
        self.children: dict[Hashable, _Node] = {}
        self.seats: dict[Seat, _Node] = {}  # where several choose at once: what each one may do


class ISMCTS(Thinker[S, A]):
    """Information-set Monte Carlo tree search.

    Where several seats choose at once, each has statistics of its own and none sees the others'
    choices. The final choice is the action that was tried most.

    Args:
        chance: the stream of its seat; see `Thinker`, for the other arguments as well.
        plies: the random plies before a state is rated with `evaluate`, 0 or more.
        exploration: how much an action that was seldom tried gains, from 0.0; values lie between
            0.0 and 1.0.
        depth: the plies that the tree holds at most; None for no bound.

    >>> from tabletop import Match, Random
    >>> from tabletop.registry import load
    >>> game = load("lcr").game
    >>> match = Match(game, seed="old oak")
    >>> bot = ISMCTS(match.chance_of(0), game=game, iterations=50)
    >>> match.set_player(0, bot)
    >>> match.step()
    Roll()
    """

    def __init__(
        self,
        chance: Stream,
        *,
        game: Game[S, A],
        iterations: int | None = None,
        seconds: float | None = None,
        evaluate: Evaluate | None = None,
        policy: Policy | None = None,
        plies: int = 0,
        exploration: float = EXPLORATION,
        depth: int | None = None,
    ) -> None:
        super().__init__(
            chance,
            game=game,
            iterations=iterations,
            seconds=seconds,
            evaluate=evaluate,
            policy=policy,
        )
        if plies < 0 or exploration < 0 or (depth is not None and depth < 1):
            given = f"plies={plies}, exploration={exploration}, depth={depth}"
            raise ValueError(
                f"{given}: write plies and exploration of 0 or more, depth of 1 or more"
            )
        self._plies = plies
        self._exploration = exploration
        self._depth = depth

    @override
    def _think(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float]:
        tree = _Tree(self, actions, sampler.seat, streams)
        hidden = streams["hidden"]
        for _ in self._rounds():
            tree.iterate(sampler.sample(hidden))
        root = tree.root.seats.get(sampler.seat, tree.root)
        best = max(actions, key=lambda action: self._standing(root.children.get(action)))
        chosen = root.children[best]
        return best, chosen.total / chosen.visits

    def _standing(self, node: _Node | None) -> tuple[float, float]:
        """Return what the final choice goes by; of equals the first action is chosen."""
        return (0, 0.0) if node is None else (node.visits, node.total / node.visits)


class FlatMonteCarlo(ISMCTS[S, A]):
    """Flat Monte Carlo: every action is tried equally often, and the one that goes best is chosen.

    Nothing is learnt of what follows the action. The arguments are those of `ISMCTS`, without
    `exploration` and `depth`.
    """

    def __init__(self, chance: Stream, *, game: Game[S, A], plies: int = 0, **others: Any) -> None:
        super().__init__(chance, game=game, plies=plies, exploration=1e9, depth=1, **others)

    @override
    def _standing(self, node: _Node | None) -> tuple[float, float]:
        return (-1.0, 0) if node is None else (node.total / node.visits, node.visits)


class _Tree(Generic[S, A]):
    """The tree of one choice of `bot`."""

    def __init__(
        self, bot: ISMCTS[S, A], actions: Sequence[A], seat: Seat, streams: Streams
    ) -> None:
        self.root = _Node()
        self._bot = bot
        self._actions = actions
        self._seat = seat
        self._picks = streams["picks"]
        self._table = Table(streams.child("rules"))

    def iterate(self, state: S) -> None:
        """Go down the tree with a state, add an action, and note what it is worth on the way."""
        bot, game, node = self._bot, self._bot._game, self.root
        path: list[tuple[_Node, Seat]] = []
        is_new, depth = False, 0
        while not is_new and depth != bot._depth and (seats := game.to_act(state)):
            depth += 1
            if len(seats) > 1:
                node, is_new = self._choose_at_once(node, state, seats, path)
                continue
            action, node = self._pick(node, self._worthwhile(node, state, seats[0]))
            is_new = not node.visits
            path.append((node, seats[0]))
            game.apply(state, action, self._table)
        if bot._plies and bot._evaluate is not None:
            rng = self._table.rng
            state = playout(game, state, self._picks, rng, plies=bot._plies, policy=bot._policy)
        rate = bot._rate(state, self._picks, self._table.rng)
        values: dict[Seat, float] = {}
        for node, seat in path:
            if seat not in values:
                values[seat] = rate(seat)
            node.visits += 1
            node.total += values[seat]

    def _worthwhile(self, node: _Node, state: S, seat: Seat) -> Sequence[A]:
        if node is self.root and seat == self._seat:
            return self._actions
        return self._bot._worthwhile(state, seat)

    def _choose_at_once(
        self, node: _Node, state: S, seats: Sequence[Seat], path: list[tuple[_Node, Seat]]
    ) -> tuple[_Node, bool]:
        """Have each of several seats choose, without a look at the others' choices.

        Return the node of all their choices together, and whether one of them is new.
        """
        game, chosen, is_new = self._bot._game, [], False
        for seat in tuple(seats):
            if seat not in game.to_act(state):
                break  # the choice of another has changed who is to act
            own = node.seats.setdefault(seat, _Node())
            actions = self._worthwhile(node, state, seat)
            action, child = self._pick(own, actions)
            is_new = is_new or not child.visits
            path.append((child, seat))
            game.apply(state, action, self._table)
            chosen.append(action)
        return node.children.setdefault(tuple(chosen), _Node()), is_new

    def _pick(self, node: _Node, actions: Sequence[A]) -> tuple[A, _Node]:
        """Return an action that was not tried here, or the one of the highest upper bound."""
        children, exploration = node.children, self._bot._exploration
        best, best_child, highest = actions[0], None, -1.0
        untried = []
        for action in actions:
            child = children.get(action)
            if child is None:
                untried.append(action)
                continue
            child.available += 1
            visits = child.visits
            # The binary logarithm, rounded up: unlike that of a library, the same on all machines.
            bound = child.total / visits + exploration * sqrt(child.available.bit_length() / visits)
            if bound > highest:
                best, best_child, highest = action, child, bound
        if untried or best_child is None:
            best = untried[self._picks.below(len(untried))] if len(untried) > 1 else untried[0]
            best_child = children[best] = _Node()
            best_child.available = 1
        return best, best_child
