"""The legal actions of a state (Constructor §3).

Only this module decides whether an action is legal. `constructor.rules.reasons` explains refusals.
Action objects are created once for each board and shared.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from operator import ge
from typing import Final

from constructor.rules.actions import (
    OWNED,
    Accept,
    Action,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    Decline,
    EndTurn,
    Improve,
    ImproveTile,
    PlaceGeese,
    Roll,
    Settle,
    Steal,
    Trade,
    UseFairDice,
    UseLoadedDice,
)
from constructor.rules.board import Board
from constructor.rules.layouts import HIGHEST_VALUE, LOWEST_VALUE
from constructor.rules.production import TILE_COST, VARIANTS
from constructor.rules.state import (
    COLOURS,
    KINDS,
    NOBODY,
    RESIDENCE_COSTS,
    ROAD_COST,
    TOP_LEVEL,
    ConstructorState,
    Phase,
    Resource,
)
from tabletop import Seat
from tabletop.rules import is_among

# A match accepts these objects without checking them again.
USE_FAIR_DICE: Final = UseFairDice()
ROLL: Final = Roll()
END_TURN: Final = EndTurn()
ACCEPT: Final = Accept()
DECLINE: Final = Decline()

FAIR_BEGINNING: Final[tuple[Action, ...]] = (USE_FAIR_DICE, ROLL)
BEGINNING: Final[tuple[Action, ...]] = (UseLoadedDice(), *FAIR_BEGINNING)
ROLLS: Final[tuple[Action, ...]] = tuple(
    ChooseRoll(total) for total in range(LOWEST_VALUE, HIGHEST_VALUE + 1)
)
ANSWERS: Final[tuple[Action, ...]] = (ACCEPT, DECLINE)
STEALS: Final = tuple(Steal(seat) for seat in range(len(COLOURS)))

_FIXED: Final[Mapping[Phase, Sequence[Action]]] = {
    Phase.BEGINNING: BEGINNING,
    Phase.CHOOSING_ROLL: ROLLS,
}
"""The legal actions of phases in which they are always the same."""


class ActionTable:
    """The action objects of a board, indexed by the number of their place."""

    def __init__(self, board: Board) -> None:
        vertices, tiles = range(len(board.vertices)), range(len(board.tiles))
        self.board = board
        self.settles = tuple(map(Settle, vertices))
        self.roads = tuple(map(BuildRoad, range(len(board.edges))))
        self.residences = tuple(map(BuildResidence, vertices))
        self.improvements = tuple(map(Improve, vertices))
        self.tiles = tuple(tuple(ImproveTile(tile, kind) for kind in OWNED) for tile in tiles)
        self.geese = tuple(map(PlaceGeese, tiles))


def all_actions(table: ActionTable, seats: int, *, rich: bool) -> Sequence[Action]:
    """Return every action that can be legal in a game of `seats` builders (Constructor §4).

    The result includes pointless trades. `rich` adds the improvements of tiles.
    """
    return (
        *table.settles,
        *BEGINNING,
        *ROLLS,
        *table.roads,
        *table.residences,
        *table.improvements,
        *(improvement for row in table.tiles if rich for improvement in row),
        *(trade for rows in TRADES for row in rows[:seats] for trade in row),
        END_TURN,
        *ANSWERS,
        *table.geese,
        *STEALS[:seats],
    )


TRADES: Final = tuple(
    tuple(tuple(Trade(seat, give, take) for take in OWNED) for seat in range(len(COLOURS)))
    for give in OWNED
)
"""Every trade: `TRADES[give][seat][take]`."""


# Trades depend only on the kinds in each hand, which repeat far more often than the amounts.
@lru_cache(maxsize=4096)
def trades_of(turn: Seat, has: bytes) -> Sequence[Action]:
    """Return the trades of `turn` and the end of the turn.

    `has[seat * KINDS + kind]` is 1 if the seat has cards of that kind.
    """
    trades = (
        trade
        for give in OWNED
        if has[turn * KINDS + give]
        for seat in range(len(has) // KINDS)
        if seat != turn
        for trade in TRADES[give][seat]
        if trade.take is not give and has[seat * KINDS + trade.take]
    )
    return (*trades, END_TURN)


def is_clear(homes: Sequence[int], board: Board, vertex: int) -> bool:
    """Return whether neither a vertex nor an adjacent vertex has a residence (Constructor §3.1)."""
    if homes[vertex] != NOBODY:
        return False
    return all(homes[other] == NOBODY for other in board.vertex_vertices[vertex])


def can_improve_tile(state: ConstructorState, board: Board, seat: Seat, tile: int) -> bool:
    """Return whether `seat` may improve `tile` (variants "rich" and "living")."""
    now = state.tiles[tile]
    if now.kind is Resource.PARK or now.also is not None or now.left == 0:
        return False
    return any(state.homes[vertex] == seat for vertex in board.tile_vertices[tile])


def victims(state: ConstructorState, board: Board) -> list[Seat]:
    """Return the seats that the active builder can steal from, in order (Constructor §3.6)."""
    there = {state.homes[vertex] for vertex in board.tile_vertices[state.geese]}
    return [
        seat
        for seat in range(state.seats)
        if seat in there and seat != state.turn and any(state.hand(seat))
    ]


def legal_actions(state: ConstructorState, table: ActionTable) -> Sequence[Action]:
    """Return the legal actions of the seat that is to act, as `Game.legal_actions` does."""
    phase = state.phase
    # Most decisions are in these two phases, so they are checked first.
    if phase is Phase.ANSWERING:
        return ANSWERS
    if phase is Phase.BUILDING:
        return _list_building_actions(state, table)
    if phase in _FIXED:
        return FAIR_BEGINNING if phase is Phase.BEGINNING and state.fair_only else _FIXED[phase]
    if phase is Phase.SETUP:
        homes, board = state.homes, table.board
        return [settle for settle in table.settles if is_clear(homes, board, settle.vertex)]
    if phase is Phase.PLACING_GEESE:
        return [place for place in table.geese if place.tile != state.geese]
    return [STEALS[seat] for seat in victims(state, table.board)]


def _list_building_actions(state: ConstructorState, table: ActionTable) -> Sequence[Action]:
    actions: list[Action] = []
    hand = state.hand(state.turn)
    can_build, *can_improve = (can_pay(hand, cost) for cost in RESIDENCE_COSTS)
    can_build_road = can_pay(hand, ROAD_COST)
    # The board is only searched for purchases that the builder can pay for.
    if can_build or can_build_road:
        roads, residences = places(state, table)
        actions += roads if can_build_road else ()
        actions += residences if can_build else ()
    if any(can_improve):
        levels = [level for level, can in enumerate(can_improve, 1) if can]
        actions += improvements(state, table, levels)
    if VARIANTS[state.variant].rich and can_pay(hand, TILE_COST):
        actions += _tile_improvements(state, table)
    rest = trades_of(state.turn, bytes(map(bool, state.cards)))
    return [*actions, *rest] if actions else rest


def can_pay(hand: Sequence[int], cost: Sequence[int]) -> bool:
    """Return whether a hand contains the cards of a cost (Constructor §2.4.1, §2.6)."""
    return all(map(ge, hand, cost))


def is_pointless(state: ConstructorState, action: Action) -> bool:
    """Return whether an action is a legal trade of a kind for itself, which is not listed."""
    if type(action) is not Trade or action.give != action.take or state.phase is not Phase.BUILDING:
        return False
    own = state.hand(state.turn)
    return is_among(
        action,
        [
            TRADES[kind][seat][kind]
            for seat in range(state.seats)
            for kind in OWNED
            if seat != state.turn and own[kind] and state.hand(seat)[kind]
        ],
    )


def places(
    state: ConstructorState, table: ActionTable
) -> tuple[Sequence[BuildRoad], Sequence[BuildResidence]]:
    """Return the roads and basements that the active builder may place, regardless of the cost."""
    return _places(table, state.turn, tuple(state.roads), tuple(state.homes))


# In a match, places change about a hundred times and are needed about a thousand times.
@lru_cache(maxsize=64)
def _places(
    table: ActionTable, seat: Seat, roads: tuple[int, ...], homes: tuple[int, ...]
) -> tuple[Sequence[BuildRoad], Sequence[BuildResidence]]:
    """Return the roads and basements that extend a builder's roads (Constructor §3.1, §3.3)."""
    board = table.board
    ends, beside = board.edge_vertices, board.vertex_vertices
    reached = {end for edge, owner in enumerate(roads) if owner == seat for end in ends[edge]}
    starts = reached.union(vertex for vertex, owner in enumerate(homes) if owner == seat)
    return (
        tuple(
            road
            for road, owner, (first, second) in zip(table.roads, roads, ends, strict=True)
            if owner == NOBODY and (first in starts or second in starts)
        ),
        tuple(
            table.residences[vertex]
            for vertex in sorted(reached)
            if homes[vertex] == NOBODY and all(homes[other] == NOBODY for other in beside[vertex])
        ),
    )


def improvements(
    state: ConstructorState, table: ActionTable, levels: Container[int] = range(1, TOP_LEVEL)
) -> list[Improve]:
    """Return the improvements of the builder's residences at `levels` at any cost (§3.2)."""
    seat, homes = state.turn, state.homes
    return [
        table.improvements[vertex]
        for vertex in sorted(state.settled)
        if homes[vertex] == seat and state.levels[vertex] in levels
    ]


def _tile_improvements(state: ConstructorState, table: ActionTable) -> list[Action]:
    return [
        improvement
        for tile, improvements in enumerate(table.tiles)
        if can_improve_tile(state, table.board, state.turn, tile)
        for improvement in improvements
        if improvement.kind is not state.tiles[tile].kind
    ]
