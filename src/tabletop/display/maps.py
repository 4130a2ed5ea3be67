"""A ready-made picture of an open map: tiles side by side, and the free places next to them.

    COLOURS = {"path": "#c9a26b", "wood": "#4f7a4a"}

    class CountryPicture(MapPicture[Country]):
        tiles = TILES
        colours = COLOURS
        lines = ("path",)

        def laid(self, view):
            return view.laid

        def hand(self, view):
            return view.tile

The picture computes the visible area of the map. A click on a free place shows the tile there, in
the first rotation in which it fits. A click on that tile rotates it, and a click on "Place the
tile" plays the action `Lay` of `tabletop.parts.maps`. `MapText` is the same information as text.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import atan2, ceil, cos, degrees, dist, floor, fsum, pi, radians, sin, sqrt, tan
from textwrap import wrap
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

from tabletop.display.boards import legend
from tabletop.display.boxes import Box, Column, Image, Label, Row, Stack
from tabletop.display.picture import Picture, Scene
from tabletop.display.pieces import Piece, draw_piece
from tabletop.display.svg import circle, group, number, path, polygon, rect, regular, tag, text
from tabletop.display.text_view import TextView
from tabletop.parts.board import FOUR, SIX, Cell
from tabletop.parts.maps import Laid, Lay, Spot, TileSet, block, frontier, in_rows
from tabletop.rules.events import ALL, ActionPlayed, Event, Watcher
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.text_layout import in_columns

S = TypeVar("S", bound=State)

_LARGEST: Final = 110.0  # maximum size of a tile, in units
_SPOT: Final = 24.0  # diameter of the marker of a clickable spot

_CLOSE: Final = 84.0
"""Size of the tile in hand, and of the enlarged tile for spots that are too close together."""

_SIDE: Final = 132.0  # width of the tile in hand on a wide screen, in a column next to the map
_GAP: Final = 12.0  # distance between the map, the tile in hand, and the button that places it

_CHARTS: Final[Mapping[tuple[bool, bool], tuple[float, float]]] = {
    (False, False): (744, 560),
    (False, True): (361, 305),
    (True, False): (374, 434),
    (True, True): (310, 196),
}
"""Size of the map, by whether the screen is narrow and short."""

_FLOOR: Final = 26.0
"""Minimum size of a tile.

If the whole map would need smaller tiles, it is cropped to the area of interest.
"""

_FINGER: Final = 44.0  # minimum size of a clickable area, large enough to tap

_TOP: Final = 84.0
"""Height of the area above the map, for the turn, the seats, and the tile in hand."""

_NEAREST: Final = 34.0
"""Minimum distance between pieces on features of one tile, which is 100 units wide."""

_NAME: Final = re.compile(r"(-?\d+),(-?\d+)(?::(\d+))?")
"""A place such as `2,-1` or a spot such as `2,-1:0`, as a part of the picture or in an action."""

_Point: TypeAlias = tuple[float, float]

_End: TypeAlias = tuple[float, float]
"""The start and end of a feature on the border of a tile.

For example, 1.5 is the middle of side 1.
"""


class MapPicture(Picture[S]):
    """The picture of a game on an open map of tiles. Only `tiles` and `laid` are required.

    Attributes:
        tiles: The tiles of the game.
        colours: The colour of each kind of feature, such as "#4f7a4a". Other kinds are not drawn.
        lines: The kinds that are drawn as lines, such as roads. Other kinds are drawn as areas.
        ground: The colour of a tile below its features.
    """

    tiles: ClassVar[TileSet]
    colours: ClassVar[Mapping[str, str]] = {}
    lines: ClassVar[Collection[str]] = ()
    ground: ClassVar[str] = "#d9cfae"

    @abstractmethod
    def laid(self, view: S) -> Mapping[Cell, Laid]:
        """Return the tiles on the map by their places."""

    def hand(self, view: S) -> int | None:
        """Return the tile to place next, or None (the default)."""
        return None

    def pieces(self, view: S) -> Mapping[Spot, Sequence[Piece]]:
        """Return the pieces on each spot. Empty by default."""
        return {}

    def spots(self, view: S) -> Mapping[str, Spot]:
        """Return the spots that legal actions refer to, by the text of the action.

        Override this method if the text of an action is not the name of its spot, such as `mill`.
        The map then describes these spots in words. Empty by default.
        """
        return {}

    def tally(self, view: S, seat: Seat) -> str:
        """Return the text after the name of a seat, such as its points. Empty by default."""
        return ""

    def note(self, view: S, scene: Scene) -> str:
        """Return a note to show next to the line about the turn, such as the tiles left.

        Empty by default.
        """
        return ""

    def turns(self, view: S, place: Cell) -> Sequence[int]:
        """Return the rotations to offer at a free place.

        By default, every rotation in which the tile fits.
        """
        hand = self.hand(view)
        return () if hand is None else self.tiles.turns_at(self.laid(view), place, hand)

    def tile(self, tile: int) -> str:
        """Draw an unrotated tile as SVG, 100 units wide, with its centre at (0, 0).

        By default, draw all features with a colour: areas, and lines on top of them.
        """
        sides = len(self.tiles.steps)
        rim = [_rim(sides, side) for side in range(sides)]
        drawn = [polygon(rim, fill=self.ground)]
        kinds = list(enumerate(self.tiles.kinds[tile]))
        for feature, kind in sorted(kinds, key=lambda pair: pair[1] in self.lines):
            if kind in self.colours:
                ends, colour = self._ends(tile, feature), self.colours[kind]
                if not ends:  # wider than a piece on it
                    corners = regular(4, 0, 0, 30)
                    drawn.append(polygon(corners, "tt-stroke-ink", fill=colour, stroke_width=2))
                elif kind in self.lines:
                    drawn.append(_line(sides, ends, colour))
                else:
                    drawn.append(path(_area(sides, ends), fill=colour))
        return group(*drawn, polygon(rim, "tt-none tt-stroke-line", stroke_width=1.5))

    def middle(self, tile: int, feature: int) -> _Point:
        """Return the position of pieces on a feature, in the units of `tile`.

        By default, the position is between the ends of the feature, and far enough from other
        features that each can be seen and clicked.
        """
        sides, points, stays = len(self.tiles.steps), [], []
        for other, kind in enumerate(self.tiles.kinds[tile]):
            ends = [_rim(sides, sum(end) / 2) for end in self._ends(tile, other)]
            share = 0.6 / (len(ends) or 1)
            points.append((share * sum(x for x, _ in ends), share * sum(y for _, y in ends)))
            stays.append(not ends or kind in self.lines)
        return _apart(points, stays)[feature]

    def path(self, action: Any, view: S, seat: Seat) -> Sequence[str]:
        """Return the parts to click for an action.

        For a `Lay`, these are its place, the rotations before the requested rotation, and the
        button that places the tile. For other actions, they are the spot that `spots` returns for
        the text, or the places (`2,-1`) and spots (`2,-1:0`) in the text.

        Raises:
            ValueError: The rotation of a `Lay` is not among the `turns` of its place.
        """
        if not isinstance(action, Lay):
            spot = self.spots(view).get(str(action))
            return [match[0] for match in _NAME.finditer(str(action if spot is None else spot))]
        place, turns = _name(action.place), list(self.turns(view, action.place))
        if action.turn not in turns:
            raise ValueError(f"{action}: the rotation is not one of {turns}")
        tried = turns[1 : turns.index(action.turn) + 1]
        return [place, *(f"{place}>{turn}" for turn in tried), f"{place}={action.turn}"]

    def label(self, action: Any, view: S, names: Sequence[str], seat: Seat) -> str:
        """Return the text of an action, followed by a description of its spots.

        For a `Lay`, return its place and rotation in words.
        """
        if isinstance(action, Lay):
            turned = f", turned {_TIMES[action.turn]}" if action.turn else ""
            return f"{_where(action.place, self.tiles)}{turned}"
        parts = self.path(action, view, seat)
        laid = self.laid(view)
        spots = ", ".join(self.tiles.named(laid, spot) for spot in _spots(parts))
        return f"{action} ({spots})" if spots else str(action)

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the places named by the last action, or else the place of the last tile."""
        if (played := scene.played) is None:
            return ()
        actions = [event.action for event in scene.told if isinstance(event, ActionPlayed)]
        actions.append(played.action)
        last = [_name(action.place) for action in actions if isinstance(action, Lay)][-1:]
        named = [f"{match[1]},{match[2]}" for match in _NAME.finditer(str(played.action))]
        return last if isinstance(played.action, Lay) else named or last

    def attempt(self, part: str, view: S, seat: Seat) -> str:
        """Return the command that places a tile."""
        return f"lay {part}" if _NAME.fullmatch(part) else ""

    def draw(self, view: S, scene: Scene) -> str:
        """Draw the map, the free places, the turn, the seats, and the tile in hand."""
        laid, hand, pieces = self.laid(view), self.hand(view), self.pieces(view)
        width, height = _CHARTS[scene.narrow, scene.short]
        close = _CLOSE if scene.narrow else _SIDE
        free = frontier(laid, self.tiles.steps) if scene.outcome is None or not laid else []
        parts = dict.fromkeys(part for choice in scene.choices for part in choice.path)
        named = [match for match in map(_NAME.fullmatch, parts) if match]
        wanted = [(int(match[1]), int(match[2])) for match in named] or [*laid, *free]
        seen = _window([*laid, *free], wanted, (width, height), self.tiles)
        spots = _spots(parts)
        # Spots of one tile that are too close together are clicked on an enlarged tile instead.
        places, near = {spot.place for spot in spots}, seen
        points = [self._position(spot, laid, seen) for spot in spots]
        is_crowded = any(dist(a, b) < _SPOT for a, b in combinations(points, 2))
        if is_crowded and hand is None and len(places) == 1 and len(spots) == len(named):
            near = _Window(close, (0, 0), (close, close), seen.hexagonal)
        # Of the arrows, the one to the nearest place is on top. Other places stay row by row.
        free.sort(key=lambda place: -round(seen.beyond(place)))
        heading = "; ".join(filter(None, (scene.heading, self.note(view, scene))))
        tally = [self.tally(view, seat) for seat in range(len(scene.names))]
        on_spots = "".join(self._spot(spot, laid, near, scene) for spot in spots)
        body = [
            *(
                self._laid(place, laid[place], seen, scene)
                for place in sorted(laid)
                if seen.holds(place)
            ),
            *(self._free(place, seen, scene, self.turns(view, place)) for place in free),
            self._pieces(pieces, laid, seen),
        ]
        beside: list[Box] = []
        if hand is not None:
            drawn = self._turned(Laid(hand), (0, 0), close - 4)
            beside.append(Image(drawn, close, close, centred=True))
        if near is seen:
            body.append(on_spots)
        else:
            (place,) = places
            body.append(self._frame(place, seen))
            enlarged = self._close(place, pieces, laid, near) + on_spots
            beside.append(Image(enlarged, close, close))
        # The button that places the tile is below the map, or below the tile in hand.
        below = (width - _SIDE) / 2, height + 4
        button_at = below if scene.narrow else (width + _GAP, close + _GAP)
        body += (
            self._rotations(place, hand, seen, scene, self.turns(view, place), button_at)
            for place in free
            if hand is not None and scene.is_lit(_name(place))
        )
        # The page next to a short picture shows whose turn it is.
        title = self.note(view, scene) if scene.short else heading
        above = Column(
            Label(title, 14 if scene.short else 18, anchor="middle", bold=True),
            legend(scene, (), tally),
            gap=2,
            width=0,
            weight=1,
        )
        chart = Image("".join(body), width, height)
        if scene.short and not scene.narrow:
            shown = Stack(Box(height=_SIDE), Column(*beside, anchor="start"))
            side = Column(shown, Box(height=_FINGER + 2 * _GAP), above, width=_SIDE)
            return self.lay_out(scene, Row(chart, side, gap=_GAP), label=heading, pad=5)
        if type(self).hand is MapPicture.hand:
            tree: Box = Column(Stack(above, height=_TOP), chart, gap=4)
        elif scene.narrow:
            tree = Column(
                Stack(Row(above, *beside, gap=12), height=_TOP), chart, Box(height=_FINGER), gap=4
            )
        else:
            aside = Column(*beside, anchor="start")
            tree = Column(above, Row(chart, Stack(aside, width=_SIDE), gap=_GAP), gap=4)
        return self.lay_out(scene, tree, label=heading, pad=5 if scene.short else 8)

    def _ends(self, tile: int, feature: int) -> list[_End]:
        """Return the ends of a feature on the border of an unrotated tile, clockwise."""
        return [
            (side + at / len(features), side + (at + 1) / len(features))
            for side, features in enumerate(self.tiles.sides[tile])
            for at, other in enumerate(features)
            if other == feature
        ]

    def _turned(self, laid: Laid, centre: _Point, size: float) -> str:
        x, y = map(number, centre)
        turn = number(laid.turn * 360 / len(self.tiles.steps))
        steps = f"translate({x} {y}) rotate({turn}) scale({size / 100:.4f})"
        return tag("g", self.tile(laid.tile), transform=steps)

    def _outline(self, size: float, class_: str, **more: float) -> str:
        sides = len(self.tiles.steps)
        corners = (_rim(sides, side) for side in range(sides))
        return polygon([(x * size / 100, y * size / 100) for x, y in corners], class_, **more)

    def _laid(self, place: Cell, laid: Laid, seen: _Window, scene: Scene) -> str:
        name, size = _name(place), seen.size
        kinds = ", ".join(dict.fromkeys(self.tiles.kinds[laid.tile]))
        # A tint would change the colours of the features, so the last tile has a frame instead.
        edge = self._outline(0.94 * size, "tt-none tt-stroke-paper", stroke_width=8)
        ring = self._outline(0.94 * size, "tt-ring tt-frame")
        body = self._turned(laid, (0, 0), size), edge if name in scene.last else "", ring
        label = f"{_where(place, self.tiles)}: {kinds}"
        return scene.part(name, *body, label=label, key=name, at=seen.centre(place))

    def _free(self, place: Cell, seen: _Window, scene: Scene, turns: Sequence[int]) -> str:
        """Draw a free place. If it is clickable but not visible, draw an arrow to it instead."""
        name, size = _name(place), seen.size
        shape = self._outline(0.86 * size, "tt-cloth-deep")
        if not seen.holds(place):
            if not scene.is_lit(name):
                return ""
            shape = polygon(regular(3, 0, 0, 0.4 * size, seen.turn_to(place)), "tt-accent")
        body = shape, circle(0, 0, 0.5 * size, "tt-hit"), self._outline(0.86 * size, "tt-ring")
        then = _THEN if len(turns) > 1 else _THEN_ONE
        return scene.part(
            name,
            *body,
            label=f"Free place: {_where(place, self.tiles)}",
            then=then,
            at=seen.centre(place),
        )

    def _rotations(
        self,
        place: Cell,
        hand: int,
        seen: _Window,
        scene: Scene,
        turns: Sequence[int],
        button_at: _Point,
    ) -> str:
        """Draw the tile at a free place in each possible rotation, shown one at a time."""
        name, (x, y), size = _name(place), seen.centre(place), seen.size
        frame = self._outline(size, "tt-none tt-stroke-accent", stroke_width=3)
        ring, finger = self._outline(size, "tt-ring"), max(size, _FINGER)
        room = rect(-finger / 2, -finger / 2, finger, finger, "tt-hit")
        chosen, tries = [name], []
        for turn, following in zip(turns, [*turns[1:], None], strict=True):
            tile = self._turned(Laid(hand, turn), (0, 0), size)
            shown = group(tile, frame, at=(x, y), pointer_events="none")
            again = f"{name}>{following}"
            if following is not None:
                body, label = (tile, frame, room, ring), f"turned {following}"
                shown = scene.part(again, *body, label=label, then=_THEN, at=(x, y))
            button = self._lay_button(f"{name}={turn}", button_at, scene)
            tries.append(scene.after(chosen, shown, button))
            chosen = [*chosen, again]
        return "".join(tries)

    def _lay_button(self, part: str, at: _Point, scene: Scene) -> str:
        """Draw the button that places a tile, outside the map so that it covers no tile."""
        return scene.part(
            part,
            rect(0, 0, _SIDE, _FINGER, "tt-card", 8),
            text(_SIDE / 2, 27, _PLACE, 15, _SIDE, anchor="middle", bold=True),
            rect(0, 0, _SIDE, _FINGER, "tt-ring", 8),
            label=_PLACE,
            at=at,
        )

    def _pieces(
        self, pieces: Mapping[Spot, Sequence[Piece]], laid: Mapping[Cell, Laid], seen: _Window
    ) -> str:
        """Draw the pieces on the visible tiles. Pieces on the same spot are drawn side by side."""
        return "".join(
            draw_piece(piece, x + 0.3 * seen.size * at, y, 0.2 * seen.size, ())
            for spot, pile in pieces.items()
            if seen.holds(spot.place)
            for x, y in [self._position(spot, laid, seen)]
            for at, piece in enumerate(pile)
        )

    def _close(
        self,
        place: Cell,
        pieces: Mapping[Spot, Sequence[Piece]],
        laid: Mapping[Cell, Laid],
        near: _Window,
    ) -> str:
        """Draw an enlarged tile with its pieces."""
        here = {spot: pile for spot, pile in pieces.items() if spot.place == place}
        drawn = self._turned(laid[place], near.centre(place), near.size)
        return drawn + self._frame(place, near) + self._pieces(here, laid, near)

    def _frame(self, place: Cell, window: _Window) -> str:
        frame = self._outline(window.size, "tt-none tt-stroke-accent", stroke_width=3)
        return group(frame, at=window.centre(place), pointer_events="none")

    def _position(self, spot: Spot, laid: Mapping[Cell, Laid], seen: _Window) -> _Point:
        tile, turn = laid[spot.place]
        x, y = self.middle(tile, spot.feature)
        angle = radians(turn * 360 / len(self.tiles.steps))
        across, down = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
        left, top = seen.centre(spot.place)
        return left + across * seen.size / 100, top + down * seen.size / 100

    def _spot(self, spot: Spot, laid: Mapping[Cell, Laid], seen: _Window, scene: Scene) -> str:
        radius = _SPOT / 2 - 1.5
        body = (
            circle(0, 0, _FINGER / 2, "tt-hit"),
            circle(0, 0, radius, "tt-none tt-stroke-paper", stroke_width=5),
            circle(0, 0, radius, "tt-none tt-stroke-ink", stroke_width=1.5),
            circle(0, 0, radius, "tt-ring"),
        )
        label = f"{self.tiles.named(laid, spot)} at {_name(spot.place)}"
        return scene.part(str(spot), *body, label=label, at=self._position(spot, laid, seen))


_PLACE: Final = "Place the tile"
_THEN: Final = "Place the tile (click it to turn it)"
_THEN_ONE: Final = "Place the tile, or choose another place"
_TIMES: Final = ("", "once", "twice", *(f"{count} times" for count in range(3, len(SIX))))


class _Window(NamedTuple):
    """The visible area of a map.

    Attributes:
        size: The size of a tile, in units.
        origin: The position of the centre of the place (0, 0) in the picture.
        room: The width and height of the map.
        hexagonal: Whether tiles are hexagons.
    """

    size: float
    origin: _Point
    room: tuple[float, float]
    hexagonal: bool

    def exact(self, place: Cell) -> _Point:
        """Return the position of the centre of a place, which may be outside the picture."""
        x, y = _middle(place, hexagonal=self.hexagonal)
        return self.origin[0] + x * self.size, self.origin[1] + y * self.size

    def centre(self, place: Cell) -> _Point:
        """Return the position in the visible area that is nearest to the centre of a place."""
        (x, y), (width, height), half = self.exact(place), self.room, self.size / 2
        return min(width - half, max(half, x)), min(height - half, max(half, y))

    def beyond(self, place: Cell) -> float:
        """Return the distance of a place from the nearest position that is fully visible."""
        return dist(self.exact(place), self.centre(place))

    def holds(self, place: Cell) -> bool:
        """Return whether at least nine tenths of a place are visible."""
        return self.beyond(place) < 0.1 * self.size

    def turn_to(self, place: Cell) -> float:
        """Return the rotation of an arrow that points to a place outside the visible area."""
        (x, y), (left, top) = self.exact(place), self.centre(place)
        return 90 + degrees(atan2(y - top, x - left))


def _window(
    places: Collection[Cell],
    wanted: Collection[Cell],
    room: tuple[float, float],
    tiles: TileSet,
) -> _Window:
    """Choose the size of tiles, and the visible area if the map does not fit.

    The visible area is centred on the `wanted` places as far as possible.
    """
    hexagonal = len(tiles.steps) == len(SIX)
    every = [_middle(place, hexagonal=hexagonal) for place in places]
    sought = [_middle(place, hexagonal=hexagonal) for place in wanted]
    extents = 1.0, 2 / sqrt(3) if hexagonal else 1.0
    spans = [
        (min(along) - extent / 2, max(along) + extent / 2)
        for along, extent in zip(zip(*every, strict=True), extents, strict=True)
    ]
    fits = (side / (last - first) for side, (first, last) in zip(room, spans, strict=True))
    size = max(_FLOOR, min(_LARGEST, *fits))
    origin = []
    for side, (first, last), along in zip(room, spans, zip(*sought, strict=True), strict=True):
        spare = max(0.0, (last - first - side / size) / 2)
        wish = fsum(along) / len(sought) - (first + last) / 2
        middle = (first + last) / 2 + min(spare, max(-spare, wish))
        origin.append(side / 2 - middle * size)
    return _Window(size, (origin[0], origin[1]), room, hexagonal)


def _middle(place: Cell, *, hexagonal: bool) -> _Point:
    """Return the centre of a place, in tile widths."""
    x, y = place
    return (x + y / 2, y * sqrt(3) / 2) if hexagonal else (x, y)


def _apart(points: Sequence[_Point], stays: Sequence[bool]) -> list[_Point]:
    """Push points of a tile apart. Fixed points move only if they are too close together."""
    moved = list(points)
    for _ in range(40):
        for b, a in combinations(reversed(range(len(moved))), 2):
            (x, y), (u, v) = moved[a], moved[b]
            away = dist(moved[a], moved[b])
            if away < _NEAREST - 0.5:
                angle = atan2(v - y, u - x) if away > 0.5 else radians(137 * b)
                step = (_NEAREST - away) / (2 if stays[a] == stays[b] else 1)
                dx, dy = step * cos(angle), step * sin(angle)
                if stays[b] or not stays[a]:
                    moved[a] = _within(x - dx), _within(y - dy)
                if stays[a] or not stays[b]:
                    moved[b] = _within(u + dx), _within(v + dy)
    return moved


def _within(at: float) -> float:
    return min(36.0, max(-36.0, at))


def _spots(parts: Iterable[str]) -> list[Spot]:
    matches = filter(None, map(_NAME.fullmatch, parts))
    return [Spot(int(match[1]), int(match[2]), int(match[3])) for match in matches if match[3]]


def _where(place: Cell, tiles: TileSet) -> str:
    """Describe a place relative to the first tile: `Above`, `2 up, 1 left`."""
    x, y = place
    if len(tiles.steps) == len(SIX):
        return f"Place {_name(place)}"
    if place in _NEXT:
        return _NEXT[place]
    steps = [(-y, "up"), (y, "down"), (-x, "left"), (x, "right")]
    words = ", ".join(f"{count} {way}" for count, way in steps if count > 0)
    return words or "In the middle"


_NEXT: Final = {(0, -1): "Above", (0, 1): "Below", (-1, 0): "Left", (1, 0): "Right"}


def _name(place: Cell) -> str:
    return f"{place[0]},{place[1]}"


def _rim(sides: int, at: float) -> _Point:
    """Return a point on the border of a tile: 0 starts side 0, and 1.5 is the middle of side 1."""
    side = floor(at)
    angle = radians(360 / sides * side - 90 + (0 if sides == len(FOUR) else 30))
    along = (2 * (at - side) - 1) * 50 * tan(pi / sides)
    return 50 * cos(angle) - along * sin(angle), 50 * sin(angle) + along * cos(angle)


def _line(sides: int, ends: Sequence[_End], colour: str) -> str:
    """Draw a line between two ends, or from a single end to a dot."""
    points = [_rim(sides, sum(end) / 2) for end in ends]
    (x, y), dot = points[0], ""
    match points:
        case [_]:
            data = f"M{number(x)} {number(y)}L{number(0.3 * x)} {number(0.3 * y)}"
            dot = circle(0.3 * x, 0.3 * y, 13, fill=colour)
        case [_, last]:
            data = f"M{number(x)} {number(y)}Q0 0 {' '.join(map(number, last))}"
        case _:
            data = "".join(f"M{number(x)} {number(y)}L0 0" for x, y in points)
    return path(data, "tt-none", stroke=colour, stroke_width=16, stroke_linejoin="round") + dot


def _area(sides: int, ends: Sequence[_End]) -> str:
    """Return the path data of an area, which follows the border and curves inwards between ends."""
    runs: list[list[float]] = []
    for low, high in ends:
        if runs and runs[-1][1] == low:
            runs[-1][1] = high
        else:
            runs.append([low, high])
    if len(runs) > 1 and runs[-1][1] - sides == runs[0][0]:
        runs[0][0] = runs.pop()[0] - sides
    data = ""
    for (low, high), (following, _) in zip(runs, [*runs[1:], runs[0]], strict=True):
        corners = [low, *range(floor(low) + 1, ceil(high)), high]
        points = [_rim(sides, at) for at in corners]
        data += "".join(f"{'L' if data else 'M'}{number(x)} {number(y)}" for x, y in points[:1])
        data += "".join(f"L{number(x)} {number(y)}" for x, y in points[1:])
        (x, y), (end_x, end_y) = points[-1], _rim(sides, following)
        bend = 0.15 * (x + end_x), 0.15 * (y + end_y)
        data += f"Q{number(bend[0])} {number(bend[1])} {number(end_x)} {number(end_y)}"
    return data + "Z"


# The text of a map.


class MapText(TextView[S]):
    """The text of a game on an open map: the contents of its `MapPicture` as lines.

    The map is drawn with characters. It shows the numbers of the seats that own pieces, and the
    names of the free places where the tile in hand fits. The lines below contain the legend, the
    note, each seat with its pieces, the spots that legal actions refer to, and the tile in hand.
    Only `picture` is required.

    Attributes:
        picture: The picture of the game.
        marks: The character of each kind of feature, such as "~". By default, the first letter of
            the kind. If several features meet in the middle of a tile, the first kind in this
            mapping is drawn.
    """

    picture: ClassVar[MapPicture[Any]]
    marks: ClassVar[Mapping[str, str]] = {}

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format an event. The line of a placed tile contains its place in words."""
        if isinstance(event, ActionPlayed) and isinstance(event.action, Lay):
            where = _where(event.action.place, self.picture.tiles)
            return f"{names[event.seat]} places a tile ({where[0].lower()}{where[1:]})."
        return super().event(event, names, seat)

    def position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Format the contents of the picture."""
        picture, tiles, marks = self.picture, self.picture.tiles, self._letters()
        laid, hand, spots = picture.laid(view), picture.hand(view), picture.spots(view)
        numbers = [str(number) for number in range(1, len(names) + 1)]
        tally = [picture.tally(view, place) for place in range(len(names))]
        owned: list[list[str]] = [[] for _ in names]
        for spot, pieces in sorted(picture.pieces(view).items()):
            for piece in pieces:
                words = f"{piece.letter} {_name(spot.place)} {tiles.named(laid, spot)}"
                owned[piece.seat].append(words.lstrip())
        lines = "\n".join(self._map(view, marks)).strip("\n").splitlines()
        lines.append("  ".join(f"{mark} {kind}" for kind, mark in marks.items()))
        lines += filter(None, [picture.note(view, Scene(names, seat))])
        for line, places in zip(in_columns([numbers, names, tally]), owned, strict=True):
            lines += [line, *wrap("; ".join(places), 76, initial_indent=_IN, subsequent_indent=_IN)]
        if spots:
            lines += in_columns([[*spots], [tiles.named(laid, spot) for spot in spots.values()]])
        if hand is not None:
            lines += ["The tile to place:", *block(tiles, Laid(hand), marks)]
        return "\n".join(line.rstrip() for line in lines)

    def _letters(self) -> dict[str, str]:
        """Return the character of each kind, starting with those in `marks`."""
        kinds = dict.fromkeys(kind for tile in self.picture.tiles.kinds for kind in tile)
        return {**self.marks, **{kind: kind[0] for kind in kinds if kind not in self.marks}}

    def _map(self, view: S, marks: Mapping[str, str]) -> list[str]:
        picture, tiles = self.picture, self.picture.tiles
        laid, hand, owners = picture.laid(view), picture.hand(view), dict[Cell, str]()
        for spot, pieces in picture.pieces(view).items():
            numbers = [*owners.get(spot.place, ""), *(str(piece.seat + 1) for piece in pieces)]
            owners[spot.place] = "".join(sorted(numbers))
        blocks = {
            place: block(tiles, tile, marks, owners.get(place, "")) for place, tile in laid.items()
        }
        hexagonal = len(tiles.steps) == len(SIX)
        wide = 9 if hexagonal else 7
        for place in frontier(laid, tiles.steps) if hand is not None else ():
            if picture.turns(view, place):
                blocks[place] = [" " * wide, _name(place).center(wide), " " * wide]
        return in_rows(blocks, shared=1, hexagonal=hexagonal)


_IN: Final = "   "  # indentation of the lines with the pieces of a seat
