"""How good a state is for a builder, and which actions are worth trying: for bots that look ahead.

A state is rated by the race that it has come to (`constructor.bots.race`), with + - * / alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from constructor.bots.goals import CLOSE, outlook_of, worth_of_settling
from constructor.bots.race import Estate, estates_of, race
from constructor.rules.actions import (
    Action,
    BuildResidence,
    EndTurn,
    Improve,
    ImproveTile,
    PlaceGeese,
    Roll,
    Settle,
    Trade,
    UseFairDice,
)
from constructor.rules.legal import is_clear
from constructor.rules.state import NOBODY, POINTS, WINNING_POINTS, ConstructorState, Offer, Phase
from tabletop import Seat

AHEAD: Final = 1.25
"""What a point already won multiplies a builder's weight by, beside the shorter race."""

CANDIDATES: Final = 6
"""The vertices for a first basement that are worth trying."""

Hand: TypeAlias = tuple[int, ...]


def evaluate(state: ConstructorState, seat: Seat) -> float:
    """Return how likely `seat` is to win, from 0.0 to 1.0; 1.0 when it has won.

    An offer that waits for an answer counts as answered by its worth, and basements still to be
    chosen as chosen by theirs.
    """
    if state.phase is Phase.OVER:
        most = max(state.points(other) for other in range(state.seats))
        first = [other for other in range(state.seats) if state.points(other) == most]
        return 1.0 / len(first) if seat in first else 0.0
    if state.phase is Phase.SETUP:
        state = _settle_all(state)
    estates, hands = estates_of(state), _hands(state)
    if state.offer is not None and _is_welcome(state, estates, state.turn, state.offer):
        hands = _carry_out_offer(hands, state.turn, state.offer)
    own = total = 0.0
    for other, estate in enumerate(estates):
        weight = 1.0 / (1.0 + race(estate, hands[other], _delay(state, other)))
        weight *= weight
        for _ in range(estate.points):
            weight *= AHEAD
        total += weight
        if other == seat:
            own = weight
    return own / total


def policy(state: ConstructorState, actions: Sequence[Action]) -> Sequence[Action]:
    """Return the actions that are worth trying, at least one, in their order.

    Dice are fair ones. Roads lead to a place for a residence. Offers are such as help both, were
    not declined in this turn, and neither come from nor go to a builder who is about to win. Geese
    are put where others live. Who can win does.
    """
    phase, own = state.phase, state.turn
    kept: Sequence[Action] = actions
    if phase is Phase.SETUP:
        kept = _best_vertices(state, actions)
    elif phase is Phase.BEGINNING:
        wanted = Roll if state.fair[own] else UseFairDice
        kept = [action for action in actions if type(action) is wanted]
    elif phase is Phase.PLACING_GEESE:
        kept = [action for action in actions if _hurts_others_alone(state, action)]
    elif phase is Phase.BUILDING:
        wins = [action for action in actions if _wins(state, action)]
        if wins:
            return wins
        steps = {goal.step for goal in outlook_of(state, own).goals}
        offers = _offers(state, actions)
        kept = [
            action
            for action in actions
            if type(action) in (EndTurn, ImproveTile) or action in steps or action in offers
        ]
    return kept or actions


def _best_vertices(state: ConstructorState, actions: Sequence[Action]) -> Sequence[Action]:
    worth = {each: worth_of_settling(state, each) for each in actions if isinstance(each, Settle)}
    best = set(sorted(worth, key=worth.__getitem__, reverse=True)[:CANDIDATES])
    return [action for action in actions if action in best]


def _wins(state: ConstructorState, action: Action) -> bool:
    if not isinstance(action, BuildResidence | Improve):
        return False
    level = state.levels[action.vertex]
    return state.points(state.turn) + POINTS[level + 1] - POINTS[level] >= WINNING_POINTS


def _hurts_others_alone(state: ConstructorState, action: Action) -> bool:
    if not isinstance(action, PlaceGeese):
        return True
    owners = {state.homes[vertex] for vertex in state.topology.tile_vertices[action.tile]}
    return state.turn not in owners and owners != {NOBODY}


def _offers(state: ConstructorState, actions: Sequence[Action]) -> set[Action]:
    """Return the offers that help both."""
    own = state.turn
    if state.points(own) >= CLOSE:
        return set()
    estates, hands = estates_of(state), _hands(state)
    now = race(estates[own], hands[own], 0.0)
    after: dict[tuple[int, int], float] = {}  # there are three others to offer it to
    found: set[Action] = set()
    for action in actions:
        if not isinstance(action, Trade) or state.points(action.seat) >= CLOSE:
            continue
        exchange = (action.give, action.take)
        if exchange not in after:
            hand = _swap_card(hands[own], less=action.give, more=action.take)
            after[exchange] = race(estates[own], hand, 0.0)
        offer = Offer(action.seat, action.give, action.take)
        is_good = after[exchange] < now and offer not in state.refused
        if is_good and _is_welcome(state, estates, own, offer):
            found.add(action)
    return found


def _is_welcome(
    state: ConstructorState, estates: Sequence[Estate], maker: Seat, offer: Offer
) -> bool:
    """Return whether an offer helps whom it is made to, and its maker is not about to win."""
    seat = offer.seat
    if estates[maker].points >= CLOSE:
        return False
    hand, delay = tuple(state.hand(seat)), _delay(state, seat)
    after = _swap_card(hand, less=offer.take, more=offer.give)
    return race(estates[seat], after, delay) < race(estates[seat], hand, delay)


def _hands(state: ConstructorState) -> list[Hand]:
    return [tuple(state.hand(seat)) for seat in range(state.seats)]


def _swap_card(hand: Hand, *, less: int, more: int) -> Hand:
    changed = list(hand)
    changed[less] -= 1
    changed[more] += 1
    return tuple(changed)


def _carry_out_offer(hands: Sequence[Hand], maker: Seat, offer: Offer) -> list[Hand]:
    after = list(hands)
    after[maker] = _swap_card(hands[maker], less=offer.give, more=offer.take)
    after[offer.seat] = _swap_card(hands[offer.seat], less=offer.take, more=offer.give)
    return after


def _settle_all(state: ConstructorState) -> ConstructorState:
    """Return the state after all have chosen their basements by `worth_of_settling`."""
    state, board = state.clone(), state.topology
    while state.order:
        settles = [
            Settle(vertex)
            for vertex in range(len(state.homes))
            if is_clear(state.homes, board, vertex)
        ]
        if not settles:
            break
        worth = [worth_of_settling(state, settle) for settle in settles]
        vertex = settles[worth.index(max(worth))].vertex
        state.homes[vertex], state.levels[vertex] = state.order[0], 1
        state.settled.append(vertex)
        state.order = state.order[1:]
    state.phase = Phase.BEGINNING
    return state


def _delay(state: ConstructorState, seat: Seat) -> float:
    """Return the rounds until `seat` can build: nothing, where it is at it."""
    is_to_roll = state.phase in (Phase.BEGINNING, Phase.CHOOSING_ROLL)
    return ((seat - state.turn) % state.seats + is_to_roll) / state.seats
