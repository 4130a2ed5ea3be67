"""Whether an action is allowed, and if not, why (Constructor §3, §4.5).

Place is judged before price, and both before the other side of a trade is asked: where several
things are wrong, the message is that of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from constructor.actions import (
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
from constructor.board import Board
from constructor.layouts import HIGHEST_VALUE, LOWEST_VALUE
from constructor.legal import (
    affords,
    can_hold_residence,
    can_hold_road,
    can_improve,
    can_improve_tile,
    is_clear,
    victims,
)
from constructor.production import TILE_COST, VARIANTS
from constructor.state import (
    BASEMENT_COST,
    COLOURS,
    KINDS,
    RESIDENCE_COSTS,
    ROAD_COST,
    ConstructorState,
    Cost,
    Phase,
    Resource,
)
from tabletop import IllegalAction, Seat

FAIR_ONLY: Final = "This game is played with fair dice."
CANNOT_BUILD: Final = "You cannot build here."
TOO_FEW: Final = "You do not have enough resources."
INVALID_ROLL: Final = "Invalid roll."


def check(state: ConstructorState, board: Board, action: Action) -> None:
    """Accept `action`, or raise.

    Raises:
        IllegalAction: it is not allowed now; says why.
    """
    phase, test = _CHECKS[type(action)]
    if state.phase is not phase:
        raise IllegalAction(f"{action}: this is not the moment for it ({state.phase})")
    if test is not None:
        test(state, board, action)


def _check_affords(state: ConstructorState, seat: Seat, cost: Cost) -> None:
    if not affords(state, seat, cost):
        raise IllegalAction(TOO_FEW)


def _check_owned(kind: Resource) -> None:
    """Refuse PARK, which is not a resource. Players cannot type it, but a program can pass it."""
    if kind not in OWNED:
        raise IllegalAction(f"{kind.name} is no resource.")


def _colour(seat: Seat) -> str:
    return COLOURS[seat] if 0 <= seat < len(COLOURS) else f"Seat {seat + 1}"


def _settle(state: ConstructorState, board: Board, action: Settle) -> None:
    if not (0 <= action.vertex < len(state.homes) and is_clear(state, board, action.vertex)):
        raise IllegalAction(CANNOT_BUILD)


def _use_loaded_dice(state: ConstructorState, board: Board, action: UseLoadedDice) -> None:
    if state.fair_only:
        raise IllegalAction(FAIR_ONLY)


def _choose_roll(state: ConstructorState, board: Board, action: ChooseRoll) -> None:
    if not LOWEST_VALUE <= action.total <= HIGHEST_VALUE:
        raise IllegalAction(INVALID_ROLL)


def _build_road(state: ConstructorState, board: Board, action: BuildRoad) -> None:
    edge, seat = action.edge, state.turn
    if not (0 <= edge < len(state.roads) and can_hold_road(state, board, seat, edge)):
        raise IllegalAction(CANNOT_BUILD)
    _check_affords(state, seat, ROAD_COST)


def _build_residence(state: ConstructorState, board: Board, action: BuildResidence) -> None:
    vertex, seat = action.vertex, state.turn
    if not (0 <= vertex < len(state.homes) and can_hold_residence(state, board, seat, vertex)):
        raise IllegalAction(CANNOT_BUILD)
    _check_affords(state, seat, BASEMENT_COST)


def _improve(state: ConstructorState, board: Board, action: Improve) -> None:
    vertex, seat = action.vertex, state.turn
    if not (0 <= vertex < len(state.homes) and can_improve(state, seat, vertex)):
        raise IllegalAction(CANNOT_BUILD)
    _check_affords(state, seat, RESIDENCE_COSTS[state.levels[vertex]])


def _improve_tile(state: ConstructorState, board: Board, action: ImproveTile) -> None:
    tile, seat = action.tile, state.turn
    if not VARIANTS[state.variant].rich:
        raise IllegalAction(f"Tiles cannot be improved in the {state.variant} game.")
    _check_owned(action.kind)
    if not (0 <= tile < len(state.tiles) and can_improve_tile(state, board, seat, tile)):
        raise IllegalAction(CANNOT_BUILD)
    if state.tiles[tile].kind is action.kind:
        raise IllegalAction(f"Tile {tile} produces {action.kind.name} already.")
    _check_affords(state, seat, TILE_COST)


def _trade(state: ConstructorState, board: Board, action: Trade) -> None:
    if action.seat == state.turn:
        raise IllegalAction("You cannot trade with yourself.")
    if not 0 <= action.seat < state.seats:
        raise IllegalAction(f"{_colour(action.seat)} does not play.")
    _check_owned(action.give)
    _check_owned(action.take)
    if not state.cards[state.turn * KINDS + action.give]:
        raise IllegalAction(TOO_FEW)
    if not state.cards[action.seat * KINDS + action.take]:
        raise IllegalAction(f"{COLOURS[action.seat]} has no {action.take.name} to give.")


def _place_geese(state: ConstructorState, board: Board, action: PlaceGeese) -> None:
    if not 0 <= action.tile < len(state.tiles):
        message = f"There is no tile {action.tile}; tiles are 0 to {len(state.tiles) - 1}."
        raise IllegalAction(message)
    if action.tile == state.geese:
        raise IllegalAction(f"The geese are on tile {action.tile} already; choose another one.")


def _steal(state: ConstructorState, board: Board, action: Steal) -> None:
    possible = victims(state, board)
    if action.seat not in possible:
        names = ", ".join(COLOURS[seat] for seat in possible)
        message = f"You cannot steal from {_colour(action.seat)}; you can from: {names}."
        raise IllegalAction(message)


Check = Callable[[ConstructorState, Board, Any], None]

_CHECKS: Final[Mapping[type[Any], tuple[Phase, Check | None]]] = {
    Settle: (Phase.SETUP, _settle),
    UseLoadedDice: (Phase.BEGINNING, _use_loaded_dice),
    UseFairDice: (Phase.BEGINNING, None),
    Roll: (Phase.BEGINNING, None),
    ChooseRoll: (Phase.CHOOSING_ROLL, _choose_roll),
    BuildRoad: (Phase.BUILDING, _build_road),
    BuildResidence: (Phase.BUILDING, _build_residence),
    Improve: (Phase.BUILDING, _improve),
    ImproveTile: (Phase.BUILDING, _improve_tile),
    Trade: (Phase.BUILDING, _trade),
    EndTurn: (Phase.BUILDING, None),
    Accept: (Phase.ANSWERING, None),
    Decline: (Phase.ANSWERING, None),
    PlaceGeese: (Phase.PLACING_GEESE, _place_geese),
    Steal: (Phase.STEALING, _steal),
}
