"""Draw the board of a picture: tiles, edges and vertices with their pieces and tooltips."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from constructor.picture.context import PictureContext
from constructor.picture.pieces import goose, residence, road, sign, token
from constructor.picture.tiles import Plan, plan, shrink, texture
from constructor.rules.board import Board
from constructor.rules.layouts import pips
from constructor.rules.state import NOBODY, POINTS, ConstructorState, Resource, Tile
from constructor.text.text_view import LEVEL_NAMES, kind_in_words, products
from tabletop.display import LEAST, Scene, circle, group, polygon, rect, text
from tabletop.wording import join_words, plural

THROWS: Final = 36

FINGER: Final = 25
"""Radius of the area that reacts to a touch. On a phone, the area is 44 pixels wide."""

NARROW_MARGIN: Final = 12  # margin around a board on a phone
WIDE_MARGIN: Final = 22  # margin around a board on a larger screen

TILE: Final = 0.87
"""Size of a tile relative to its place. The remaining space is for roads."""

SHORES: Final = ((1.17, "tt-wood-deep"), (1.13, "tt-wood"), (1.04, "tt-paper-deep"))
"""Layers of land below the tiles. Each has a size relative to a tile, and a colour class."""


def board_layer(context: PictureContext, width: float, height: float) -> str:
    """Draw the board, centred in an area of this size."""
    view, around = context.view, 2 * _margin(context.scene)
    room = width - around, height - around
    laid = plan(view.topology, *room)
    faces = tuple((tile.kind, tile.value) for tile in view.tiles)
    yields = [_yields(tile) for tile in view.tiles]
    return group(
        _land(view.topology, *room, faces),
        *(_tile(context, laid, number, yields[number]) for number in range(len(view.tiles))),
        *(_edge(context, laid, edge) for edge in range(len(view.roads))),
        *(_vertex(context, laid, vertex, yields) for vertex in range(len(view.homes))),
        _geese(context, laid),
        at=((width - laid.width) / 2, (height - laid.height) / 2),
    )


def _margin(scene: Scene) -> int:
    return NARROW_MARGIN if scene.narrow or scene.short else WIDE_MARGIN


def _number(number: int, size: float) -> str:
    return text(0, size * 0.36, str(number), size, size * 2, "tt-text-muted", anchor="middle")


def _edge(context: PictureContext, laid: Plan, edge: int) -> str:
    scene, part, owner = context.scene, f"edge-{edge}", context.view.roads[edge]
    lit, free = scene.is_lit(part), owner == NOBODY
    wide = max(laid.reach * 0.24, 15) if lit else laid.reach * 0.2
    long, turn = laid.length * 0.7, laid.turns[edge]
    bar = (-long / 2, -wide / 2, long, wide)
    pieces = ["" if free else road(owner, long, wide, turn)]
    if lit:
        pieces += [circle(0, 0, FINGER, "tt-hit")]
    if free:
        ground = rect(*bar, "tt-paper" if lit else "tt-hit", wide / 2)
        pieces.append(group(ground, turn=turn))
    pieces.append(rect(*bar, "tt-ring", wide / 2, transform=f"rotate({turn:.2f})"))
    if free and lit:
        pieces.append(_number(edge, LEAST))
    first, second = context.view.topology.edge_vertices[edge]
    return scene.part(
        part,
        *pieces,
        label=f"Edge {edge}" if free else f"{context.scene.names[owner]}'s road on edge {edge}",
        about=f"From vertex {first} to vertex {second}.",
        key="" if free else f"road-{edge}",
        at=laid.edges[edge],
    )


def _vertex(context: PictureContext, laid: Plan, vertex: int, yields: Sequence[str]) -> str:
    view, scene, part = context.view, context.scene, f"vertex-{vertex}"
    near = join_words([yields[tile] for tile in view.topology.vertex_tiles[vertex]], "and")
    if view.homes[vertex] != NOBODY:
        return _home(context, laid, vertex, near)
    reach, lit = laid.reach, scene.is_lit(part)
    if lit:
        size = min(max(reach * 0.22, 11), 18)
        number = _number(vertex, min(max(reach * 0.2, LEAST), 15))
    else:
        size, number = reach * 0.2, ""
    return scene.part(
        part,
        circle(0, 0, max(FINGER, reach * 0.34), "tt-hit") if lit else "",
        circle(0, 0, size if number else 3, "tt-paper"),
        circle(0, 0, size, "tt-ring" if number else "tt-ring tt-hit"),
        number,
        label=f"Vertex {vertex}",
        about=f"{'' if lit else _too_near(vertex, view, context.scene.names)}There is {near}.",
        at=_inside(scene, laid, vertex, size),
    )


def _home(context: PictureContext, laid: Plan, vertex: int, near: str) -> str:
    view, scene, part = context.view, context.scene, f"vertex-{vertex}"
    owner, level = view.homes[vertex], view.levels[vertex]
    reach, lit, points = laid.reach, scene.is_lit(part), POINTS[level]
    ring, high = reach * 0.48, reach * 0.06
    return scene.part(
        part,
        circle(0, 0, FINGER, "tt-hit") if lit else "",
        circle(0, -high, ring, "tt-paper") if lit else "",
        circle(0, -high, ring, "tt-ring"),
        residence(owner, level, reach * 0.86),
        label=f"{context.scene.names[owner]}'s {LEVEL_NAMES[level - 1]} on vertex {vertex}",
        about=f"{plural(points, 'point')}. It yields {points} of each: {near}.",
        key=f"home-{vertex}",
        at=_inside(scene, laid, vertex, ring + high),
    )


def _too_near(vertex: int, view: ConstructorState, names: Sequence[str]) -> str:
    """Return the sentence about an adjacent residence that blocks a vertex, or ""."""
    for other in view.topology.vertex_vertices[vertex]:
        if view.homes[other] != NOBODY:
            home = f"{names[view.homes[other]]}'s {LEVEL_NAMES[view.levels[other] - 1]}"
            return f"Nobody can build here, because {home} on vertex {other} is too close. "
    return ""


def _inside(scene: Scene, laid: Plan, vertex: int, radius: float) -> tuple[float, float]:
    """Return the position of a vertex, moved inwards at the border so that it is not cut off."""
    far = radius - _margin(scene)
    x, y = laid.vertices[vertex]
    return min(max(x, far), laid.width - far), min(max(y, far), laid.height - far)


def _yields(tile: Tile) -> str:
    """Describe what a tile produces and how often, such as `brick on 8 (5 of 36 rolls)`."""
    if tile.kind is Resource.PARK:
        return "nothing (park)"
    words = f"{products(tile)} on {tile.value} ({pips(tile)} of {THROWS} rolls)"
    return words if tile.left is None else f"{words}, {tile.left} left"


# Cached because it is as slow to draw as the rest of the picture and is constant during a match.
@lru_cache(maxsize=64)
def _land(
    board: Board, width: float, height: float, faces: tuple[tuple[Resource, int], ...]
) -> str:
    laid = plan(board, width, height)
    shores = [
        polygon(shrink(outline, share, middle), looks)
        for share, looks in SHORES
        for outline, middle in zip(laid.outlines, laid.tiles, strict=True)
    ]
    tiles = []
    for number, (kind, value) in enumerate(faces):
        art = texture(kind, _outline(laid, number, TILE), laid.reach * TILE)
        mark = "" if kind is Resource.PARK else token(Tile(kind, value), laid.reach * 0.36)
        tiles.append(group(art, mark, at=laid.tiles[number]))
    return group(*shores, *tiles, aria_hidden="true")


def _outline(laid: Plan, tile: int, share: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a tile relative to its centre."""
    x, y = laid.tiles[tile]
    return tuple((cx - x, cy - y) for cx, cy in shrink(laid.outlines[tile], share, (x, y)))


def _tile(context: PictureContext, laid: Plan, number: int, yields: str) -> str:
    """Draw the parts of a tile that can change, with its tooltip."""
    view, scene, part = context.view, context.scene, f"tile-{number}"
    tile, reach, outline = view.tiles[number], laid.reach, _outline(laid, number, TILE * 0.96)
    geese, rolled = number == view.geese, context.rolled
    gives = rolled and tile.value == rolled.total and tile.kind is not Resource.PARK and not geese
    name = tile.kind.name if context.is_wide else ""
    if tile.left is not None:
        name = f"{name} {tile.left}".strip()
    bright = polygon(outline, "tt-none tt-stroke-paper", stroke_width=6)
    return scene.part(
        part,
        polygon(outline, "tt-hit"),
        bright if gives or scene.is_lit(part) else "",
        polygon(outline, "tt-ring"),
        _tag(-reach * 0.6, str(number), reach) if scene.is_lit(part) else "",
        _tag(reach * 0.6, name, reach) if name else "",
        "" if tile.also is None else group(sign(tile.also, reach * 0.2), at=(-reach * 0.58, 0)),
        label=f"Tile {number}, {kind_in_words(tile.kind)}",
        about=f"It produces {yields}." + " The geese are here and stop the production." * geese,
        at=laid.tiles[number],
    )


def _tag(y: float, words: str, reach: float) -> str:
    size = max(min(reach * 0.28, 14), 12.6)
    room = max(size * 1.5, size * (0.66 * len(words) + 0.5))
    return group(
        rect(-room / 2, y - size * 0.66, room, size * 1.32, "tt-paper", size * 0.5),
        text(0, y + size * 0.35, words, size, room - 2, "tt-text-muted", anchor="middle"),
    )


def _geese(context: PictureContext, laid: Plan) -> str:
    """Draw the geese on their tile, next to the value."""
    tile = context.view.geese
    if tile < 0:
        return ""
    x, y = laid.tiles[tile]
    if context.view.tiles[tile].kind is not Resource.PARK:
        x, y = x + 0.5 * laid.reach, y + 0.36 * laid.reach
    return group(
        goose(laid.reach * 0.4),
        at=(x, y),
        data_key="geese",
        pointer_events="none",
        aria_hidden="true",
    )
