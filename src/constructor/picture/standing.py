"""The edges and vertices of a board in a picture, with the roads and residences on them.

What cannot be clicked now is drawn once and remembered, by all that it shows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from constructor.board import BOARDS
from constructor.picture.geometry import Plan, plan
from constructor.picture.inspecting import (
    around,
    of_edge,
    of_free_vertex,
    of_home,
    too_near,
)
from constructor.picture.looking import Looking
from constructor.picture.pieces import residence, road
from constructor.state import NOBODY
from constructor.text import LEVEL_NAMES
from tabletop import Seat
from tabletop.picture import Scene
from tabletop.svg import circle, group, rect, text

FINGER: Final = 25
"""How far round its middle a thing is met by a finger; 44 across when a phone shows it smaller."""

NARROW_MARGIN: Final = 12
WIDE_MARGIN: Final = 22
"""How much room there is round a board."""


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


def draw_edges(looking: Looking, ground: Ground) -> list[str]:
    """All edges of a board."""
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
    bar, turn = _bar(laid, edge, wide=laid.reach * 0.2), laid.turns[edge]
    return ground.idle.part(
        f"edge-{edge}",
        halo(laid) if fresh else "",
        road(owner, bar[2], bar[3], turn),
        rect(*bar, "tt-ring", bar[3] / 2, transform=f"rotate({turn:.2f})"),
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


def halo(laid: Plan) -> str:
    """What shows that a piece was put there just now."""
    return circle(0, 0, laid.reach * 0.48, "tt-paper", opacity=0.85)


def draw_vertices(looking: Looking, ground: Ground) -> list[str]:
    """All vertices of a board."""
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
    reach = ground.laid.reach
    if scene.is_lit(part):
        size = min(max(reach * 0.22, 11), 18)
        pieces = [
            circle(0, 0, max(FINGER, reach * 0.34), "tt-hit"),
            circle(0, 0, size, "tt-paper"),
            circle(0, 0, size, "tt-ring"),
            _number(vertex, min(max(reach * 0.2, 10), 15)),
        ]
    elif ground.narrow:
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
        at=_inside(ground, vertex, size),
    )


def _inside(ground: Ground, vertex: int, radius: float) -> tuple[float, float]:
    """Where a vertex is drawn: at the border a little aside, so that nothing is cut off."""
    laid = ground.laid
    far = radius - (NARROW_MARGIN if ground.narrow else WIDE_MARGIN)
    x, y = laid.vertices[vertex]
    return min(max(x, far), laid.width - far), min(max(y, far), laid.height - far)


@lru_cache(maxsize=4096)
def _idle_home(ground: Ground, home: Home) -> str:
    return _home(ground.idle, ground, home)


def _home(scene: Scene, ground: Ground, home: Home) -> str:
    """A residence."""
    laid, part = ground.laid, f"vertex-{home.vertex}"
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
        at=_inside(ground, home.vertex, ring + high),
    )
