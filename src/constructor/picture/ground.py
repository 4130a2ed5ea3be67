"""The board in a picture: tiles, edges and vertices with what stands on them.

Most of a board stays as it is from one picture to the next, so that its pieces are drawn once and
remembered, by all that they show. What can be clicked now is drawn anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from constructor.board import BOARDS
from constructor.picture.geometry import Plan, plan, shrunk
from constructor.picture.inspecting import (
    around,
    of_edge,
    of_free_vertex,
    of_home,
    of_tile,
    too_near,
)
from constructor.picture.looking import Looking
from constructor.picture.pieces import goose, residence, road, sign, token
from constructor.picture.textures import texture
from constructor.state import NOBODY, Resource, Tile
from constructor.text import LEVEL_NAMES
from tabletop import Seat
from tabletop.picture import Scene
from tabletop.svg import circle, group, polygon, rect, text

TILE: Final = 0.87
"""How much of its place a tile covers; the rest is for roads."""

SHORE: Final = 1.17
"""How far the land goes beyond the tiles, in their sizes."""

FINGER: Final = 25
"""How far round its middle a thing is met by a finger; 44 across when a phone shows it smaller."""

NARROW_MARGIN: Final = 12
WIDE_MARGIN: Final = 22
TALLEST: Final = 400
"""How much room there is round a board, and how high one is on a phone at most."""


class Ground(NamedTuple):
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
        *_edges(looking, ground),
        *_vertices(looking, ground),
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


def _edges(looking: Looking, ground: Ground) -> list[str]:
    scene, called, fresh = looking.scene, looking.called, looking.fresh
    drawn = []
    for edge, owner in enumerate(looking.view.roads):
        part = f"edge-{edge}"
        who = "" if owner == NOBODY else called[owner]
        if scene.is_lit(part):
            drawn.append(_free_edge(scene, ground, edge, part))
        else:
            drawn.append(_idle_edge(ground, edge, owner, who, fresh=part in fresh))
    return drawn


@lru_cache(maxsize=4096)
def _idle_edge(ground: Ground, edge: int, owner: Seat, who: str, *, fresh: bool) -> str:
    if owner == NOBODY:
        return _free_edge(ground.idle, ground, edge, f"edge-{edge}")
    laid = ground.laid
    bar = _bar(laid, edge, wide=laid.reach * 0.2)
    return ground.idle.part(
        f"edge-{edge}",
        _halo(laid) if fresh else "",
        road(owner, bar[2], bar[3], laid.turns[edge]),
        group(rect(*bar, "tt-ring", bar[3] / 2), turn=laid.turns[edge]),
        label=f"{who}'s road on edge {edge}",
        about=of_edge(ground.board, edge),
        key=f"road-{edge}",
        at=laid.edges[edge],
    )


def _bar(laid: Plan, edge: int, *, wide: float) -> tuple[float, float, float, float]:
    """Where the bar of a road lies, about the middle of its edge, before it is turned."""
    long = laid.length * 0.7
    return -long / 2, -wide / 2, long, wide


def _free_edge(scene: Scene, ground: Ground, edge: int, part: str) -> str:
    """An edge without a road, with its number."""
    laid, lit = ground.laid, scene.is_lit(part)
    wide = max(laid.reach * 0.24, 15) if lit else laid.reach * 0.2
    bar, turn = _bar(laid, edge, wide=wide), laid.turns[edge]
    pieces = [circle(0, 0, FINGER, "tt-hit") if lit else ""]
    pieces.append(rect(*bar, "tt-paper" if lit else "tt-hit", wide / 2))
    shown = lit or not ground.narrow
    return scene.part(
        part,
        group(*pieces, turn=turn),
        rect(*bar, "tt-ring", wide / 2, transform=f"rotate({turn:.2f})"),
        _number(edge, min(max(laid.reach * 0.155, 9), 12)) if shown else "",
        label=f"Edge {edge}",
        about=of_edge(ground.board, edge) if lit else "",
        at=laid.edges[edge],
    )


@lru_cache(maxsize=512)
def _number(number: int, size: float) -> str:
    """The number of an edge or a vertex that is free."""
    return text(0, size * 0.36, str(number), size, size * 2, "tt-text-muted", anchor="middle")


def _halo(laid: Plan) -> str:
    """What shows that a piece was put there just now."""
    return circle(0, 0, laid.reach * 0.48, "tt-paper", opacity=0.85)


def _vertices(looking: Looking, ground: Ground) -> list[str]:
    view, scene, called, fresh = looking.view, looking.scene, looking.called, looking.fresh
    near = around(view.board, view.tiles)
    drawn = []
    for vertex, owner in enumerate(view.homes):
        part = f"vertex-{vertex}"
        if owner != NOBODY:
            level, who = view.levels[vertex], called[owner]
            home = Home(vertex, owner, level, who, near[vertex], part in fresh)
            lit = scene.is_lit(part)
            drawn.append(_home(scene, ground, home) if lit else _idle_home(ground, home))
        elif scene.is_lit(part):
            about = of_free_vertex(near[vertex], "")
            drawn.append(_free_vertex(scene, ground, vertex, part, about))
        else:
            about = of_free_vertex(near[vertex], too_near(vertex, view))
            drawn.append(_idle_vertex(ground, vertex, part, about))
    return drawn


@lru_cache(maxsize=4096)
def _idle_vertex(ground: Ground, vertex: int, part: str, about: str) -> str:
    return _free_vertex(ground.idle, ground, vertex, part, about)


def _free_vertex(scene: Scene, ground: Ground, vertex: int, part: str, about: str) -> str:
    """A vertex without a residence, with its number."""
    laid = ground.laid
    reach = laid.reach
    if scene.is_lit(part):
        size = min(max(reach * 0.22, 11), 18)
        pieces = [
            circle(0, 0, max(FINGER, reach * 0.34), "tt-hit"),
            circle(0, 0, size, "tt-paper"),
            circle(0, 0, size, "tt-ring"),
            _number(vertex, min(max(reach * 0.2, 10), 15)),
        ]
    elif ground.narrow:
        pieces = [circle(0, 0, reach * 0.2, "tt-ring tt-hit"), circle(0, 0, 3, "tt-paper")]
    else:
        size = min(reach * 0.15, 12)
        pieces = [
            circle(0, 0, size, "tt-paper"),
            circle(0, 0, size, "tt-ring"),
            _number(vertex, size * 1.05),
        ]
    return scene.part(
        part, *pieces, label=f"Vertex {vertex}", about=about, at=laid.vertices[vertex]
    )


@lru_cache(maxsize=4096)
def _idle_home(ground: Ground, home: Home) -> str:
    return _home(ground.idle, ground, home)


def _home(scene: Scene, ground: Ground, home: Home) -> str:
    """A residence."""
    laid, part = ground.laid, f"vertex-{home.vertex}"
    reach, lit = laid.reach, scene.is_lit(part)
    return scene.part(
        part,
        _halo(laid) if home.fresh else "",
        circle(0, 0, FINGER, "tt-hit") if lit else "",
        circle(0, -reach * 0.06, reach * 0.48, "tt-paper") if lit else "",
        circle(0, -reach * 0.06, reach * 0.48, "tt-ring"),
        residence(home.owner, home.level, reach * 0.86),
        label=f"{home.who}'s {LEVEL_NAMES[home.level - 1]} on vertex {home.vertex}",
        about=of_home(home.level, home.near),
        key=f"home-{home.vertex}",
        at=laid.vertices[home.vertex],
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
        _halo(laid) if f"tile-{tile}" in looking.fresh else "",
        goose(laid.reach * (0.5 if is_park else 0.42)),
        at=(x + aside[0], y + aside[1]),
        data_key="geese",
        pointer_events="none",
        aria_hidden="true",
    )
