"""The tree of a Monte Carlo search; see `tabletop.bots.search` for the algorithm.

A node usually chooses among the same actions as in its previous visit. Therefore, each node caches
the upper confidence bounds of these actions, and a visit updates only one of the bounds. If nothing
is hidden and no random numbers are drawn, frequently visited nodes also keep their state, so that a
descent through them does not need to apply any actions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import TabletopError
from tabletop.rng.stream import Stream
from tabletop.rules.events import ActionPlayed
from tabletop.rules.game import AnyGame, Game, Table
from tabletop.rules.secrets import SecretGame
from tabletop.states.visibility import secrets_of

Seat: TypeAlias = Any
"""A seat as any integer type, because compiled code does not accept NumPy numbers as `int`."""

KEPT_FROM: Final = 8
"""Number of visits after which a node keeps its state. The first visits do not, because most nodes
have few visits and states may be large.
"""


class Kept(NamedTuple):
    """The position that a node keeps.

    Attributes:
        state: The state, which must not be changed.
        seat: The only seat that is to act.
        actions: The actions of the seat that are worth searching.
        keys: The identities of the actions in the tree.
    """

    state: Any
    seat: Seat
    actions: Sequence[Any]
    keys: Sequence[Hashable]


class Node:
    """An action in the tree, and the actions that may follow it.

    Attributes:
        visits: The number of iterations that chose the action.
        total: The sum of the resulting values for the seat that chooses the action.
        available: The number of iterations in which the action could have been chosen, minus the
            `rounds` of the list that contains it.
        children: The nodes that may follow, by action. The key None is for actions that are
            entirely secret.
        with_secrets: The nodes that may follow, by the secret actions that a seat knows, or None.
        kept: The position of the node, or None.
        keys: The list of actions of the last visit, or None.
        rounds: The number of visits with this list that are not yet counted in `available` of its
            nodes.
        listed: The node of each action of the list, or `_UNTRIED` for an action without visits.
        untried: The indices of the actions without visits.
        bounds: The upper confidence bound of each action. Empty until all actions have visits.
        bits: For each action, the binary logarithm of its availability, rounded up.
        rises: For each action, the number of rounds at which the logarithm increases by one.
        next_rise: The minimum of `rises`.
    """

    __slots__ = (
        *("available", "bits", "bounds", "children", "kept", "keys", "listed", "next_rise"),
        *("rises", "rounds", "total", "untried", "visits", "with_secrets"),
    )

    # Set by `open_list`. Most nodes never have a list, so `__init__` does not set these.
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
        """Start choosing from a list of actions."""
        self.close_list()
        self.keys, self.rounds, self.bounds = keys, 0, []
        children = [self.children.get(key) for key in keys]
        self.listed = [child if child and child.visits else _UNTRIED for child in children]
        self.untried = [at for at, child in enumerate(self.listed) if child is _UNTRIED]

    def close_list(self) -> None:
        """Add the rounds of the list to its nodes, and discard the list."""
        if self.keys is None:
            return
        self.keys, self.bounds, rounds = None, [], self.rounds
        for child in self.listed:
            child.available += rounds

    def find_bounds(self, exploration: float) -> None:
        """Compute the bounds of all actions in the list. Each action has been visited."""
        keys = self.keys
        self.close_list()
        self.keys, self.rounds, self.bits, self.rises = keys, 0, [], []
        for child in self.listed:
            # An integer logarithm is the same on all machines, unlike `math.log`.
            bits, visits = child.available.bit_length(), child.visits
            self.bits.append(bits)
            self.rises.append((1 << bits) - child.available)
            self.bounds.append(child.total / visits + exploration * sqrt(bits / visits))
        self.next_rise = min(self.rises)

    def raise_bound(self, exploration: float) -> None:
        """Raise the bounds of the actions whose availability has reached the next power of two."""
        at = self.rises.index(self.next_rise)
        child, bits = self.listed[at], self.bits[at] + 1
        self.bits[at] = bits
        self.rises[at] = (1 << bits) - child.available
        self.bounds[at] = child.total / child.visits + exploration * sqrt(bits / child.visits)
        self.next_rise = min(self.rises)


_UNTRIED: Final = Node()

Step: TypeAlias = tuple[Node, int, Node, Seat]
"""A choice on the path: the node, the action index, the node of the action, and the seat."""


class Tree:
    """The search tree for one choice.

    Args:
        worthwhile: Returns the actions of a seat that are worth searching.
        key: Returns the identity of an action in the tree. By default, the action itself.
        exploration: The weight of exploration.
        draw: Samples a state that is possible for the seat.
        rate: Returns the value of a state for each seat. It may change the state.
        picks: The random stream that chooses among actions without visits.
        table: The table that the rules draw from.

    Attributes:
        root: The node of the position in which the seat is to choose.
    """

    def __init__(
        self,
        game: AnyGame,
        seat: Seat,
        actions: Sequence[Any],
        *,
        worthwhile: Callable[[Any, Seat], Sequence[Any]],
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
        self._worthwhile = worthwhile
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
        """Descend, add an action, rate the state, and update the nodes on the path."""
        path: list[Step] = []
        state, exploration = self._descend(path), self._exploration
        values = None if state is None else self._rate(state)
        for node, at, child, seat in path:
            visits = child.visits = child.visits + 1
            if values is not None:
                child.total += values[seat]
            if bounds := node.bounds:
                bits = node.bits[at]
                bounds[at] = child.total / visits + exploration * sqrt(bits / visits)

    def _descend(self, path: list[Step]) -> Any:
        """Apply actions along the tree up to a new action. Return the state, or None if aborted."""
        kept = self.root.kept
        node, state = self._follow(kept, path) if kept else (self.root, self._draw())
        if state is None:
            return None
        game, is_new = self._game, bool(path) and not node.visits
        secrets: list[ActionPlayed] = []  # actions that are not entirely public
        while not is_new and (seats := game.to_act(state)):
            if len(seats) > 1:
                choices = self._choose_at_once(node, state, seats, secrets, path)
                if choices is None:
                    return None
                node, is_new = choices
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
        """Descend through nodes that keep their position, and apply one further action.

        Return the node and its state. The state is None if the rules abort the action.
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
        """Store the position in a node if exactly one seat is to act."""
        seats = self._game.to_act(state)
        if len(seats) == 1:
            actions, keys = self._list(state, seats[0], is_first=is_first)
            node.kept = Kept(state.clone(), seats[0], actions, keys)

    def _list(
        self, state: Any, seat: Seat, *, is_first: bool
    ) -> tuple[Sequence[Any], Sequence[Hashable]]:
        """Return the actions of a seat that are worth searching, and their identities."""
        if is_first:  # the bot sees its own cards, so its own choice needs no key
            return self._actions, self._actions
        actions, key = self._worthwhile(state, seat), self._key
        return actions, [key(state, action) for action in actions] if key else actions

    def _apply(self, state: Any, action: Any) -> bool:
        """Apply an action, and return whether the rules carried it out."""
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
        """Choose for several seats simultaneously, without knowledge of each other's choices.

        Return the node after all choices and whether one of the choices is new, or None if the
        rules abort an action.
        """
        game, is_new, is_first = self._game, False, not path
        moves: list[ActionPlayed] = []
        if is_first:
            seats = sorted(seats, key=self._seat.__ne__)  # its actions are legal in this state
        places = [(seat, self._place(node, state, seat, secrets)) for seat in seats]
        for seat, place in places:
            if moves and seat not in game.to_act(state):
                break  # a previous choice has changed which seats are to act
            is_own = is_first and seat == self._seat
            actions = self._actions if is_own else self._worthwhile(state, seat)
            at, child = self._pick(place, actions)
            place.close_list()  # the next seat may have a different list at the same node
            is_new = is_new or not child.visits
            path.append((place, at, child, seat))
            if not self._apply(state, actions[at]):
                return None
            moves.append(ActionPlayed(0, seat, actions[at]))
        for move in moves:
            node = self._after(node, state, move, secrets)
        return node, is_new

    def _place(self, node: Node, state: Any, seat: Seat, secrets: Sequence[ActionPlayed]) -> Node:
        """Return the node with the statistics of a seat, given the secrets that it knows."""
        if not secrets:
            return node
        known = tuple([self._view_action(state, move, seat) for move in secrets])
        if node.with_secrets is None:
            node.with_secrets = {}
        return _node_of(node.with_secrets, known)

    def _after(
        self, node: Node, state: Any, move: ActionPlayed, secrets: list[ActionPlayed]
    ) -> Node:
        """Return the node after an action, keyed by the public part of the action."""
        public = self._view_action(state, move, None)
        if public is not move.action:
            secrets.append(move)
        return _node_of(node.children, public)

    def _view_action(self, state: Any, move: ActionPlayed, seat: Seat | None) -> Any:
        """Return an action as a seat sees it, or None if it is entirely secret."""
        if seat == move.seat or self._is_open(type(move.action)):
            return move.action
        event = self._game.view_event(move, state, seat)
        return event.action if isinstance(event, ActionPlayed) else None

    def _is_open(self, kind: type[Any]) -> bool:
        """Return whether all actions of a type are public."""
        if self._is_all_open:
            return True
        known = self._open_types.get(kind)
        if known is None:
            declares = type(self._game).view_event is SecretGame.view_event
            known = self._open_types[kind] = declares and not secrets_of(kind)
        return known

    def _pick(self, node: Node, keys: Sequence[Hashable]) -> tuple[int, Node]:
        """Choose an action without visits, or else the action with the highest bound.

        Return its index in the list and its node.
        """
        known = node.keys
        if not (known is keys or known == keys):
            node.open_list(keys)
            if self._key is not None and len(set(keys)) < len(keys):
                node.keys = ()  # two actions share a node, so the list is built again each time
        rounds = node.rounds = node.rounds + 1
        if untried := node.untried:
            number = len(untried)
            at = untried.pop(self._picks.below(number) if number > 1 else 0)
            child = node.listed[at] = _node_of(node.children, keys[at])
            child.available += 1 - rounds  # earlier rounds do not count for a new action
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
    """Return the node for a key, creating it if necessary."""
    node = nodes.get(key)
    if node is None:
        node = nodes[key] = Node()
    return node
