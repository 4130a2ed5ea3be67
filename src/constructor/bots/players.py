"""Bots that play Constructor for a builder.

A bot knows what it is shown and remembers nothing: it may be put in at any moment and for any
builder. Which of its offers were declined stands in the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import ge
from typing import Any, Final, TypeVar

from constructor.bots.evaluation import evaluate, policy
from constructor.bots.goals import (
    CLOSE,
    COST,
    GAIN,
    KIND_WEIGHTS,
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
from constructor.rules.legal import ACCEPT, DECLINE, END_TURN, ROLL, USE_FAIR_DICE
from constructor.rules.state import NOBODY, POINTS, ConstructorState, Phase
from tabletop import Sampler, Stream
from tabletop.bots import Expectimax
from tabletop.match import AnyPlayer
from tabletop.rules import AnyGame

A = TypeVar("A", bound=Action)
T = TypeVar("T")


class Random:
    """Does anything that is allowed, each choice equally likely.

    Nothing is offered twice in a turn that was declined.

    Args:
        chance: the stream it draws from.
    """

    def __init__(self, chance: Stream) -> None:
        self._chance = chance

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play; `view` may be at any moment of a game."""
        left = without_declined(view, actions)
        return left[self._chance.below(len(left))] if len(left) > 1 else left[0]


class Builder:
    """Works towards the nearest building point; offers cards it can spare for those it lacks.

    It rolls fair dice.

    Args:
        chance: the stream it draws from, among choices that are equally good.
        brick: how much bricks count where it settles.
        energy: how much energy counts.
        glass: how much glass counts.
        heat: how much heat counts.
        wifi: how much wifi counts.
        gain: how it weighs a goal's gain, as in `constructor.bots.goals.waits_for`.
        cost: how it weighs a goal's cost.
    """

    def __init__(
        self,
        chance: Stream,
        *,
        brick: int = KIND_WEIGHTS[0],
        energy: int = KIND_WEIGHTS[1],
        glass: int = KIND_WEIGHTS[2],
        heat: int = KIND_WEIGHTS[3],
        wifi: int = KIND_WEIGHTS[4],
        gain: int = GAIN,
        cost: int = COST,
    ) -> None:
        self._chance = chance
        self._kinds = (brick, energy, glass, heat, wifi)
        self._gain, self._cost = gain, cost

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play; `view` may be at any moment of a game."""
        phase = view.phase
        if phase is Phase.SETUP:
            return self._best(actions, partial(worth_of_settling, view, weights=self._kinds))
        if phase in _VALUES:
            return self._best(actions, partial(_VALUES[phase], view))
        if phase is Phase.BEGINNING:
            return ROLL if view.fair[view.turn] else USE_FAIR_DICE
        if phase is Phase.CHOOSING_ROLL:  # another player took these dice: roll them as if fair
            return ChooseRoll(self._chance.roll(6, 2))
        if phase is Phase.ANSWERING and view.offer is not None:
            is_good = is_welcome(view, view.offer, gain=self._gain, cost=self._cost)
            return ACCEPT if is_good else DECLINE
        return self._build(view, actions)

    def _best(self, items: Sequence[T], value: Callable[[T], int]) -> T:
        """Return one of the items with the highest value."""
        return self._any_best(items, list(map(value, items)))

    def _any_best(self, items: Sequence[T], values: Sequence[int]) -> T:
        """Return one of the items that have the highest of these values."""
        most = max(values)
        places = [place for place, own in enumerate(values) if own == most]
        return items[self._chance.choice(places)]

    def _build(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        seat = view.turn
        outlook = outlook_of(view, seat)
        if not outlook.goals:
            return END_TURN
        hand = tuple(view.hand(seat))
        waits = waits_for(outlook, hand, gain=self._gain, cost=self._cost)
        goal = self._any_best(outlook.goals, [-wait for wait in waits])
        can_pay = all(map(ge, hand, goal.price))
        return goal.step if can_pay else self._trade(view, actions, outlook, goal)

    def _trade(
        self, view: ConstructorState, actions: Sequence[Action], outlook: Outlook, goal: Goal
    ) -> Action:
        """Offer a card that the goal can spare for one that it lacks, unless that was declined."""
        hand = view.hand(view.turn)
        spare = [own - cost for own, cost in zip(hand, goal.cost, strict=True)]
        offers = [
            action
            for action in actions
            if isinstance(action, Trade)
            and spare[action.give] > 0 > spare[action.take]
            and outlook.points[action.seat] < CLOSE
        ]
        left = without_declined(view, offers)
        if not left:
            return END_TURN
        return self._best(left, lambda offer: spare[offer.give] - spare[offer.take])


class Beginner(Builder):
    """A Builder that settles anywhere and offers no trades."""

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play; `view` may be at any moment of a game."""
        if view.phase is Phase.SETUP:
            return self._chance.choice(actions)
        return super().choose(view, actions)

    def _trade(
        self, view: ConstructorState, actions: Sequence[Action], outlook: Outlook, goal: Goal
    ) -> Action:
        return END_TURN


class Planner(Expectimax[ConstructorState, Action]):
    """Looks ahead to the end of its turn, and takes what its `evaluation` rates highest.

    It rolls fair dice, and answers within some hundredths of a second.

    Args:
        chance: the stream of its seat.
        game: the rules.
    """

    def __init__(self, chance: Stream, *, game: AnyGame) -> None:
        super().__init__(chance, game=game, iterations=1, evaluate=evaluate, policy=policy)

    def choose(
        self,
        view: ConstructorState,
        actions: Sequence[Action],
        sampler: Sampler[ConstructorState],
    ) -> Action:
        """Return the action to play; `view` may be at any moment of a game."""
        if view.phase is Phase.CHOOSING_ROLL:  # another player took these dice
            return ChooseRoll(self._chance.roll(6, 2))
        return super().choose(view, actions, sampler)


def without_declined(view: ConstructorState, actions: Sequence[A]) -> Sequence[A]:
    """Return the actions, without the trades that have been declined in this turn."""
    if not view.refused:
        return actions
    declined = {(offer.seat, offer.give, offer.take) for offer in view.refused}
    return [
        action
        for action in actions
        if not (isinstance(action, Trade) and (action.seat, action.give, action.take) in declined)
    ]


def _harm(view: ConstructorState, place: PlaceGeese) -> int:
    """Rate the harm of geese on a tile: to the leader it counts most; hurting oneself is worst."""
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
"""The phases in which the action of the highest value is played, and what gives the value."""

BOTS: Final[Mapping[str, Callable[..., AnyPlayer[ConstructorState, Action]]]] = {
    "builder": Builder,
    "easy": Beginner,
    "fair": Builder,
    "hard": Planner,
    "random": Random,
}
"""The bots that can play for a builder; the first one, which is fast, unless another is named."""

WEIGHTS: Final = {
    "builder": {
        **dict.fromkeys(("brick", "energy", "glass", "heat", "wifi"), (1, 6)),
        "gain": (4, 20),
        "cost": (0, 4),
    }
}
"""The weights of a Builder that `tabletop tune constructor` tries, and their bounds."""
