"""Functions that apply actions to the state and emit events (Constructor §3, §4).

The functions do not check their action, because `constructor.rules.legal` has already decided that
it is legal.

Every builder has separate random streams for dice, losses and thefts, so the draws of one builder
do not influence those of another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from constructor.rules import actions, events
from constructor.rules.board import Board
from constructor.rules.legal import is_clear, victims
from constructor.rules.production import TILE_COST, VARIANTS, change_tile, is_dry, produce
from constructor.rules.state import (
    GEESE_LIMIT,
    GEESE_ROLL,
    KINDS,
    RESIDENCE_COSTS,
    ROAD_COST,
    WINNING_POINTS,
    ConstructorState,
    Cost,
    Offer,
    Phase,
    Resource,
)
from tabletop import Seat, Stream, Table
from tabletop.rules import clockwise


def _settle(state: ConstructorState, board: Board, action: actions.Settle, table: Table) -> None:
    seat, vertex = state.order[0], action.vertex
    _put_residence(state, seat, vertex)
    table.emit(events.BasementChosen(seat, vertex))
    state.order = state.order[1:]
    if not any(is_clear(state.homes, board, other) for other in range(len(state.homes))):
        state.order = ()  # a small board may be full before all basements are placed
    if not state.order:
        table.emit(events.SetupEnded())
        _begin_turn(state, state.turn, table)


def _begin_turn(state: ConstructorState, seat: Seat, table: Table) -> None:
    state.turn = seat
    state.phase = Phase.BEGINNING
    state.refused = ()
    table.emit(events.TurnBegan(seat))


def _use_dice(
    state: ConstructorState,
    board: Board,
    action: actions.UseLoadedDice | actions.UseFairDice,
    table: Table,
) -> None:
    fair = state.fair[state.turn] = isinstance(action, actions.UseFairDice)
    table.emit(events.DiceChosen(state.turn, fair))


def _roll(state: ConstructorState, board: Board, action: actions.Roll, table: Table) -> None:
    if not state.fair[state.turn]:
        state.phase = Phase.CHOOSING_ROLL
        return
    dice = table.rng["dice", state.turn]
    first, second = dice.roll(6), dice.roll(6)
    table.emit(events.DiceRolled(state.turn, first + second, (first, second)))
    _act_on_roll(state, board, first + second, table)


def _choose_roll(
    state: ConstructorState, board: Board, action: actions.ChooseRoll, table: Table
) -> None:
    table.emit(events.DiceRolled(state.turn, action.total))
    _act_on_roll(state, board, action.total, table)


def _act_on_roll(state: ConstructorState, board: Board, roll: int, table: Table) -> None:
    if roll == GEESE_ROLL:
        _feed_geese(state, table)
        state.phase = Phase.PLACING_GEESE
        return
    before = state.tiles
    gained = produce(state, board, roll)
    if table.watched:  # saves time in simulations, which have no observers
        _report_production(state, before, gained, table)
    state.phase = Phase.BUILDING


def _report_production(
    state: ConstructorState, before: tuple[object, ...], gained: list[int], table: Table
) -> None:
    """Emit the gains of a roll, then the tiles that it changed (Constructor §3.5.5)."""
    for seat in range(state.seats):
        amounts = gained[seat * KINDS : seat * KINDS + KINDS]
        if any(amounts):
            table.emit(events.ResourcesGained(seat, _cost(amounts)))
    if not gained:
        table.emit(events.NothingGained())
    for number, tile in enumerate(state.tiles):
        # Tiles are immutable and replaced only when they change, so comparing identity is enough.
        if tile is not before[number]:
            table.emit(events.TileChanged(number, tile))


def _cost(amounts: list[int]) -> Cost:
    brick, energy, glass, heat, wifi = amounts
    return brick, energy, glass, heat, wifi


def _feed_geese(state: ConstructorState, table: Table) -> None:
    """Take random cards from hands of ten or more: half, rounded down (Constructor §3.6)."""
    for seat in range(state.seats):
        total = sum(state.hand(seat))
        if total > GEESE_LIMIT:
            lost = [0] * KINDS
            for _ in range(total // 2):
                lost[_take_card(state, seat, table.rng["geese", seat])] += 1
            table.emit(events.ResourcesLost(seat, _cost(lost)))


def _take_card(state: ConstructorState, seat: Seat, chance: Stream) -> Resource:
    """Take a random card from `seat`, each equally likely, and return its kind."""
    hand = state.hand(seat)
    rest = chance.below(sum(hand))
    kind = 0
    while rest >= hand[kind]:
        rest -= hand[kind]
        kind += 1
    state.cards[seat * KINDS + kind] -= 1
    return Resource(kind)


def _pay(state: ConstructorState, seat: Seat, cost: Cost) -> None:
    base = seat * KINDS
    for kind, amount in enumerate(cost):
        state.cards[base + kind] -= amount


def _build_road(
    state: ConstructorState, board: Board, action: actions.BuildRoad, table: Table
) -> None:
    seat = state.turn
    _pay(state, seat, ROAD_COST)
    state.roads[action.edge] = seat
    state.idle = 0
    state.built.append(action.edge)
    table.emit(events.RoadBuilt(seat, action.edge))


def _put_residence(state: ConstructorState, seat: Seat, vertex: int) -> None:
    state.homes[vertex] = seat
    state.levels[vertex] = 1
    state.idle = 0
    state.settled.append(vertex)


def _build_residence(
    state: ConstructorState, board: Board, action: actions.BuildResidence, table: Table
) -> None:
    _pay(state, state.turn, RESIDENCE_COSTS[0])
    _put_residence(state, state.turn, action.vertex)
    _complete_residence(state, action.vertex, table)


def _improve(state: ConstructorState, board: Board, action: actions.Improve, table: Table) -> None:
    vertex = action.vertex
    _pay(state, state.turn, RESIDENCE_COSTS[state.levels[vertex]])
    state.levels[vertex] += 1
    state.idle = 0
    _complete_residence(state, vertex, table)


def _complete_residence(state: ConstructorState, vertex: int, table: Table) -> None:
    """Announce the new level, and end the game if the builder has won (Constructor §4.4)."""
    seat = state.turn
    table.emit(events.ResidenceBuilt(seat, vertex, state.levels[vertex]))
    points = state.points(seat)
    if points >= WINNING_POINTS:
        state.phase = Phase.OVER
        table.emit(events.GameWon(seat, points))


def _improve_tile(
    state: ConstructorState, board: Board, action: actions.ImproveTile, table: Table
) -> None:
    _pay(state, state.turn, TILE_COST)
    state.idle = 0
    change_tile(state, action.tile, replace(state.tiles[action.tile], also=action.kind))
    table.emit(events.TileChanged(action.tile, state.tiles[action.tile]))


def _trade(state: ConstructorState, board: Board, action: actions.Trade, table: Table) -> None:
    state.offer = Offer(action.seat, action.give, action.take)
    state.phase = Phase.ANSWERING
    table.emit(events.TradeOffered(state.turn, action.seat, action.give, action.take))


def _accept(state: ConstructorState, board: Board, action: actions.Accept, table: Table) -> None:
    offer = state.offer
    if offer is not None:
        cards, maker, other = state.cards, state.turn * KINDS, offer.seat * KINDS
        cards[maker + offer.give] -= 1
        cards[other + offer.give] += 1
        cards[other + offer.take] -= 1
        cards[maker + offer.take] += 1
    _close_offer(state, table, accepted=True)


def _decline(state: ConstructorState, board: Board, action: actions.Decline, table: Table) -> None:
    if state.offer is not None and state.offer not in state.refused:
        # Recorded until the end of the turn, so that bots, which keep no memory, do not repeat it.
        state.refused = (*state.refused, state.offer)
    _close_offer(state, table, accepted=False)


def _close_offer(state: ConstructorState, table: Table, *, accepted: bool) -> None:
    offer, state.offer = state.offer, None
    state.phase = Phase.BUILDING
    if offer is not None and table.watched:
        table.emit(events.TradeAnswered(state.turn, offer.seat, offer.give, offer.take, accepted))


def _end_turn(state: ConstructorState, board: Board, action: actions.EndTurn, table: Table) -> None:
    state.idle += 1
    dry = VARIANTS[state.variant].scarce and all(map(is_dry, state.tiles))
    # A patience of 0 means no limit. It never equals `idle`, which is at least 1 here.
    if dry or state.idle == state.patience:
        state.phase = Phase.OVER
        return
    _begin_turn(state, clockwise(state.turn, state.seats), table)


def _place_geese(
    state: ConstructorState, board: Board, action: actions.PlaceGeese, table: Table
) -> None:
    state.geese = action.tile
    table.emit(events.GeesePlaced(state.turn, action.tile))
    seats = victims(state, board)
    table.emit(events.VictimsFound(state.turn, tuple(seats)))
    state.phase = Phase.STEALING if seats else Phase.BUILDING


def _steal(state: ConstructorState, board: Board, action: actions.Steal, table: Table) -> None:
    kind = _take_card(state, action.seat, table.rng["steal", state.turn])
    state.cards[state.turn * KINDS + kind] += 1
    state.phase = Phase.BUILDING
    table.emit(events.ResourceStolen(state.turn, action.seat, kind))


Move = Callable[[ConstructorState, Board, Any, Table], None]

MOVES: Final[Mapping[type[Any], Move]] = {
    actions.Settle: _settle,
    actions.UseLoadedDice: _use_dice,
    actions.UseFairDice: _use_dice,
    actions.Roll: _roll,
    actions.ChooseRoll: _choose_roll,
    actions.BuildRoad: _build_road,
    actions.BuildResidence: _build_residence,
    actions.Improve: _improve,
    actions.ImproveTile: _improve_tile,
    actions.Trade: _trade,
    actions.EndTurn: _end_turn,
    actions.Accept: _accept,
    actions.Decline: _decline,
    actions.PlaceGeese: _place_geese,
    actions.Steal: _steal,
}
