"""Position evaluation and move selection for search bots.

A state is rated by the number of rounds that each builder needs to win (`constructor.bots.race`).
The arithmetic uses only + - * /, so results are the same on every version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from constructor.bots.goals import CLOSE, MOST_REFUSALS, outlook_of, worth_of_settling
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

AHEAD: Final = 1.25  # factor for each building point in the weight of a builder
CANDIDATES: Final = 6  # number of vertices that `policy` considers for a first basement

Hand: TypeAlias = tuple[int, ...]


def evaluate(state: ConstructorState, seat: Seat) -> float:
    """Estimate the probability that `seat` wins, from 0.0 to 1.0.

    The function assumes that a pending offer is accepted if it helps the builder who receives it.
    During the setup, it assumes that the remaining basements go to the best vertices. When the game
    is over, the builders with the most points share 1.0 equally.
    """
    if state.phase is Phase.OVER:
        most = max(state.points(other) for other in range(state.seats))
        winners = [other for other in range(state.seats) if state.points(other) == most]
        return 1.0 / len(winners) if seat in winners else 0.0
    if state.phase is Phase.SETUP:
        state = _settle_all(state)
    estates, hands = estates_of(state), _hands(state)
    if state.offer is not None and _is_welcome(state, estates, state.turn, state.offer):
        hands = _carry_out_offer(hands, state.turn, state.offer)
    seat_weight = total = 0.0
    for other, estate in enumerate(estates):
        weight = 1.0 / (1.0 + race(estate, hands[other], _delay(state, other)))
        weight *= weight
        for _ in range(estate.points):
            weight *= AHEAD
        total += weight
        if other == seat:
            seat_weight = weight
    return seat_weight / total


def policy(state: ConstructorState, actions: Sequence[Action]) -> Sequence[Action]:
    """Return the actions that a search should consider, at least one, in their original order.

    The policy uses fair dice and wins at once if it can. It builds roads only towards a place for a
    residence, and moves the geese only to tiles that have residences of other builders and none of
    its own. It offers only trades that help both builders and have not been declined in this turn.
    Builders who are close to winning neither make nor receive offers.
    """
    phase, seat = state.phase, state.turn
    kept: Sequence[Action] = actions
    if phase is Phase.SETUP:
        kept = _best_vertices(state, actions)
    elif phase is Phase.BEGINNING:
        wanted = Roll if state.fair[seat] else UseFairDice
        kept = [action for action in actions if type(action) is wanted]
    elif phase is Phase.PLACING_GEESE:
        kept = [action for action in actions if _hurts_others_alone(state, action)]
    elif phase is Phase.BUILDING:
        wins = [action for action in actions if _wins(state, action)]
        if wins:
            return wins
        steps = {goal.step for goal in outlook_of(state, seat).goals}
        offers = _offers(state, actions)
        kept = [
            action
            for action in actions
            if type(action) in (EndTurn, ImproveTile) or action in steps or action in offers
        ]
    return kept or actions


def _best_vertices(state: ConstructorState, actions: Sequence[Action]) -> Sequence[Action]:
    worth = {
        action: worth_of_settling(state, action) for action in actions if isinstance(action, Settle)
    }
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
    """Return the offers that help both builders, or none after `MOST_REFUSALS` refusals."""
    maker = state.turn
    if state.points(maker) >= CLOSE or len(state.refused) >= MOST_REFUSALS:
        return set()
    estates, hands = estates_of(state), _hands(state)
    now = race(estates[maker], hands[maker], 0.0)
    # The maker's gain from an exchange is the same for each of the other builders.
    after: dict[tuple[int, int], float] = {}
    offers: set[Action] = set()
    for action in actions:
        if not isinstance(action, Trade) or state.points(action.seat) >= CLOSE:
            continue
        exchange = (action.give, action.take)
        if exchange not in after:
            hand = _swap_card(hands[maker], less=action.give, more=action.take)
            after[exchange] = race(estates[maker], hand, 0.0)
        offer = Offer(action.seat, action.give, action.take)
        is_good = after[exchange] < now and offer not in state.refused
        if is_good and _is_welcome(state, estates, maker, offer):
            offers.add(action)
    return offers


def _is_welcome(
    state: ConstructorState, estates: Sequence[Estate], maker: Seat, offer: Offer
) -> bool:
    """Return whether an offer helps its recipient and its maker is not close to winning."""
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
    """Return the state after all builders have taken the best vertices by `worth_of_settling`."""
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
    """Return the number of rounds until `seat` can build, or 0.0 if it can build now."""
    is_to_roll = state.phase in (Phase.BEGINNING, Phase.CHOOSING_ROLL)
    return ((seat - state.turn) % state.seats + is_to_roll) / state.seats
