"""The board in a picture: the land with its tiles, and the geese.

Most of a board stays as it is from one picture to the next, so that its pieces are drawn once and
remembered, by all that they show. What can be clicked now is drawn anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from constructor.board import BOARDS
from constructor.picture.geometry import Plan, plan, shrunk
from constructor.picture.inspecting import (
    of_tile,
)
from constructor.picture.looking import Looking
from constructor.picture.pieces import goose, sign, token
from constructor.picture.standing import (
    NARROW_MARGIN,
    WIDE_MARGIN,
    Ground,
    draw_edges,
    draw_vertices,
    halo,
)
from constructor.picture.textures import texture
from constructor.state import Resource, Tile
from tabletop.picture import Scene
from tabletop.svg import group, polygon, rect, text

TILE: Final = 0.87
"""How much of its place a tile covers; the rest is for roads."""

SHORE: Final = 1.17
"""How far the land goes beyond the tiles, in their sizes."""

TALLEST: Final = 400
"""How high a board is on a phone at most."""


def height_in(board: str, width: float) -> float:
    """How high a board is that is as wide as a phone."""
    around = 2 * NARROW_MARGIN
    return plan(BOARDS[board], width - around, TALLEST).height + around


def draw_ground(looking: Looking, x: float, y: float, width: float, height: float) -> str:
    """The board, in the middle of that room."""
    view, scene = looking.view, looking.scene
    margin = NARROW_MARGIN if scene.narrow else WIDE_MARGIN
    ground = Ground(view.board, width - 2 * margin, height - 2 * margin, scene.narrow, scene.live)
    laid = ground.laid
    faces = tuple((tile.kind, tile.value) for tile in view.tiles)
    return group(
        _land(view.board, faces, ground.width, ground.height),
        *_tiles(looking, ground),
        *draw_edges(looking, ground),
        *draw_vertices(looking, ground),
        _geese(looking, laid),
        at=(x + (width - laid.width) / 2, y + (height - laid.height) / 2),
    )


@lru_cache(maxsize=64)
def _land(name: str, faces: tuple[tuple[Resource, int], ...], width: float, height: float) -> str:
    """All that stays as it is for a whole match."""
    laid = plan(BOARDS[name], width, height)
    shores = [
        polygon(shrunk(outline, share, middle), looks)
        for share, looks in (
            (SHORE, "tt-wood-deep"),
            (SHORE - 0.04, "tt-wood"),
            (SHORE - 0.13, "tt-paper-deep"),
        )
        for outline, middle in zip(laid.outlines, laid.tiles, strict=True)
    ]
    tiles = []
    for number, (kind, value) in enumerate(faces):
        x0, y0 = laid.tiles[number]
        outline = tuple((x - x0, y - y0) for x, y in shrunk(laid.outlines[number], TILE, (x0, y0)))
        art = texture(kind, outline, laid.reach * TILE, f"{name} {number}")
        mark = "" if kind is Resource.PARK else token(Tile(kind, value), laid.reach * 0.36)
        tiles.append(group(art, mark, at=(x0, y0)))
    return group(*shores, *tiles, aria_hidden="true")


def _tiles(looking: Looking, ground: Ground) -> list[str]:
    view, scene = looking.view, looking.scene
    total = 0 if looking.rolled is None else looking.rolled.total
    drawn = []
    for number, tile in enumerate(view.tiles):
        geese = number == view.geese
        gives = tile.value == total and not geese and tile.kind is not Resource.PARK
        if scene.is_lit(f"tile-{number}"):
            drawn.append(_tile(scene, ground, number, tile, geese=geese, gives=gives))
        else:
            drawn.append(_idle_tile(ground, number, tile, geese=geese, gives=gives))
    return drawn


@lru_cache(maxsize=2048)
def _idle_tile(ground: Ground, number: int, tile: Tile, *, geese: bool, gives: bool) -> str:
    return _tile(ground.idle, ground, number, tile, geese=geese, gives=gives)


def _tile(
    scene: Scene, ground: Ground, number: int, tile: Tile, *, geese: bool, gives: bool
) -> str:
    """What of a tile can change, and what is said of it."""
    laid, part = ground.laid, f"tile-{number}"
    (x, y), reach = laid.tiles[number], laid.reach
    outline = [(cx - x, cy - y) for cx, cy in shrunk(laid.outlines[number], TILE * 0.96, (x, y))]
    pieces = [polygon(outline, "tt-hit")]
    if gives or scene.is_lit(part):
        pieces.append(polygon(outline, "tt-none tt-stroke-paper", stroke_width=6))
    pieces += [polygon(outline, "tt-ring"), _tag(-reach * 0.6, str(number), reach)]
    name = "" if ground.narrow else tile.kind.name
    if tile.left is not None:
        name = f"{name} {tile.left}".strip()
    if name:
        pieces.append(_tag(reach * 0.6, name, reach))
    if tile.also is not None:
        pieces.append(group(sign(tile.also, reach * 0.2), at=(-reach * 0.58, 0)))
    return scene.part(
        part,
        *pieces,
        label=f"Tile {number}, {tile.kind.name}",
        about=of_tile(tile, geese=geese),
        at=(x, y),
    )


@lru_cache(maxsize=512)
def _tag(y: float, words: str, reach: float) -> str:
    """A little label on a tile."""
    size = max(min(reach * 0.155, 12), 9)
    room = max(size * 1.5, size * (0.66 * len(words) + 0.5))
    return group(
        rect(-room / 2, y - size * 0.66, room, size * 1.32, "tt-paper", size * 0.5),
        text(0, y + size * 0.35, words, size, room - 2, "tt-text-muted", anchor="middle"),
    )


def _geese(looking: Looking, laid: Plan) -> str:
    """The geese, on their tile; beside its number, which they silence."""
    tile = looking.view.geese
    if tile < 0:
        return ""
    x, y = laid.tiles[tile]
    is_park = looking.view.tiles[tile].kind is Resource.PARK
    aside = (0.0, 0.0) if is_park else (0.58 * laid.reach, 0.32 * laid.reach)
    return group(
        halo(laid) if f"tile-{tile}" in looking.fresh else "",
        goose(laid.reach * (0.5 if is_park else 0.42)),
        at=(x + aside[0], y + aside[1]),
        data_key="geese",
        pointer_events="none",
        aria_hidden="true",
    )
