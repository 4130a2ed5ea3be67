"""The legal actions of a state (Constructor §3).

Only this module decides them: `constructor.rules.reasons` just says why another action is refused.
Actions are made once for each board and shared.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import ge
from typing import Final, NamedTuple

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

# A match plays these very objects without a check.
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

_BUILDING: Final = Phase.BUILDING
_BEGINNING: Final = Phase.BEGINNING
_ANSWERING: Final = Phase.ANSWERING

_FIXED: Final[Mapping[Phase, Sequence[Action]]] = {
    Phase.BEGINNING: BEGINNING,
    Phase.CHOOSING_ROLL: ROLLS,
}
"""The legal actions of phases that always have the same."""


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity: they are part of a key
class ActionTable:
    """The actions of a board, each by its number."""

    board: Board
    settles: tuple[Settle, ...]
    roads: tuple[BuildRoad, ...]
    residences: tuple[BuildResidence, ...]
    improvements: tuple[Improve, ...]
    tiles: tuple[tuple[ImproveTile, ...], ...]
    geese: tuple[PlaceGeese, ...]


def action_table(board: Board) -> ActionTable:
    """Return the actions that can ever be possible on `board`."""
    vertices, tiles = range(len(board.vertices)), range(len(board.tiles))
    return ActionTable(
        board,
        tuple(map(Settle, vertices)),
        tuple(map(BuildRoad, range(len(board.edges)))),
        tuple(map(BuildResidence, vertices)),
        tuple(map(Improve, vertices)),
        tuple(tuple(ImproveTile(tile, kind) for kind in OWNED) for tile in tiles),
        tuple(map(PlaceGeese, tiles)),
    )


def all_actions(table: ActionTable, seats: int, *, rich: bool) -> Sequence[Action]:
    """Return every action `seats` builders can ever do, also unlisted ones (Constructor §4)."""
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


# The things hands can pay for, and the trades they allow (Constructor §2.4.1, §2.6, §3.5.4).

TRADES: Final = tuple(
    tuple(tuple(Trade(seat, give, take) for take in OWNED) for seat in range(len(COLOURS)))
    for give in OWNED
)
"""Every trade: `TRADES[give][seat][take]`."""

_MOST_COST: Final = tuple(map(max, zip(ROAD_COST, *RESIDENCE_COSTS, strict=True)))
"""The most of each kind that anything costs: to have more makes no difference."""


class Payable(NamedTuple):
    """The things a hand can pay for: `levels` are those of residences whose improvement it can."""

    road: bool
    basement: bool
    levels: tuple[int, ...]


NOTHING: Final = Payable(False, False, ())
"""Of a hand that can pay for nothing at all."""


# An offer that is declined leaves all hands as they were; from further back they seldom come again.
@lru_cache(maxsize=8)
def affordable(turn: Seat, cards: tuple[int, ...]) -> tuple[Payable, Sequence[Action]]:
    """Return what `turn` can pay for, and the actions of any board: trades, and to end the turn."""
    own = cards[turn * KINDS : turn * KINDS + KINDS]
    return _payable(tuple(map(min, own, _MOST_COST))), trades_of(turn, bytes(map(bool, cards)))


# Which kinds there are at all in hands comes up again far more often than the hands do.
@lru_cache(maxsize=4096)
def trades_of(turn: Seat, has: bytes) -> Sequence[Action]:
    """Return the trades of `turn` where `has[seat * KINDS + kind]`, and the end of the turn."""
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


def pointless_trades(turn: Seat, cards: Sequence[int]) -> list[Trade]:
    """Return the trades of a kind for itself that `turn` can propose; they are never listed."""
    return [
        TRADES[kind][seat][kind]
        for seat in range(len(cards) // KINDS)
        for kind in OWNED
        if seat != turn and cards[turn * KINDS + kind] and cards[seat * KINDS + kind]
    ]


@lru_cache(maxsize=512)
def _payable(hand: tuple[int, ...]) -> Payable:
    """Return what a hand can pay for; leave out of the hand what exceeds the highest cost."""
    road = all(map(ge, hand, ROAD_COST))
    basement = all(map(ge, hand, RESIDENCE_COSTS[0]))
    levels = [at for at, cost in enumerate(RESIDENCE_COSTS[1:], 1) if all(map(ge, hand, cost))]
    return Payable(road, basement, tuple(levels)) if road or basement or levels else NOTHING


def is_clear(homes: Sequence[int], board: Board, vertex: int) -> bool:
    """Return whether `vertex` and those next to it are without residences (Constructor §3.1)."""
    if homes[vertex] != NOBODY:
        return False
    return all(homes[other] == NOBODY for other in board.vertex_vertices[vertex])


def can_improve_tile(state: ConstructorState, board: Board, seat: Seat, tile: int) -> bool:
    """Return whether `seat` may have `tile` produce a second kind (variants "rich", "living")."""
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
    """Return the legal actions of the seat that is to act; see `Game.legal_actions`."""
    phase = state.phase
    # The two that most decisions are made in come first.
    if phase is _ANSWERING:
        return ANSWERS
    if phase is _BUILDING:
        return _list_building_actions(state, table)
    if phase in _FIXED:
        return FAIR_BEGINNING if phase is _BEGINNING and state.fair_only else _FIXED[phase]
    if phase is Phase.SETUP:
        homes, board = state.homes, table.board
        return [settle for settle in table.settles if is_clear(homes, board, settle.vertex)]
    if phase is Phase.PLACING_GEESE:
        return [place for place in table.geese if place.tile != state.geese]
    return [STEALS[seat] for seat in victims(state, table.board)]


def _list_building_actions(state: ConstructorState, table: ActionTable) -> Sequence[Action]:
    """Roads, basements, improvements and trades that can be paid for, and the end of the turn."""
    # First the costs: in most turns they spare the look at the whole board.
    payable, rest = affordable(state.turn, tuple(state.cards))
    # Most games are standard ones, and need not look up their variant.
    rich = state.variant != "standard" and VARIANTS[state.variant].rich
    if payable is NOTHING and not rich:
        return rest
    actions: list[Action] = []
    if payable.road or payable.basement:
        roads, residences = _places(table, state.turn, tuple(state.roads), tuple(state.homes))
        actions += roads if payable.road else ()
        actions += residences if payable.basement else ()
    if payable.levels:
        actions += improvements(state, table, payable.levels)
    if rich:
        actions += _tile_improvements(state, table)
    actions += rest
    return actions


def is_pointless(state: ConstructorState, action: Action) -> bool:
    """Return whether an action is a trade of a kind for itself: legal, but not worth listing."""
    if type(action) is not Trade or action.give != action.take or state.phase is not _BUILDING:
        return False
    return is_among(action, pointless_trades(state.turn, state.cards))


def places(
    state: ConstructorState, table: ActionTable
) -> tuple[Sequence[BuildRoad], Sequence[BuildResidence]]:
    """Return the active builder's places for roads and for basements, paid for or not."""
    return _places(table, state.turn, tuple(state.roads), tuple(state.homes))


# They change a hundred times in a match, and are asked about a thousand times.
@lru_cache(maxsize=64)
def _places(
    table: ActionTable, seat: Seat, roads: tuple[int, ...], homes: tuple[int, ...]
) -> tuple[Sequence[BuildRoad], Sequence[BuildResidence]]:
    """Return roads at what `seat` built, and basements at its roads (Constructor §3.1, §3.3)."""
    board = table.board
    ends, beside = board.edge_vertices, board.vertex_vertices
    reached = {end for edge, owner in enumerate(roads) if owner == seat for end in ends[edge]}
    own = reached.union(vertex for vertex, owner in enumerate(homes) if owner == seat)
    return (
        tuple(
            road
            for road, owner, (first, second) in zip(table.roads, roads, ends, strict=True)
            if owner == NOBODY and (first in own or second in own)
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
    """Return the own residences on these levels, paid for or not (§3.2)."""
    seat, homes = state.turn, state.homes
    return [
        table.improvements[vertex]
        for vertex in sorted(state.settled)
        if homes[vertex] == seat and state.levels[vertex] in levels
    ]


def _tile_improvements(state: ConstructorState, table: ActionTable) -> list[Action]:
    seat, board = state.turn, table.board
    if not all(map(ge, state.hand(seat), TILE_COST)):
        return []
    return [
        improvement
        for tile, improvements in enumerate(table.tiles)
        if can_improve_tile(state, board, seat, tile)
        for improvement in improvements
        if improvement.kind is not state.tiles[tile].kind
    ]
