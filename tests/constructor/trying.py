"""Everything that can be tried in Constructor, and whether the rules accept it."""

from __future__ import annotations

from itertools import product

from tests.constructor.tables import GAMES

from constructor import Board, ConstructorState
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
from tabletop import IllegalAction


def every_action(board: Board) -> list[Action]:
    """Every action that can be typed on a board, and some that lie just beside it."""
    vertices = range(-1, len(board.vertices) + 1)
    tiles = range(-1, len(board.tiles) + 1)
    actions: list[Action] = [UseLoadedDice(), UseFairDice(), Roll(), EndTurn(), Accept(), Decline()]
    actions += map(ChooseRoll, range(1, 14))
    actions += map(BuildRoad, range(-1, len(board.edges) + 1))
    actions += [make(vertex) for make in (Settle, BuildResidence, Improve) for vertex in vertices]
    actions += map(PlaceGeese, tiles)
    actions += map(Steal, range(4))
    actions += [ImproveTile(tile, kind) for tile, kind in product(tiles, OWNED)]
    actions += [Trade(seat, give, take) for seat, give, take in product(range(4), OWNED, OWNED)]
    return actions


EVERY_ACTION = {name: every_action(game.board) for name, game in GAMES.items()}


def is_accepted(state: ConstructorState, action: Action) -> bool:
    try:
        GAMES[state.board].check(state, action)
    except IllegalAction:
        return False
    return True
