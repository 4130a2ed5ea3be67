"""The board in a picture: edges, vertices and tiles with what stands on them, and their tooltips.

Most of a board stays as it is from one picture to the next, so that its pieces are drawn once and
remembered, by all that they show. What can be clicked now is drawn anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from constructor.board import BOARDS
from constructor.layouts import pips
from constructor.picture.context import PictureContext
from constructor.picture.pieces import goose, residence, road, sign, token
from constructor.picture.tiles import Plan, plan, shrunk, texture
from constructor.state import COLOURS, KINDS, NOBODY, POINTS, ConstructorState, Resource, Tile
from constructor.text import LEVEL_NAMES
from tabletop import Seat
from tabletop.picture import Scene
from tabletop.svg import circle, group, polygon, rect, text
from tabletop.wording import join_words, plural

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
        join_words([yielded[tile] for tile in near], "and") for near in BOARDS[board].vertex_tiles
    )


def of_home(level: int, near: str) -> str:
    """A residence: what it is worth and yields.

    Args:
        level: of the residence.
        near: what is produced there.
    """
    return f"{plural(POINTS[level], 'point')}. It yields {POINTS[level]} of each: {near}."


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
    resources = join_words(owned, "and") or "no resources"
    return f"{plural(view.points(seat), 'point')}; {resources}; {built(seat, view)}."


def built(seat: Seat, view: ConstructorState) -> str:
    """What a builder has built, in few words: `3 roads, 1 basement, 2 houses`."""
    homes = [view.levels[vertex] for vertex in view.settled if view.homes[vertex] == seat]
    things = [plural(view.roads.count(seat), "road")]
    things += [
        plural(homes.count(level), name)
        for level, name in enumerate(LEVEL_NAMES, 1)
        if level in homes
    ]
    return ", ".join(things)


FINGER: Final = 25
"""How far round its middle a thing is met by a finger; 44 across when a phone shows it smaller."""

NARROW_MARGIN: Final = 12
WIDE_MARGIN: Final = 22
"""How much room there is round a board."""


class BoardLayout(NamedTuple):
    """A board in a picture, and what all of its pieces have to know.

    Attributes:
        board: its name.
        width: of the room for it.
        height: of the room for it.
        narrow: whether the picture is.
        live: whether it can be clicked.
    """

    board: str
    width: float
    height: float
    narrow: bool
    live: bool

    @property
    def laid(self) -> Plan:
        """Where everything lies."""
        return plan(BOARDS[self.board], self.width, self.height)

    @property
    def idle(self) -> Scene:
        """A scene in which nothing can be done."""
        return Scene((), narrow=self.narrow, live=self.live)


class Home(NamedTuple):
    """A residence.

    Attributes:
        vertex: where it stands.
        owner: whose it is.
        level: 1 to 3.
        who: what its owner is called.
        near: what is produced there, in words.
        fresh: whether it was built just now.
    """

    vertex: int
    owner: Seat
    level: int
    who: str
    near: str
    fresh: bool


def draw_edges(context: PictureContext, layout: BoardLayout) -> list[str]:
    """All edges of a board."""
    scene, called, fresh = context.scene, context.called, context.fresh
    drawn = []
    for edge, owner in enumerate(context.view.roads):
        part = f"edge-{edge}"
        who = "" if owner == NOBODY else called[owner]
        if scene.is_lit(part):
            drawn.append(_free_edge(scene, layout, edge, part))
        else:
            drawn.append(_idle_edge(layout, edge, owner, who, fresh=part in fresh))
    return drawn


@lru_cache(maxsize=4096)
def _idle_edge(layout: BoardLayout, edge: int, owner: Seat, who: str, *, fresh: bool) -> str:
    if owner == NOBODY:
        return _free_edge(layout.idle, layout, edge, f"edge-{edge}")
    laid = layout.laid
    bar, turn = _bar(laid, edge, wide=laid.reach * 0.2), laid.turns[edge]
    return layout.idle.part(
        f"edge-{edge}",
        halo(laid) if fresh else "",
        road(owner, bar[2], bar[3], turn),
        rect(*bar, "tt-ring", bar[3] / 2, transform=f"rotate({turn:.2f})"),
        label=f"{who}'s road on edge {edge}",
        about=of_edge(layout.board, edge),
        key=f"road-{edge}",
        at=laid.edges[edge],
    )


def _bar(laid: Plan, edge: int, *, wide: float) -> tuple[float, float, float, float]:
    """Where the bar of a road lies, about the middle of its edge, before it is turned."""
    long = laid.length * 0.7
    return -long / 2, -wide / 2, long, wide


def _free_edge(scene: Scene, layout: BoardLayout, edge: int, part: str) -> str:
    """An edge without a road, with its number."""
    laid, lit = layout.laid, scene.is_lit(part)
    wide = max(laid.reach * 0.24, 15) if lit else laid.reach * 0.2
    bar, turn = _bar(laid, edge, wide=wide), laid.turns[edge]
    pieces = [circle(0, 0, FINGER, "tt-hit") if lit else ""]
    pieces.append(rect(*bar, "tt-paper" if lit else "tt-hit", wide / 2))
    shown = lit or not layout.narrow
    return scene.part(
        part,
        group(*pieces, turn=turn),
        rect(*bar, "tt-ring", wide / 2, transform=f"rotate({turn:.2f})"),
        _number(edge, min(max(laid.reach * 0.155, 9), 12)) if shown else "",
        label=f"Edge {edge}",
        about=of_edge(layout.board, edge) if lit else "",
        at=laid.edges[edge],
    )


@lru_cache(maxsize=512)
def _number(number: int, size: float) -> str:
    """The number of an edge or a vertex that is free."""
    return text(0, size * 0.36, str(number), size, size * 2, "tt-text-muted", anchor="middle")


def halo(laid: Plan) -> str:
    """What shows that a piece was put there just now."""
    return circle(0, 0, laid.reach * 0.48, "tt-paper", opacity=0.85)


def draw_vertices(context: PictureContext, layout: BoardLayout) -> list[str]:
    """All vertices of a board."""
    view, scene, called, fresh = context.view, context.scene, context.called, context.fresh
    near = around(view.board, view.tiles)
    drawn = []
    for vertex, owner in enumerate(view.homes):
        part = f"vertex-{vertex}"
        if owner != NOBODY:
            level, who = view.levels[vertex], called[owner]
            home = Home(vertex, owner, level, who, near[vertex], part in fresh)
            lit = scene.is_lit(part)
            drawn.append(_home(scene, layout, home) if lit else _idle_home(layout, home))
        elif scene.is_lit(part):
            about = of_free_vertex(near[vertex], "")
            drawn.append(_free_vertex(scene, layout, vertex, part, about))
        else:
            about = of_free_vertex(near[vertex], too_near(vertex, view))
            drawn.append(_idle_vertex(layout, vertex, part, about))
    return drawn


@lru_cache(maxsize=4096)
def _idle_vertex(layout: BoardLayout, vertex: int, part: str, about: str) -> str:
    return _free_vertex(layout.idle, layout, vertex, part, about)


def _free_vertex(scene: Scene, layout: BoardLayout, vertex: int, part: str, about: str) -> str:
    """A vertex without a residence, with its number."""
    reach = layout.laid.reach
    if scene.is_lit(part):
        size = min(max(reach * 0.22, 11), 18)
        pieces = [
            circle(0, 0, max(FINGER, reach * 0.34), "tt-hit"),
            circle(0, 0, size, "tt-paper"),
            circle(0, 0, size, "tt-ring"),
            _number(vertex, min(max(reach * 0.2, 10), 15)),
        ]
    elif layout.narrow:
        size = reach * 0.2
        pieces = [circle(0, 0, size, "tt-ring tt-hit"), circle(0, 0, 3, "tt-paper")]
    else:
        size = min(reach * 0.15, 12)
        pieces = [
            circle(0, 0, size, "tt-paper"),
            circle(0, 0, size, "tt-ring"),
            _number(vertex, size * 1.05),
        ]
    return scene.part(
        part,
        *pieces,
        label=f"Vertex {vertex}",
        about=about,
        at=_inside(layout, vertex, size),
    )


def _inside(layout: BoardLayout, vertex: int, radius: float) -> tuple[float, float]:
    """Where a vertex is drawn: at the border a little aside, so that nothing is cut off."""
    laid = layout.laid
    far = radius - (NARROW_MARGIN if layout.narrow else WIDE_MARGIN)
    x, y = laid.vertices[vertex]
    return min(max(x, far), laid.width - far), min(max(y, far), laid.height - far)


@lru_cache(maxsize=4096)
def _idle_home(layout: BoardLayout, home: Home) -> str:
    return _home(layout.idle, layout, home)


def _home(scene: Scene, layout: BoardLayout, home: Home) -> str:
    """A residence."""
    laid, part = layout.laid, f"vertex-{home.vertex}"
    reach, lit = laid.reach, scene.is_lit(part)
    ring, high = reach * 0.48, reach * 0.06
    return scene.part(
        part,
        halo(laid) if home.fresh else "",
        circle(0, 0, FINGER, "tt-hit") if lit else "",
        circle(0, -high, ring, "tt-paper") if lit else "",
        circle(0, -high, ring, "tt-ring"),
        residence(home.owner, home.level, reach * 0.86),
        label=f"{home.who}'s {LEVEL_NAMES[home.level - 1]} on vertex {home.vertex}",
        about=of_home(home.level, home.near),
        key=f"home-{home.vertex}",
        at=_inside(layout, home.vertex, ring + high),
    )


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


def board_layer(context: PictureContext, x: float, y: float, width: float, height: float) -> str:
    """The board, in the middle of that room."""
    view, scene = context.view, context.scene
    margin = NARROW_MARGIN if scene.narrow else WIDE_MARGIN
    layout = BoardLayout(
        view.board, width - 2 * margin, height - 2 * margin, scene.narrow, scene.live
    )
    laid = layout.laid
    faces = tuple((tile.kind, tile.value) for tile in view.tiles)
    return group(
        _land(view.board, faces, layout.width, layout.height),
        *_tiles(context, layout),
        *draw_edges(context, layout),
        *draw_vertices(context, layout),
        _geese(context, laid),
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


def _tiles(context: PictureContext, layout: BoardLayout) -> list[str]:
    view, scene = context.view, context.scene
    total = 0 if context.rolled is None else context.rolled.total
    drawn = []
    for number, tile in enumerate(view.tiles):
        geese = number == view.geese
        gives = tile.value == total and not geese and tile.kind is not Resource.PARK
        if scene.is_lit(f"tile-{number}"):
            drawn.append(_tile(scene, layout, number, tile, geese=geese, gives=gives))
        else:
            drawn.append(_idle_tile(layout, number, tile, geese=geese, gives=gives))
    return drawn


@lru_cache(maxsize=2048)
def _idle_tile(layout: BoardLayout, number: int, tile: Tile, *, geese: bool, gives: bool) -> str:
    return _tile(layout.idle, layout, number, tile, geese=geese, gives=gives)


def _tile(
    scene: Scene, layout: BoardLayout, number: int, tile: Tile, *, geese: bool, gives: bool
) -> str:
    """What of a tile can change, and what is said of it."""
    laid, part = layout.laid, f"tile-{number}"
    (x, y), reach = laid.tiles[number], laid.reach
    outline = [(cx - x, cy - y) for cx, cy in shrunk(laid.outlines[number], TILE * 0.96, (x, y))]
    pieces = [polygon(outline, "tt-hit")]
    if gives or scene.is_lit(part):
        pieces.append(polygon(outline, "tt-none tt-stroke-paper", stroke_width=6))
    pieces += [polygon(outline, "tt-ring"), _tag(-reach * 0.6, str(number), reach)]
    name = "" if layout.narrow else tile.kind.name
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


def _geese(context: PictureContext, laid: Plan) -> str:
    """The geese, on their tile; beside its number, which they silence."""
    tile = context.view.geese
    if tile < 0:
        return ""
    x, y = laid.tiles[tile]
    is_park = context.view.tiles[tile].kind is Resource.PARK
    aside = (0.0, 0.0) if is_park else (0.58 * laid.reach, 0.32 * laid.reach)
    return group(
        halo(laid) if f"tile-{tile}" in context.fresh else "",
        goose(laid.reach * (0.5 if is_park else 0.42)),
        at=(x + aside[0], y + aside[1]),
        data_key="geese",
        pointer_events="none",
        aria_hidden="true",
    )
