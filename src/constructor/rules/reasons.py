"""Explanations of why actions are illegal (Constructor §3, §4.5).

The functions expect an action that `constructor.rules.legal` does not allow. They report the first
reason: first the place, then the cost, then the other builder of a trade.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from constructor.rules import actions
from constructor.rules.legal import ActionTable, can_improve_tile, improvements, places, victims
from constructor.rules.production import VARIANTS
from constructor.rules.state import COLOURS, KINDS, ConstructorState, Phase, Resource
from tabletop import Seat

FAIR_ONLY: Final = "This game is played with fair dice."
CANNOT_BUILD: Final = "You cannot build here."
TOO_FEW: Final = "You do not have enough resources."
INVALID_ROLL: Final = "Invalid roll."

_NOW: Final[Mapping[Phase, str]] = {
    Phase.SETUP: "choose a vertex for a basement first",
    Phase.BEGINNING: "roll the dice first",
    Phase.CHOOSING_ROLL: "choose the total of the loaded dice first",
    Phase.BUILDING: "you can build, trade, or end your turn",
    Phase.ANSWERING: "answer the offer first",
    Phase.PLACING_GEESE: "choose a tile for the geese first",
    Phase.STEALING: "choose a builder to steal from first",
    Phase.OVER: "the game is over",
}
"""The possible actions of each phase, for messages that refuse an action of a different phase."""


def why_not(state: ConstructorState, table: ActionTable, action: actions.Action) -> str:
    """Return a sentence that explains why an illegal action is refused."""
    if state.phase is not actions.MOMENTS[type(action)]:
        return f"{action} is not possible now: {_NOW[state.phase]}"
    reason = _REASONS.get(type(action), "")
    return reason if isinstance(reason, str) else reason(state, table, action)


def _not_owned(kind: Resource) -> str:
    """Return why PARK, which only programs can pass, is refused, or "" for other kinds."""
    return "" if kind in actions.OWNED else f"{kind.name} is not a resource that builders can have."


def _colour(seat: Seat) -> str:
    return COLOURS[seat] if 0 <= seat < len(COLOURS) else f"Seat {seat + 1}"


def _build(
    state: ConstructorState, table: ActionTable, action: actions.BuildRoad | actions.BuildResidence
) -> str:
    roads, residences = places(state, table)
    return TOO_FEW if action in roads or action in residences else CANNOT_BUILD


def _improve(state: ConstructorState, table: ActionTable, action: actions.Improve) -> str:
    return TOO_FEW if action in improvements(state, table) else CANNOT_BUILD


def _improve_tile(state: ConstructorState, table: ActionTable, action: actions.ImproveTile) -> str:
    tile, seat = action.tile, state.turn
    if not VARIANTS[state.variant].rich:
        return f"Tiles cannot be improved in the {state.variant} game."
    if action.kind not in actions.OWNED:
        return _not_owned(action.kind)
    exists = 0 <= tile < len(state.tiles)
    if not (exists and can_improve_tile(state, table.board, seat, tile)):
        return CANNOT_BUILD
    if state.tiles[tile].kind is action.kind:
        return f"Tile {tile} already produces {action.kind.name}."
    return TOO_FEW


def _trade(state: ConstructorState, table: ActionTable, action: actions.Trade) -> str:
    if action.seat == state.turn:
        return "You cannot trade with yourself."
    if not 0 <= action.seat < state.seats:
        return f"{_colour(action.seat)} is not in this game."
    unknown = _not_owned(action.give) or _not_owned(action.take)
    if unknown:
        return unknown
    if not state.cards[state.turn * KINDS + action.give]:
        return TOO_FEW
    return f"{COLOURS[action.seat]} has no {action.take.name} to give."


def _place_geese(state: ConstructorState, table: ActionTable, action: actions.PlaceGeese) -> str:
    if not 0 <= action.tile < len(state.tiles):
        return (
            f"There is no tile {action.tile}. Tiles are numbered from 0 to {len(state.tiles) - 1}."
        )
    return f"The geese are already on tile {action.tile}. Choose another tile."


def _steal(state: ConstructorState, table: ActionTable, action: actions.Steal) -> str:
    names = ", ".join(COLOURS[seat] for seat in victims(state, table.board))
    return f"You cannot steal from {_colour(action.seat)}. Choose one of: {names}."


Reason = str | Callable[[ConstructorState, ActionTable, Any], str]

_REASONS: Final[Mapping[type[Any], Reason]] = {
    actions.Settle: CANNOT_BUILD,
    actions.UseLoadedDice: FAIR_ONLY,
    actions.ChooseRoll: INVALID_ROLL,
    actions.BuildRoad: _build,
    actions.BuildResidence: _build,
    actions.Improve: _improve,
    actions.ImproveTile: _improve_tile,
    actions.Trade: _trade,
    actions.PlaceGeese: _place_geese,
    actions.Steal: _steal,
}
"""Reasons for refusing actions in the phase in which they are possible.

Types of actions that are not listed are always legal in their phase.
"""
