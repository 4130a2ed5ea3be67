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
from contextlib import suppress
from math import sqrt
from typing import Any, Final, Generic, TypeVar

from typing_extensions import override

from tabletop.bots.thinking import Thinker
from tabletop.errors import TabletopError
from tabletop.match.players import Sampler
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import ActionPlayed
from tabletop.rules.game import AnyGame, Game, Table
from tabletop.rules.secrets import SecretGame
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.states.visibility import secrets_of

S = TypeVar("S", bound=State)
A = TypeVar("A")

EXPLORATION: Final = 0.6
"""How much an action that was seldom tried gains; the paper has 0.7 for values from 0 to 1."""


class _Node:
    """An action in the tree, and what may follow it."""

    __slots__ = ("available", "children", "total", "visits", "with_secrets")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0  # the iterations in which it could have been chosen
        self.total = 0.0  # of the values for the seat that chooses it
        self.children: dict[Hashable, _Node] = {}  # by action; None for all that are secret
        self.with_secrets: dict[Hashable, _Node] = {}  # by what a seat knows of secret actions


class ISMCTS(Thinker[S, A]):
    """Information-set Monte Carlo tree search.

    The choice is the action that was tried most. Where several seats choose at once, none sees what
    the others choose.

    Args:
        chance: the stream of its seat; see `Thinker`, for the other arguments as well.
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
    >>> bot = ISMCTS(match.chance_of(0), game=plugin.game, iterations=50)
    >>> match.set_player(0, bot)
    >>> _ = match.step()
    >>> bot.thought.iterations
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
        tree = _Tree(self, actions, sampler.seat, streams)
        hidden = streams["hidden"]
        for _ in self._rounds():
            tree.iterate(sampler.sample(hidden))
        nodes = tree.root.children
        self.tries = {it: (nodes[it].visits, nodes[it].total) for it in actions if it in nodes}
        return most_tried(self.tries)


def most_tried(tries: Mapping[A, tuple[int, float]]) -> tuple[A, float, float]:
    """Return the action that was tried most, its mean worth, and its share of all tries."""
    # Of equals the first is chosen: actions have an order of their own.
    best = max(tries, key=lambda action: (tries[action][0], tries[action][1] / tries[action][0]))
    visits, total = tries[best]
    return best, total / visits, visits / sum([visits for visits, _ in tries.values()])


class FlatMonteCarlo(Thinker[S, A]):
    """Flat Monte Carlo: every action is tried equally often, and the one that goes best is chosen.

    Args:
        chance: the stream of its seat; see `Thinker`, for the other arguments as well.
        plies: as of a `Thinker`: unlike a tree, it sees nothing of what follows without them.
    """

    def __init__(self, chance: Stream, *, game: Game[S, A], plies: int = 8, **others: Any) -> None:
        super().__init__(chance, game=game, plies=plies, **others)

    @override
    def _think(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        hidden, picks, table = streams["hidden"], streams["picks"], Table(streams.child("rules"))
        totals, tries = [0.0] * len(actions), [0] * len(actions)
        for number in self._rounds():
            place = number % len(actions)
            state = sampler.sample(hidden)
            tries[place] += 1
            with suppress(TabletopError):  # a match takes such an action back: it is worth nothing
                self._game.apply(state, actions[place], table)
                totals[place] += self._rate(state, picks, table.rng)(sampler.seat)
        known = zip(actions, tries, totals, strict=True)
        self.tries = {action: (tried, total) for action, tried, total in known if tried}
        means = [total / tried for total, tried in zip(totals, tries, strict=True) if tried]
        best = max(range(len(means)), key=means.__getitem__)
        return actions[best], means[best], None


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
        self._is_open = _OpenTypes(bot._game)

    def iterate(self, state: S) -> None:
        """Go down the tree with a state, add an action, and note what it is worth on the way."""
        path: list[tuple[_Node, Seat]] = []
        try:
            self._descend(state, path)
        except _BrokenOffError:
            rate: Callable[[Seat], float] = _rate_as_zero
        else:
            rate = self._bot._rate(state, self._picks, self._table.rng)
        values: dict[Seat, float] = {}
        for node, seat in path:
            if seat not in values:
                values[seat] = rate(seat)
            node.visits += 1
            node.total += values[seat]

    def _descend(self, state: S, path: list[tuple[_Node, Seat]]) -> None:
        """Play a state on along the tree, up to an action that is new there."""
        bot, game, node, is_open = self._bot, self._bot._game, self.root, self._is_open
        key = bot._key
        secrets: list[ActionPlayed] = []  # the actions of which somebody was not told all
        is_new = False
        while not is_new and (seats := game.to_act(state)):
            if len(seats) > 1:
                node, is_new = self._choose_at_once(node, state, seats, secrets, path)
                continue
            [seat] = seats
            actions = self._actions if not path else bot._worthwhile(state, seat)
            place = self._place(node, state, seat, secrets) if secrets else node
            # What the bot can choose itself it knows already: only what follows needs a key.
            keys = [key(state, action) for action in actions] if key and path else actions
            action, child = self._pick(place, actions, keys)
            is_new = not child.visits
            path.append((child, seat))
            self._apply(state, action)
            if secrets or not is_open[type(action)]:
                child = self._after(node, state, ActionPlayed(0, seat, action), secrets)
            node = child

    def _apply(self, state: S, action: A) -> None:
        try:
            self._bot._game.apply(state, action, self._table)
        except TabletopError as error:
            raise _BrokenOffError from error

    def _choose_at_once(
        self,
        node: _Node,
        state: S,
        seats: Sequence[Seat],
        secrets: list[ActionPlayed],
        path: list[tuple[_Node, Seat]],
    ) -> tuple[_Node, bool]:
        """Have each of several seats choose, without a look at the others' choices.

        Return the node of all their choices together, and whether one of them is new.
        """
        game, is_new, is_first = self._bot._game, False, not path
        moves: list[ActionPlayed] = []
        if is_first:
            seats = sorted(seats, key=self._seat.__ne__)  # its action is played in this state
        places = [(seat, self._place(node, state, seat, secrets)) for seat in seats]
        for seat, place in places:
            if moves and seat not in game.to_act(state):
                break  # the choice of another has changed who is to act
            is_own = is_first and seat == self._seat
            actions = self._actions if is_own else self._bot._worthwhile(state, seat)
            action, child = self._pick(place, actions, actions)
            is_new = is_new or not child.visits
            path.append((child, seat))
            self._apply(state, action)
            moves.append(ActionPlayed(0, seat, action))
        for move in moves:
            node = self._after(node, state, move, secrets)
        return node, is_new

    def _place(self, node: _Node, state: S, seat: Seat, secrets: Sequence[ActionPlayed]) -> _Node:
        """Return the node with the statistics of a seat, which knows its own share of secrets."""
        if not secrets:
            return node
        known = tuple([self._view_action(state, move, seat) for move in secrets])
        return _below(node.with_secrets, known)

    def _after(
        self, node: _Node, state: S, move: ActionPlayed, secrets: list[ActionPlayed]
    ) -> _Node:
        """Return the node after an action, as everybody is told of it."""
        told = self._view_action(state, move, None)
        if told is not move.action:
            secrets.append(move)
        return _below(node.children, told)

    def _view_action(self, state: S, move: ActionPlayed, seat: Seat | None) -> Any:
        """Return an action as a seat is told of it; None where all of it is secret."""
        if seat == move.seat or self._is_open[type(move.action)]:
            return move.action
        told = self._bot._game.view_event(move, state, seat)
        return told.action if isinstance(told, ActionPlayed) else None

    def _pick(self, node: _Node, actions: Sequence[A], keys: Sequence[Hashable]) -> tuple[A, _Node]:
        """Return an action that was not tried here, or the one of the highest upper bound."""
        children, tried, untried = node.children, [], []
        for action, key in zip(actions, keys, strict=True):
            child = children.get(key)
            if child is None or not child.visits:
                untried.append((action, key))
            else:
                child.available += 1
                tried.append((action, child))
        if untried:
            place = self._picks.below(len(untried)) if len(untried) > 1 else 0
            action, key = untried[place]
            child = _below(children, key)
            child.available += 1
            return action, child
        best, highest, exploration = tried[0], -1.0, self._bot._exploration
        for one in tried:
            child = one[1]
            visits = child.visits
            # The binary logarithm, rounded up: unlike that of a library, the same on all machines.
            bound = child.total / visits + exploration * sqrt(child.available.bit_length() / visits)
            if bound > highest:
                best, highest = one, bound
        return best


class _BrokenOffError(Exception):
    """The rules break an action off, which a match takes back: it is worth nothing."""


def _rate_as_zero(seat: Seat) -> float:
    return 0.0


def _below(nodes: dict[Hashable, _Node], key: Hashable) -> _Node:
    """Return the node of a key, which may be a new one."""
    node = nodes.get(key)
    if node is None:
        node = nodes[key] = _Node()
    return node


class _OpenTypes(dict[type[Any], bool]):
    """Whether everybody is told all of the actions of a type."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self._view_event = type(game).view_event

    def __missing__(self, kind: type[Any]) -> bool:
        declared = self._view_event is SecretGame.view_event and not secrets_of(kind)
        self[kind] = is_open = declared or self._view_event is Game.view_event
        return is_open
