"""Production of resources, and variants in which tiles change (Constructor §3.5, §6).

Question 6 of the document asks for tiles that produce several kinds of resources, or fewer
resources in the course of a game. The option `variant` selects one of these rules:

- "standard": Tiles do not change.
- "rich": A builder with a residence at a tile can improve the tile once. The tile then also
  produces a second kind of resource.
- "scarce": Every tile has a stock of resources. The game ends at the end of a turn if all tiles
  have run dry, and the builder with the most points wins.
- "living": Tiles follow both of the rules "rich" and "scarce".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from constructor.rules.board import Board
from constructor.rules.state import (
    KINDS,
    NOBODY,
    POINTS,
    STOCK,
    ConstructorState,
    Cost,
    Resource,
    Tile,
)

TILE_COST: Final[Cost] = (1, 1, 0, 1, 0)  # the cost of improving a tile ("rich" and "living")


@dataclass(frozen=True, slots=True)
class Variant:
    """Whether builders can improve tiles (`rich`), and whether tiles can run dry (`scarce`)."""

    rich: bool = False
    scarce: bool = False


VARIANTS: Final[Mapping[str, Variant]] = {
    "standard": Variant(),
    "rich": Variant(rich=True),
    "scarce": Variant(scarce=True),
    "living": Variant(rich=True, scarce=True),
}
"""Map the name of each variant to its rules."""


def stock(tiles: tuple[Tile, ...], variant: Variant) -> tuple[Tile, ...]:
    """Return the tiles at the beginning of a game of `variant`, with their stock."""
    if not variant.scarce:
        return tiles
    return tuple(
        tile if tile.kind is Resource.PARK else replace(tile, left=STOCK) for tile in tiles
    )


def can_become(tile: Tile, changed: Tile, variant: Variant) -> bool:
    """Return whether `tile` of a layout can change into `changed` in a game of `variant`."""
    if tile.kind is Resource.PARK:
        return changed == tile
    if changed.also is not None and not (variant.rich and changed.also is not tile.kind):
        return False
    if not variant.scarce:
        return changed.left is None
    return changed.left is not None and changed.left <= STOCK


def is_dry(tile: Tile) -> bool:
    """Return whether a tile has run dry or is a PARK."""
    return tile.kind is Resource.PARK or tile.left == 0


def produce(state: ConstructorState, board: Board, roll: int) -> list[int]:
    """Give builders the resources of a roll and reduce the stock of the tiles (§3.5.2).

    Returns:
        The gains as `gained[seat * KINDS + kind]`, or an empty list if no builder gains anything.
    """
    gained = [0] * len(state.cards)
    for number, tile in enumerate(state.tiles):
        if tile.value != roll or number == state.geese or tile.kind is Resource.PARK:
            continue
        homes = state.homes
        for vertex in board.tile_vertices[number]:
            if homes[vertex] != NOBODY:
                _give(state, number, vertex, gained)
    for place, amount in enumerate(gained):
        state.cards[place] += amount
    return gained if any(gained) else []  # all zero if only dry tiles matched the roll


def _give(state: ConstructorState, number: int, vertex: int, gained: list[int]) -> None:
    """Add the production of a tile for one residence to `gained`, limited by the tile's stock.

    Residences at a tile are served in the order of their vertex numbers. Each receives the first
    kind of the tile before the second.
    """
    tile = state.tiles[number]
    worth, base = POINTS[state.levels[vertex]], state.homes[vertex] * KINDS
    kinds = (tile.kind,) if tile.also is None else (tile.kind, tile.also)
    left = tile.left
    for kind in kinds:
        amount = worth if left is None else min(worth, left)
        gained[base + kind] += amount
        if left is not None:
            left -= amount
    if left != tile.left:
        change_tile(state, number, replace(tile, left=left))


def change_tile(state: ConstructorState, number: int, tile: Tile) -> None:
    """Replace tile `number` of the state."""
    tiles = state.tiles
    state.tiles = (*tiles[:number], tile, *tiles[number + 1 :])
