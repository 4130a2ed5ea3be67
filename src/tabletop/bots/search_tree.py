"""The tree of a Monte Carlo search; `tabletop.bots.search` says what is searched, and how.

Most choices at a node are among the very actions that it listed last. So it keeps how much each of
them may be worth: to try one changes one number. Where nothing is hidden and nothing drawn, much
visited nodes keep their positions, too, and no rules are asked on the way through them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import TabletopError
from tabletop.match.contract_errors import no_action_to_try
from tabletop.rng.stream import Stream
from tabletop.rules.events import ActionPlayed
from tabletop.rules.game import AnyGame, Game, Table
from tabletop.rules.secrets import SecretGame
from tabletop.states.visibility import secrets_of

Seat: TypeAlias = Any
"""A seat, as the rules name it: a number of NumPy will do, which is no `int` to compiled code."""

KEPT_FROM: Final = 8
"""The visits after which a node keeps its position: most have fewer, and states may be large."""


class Kept(NamedTuple):
    """A position that a node keeps.

    Attributes:
        state: the state, which stays as it is.
        seat: the one seat that is to act.
        actions: its actions that are worth trying.
        keys: what they are in the tree.
    """

    state: Any
    seat: Seat
    actions: Sequence[Any]
    keys: Sequence[Hashable]


class Node:
    """An action in the tree, and what may follow it.

    Attributes:
        visits: how often it was chosen.
        total: the sum of its values for the seat that chooses it.
        available: in how many iterations it could have been chosen, less the `rounds` of the list
            that it stands in.
        children: what may follow, by action; None for all that are secret.
        with_secrets: what may follow, by what a seat knows of secret actions; None without any.
        kept: its position, where it keeps one.
        keys: the list of actions that was last chosen from; None without one.
        rounds: how often the list has been chosen from, since its nodes counted that.
        listed: the node of each action; `_UNTRIED` for those that have not been tried.
        untried: the places of these.
        bounds: how much each may be worth; empty before all have been tried.
        bits: for each the binary logarithm of how often it was available, rounded up.
        rises: for each the number of rounds with which that is one more.
        next_rise: the least of these.
    """

    __slots__ = (
        *("available", "bits", "bounds", "children", "kept", "keys", "listed", "next_rise"),
        *("rises", "rounds", "total", "untried", "visits", "with_secrets"),
    )

    # What belongs to a list, and is not there before the first one: most nodes never have any.
    bits: list[int]
    bounds: list[float]
    listed: list[Node]
    next_rise: int
    rises: list[int]
    rounds: int
    untried: list[int]

    def __init__(self) -> None:
        self.visits: int = 0
        self.total: float = 0.0
        self.available: int = 0
        self.children: dict[Hashable, Node] = {}
        self.with_secrets: dict[Hashable, Node] | None = None
        self.kept: Kept | None = None
        self.keys: Sequence[Hashable] | None = None

    def open_list(self, keys: Sequence[Hashable]) -> None:
        """Choose from a list of actions from now on."""
        self.close_list()
        self.keys, self.rounds, self.bounds = keys, 0, []
        found = [self.children.get(key) for key in keys]
        self.listed = [child if child and child.visits else _UNTRIED for child in found]
        self.untried = [at for at, child in enumerate(self.listed) if child is _UNTRIED]

    def close_list(self) -> None:
        """Have the nodes of the list count its rounds, and have no list."""
        if self.keys is None:
            return
        self.keys, self.bounds, rounds = None, [], self.rounds
        for child in self.listed:
            child.available += rounds

    def find_bounds(self, exploration: float) -> None:
        """Work out how much each action may be worth, now that all have been tried."""
        keys = self.keys
        self.close_list()
        self.keys, self.rounds, self.bits, self.rises = keys, 0, [], []
        for child in self.listed:
            # Unlike the logarithm of a library, this one is the same on all machines.
            bits, visits = child.available.bit_length(), child.visits
            self.bits.append(bits)
            self.rises.append((1 << bits) - child.available)
            self.bounds.append(child.total / visits + exploration * sqrt(bits / visits))
        self.next_rise = min(self.rises)

    def raise_bound(self, exploration: float) -> None:
        """Raise the bound of an action that has been available often enough."""
        at = self.rises.index(self.next_rise)
        child, bits = self.listed[at], self.bits[at] + 1
        self.bits[at] = bits
        self.rises[at] = (1 << bits) - child.available
        self.bounds[at] = child.total / child.visits + exploration * sqrt(bits / child.visits)
        self.next_rise = min(self.rises)


_UNTRIED: Final = Node()

Step: TypeAlias = tuple[Node, int, Node, Seat]
"""A choice on the way down: the node, the place in its list, what follows, and who chose it."""


class Tree:
    """The tree of one choice.

    Args:
        game: the rules.
        seat: the seat that is to choose.
        actions: what it chooses among.
        policy: leaves out later actions, and those of others, that are not worth trying.
        key: what an action is in the tree; the action itself without it.
        exploration: how much an action that was seldom tried gains.
        draw: draws a state that the seat may be in.
        rate: returns what a state is worth to the seats; it may change the state.
        picks: decides among actions that were not tried.
        table: what the rules draw from.

    Attributes:
        root: the node of the position in which the seat is to choose.
    """

    def __init__(
        self,
        game: AnyGame,
        seat: Seat,
        actions: Sequence[Any],
        *,
        policy: Callable[[Any, Sequence[Any]], Sequence[Any]] | None,
        key: Callable[[Any, Any], Hashable] | None,
        exploration: float,
        draw: Callable[[], Any],
        rate: Callable[[Any], Mapping[Seat, float]],
        picks: Stream,
        table: Table,
    ) -> None:
        self.root: Node = Node()
        self._game = game
        self._seat = seat
        self._actions = actions
        self._policy = policy
        self._key = key
        self._exploration = exploration
        self._draw = draw
        self._rate = rate
        self._picks = picks
        self._table = table
        self._is_all_open = type(game).view_event is Game.view_event
        self._open_types: dict[type[Any], bool] = {}
        if not game.hides_something:
            self._keep(self.root, draw(), is_first=True)

    def iterate(self) -> None:
        """Go down the tree, add an action, and note what it is worth on the way."""
        path: list[Step] = []
        state, exploration = self._descend(path), self._exploration
        worths = None if state is None else self._rate(state)
        for node, at, child, seat in path:
            visits = child.visits = child.visits + 1
            if worths is not None:
                child.total += worths[seat]
            if bounds := node.bounds:
                bits = node.bits[at]
                bounds[at] = child.total / visits + exploration * sqrt(bits / visits)

    def _descend(self, path: list[Step]) -> Any:
        """Play a state on along the tree, up to an action that is new there, and return it.

        Return None where the rules break an action off: a match takes it back, and it is worth
        nothing.
        """
        kept = self.root.kept
        node, state = self._follow(kept, path) if kept else (self.root, self._draw())
        if state is None:
            return None
        game, is_new = self._game, bool(path) and not node.visits
        secrets: list[ActionPlayed] = []  # the actions of which somebody was not told all
        while not is_new and (seats := game.to_act(state)):
            if len(seats) > 1:
                found = self._choose_at_once(node, state, seats, secrets, path)
                if found is None:
                    return None
                node, is_new = found
                continue
            seat = seats[0]
            actions, keys = self._list(state, seat, is_first=not path)
            place = self._place(node, state, seat, secrets) if secrets else node
            at, child = self._pick(place, keys)
            action, is_new = actions[at], not child.visits
            path.append((place, at, child, seat))
            if not self._apply(state, action):
                return None
            if secrets or not (self._is_all_open or self._is_open(type(action))):
                child = self._after(node, state, ActionPlayed(0, seat, action), secrets)
            node = child
        return state

    def _follow(self, kept: Kept, path: list[Step]) -> tuple[Node, Any]:
        """Go down the tree from its root, as far as positions are kept, and one action further.

        Return the node there and its state; None for that where the rules break the action off.
        """
        node = self.root
        while True:
            at, child = self._pick(node, kept.keys)
            path.append((node, at, child, kept.seat))
            if child.kept is None:
                break
            node, kept = child, child.kept
        state, streams = kept.state.clone(), self._table.rng
        drawn = streams.state() if child.visits == KEPT_FROM else None
        if not self._apply(state, kept.actions[at]):
            return child, None
        if drawn is not None and drawn == streams.state():
            self._keep(child, state, is_first=False)
        return child, state

    def _keep(self, node: Node, state: Any, *, is_first: bool) -> None:
        """Have a node keep its position, where one seat is to act."""
        seats = self._game.to_act(state)
        if len(seats) == 1:
            actions, keys = self._list(state, seats[0], is_first=is_first)
            node.kept = Kept(state.clone(), seats[0], actions, keys)

    def _list(
        self, state: Any, seat: Seat, *, is_first: bool
    ) -> tuple[Sequence[Any], Sequence[Hashable]]:
        """Return the actions of a seat that are worth trying, and what they are in the tree."""
        if is_first:  # what the bot can choose itself it knows already: that needs no key
            return self._actions, self._actions
        actions, key = self._worthwhile(state, seat), self._key
        return actions, [key(state, action) for action in actions] if key else actions

    def _worthwhile(self, state: Any, seat: Seat) -> Sequence[Any]:
        """Return the legal actions of a seat that are worth trying."""
        actions = self._game.legal_actions(state, seat)
        if self._policy is not None:
            actions = self._policy(state, actions)
        if not actions:
            raise no_action_to_try(self._game, state, seat)
        return actions

    def _apply(self, state: Any, action: Any) -> bool:
        """Play an action; return whether the rules have carried it out."""
        try:
            self._game.apply(state, action, self._table)
        except TabletopError:
            return False
        return True

    def _choose_at_once(
        self,
        node: Node,
        state: Any,
        seats: Sequence[Seat],
        secrets: list[ActionPlayed],
        path: list[Step],
    ) -> tuple[Node, bool] | None:
        """Have each of several seats choose, without a look at the others' choices.

        Return the node of all their choices together, and whether one of them is new; None where
        the rules break one off.
        """
        game, is_new, is_first = self._game, False, not path
        moves: list[ActionPlayed] = []
        if is_first:
            seats = sorted(seats, key=self._seat.__ne__)  # its action is played in this state
        places = [(seat, self._place(node, state, seat, secrets)) for seat in seats]
        for seat, place in places:
            if moves and seat not in game.to_act(state):
                break  # the choice of another has changed who is to act
            is_own = is_first and seat == self._seat
            actions = self._actions if is_own else self._worthwhile(state, seat)
            at, child = self._pick(place, actions)
            place.close_list()  # the next seat may choose from another one there
            is_new = is_new or not child.visits
            path.append((place, at, child, seat))
            if not self._apply(state, actions[at]):
                return None
            moves.append(ActionPlayed(0, seat, actions[at]))
        for move in moves:
            node = self._after(node, state, move, secrets)
        return node, is_new

    def _place(self, node: Node, state: Any, seat: Seat, secrets: Sequence[ActionPlayed]) -> Node:
        """Return the node with the statistics of a seat, which knows its own share of secrets."""
        if not secrets:
            return node
        known = tuple([self._view_action(state, move, seat) for move in secrets])
        if node.with_secrets is None:
            node.with_secrets = {}
        return _node_of(node.with_secrets, known)

    def _after(
        self, node: Node, state: Any, move: ActionPlayed, secrets: list[ActionPlayed]
    ) -> Node:
        """Return the node after an action, as everybody is told of it."""
        told = self._view_action(state, move, None)
        if told is not move.action:
            secrets.append(move)
        return _node_of(node.children, told)

    def _view_action(self, state: Any, move: ActionPlayed, seat: Seat | None) -> Any:
        """Return an action as a seat is told of it; None where all of it is secret."""
        if seat == move.seat or self._is_open(type(move.action)):
            return move.action
        told = self._game.view_event(move, state, seat)
        return told.action if isinstance(told, ActionPlayed) else None

    def _is_open(self, kind: type[Any]) -> bool:
        """Return whether everybody is told all of the actions of a type."""
        if self._is_all_open:
            return True
        known = self._open_types.get(kind)
        if known is None:
            declares = type(self._game).view_event is SecretGame.view_event
            known = self._open_types[kind] = declares and not secrets_of(kind)
        return known

    def _pick(self, node: Node, keys: Sequence[Hashable]) -> tuple[int, Node]:
        """Pick an action that was not tried here, or one of the highest bound.

        Return its place in the list, and what follows.
        """
        known = node.keys
        if not (known is keys or known == keys):
            node.open_list(keys)
            if self._key is not None and len(set(keys)) < len(keys):
                node.keys = ()  # two of them count as one, and twice: it is listed anew each time
        rounds = node.rounds = node.rounds + 1
        if untried := node.untried:
            number = len(untried)
            at = untried.pop(self._picks.below(number) if number > 1 else 0)
            child = node.listed[at] = _node_of(node.children, keys[at])
            child.available += 1 - rounds  # the rounds before do not count for it
            return at, child
        if not node.bounds:
            node.find_bounds(self._exploration)
        else:
            while rounds >= node.next_rise:
                node.raise_bound(self._exploration)
        bounds = node.bounds
        at = bounds.index(max(bounds))
        return at, node.listed[at]


def _node_of(nodes: dict[Hashable, Node], key: Hashable) -> Node:
    """Return the node of a key; it may be new."""
    node = nodes.get(key)
    if node is None:
        node = nodes[key] = Node()
    return node
