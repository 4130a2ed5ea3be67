"""The descriptions of places on the board, for somebody who looks closely at one."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from constructor.board import BOARDS
from constructor.layouts import pips
from constructor.state import (
    COLOURS,
    KINDS,
    NOBODY,
    POINTS,
    ConstructorState,
    Resource,
    Tile,
)
from constructor.text import LEVEL_NAMES
from tabletop import Seat
from tabletop.wording import counted, listed

THROWS: Final = 36


def yields(tile: Tile) -> str:
    """What a tile produces, and how often: `BRICK on 8 (5 of 36 throws)`."""
    if tile.kind is Resource.PARK:
        return "nothing (PARK)"
    kinds = tile.kind.name if tile.also is None else f"{tile.kind.name} and {tile.also.name}"
    chance = f"{kinds} on {tile.value} ({pips(tile)} of {THROWS} throws)"
    return chance if tile.left is None else f"{chance}, {tile.left} left"


def of_tile(tile: Tile, *, geese: bool) -> str:
    """A tile: what it produces, and whether the geese keep it from that."""
    what = f"It produces {yields(tile)}."
    return f"{what} The geese are here, and keep it from that." if geese else what


@lru_cache(maxsize=256)
def around(board: str, tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    """What is produced round each vertex."""
    yielded = [yields(tile) for tile in tiles]
    return tuple(
        listed([yielded[tile] for tile in near], "and") for near in BOARDS[board].vertex_tiles
    )


def of_home(level: int, near: str) -> str:
    """A residence: what it is worth and yields.

    Args:
        level: of the residence.
        near: what is produced there.
    """
    return f"{counted(POINTS[level], 'point')}. It yields {POINTS[level]} of each: {near}."


def too_near(vertex: int, view: ConstructorState) -> str:
    """The residence that is too near to a vertex for another one; empty for none."""
    for other in view.topology.vertex_vertices[vertex]:
        if view.homes[other] != NOBODY:
            what = LEVEL_NAMES[view.levels[other] - 1]
            return f"{COLOURS[view.homes[other]]}'s {what} on {other}"
    return ""


def of_free_vertex(near: str, neighbour: str) -> str:
    """A vertex without a residence: what one would yield, or which other is too near for one."""
    if neighbour:
        return f"Nobody can build here: too near {neighbour}. There is {near}."
    return f"There is {near}."


def of_edge(board: str, edge: int) -> str:
    """An edge: what it joins."""
    first, second = BOARDS[board].edge_vertices[edge]
    return f"From vertex {first} to vertex {second}."


def of_builder(seat: Seat, view: ConstructorState) -> str:
    """A builder: points, resources, and what is built."""
    hand = view.hand(seat)
    owned = [f"{hand[kind]} {Resource(kind).name}" for kind in range(KINDS) if hand[kind]]
    resources = listed(owned, "and") or "no resources"
    return f"{counted(view.points(seat), 'point')}; {resources}; {built(seat, view)}."


def built(seat: Seat, view: ConstructorState) -> str:
    """What a builder has built, in few words: `3 roads, 1 basement, 2 houses`."""
    homes = [view.levels[vertex] for vertex in view.settled if view.homes[vertex] == seat]
    things = [counted(view.roads.count(seat), "road")]
    things += [
        counted(homes.count(level), name)
        for level, name in enumerate(LEVEL_NAMES, 1)
        if level in homes
    ]
    return ", ".join(things)
