"""The resources that a roll gives, and variants in which tiles change (Constructor §3.5, §6).

The document asks for tiles that give several kinds of resources, or fewer of them as time goes by
(its question 6). Both are options of the game and off by default:

- in "rich", who has a residence at a tile may have it produce a second kind as well, once;
- in "scarce", every tile holds a stock, and runs dry when that is spent. When all tiles are dry at
  the end of a turn the game is over, and the most points win;
- "living" is both.
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

TILE_COST: Final[Cost] = (1, 1, 0, 1, 0)
"""The cost of improving a tile in the variants "rich" and "living"."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The changes of tiles in a game: they can be improved (rich), and run dry (scarce)."""

    rich: bool = False
    scarce: bool = False


VARIANTS: Final[Mapping[str, Variant]] = {
    "standard": Variant(),
    "rich": Variant(rich=True),
    "scarce": Variant(scarce=True),
    "living": Variant(rich=True, scarce=True),
}
"""Every variant by name."""


def stock(tiles: tuple[Tile, ...], variant: Variant) -> tuple[Tile, ...]:
    """Return the tiles as a game of `variant` begins with them."""
    if not variant.scarce:
        return tiles
    return tuple(
        tile if tile.kind is Resource.PARK else replace(tile, left=STOCK) for tile in tiles
    )


def can_become(tile: Tile, changed: Tile, variant: Variant) -> bool:
    """Return whether `tile` of a layout can have turned into `changed` in a game of `variant`."""
    if tile.kind is Resource.PARK:
        return changed == tile
    if changed.also is not None and not (variant.rich and changed.also is not tile.kind):
        return False
    if not variant.scarce:
        return changed.left is None
    return changed.left is not None and changed.left <= STOCK


def is_dry(tile: Tile) -> bool:
    """Return whether `tile` gives nothing any more, or never did."""
    return tile.kind is Resource.PARK or tile.left == 0


def produce(state: ConstructorState, board: Board, roll: int) -> list[int]:
    """Hand out the resources of a roll (Constructor §3.5.2), and use up the stock of the tiles.

    Return the gains of each builder, `gained[seat * KINDS + kind]`; empty if there are none.
    """
    gained: list[int] = []
    for number, tile in enumerate(state.tiles):
        if tile.value != roll or number == state.geese or tile.kind is Resource.PARK:
            continue
        homes = state.homes
        for vertex in board.tile_vertices[number]:
            if homes[vertex] != NOBODY:
                # Made when first needed: many rolls give nobody anything.
                gained = gained or [0] * len(state.cards)
                _give(state, number, vertex, gained)
    for place, amount in enumerate(gained):
        state.cards[place] += amount
    return gained if any(gained) else []  # from dry tiles alone, all of it is 0


def _give(state: ConstructorState, number: int, vertex: int, gained: list[int]) -> None:
    """Add what a tile produces for one residence to `gained`, as long as the tile's stock lasts.

    The residences at a tile are served by the numbers of their vertices, each its first kind first.
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
