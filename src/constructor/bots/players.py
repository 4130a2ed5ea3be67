"""Bots that play Constructor.

Bots keep no memory between decisions, so a bot can take over any seat at any time. The state
records the offers that were declined in the current turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from constructor.bots.evaluation import evaluate, policy
from constructor.bots.goals import (
    CLOSE,
    COST,
    GAIN,
    KIND_WEIGHTS,
    MOST_REFUSALS,
    Goal,
    Outlook,
    is_welcome,
    outlook_of,
    pips_of,
    waits_for,
    worth_of_settling,
)
from constructor.rules.actions import (
    Action,
    ChooseRoll,
    PlaceGeese,
    Steal,
    Trade,
)
from constructor.rules.legal import ACCEPT, DECLINE, END_TURN, ROLL, USE_FAIR_DICE, can_pay
from constructor.rules.state import NOBODY, POINTS, ConstructorState, Offer, Phase
from tabletop import Sampler, Stream
from tabletop.bots import Expectimax
from tabletop.match import AnyPlayer
from tabletop.rules import AnyGame

A = TypeVar("A", bound=Action)
T = TypeVar("T")


class Random:
    """A bot that chooses uniformly at random from the legal actions.

    The bot does not repeat an offer that was declined in the same turn.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play."""
        left = without_declined(view, actions)
        return left[self._stream.below(len(left))] if len(left) > 1 else left[0]


class Builder:
    """A bot that always works towards the nearest building point.

    The bot rolls fair dice, and offers cards that it does not need in exchange for cards that it
    needs.

    Args:
        stream: The random stream of the seat, which breaks ties between equally good choices.
        brick: The weight of BRICK when the bot chooses a vertex for a first basement.
        energy: The weight of ENERGY.
        glass: The weight of GLASS.
        heat: The weight of HEAT.
        wifi: The weight of WIFI.
        gain: Pips added to the gain of each goal, see `constructor.bots.goals.GAIN`.
        cost: Weight of a goal's total cost, see `constructor.bots.goals.COST`.
    """

    def __init__(
        self,
        stream: Stream,
        *,
        brick: int = KIND_WEIGHTS[0],
        energy: int = KIND_WEIGHTS[1],
        glass: int = KIND_WEIGHTS[2],
        heat: int = KIND_WEIGHTS[3],
        wifi: int = KIND_WEIGHTS[4],
        gain: int = GAIN,
        cost: int = COST,
    ) -> None:
        self._stream = stream
        self._kinds = (brick, energy, glass, heat, wifi)
        self._gain, self._cost = gain, cost

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play."""
        phase = view.phase
        if phase is Phase.SETUP:
            return self._best(actions, partial(worth_of_settling, view, weights=self._kinds))
        if phase in _VALUES:
            return self._best(actions, partial(_VALUES[phase], view))
        if phase is Phase.BEGINNING:
            return ROLL if view.fair[view.turn] else USE_FAIR_DICE
        # A previous player of this seat may have chosen loaded dice. Choose as fair dice would.
        if phase is Phase.CHOOSING_ROLL:
            return ChooseRoll(self._stream.roll(6, 2))
        if phase is Phase.ANSWERING and view.offer is not None:
            is_good = is_welcome(view, view.offer, gain=self._gain, cost=self._cost)
            return ACCEPT if is_good else DECLINE
        return self._build(view, actions)

    def _best(self, items: Sequence[T], value: Callable[[T], int]) -> T:
        """Return a random item among those for which `value` is highest."""
        return self._any_best(items, list(map(value, items)))

    def _any_best(self, items: Sequence[T], values: Sequence[int]) -> T:
        """Return a random item among those with the highest value in `values`."""
        most = max(values)
        places = [place for place, value in enumerate(values) if value == most]
        return items[self._stream.choice(places)]

    def _build(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        seat = view.turn
        outlook = outlook_of(view, seat)
        if not outlook.goals:
            return END_TURN
        hand = tuple(view.hand(seat))
        waits = waits_for(outlook, hand, gain=self._gain, cost=self._cost)
        goal = self._any_best(outlook.goals, [-wait for wait in waits])
        return goal.step if can_pay(hand, goal.price) else self._trade(view, actions, outlook, goal)

    def _trade(
        self, view: ConstructorState, actions: Sequence[Action], outlook: Outlook, goal: Goal
    ) -> Action:
        """Offer a card that the goal does not need in return for a missing one, or end the turn.

        The bot only makes offers that the recipient should accept, and ends the turn after
        `MOST_REFUSALS` refusals.
        """
        hand = view.hand(view.turn)
        spare = [held - cost for held, cost in zip(hand, goal.cost, strict=True)]
        offers = [
            action
            for action in actions
            if isinstance(action, Trade)
            and spare[action.give] > 0 > spare[action.take]
            and outlook.points[action.seat] < CLOSE
            and is_welcome(view, Offer(action.seat, action.give, action.take))
        ]
        left = without_declined(view, offers)
        if not left or len(view.refused) >= MOST_REFUSALS:
            return END_TURN
        return self._best(left, lambda offer: spare[offer.give] - spare[offer.take])


class Beginner(Builder):
    """A weaker `Builder` that chooses random vertices in the setup and offers no trades."""

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play."""
        if view.phase is Phase.SETUP:
            return self._stream.choice(actions)
        return super().choose(view, actions)

    def _trade(
        self, view: ConstructorState, actions: Sequence[Action], outlook: Outlook, goal: Goal
    ) -> Action:
        return END_TURN


class Planner(Expectimax[ConstructorState, Action]):
    """A bot that searches ahead and chooses the action with the highest evaluation.

    States are rated by `constructor.bots.evaluation.evaluate`. The bot rolls fair dice.

    Args:
        stream: The random stream of the seat.
        game: The rules.
    """

    def __init__(self, stream: Stream, *, game: AnyGame) -> None:
        super().__init__(stream, game=game, iterations=1, evaluate=evaluate, policy=policy)

    def choose(
        self,
        view: ConstructorState,
        actions: Sequence[Action],
        sampler: Sampler[ConstructorState],
    ) -> Action:
        """Return the action to play."""
        if view.phase is Phase.CHOOSING_ROLL:  # a previous player of this seat took loaded dice
            return ChooseRoll(self._stream.roll(6, 2))
        return super().choose(view, actions, sampler)


def without_declined(view: ConstructorState, actions: Sequence[A]) -> Sequence[A]:
    """Return the actions without the trades that were declined in this turn."""
    if not view.refused:
        return actions
    declined = {(offer.seat, offer.give, offer.take) for offer in view.refused}
    return [
        action
        for action in actions
        if not (isinstance(action, Trade) and (action.seat, action.give, action.take) in declined)
    ]


def _harm(view: ConstructorState, place: PlaceGeese) -> int:
    """Rate a tile as a place for the geese.

    Harm to builders with more points is rated higher. The rating is negative if the geese would
    harm the active builder's own residences.
    """
    harm = 0
    for vertex in view.topology.tile_vertices[place.tile]:
        owner = view.homes[vertex]
        if owner != NOBODY:
            weight = -1000 if owner == view.turn else 1 + view.points(owner)
            harm += weight * POINTS[view.levels[vertex]] * (1 + pips_of(view.tiles[place.tile]))
    return harm


def _loot(view: ConstructorState, steal: Steal) -> int:
    return sum(view.hand(steal.seat))


_VALUES: Final[Mapping[Phase, Callable[[ConstructorState, Any], int]]] = {
    Phase.PLACING_GEESE: _harm,
    Phase.STEALING: _loot,
}
"""Functions that rate the actions of a phase. The bot plays the action with the highest value."""

BOTS: Final[Mapping[str, Callable[..., AnyPlayer[ConstructorState, Action]]]] = {
    "builder": Builder,
    "easy": Beginner,
    "fair": Builder,
    "hard": Planner,
    "random": Random,
}
"""Map the name of each bot to its class. The first bot is the default."""

WEIGHTS: Final = {
    "builder": {
        **dict.fromkeys(("brick", "energy", "glass", "heat", "wifi"), (1, 6)),
        "gain": (4, 20),
        "cost": (0, 4),
    }
}
"""Arguments of `Builder` that `tabletop tune constructor` optimizes, each with its bounds."""
