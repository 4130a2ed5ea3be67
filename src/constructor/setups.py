"""Setups that were broken off (Constructor §3.7, §4.1).

The document's format has no word for a game in which basements are still to be chosen, so that a
save of one reads as a game at the beginning of Blue's first turn. It can be told by its look.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from constructor.legal import is_clear
from constructor.production import VARIANTS, stock
from constructor.state import NOWHERE, ConstructorState, Phase, empty_state
from tabletop.turns import snake

BASEMENT: Final = 1


def broken_setup(state: ConstructorState) -> tuple[int, ...] | None:
    """The vertices chosen so far, in the order of the choices, if a save looks like such a setup.

    It does when it is the first builder's turn, nobody has a resource or a road, the basements are
    those that fewer choices than all, in snake order, leave on the board, and neither the geese
    nor a tile has changed. None when it looks like no such thing.
    """
    order = snake(state.seats)
    if state.phase is not Phase.BEGINNING or state.turn or any(state.cards) or state.built:
        return None
    start = _fresh(state)
    if state.tiles != start.tiles or state.geese not in (start.geese, NOWHERE):
        return None
    if len(state.settled) >= len(order):
        return None
    homes = {seat: state.homes_of(seat) for seat in range(state.seats)}
    vertices = []
    for seat in order[: len(state.settled)]:
        if not homes[seat]:
            return None
        vertices.append(homes[seat].pop(0))
    for vertex in vertices:
        if state.levels[vertex] > BASEMENT or not is_clear(start, state.topology, vertex):
            return None
        start.homes[vertex] = 0  # whose does not matter here
    return tuple(vertices)


def _fresh(state: ConstructorState) -> ConstructorState:
    """The same board as a game begins on it."""
    plain = tuple(replace(tile, also=None, left=None) for tile in state.tiles)
    tiles = stock(plain, VARIANTS[state.variant])
    return empty_state(state.topology, tiles, state.seats, state.variant)
