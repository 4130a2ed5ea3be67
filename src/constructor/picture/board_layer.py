"""The board in a picture: edges, vertices and tiles, what stands on them, and their tooltips."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from constructor.board import BOARDS
from constructor.layouts import pips
from constructor.picture.context import PictureContext, remembered
from constructor.picture.pieces import goose, residence, road, sign, token
from constructor.picture.tiles import Plan, plan, shrunk, texture
from constructor.state import COLOURS, NOBODY, POINTS, ConstructorState, Resource, Tile
from constructor.text import LEVEL_NAMES, kinds_of
from tabletop import Seat
from tabletop.picture import Scene
from tabletop.svg import circle, group, polygon, rect, text
from tabletop.wording import join_words, plural

THROWS: Final = 36

FINGER: Final = 25
"""How far round its middle a thing is met by a finger; 44 across when a phone shows it smaller."""

NARROW_MARGIN: Final = 12
WIDE_MARGIN: Final = 22
"""How much room there is round a board."""

TILE: Final = 0.87
"""How much of its place a tile covers; the rest is for roads."""

SHORE: Final = 1.17
"""How far the land goes beyond the tiles, in their sizes."""

TALLEST: Final = 400
"""How high a board is on a phone at most."""


class BoardLayout(NamedTuple):
    """A board, by its name, and the room for it: short, as it is a part of many keys."""

    board: str
    width: float
    height: float

    @property
    def laid(self) -> Plan:
        """Where everything lies."""
        return plan(BOARDS[self.board], self.width, self.height)


def height_in(board: str, width: float) -> float:
    """How high a board is that is as wide as a phone."""
    around = 2 * NARROW_MARGIN
    return plan(BOARDS[board], width - around, TALLEST).height + around


def board_layer(context: PictureContext, x: float, y: float, width: float, height: float) -> str:
    """The board, in the middle of that room."""
    view = context.view
    margin = _margin(context.scene)
    layout = BoardLayout(view.board, width - 2 * margin, height - 2 * margin)
    laid = layout.laid
    faces = tuple((tile.kind, tile.value) for tile in view.tiles)
    return group(
        _land(layout, faces),
        *_tiles(context, layout),
        *_edges(context, layout),
        *_vertices(context, layout),
        _geese(context, laid),
        at=(x + (width - laid.width) / 2, y + (height - laid.height) / 2),
    )


def _margin(scene: Scene) -> int:
    return NARROW_MARGIN if scene.narrow else WIDE_MARGIN


def _halo(laid: Plan) -> str:
    """What shows that a piece was put there just now."""
    return circle(0, 0, laid.reach * 0.48, "tt-paper", opacity=0.85)


@lru_cache(maxsize=512)
def _number(number: int, size: float) -> str:
    """The number of an edge or a vertex that is free."""
    return text(0, size * 0.36, str(number), size, size * 2, "tt-text-muted", anchor="middle")


# Edges.


def _edges(context: PictureContext, layout: BoardLayout) -> list[str]:
    scene, drawn = context.scene, []
    for edge, owner in enumerate(context.view.roads):
        part = f"edge-{edge}"
        lit = scene.is_lit(part)
        if owner == NOBODY:
            drawn.append(remembered(scene, lit, _free_edge, layout, edge))
        else:
            who, fresh = context.called[owner], part in context.fresh
            drawn.append(remembered(scene, lit, _road, layout, edge, owner, who, fresh))
    return drawn


def _bar(laid: Plan, wide: float) -> tuple[float, float, float, float]:
    """Where the bar of a road lies, about the middle of its edge, before it is turned."""
    long = laid.length * 0.7
    return -long / 2, -wide / 2, long, wide


def _about_edge(layout: BoardLayout, edge: int) -> str:
    first, second = BOARDS[layout.board].edge_vertices[edge]
    return f"From vertex {first} to vertex {second}."


def _road(scene: Scene, layout: BoardLayout, edge: int, owner: Seat, who: str, fresh: bool) -> str:
    laid = layout.laid
    bar, turn = _bar(laid, laid.reach * 0.2), laid.turns[edge]
    return scene.part(
        f"edge-{edge}",
        _halo(laid) if fresh else "",
        road(owner, bar[2], bar[3], turn),
        rect(*bar, "tt-ring", bar[3] / 2, transform=f"rotate({turn:.2f})"),
        label=f"{who}'s road on edge {edge}",
        about=_about_edge(layout, edge),
        key=f"road-{edge}",
        at=laid.edges[edge],
    )


def _free_edge(scene: Scene, layout: BoardLayout, edge: int) -> str:
    """An edge without a road, with its number."""
    laid, lit = layout.laid, scene.is_lit(f"edge-{edge}")
    wide = max(laid.reach * 0.24, 15) if lit else laid.reach * 0.2
    bar, turn = _bar(laid, wide), laid.turns[edge]
    return scene.part(
        f"edge-{edge}",
        group(
            circle(0, 0, FINGER, "tt-hit") if lit else "",
            rect(*bar, "tt-paper" if lit else "tt-hit", wide / 2),
            turn=turn,
        ),
        rect(*bar, "tt-ring", wide / 2, transform=f"rotate({turn:.2f})"),
        _number(edge, min(max(laid.reach * 0.155, 9), 12)) if lit or not scene.narrow else "",
        label=f"Edge {edge}",
        about=_about_edge(layout, edge) if lit else "",
        at=laid.edges[edge],
    )


# Vertices.


class Home(NamedTuple):
    """What is shown of a residence.

    Attributes:
        vertex: where it stands.
        owner: whose it is.
        level: of it.
        who: what its owner is called.
        near: what is produced around it, in words.
        fresh: whether it was built just now.
    """

    vertex: int
    owner: Seat
    level: int
    who: str
    near: str
    fresh: bool


def _vertices(context: PictureContext, layout: BoardLayout) -> list[str]:
    view, scene, drawn = context.view, context.scene, []
    produced = _around(view.board, view.tiles)
    for vertex, owner in enumerate(view.homes):
        part, near = f"vertex-{vertex}", produced[vertex]
        lit = scene.is_lit(part)
        if owner != NOBODY:
            who, fresh = context.called[owner], part in context.fresh
            home = Home(vertex, owner, view.levels[vertex], who, near, fresh)
            drawn.append(remembered(scene, lit, _home, layout, home))
        else:
            about = f"{'' if lit else _too_near(vertex, view)}There is {near}."
            drawn.append(remembered(scene, lit, _free_vertex, layout, vertex, about))
    return drawn


@lru_cache(maxsize=256)
def _around(board: str, tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    """What is produced round each vertex."""
    yielded = [_yields(tile) for tile in tiles]
    return tuple(
        join_words([yielded[tile] for tile in near], "and") for near in BOARDS[board].vertex_tiles
    )


def _too_near(vertex: int, view: ConstructorState) -> str:
    """That a residence is too near to a vertex for another one; empty if none is."""
    for other in view.topology.vertex_vertices[vertex]:
        if view.homes[other] != NOBODY:
            what = f"{COLOURS[view.homes[other]]}'s {LEVEL_NAMES[view.levels[other] - 1]}"
            return f"Nobody can build here: too near {what} on {other}. "
    return ""


def _free_vertex(scene: Scene, layout: BoardLayout, vertex: int, about: str) -> str:
    """A vertex without a residence, with its number."""
    reach, part = layout.laid.reach, f"vertex-{vertex}"
    if scene.is_lit(part):
        size = min(max(reach * 0.22, 11), 18)
        pieces = [
            circle(0, 0, max(FINGER, reach * 0.34), "tt-hit"),
            circle(0, 0, size, "tt-paper"),
            circle(0, 0, size, "tt-ring"),
            _number(vertex, min(max(reach * 0.2, 10), 15)),
        ]
    elif scene.narrow:
        size = reach * 0.2
        pieces = [circle(0, 0, size, "tt-ring tt-hit"), circle(0, 0, 3, "tt-paper")]
    else:
        size = min(reach * 0.15, 12)
        pieces = [
            circle(0, 0, size, "tt-paper"),
            circle(0, 0, size, "tt-ring"),
            _number(vertex, size * 1.05),
        ]
    at = _inside(scene, layout, vertex, size)
    return scene.part(part, *pieces, label=f"Vertex {vertex}", about=about, at=at)


def _inside(scene: Scene, layout: BoardLayout, vertex: int, radius: float) -> tuple[float, float]:
    """Where a vertex is drawn: at the border a little aside, so that nothing is cut off."""
    laid, far = layout.laid, radius - _margin(scene)
    x, y = laid.vertices[vertex]
    return min(max(x, far), laid.width - far), min(max(y, far), laid.height - far)


def _home(scene: Scene, layout: BoardLayout, home: Home) -> str:
    """A residence."""
    laid, part = layout.laid, f"vertex-{home.vertex}"
    reach, lit = laid.reach, scene.is_lit(part)
    ring, high = reach * 0.48, reach * 0.06
    points = POINTS[home.level]
    return scene.part(
        part,
        _halo(laid) if home.fresh else "",
        circle(0, 0, FINGER, "tt-hit") if lit else "",
        circle(0, -high, ring, "tt-paper") if lit else "",
        circle(0, -high, ring, "tt-ring"),
        residence(home.owner, home.level, reach * 0.86),
        label=f"{home.who}'s {LEVEL_NAMES[home.level - 1]} on vertex {home.vertex}",
        about=f"{plural(points, 'point')}. It yields {points} of each: {home.near}.",
        key=f"home-{home.vertex}",
        at=_inside(scene, layout, home.vertex, ring + high),
    )


# Tiles.


def _yields(tile: Tile) -> str:
    """What a tile produces, and how often: `BRICK on 8 (5 of 36 throws)`."""
    if tile.kind is Resource.PARK:
        return "nothing (PARK)"
    chance = f"{kinds_of(tile)} on {tile.value} ({pips(tile)} of {THROWS} throws)"
    return chance if tile.left is None else f"{chance}, {tile.left} left"


@lru_cache(maxsize=64)
def _land(layout: BoardLayout, faces: tuple[tuple[Resource, int], ...]) -> str:
    """All that stays as it is for a whole match."""
    laid = layout.laid
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
        art = texture(
            kind, _outline(laid, number, TILE), laid.reach * TILE, f"{layout.board} {number}"
        )
        mark = "" if kind is Resource.PARK else token(Tile(kind, value), laid.reach * 0.36)
        tiles.append(group(art, mark, at=laid.tiles[number]))
    return group(*shores, *tiles, aria_hidden="true")


def _outline(laid: Plan, tile: int, share: float) -> tuple[tuple[float, float], ...]:
    """The corners of a tile about its middle."""
    x, y = laid.tiles[tile]
    return tuple((cx - x, cy - y) for cx, cy in shrunk(laid.outlines[tile], share, (x, y)))


def _tiles(context: PictureContext, layout: BoardLayout) -> list[str]:
    view, scene, drawn = context.view, context.scene, []
    total = 0 if context.rolled is None else context.rolled.total
    for number, tile in enumerate(view.tiles):
        geese = number == view.geese
        gives = tile.value == total and not geese and tile.kind is not Resource.PARK
        lit = scene.is_lit(f"tile-{number}")
        drawn.append(remembered(scene, lit, _tile, layout, number, tile, geese, gives))
    return drawn


def _tile(
    scene: Scene, layout: BoardLayout, number: int, tile: Tile, geese: bool, gives: bool
) -> str:
    """What of a tile can change, and what is said of it."""
    laid, part = layout.laid, f"tile-{number}"
    reach = laid.reach
    outline = _outline(laid, number, TILE * 0.96)
    pieces = [polygon(outline, "tt-hit")]
    if gives or scene.is_lit(part):
        pieces.append(polygon(outline, "tt-none tt-stroke-paper", stroke_width=6))
    pieces += [polygon(outline, "tt-ring"), _tag(-reach * 0.6, str(number), reach)]
    name = "" if scene.narrow else tile.kind.name
    if tile.left is not None:
        name = f"{name} {tile.left}".strip()
    if name:
        pieces.append(_tag(reach * 0.6, name, reach))
    if tile.also is not None:
        pieces.append(group(sign(tile.also, reach * 0.2), at=(-reach * 0.58, 0)))
    silenced = " The geese are here, and keep it from that." if geese else ""
    return scene.part(
        part,
        *pieces,
        label=f"Tile {number}, {tile.kind.name}",
        about=f"It produces {_yields(tile)}.{silenced}",
        at=laid.tiles[number],
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


def _geese(context: PictureContext, laid: Plan) -> str:
    """The geese, on their tile; beside its number, which they silence."""
    tile = context.view.geese
    if tile < 0:
        return ""
    x, y = laid.tiles[tile]
    is_park = context.view.tiles[tile].kind is Resource.PARK
    aside = (0.0, 0.0) if is_park else (0.58 * laid.reach, 0.32 * laid.reach)
    return group(
        _halo(laid) if f"tile-{tile}" in context.fresh else "",
        goose(laid.reach * (0.5 if is_park else 0.42)),
        at=(x + aside[0], y + aside[1]),
        data_key="geese",
        pointer_events="none",
        aria_hidden="true",
    )
