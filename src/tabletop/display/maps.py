"""A ready picture of an open map: tiles side by side, and the places where one can be laid.

    COLOURS = {"path": "#c9a26b", "wood": "#4f7a4a"}

    class CountryPicture(MapPicture[Country]):
        tiles = TILES
        colours = COLOURS
        lines = ("path",)

        def laid(self, view):
            return view.laid

        def hand(self, view):
            return view.tile

It finds its own extent. A click on a place shows the tile there, in the first turn in which it
fits; a click on the tile turns it, and one on the words beside it lays it: an action `Lay` of
`tabletop.parts.maps`. `MapText` says in words what it shows.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import atan2, ceil, cos, degrees, dist, floor, fsum, pi, radians, sin, sqrt, tan
from textwrap import wrap
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

from tabletop.display.boards import Piece, disc, legend
from tabletop.display.picture import Picture, Scene, turn_in_words
from tabletop.display.svg import circle, group, number, path, polygon, rect, regular, tag, text
from tabletop.display.text_view import TextView
from tabletop.parts.board import FOUR, SIX, Cell
from tabletop.parts.maps import Laid, Lay, Spot, TileSet, block, frontier, in_rows
from tabletop.rules.events import ALL, ActionPlayed, Watcher
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.text_layout import in_columns

S = TypeVar("S", bound=State)

_LARGEST: Final = 80.0
"""The largest size of a tile, in units."""

_SPOT: Final = 24.0
"""The width of what is clicked for a spot."""

_CLOSE: Final = 84.0
"""The size of a tile that is shown beside the map as its spots there are too near each other."""

_FLOOR: Final = 26.0
"""The smallest: of a map that needs smaller ones, the middle of interest is shown."""

_FINGER: Final = 44.0
"""The size of what a finger meets."""

_TOP: Final = 78.0
"""The room above a map: for the turn, the seats, and the tile in hand."""

_NEAREST: Final = 34.0
"""How near to each other pieces stand on features of one tile, of which 100 are its width."""

_NAME: Final = re.compile(r"(-?\d+),(-?\d+)(?::(\d+))?")
"""A place, `2,-1`, or a spot, `2,-1:0`: parts of the picture, and words in actions."""

_Point: TypeAlias = tuple[float, float]

_End: TypeAlias = tuple[float, float]
"""Where on the rim of a tile a feature begins and ends: 1.5 is the middle of side 1."""


class MapPicture(Picture[S]):
    """The picture of a game on an open map of tiles; `tiles` and `laid` are all that it needs.

    Attributes:
        tiles: the tiles of the game.
        colours: the colours of kinds of features, as "#4f7a4a"; others are not drawn.
        lines: the kinds that are lines, such as roads; the others are areas.
        ground: the colour of a tile below its features.
    """

    tiles: ClassVar[TileSet]
    colours: ClassVar[Mapping[str, str]] = {}
    lines: ClassVar[Collection[str]] = ()
    ground: ClassVar[str] = "#d9cfae"

    @abstractmethod
    def laid(self, view: S) -> Mapping[Cell, Laid]:
        """Return the tiles by their places."""

    def hand(self, view: S) -> int | None:
        """Return the tile that is to be laid next; by default there is none."""
        return None

    def pieces(self, view: S) -> Mapping[Spot, Sequence[Piece]]:
        """Return the pieces on the features of tiles; by default there are none."""
        return {}

    def spots(self, view: S) -> Mapping[str, Spot]:
        """Return where something may be put now, by the texts of the actions that put it there.

        By default that is nothing, and texts name the spots themselves. With it the text may be
        any, such as `mill`, and the words of the map say what each is.
        """
        return {}

    def tally(self, view: S, seat: Seat) -> str:
        """Return the words beside the name of a seat, such as its points; by default none."""
        return ""

    def note(self, view: S, scene: Scene) -> str:
        """Return the note beside the turn, such as the tiles left; by default nothing."""
        return ""

    def turns(self, view: S, place: Cell) -> Sequence[int]:
        """Return the turns to try at a free place; by default those in which the hand fits."""
        hand = self.hand(view)
        return () if hand is None else self.tiles.turns_at(self.laid(view), place, hand)

    def tile(self, tile: int) -> str:
        """Draw a tile as SVG: not turned, 100 units wide, with (0, 0) in its middle.

        The default draws the features that have a colour: areas, and lines above them.
        """
        sides = len(self.tiles.steps)
        rim = [_rim(sides, side) for side in range(sides)]
        drawn = [polygon(rim, fill=self.ground)]
        kinds = list(enumerate(self.tiles.kinds[tile]))
        for feature, kind in sorted(kinds, key=lambda it: it[1] in self.lines):
            if kind in self.colours:
                ends, colour = self._ends(tile, feature), self.colours[kind]
                if not ends:  # wider than a piece that stands on it
                    corners = regular(4, 0, 0, 30)
                    drawn.append(polygon(corners, "tt-stroke-ink", fill=colour, stroke_width=2))
                elif kind in self.lines:
                    drawn.append(_line(sides, ends, colour))
                else:
                    drawn.append(path(_area(sides, ends), fill=colour))
        return group(*drawn, polygon(rim, "tt-none tt-stroke-line", stroke_width=1.5))

    def middle(self, tile: int, feature: int) -> _Point:
        """Return where pieces stand on a feature, in the measures of `tile`.

        By default between its ends, and no nearer to others than that each can be seen and clicked.
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

        For a `Lay` that are its place, turns until the tile lies as it is to, and the words that
        lay it; else what `spots` has for its text, or the places (`2,-1`) and spots (`2,-1:0`) that
        its text names.

        Raises:
            ValueError: a `Lay` turns the tile in none of the `turns` of its place.
        """
        if not isinstance(action, Lay):
            spot = self.spots(view).get(str(action))
            return [found[0] for found in _NAME.finditer(str(action if spot is None else spot))]
        place, turns = _name(action.place), list(self.turns(view, action.place))
        if action.turn not in turns:
            raise ValueError(f"{action}: the turns to try there are {turns}")
        tried = turns[1 : turns.index(action.turn) + 1]
        return [place, *(f"{place}>{turn}" for turn in tried), f"{place}={action.turn}"]

    def label(self, action: Any, view: S, names: Sequence[str], seat: Seat) -> str:
        """Return the text of an action, and behind it in words what spots it is about."""
        parts = () if isinstance(action, Lay) else self.path(action, view, seat)
        laid = self.laid(view)
        said = ", ".join(self.tiles.named(laid, spot) for spot in _spots(parts))
        return f"{action} ({said})" if said else str(action)

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the places that the text of the last action names, or that of the last tile."""
        if (played := scene.played) is None:
            return ()
        laid = (it.action for it in scene.told if isinstance(it, ActionPlayed))
        last = [_name(it.place) for it in (*laid, played.action) if isinstance(it, Lay)][-1:]
        named = [f"{found[1]},{found[2]}" for found in _NAME.finditer(str(played.action))]
        return last if isinstance(played.action, Lay) else named or last

    def attempt(self, part: str, view: S, seat: Seat) -> str:
        """Return the words that lay a tile at a place."""
        return f"lay {part}" if _NAME.fullmatch(part) else ""

    def draw(self, view: S, scene: Scene) -> str:
        """Draw the map with the places beside it, the turn, the seats, and the tile to be laid."""
        laid, hand, pieces = self.laid(view), self.hand(view), self.pieces(view)
        width, height = (390, 520) if scene.narrow else (760, 580)
        free = frontier(laid, self.tiles.steps) if scene.outcome is None or not laid else []
        parts = dict.fromkeys(part for it in scene.choices for part in it.path)
        named = [found for found in map(_NAME.fullmatch, parts) if found]
        wanted = [(int(it[1]), int(it[2])) for it in named] or [*laid, *free]
        seen = _window([*laid, *free], wanted, (8, _TOP, width - 8, height - 8), self.tiles)
        spots = _spots(parts)
        # Spots of a tile that are too near to each other are clicked in the place of the hand.
        asked, near = {spot.place for spot in spots}, seen
        points = [self._standing(spot, laid, seen) for spot in spots]
        is_crowded = any(dist(a, b) < _SPOT for a, b in combinations(points, 2))
        if is_crowded and hand is None and len(asked) == 1 and len(spots) == len(named):
            box = width - 2 - _CLOSE, 2, width - 2, 2 + _CLOSE
            near = _Window(_CLOSE, (0, 0), box, seen.hexagonal)
        # Of places that are pointed at, the nearest is on top; others stay row by row.
        free.sort(key=lambda place: -round(seen.beyond(place)))
        said = "; ".join(filter(None, (turn_in_words(scene), self.note(view, scene))))
        room = near.box[0] - 16 if near is not seen else width - (16 if hand is None else 80)
        tally = [self.tally(view, seat) for seat in range(len(scene.names))]
        return self.whole(
            scene,
            (width, height),
            rect(0, 0, width, height, "tt-cloth"),
            text(8 + room / 2, 30, said, 18, room, anchor="middle", bold=True),
            *legend(scene, 8, room, (), tally),
            "" if hand is None else self._turned(Laid(hand), (width - 38, 40), 56),
            *(self._laid(it, laid[it], seen, scene) for it in sorted(laid) if seen.holds(it)),
            *(self._free(it, seen, scene, self.turns(view, it)) for it in free),
            self._pieces(pieces, laid, seen),
            *(self._close(it, pieces, laid, seen, near) for it in asked if near is not seen),
            *(self._spot(it, laid, near, scene) for it in spots),
            *(
                self._tried(it, hand, seen, scene, self.turns(view, it))
                for it in free
                if hand is not None and scene.is_lit(_name(it))
            ),
            label=said,
        )

    def _ends(self, tile: int, feature: int) -> list[_End]:
        """Where a feature reaches the rim of a tile that is not turned, clockwise."""
        return [
            (side + at / len(features), side + (at + 1) / len(features))
            for side, features in enumerate(self.tiles.sides[tile])
            for at, other in enumerate(features)
            if other == feature
        ]

    def _turned(self, laid: Laid, centre: _Point, size: float) -> str:
        """Draw a tile as it lies."""
        x, y = map(number, centre)
        turn = number(laid.turn * 360 / len(self.tiles.steps))
        steps = f"translate({x} {y}) rotate({turn}) scale({size / 100:.4f})"
        return tag("g", self.tile(laid.tile), transform=steps)

    def _outline(self, size: float, class_: str, **more: float) -> str:
        """Draw the border of a tile about the origin."""
        sides = len(self.tiles.steps)
        corners = (_rim(sides, side) for side in range(sides))
        return polygon([(x * size / 100, y * size / 100) for x, y in corners], class_, **more)

    def _laid(self, place: Cell, laid: Laid, seen: _Window, scene: Scene) -> str:
        name, size = _name(place), seen.size
        kinds = ", ".join(dict.fromkeys(self.tiles.kinds[laid.tile]))
        body = self._turned(laid, (0, 0), size), self._outline(0.94 * size, "tt-ring")
        return scene.part(name, *body, label=f"{name}: {kinds}", key=name, at=seen.centre(place))

    def _free(self, place: Cell, seen: _Window, scene: Scene, turns: Sequence[int]) -> str:
        """A place beside the map; of those that are not seen, only what can be clicked."""
        name, size = _name(place), seen.size
        shape = self._outline(0.86 * size, "tt-cloth-deep")
        if not seen.holds(place):
            if not scene.is_lit(name):
                return ""
            shape = polygon(regular(3, 0, 0, 0.4 * size, seen.turn_to(place)), "tt-accent")
        body = shape, circle(0, 0, 0.5 * size, "tt-hit"), self._outline(0.86 * size, "tt-ring")
        then = _THEN if len(turns) > 1 else _THEN_ONE
        return scene.part(name, *body, label=f"place {name}", then=then, at=seen.centre(place))

    def _tried(
        self, place: Cell, hand: int, seen: _Window, scene: Scene, turns: Sequence[int]
    ) -> str:
        """The tile in each turn in which it can lie at a place, seen one after the other."""
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
                body, said = (tile, frame, room, ring), f"turned {following}"
                shown = scene.part(again, *body, label=said, then=_THEN, at=(x, y))
            tries.append(
                scene.after(chosen, shown, self._lays(f"{name}={turn}", seen, x, y, scene))
            )
            chosen = [*chosen, again]
        return "".join(tries)

    def _lays(self, part: str, seen: _Window, x: float, y: float, scene: Scene) -> str:
        """The words that lay a tile, below it, or above where no room is left."""
        left, _, right, bottom = seen.box
        away = max(seen.size, _FINGER) / 2 + 18
        at = min(right - 50, max(left + 50, x)), y + away if y + away + 16 < bottom else y - away
        return scene.part(
            part,
            rect(-48, -15, 96, 30, "tt-card", 8),
            text(0, 5, "Lay it here", 14, 90, anchor="middle", bold=True),
            rect(-48, -_FINGER / 2, 96, _FINGER, "tt-hit"),
            rect(-48, -15, 96, 30, "tt-ring", 8),
            label="lay it here",
            at=at,
        )

    def _pieces(
        self, pieces: Mapping[Spot, Sequence[Piece]], laid: Mapping[Cell, Laid], seen: _Window
    ) -> str:
        """The pieces on the tiles that are seen; several on a spot beside each other."""
        return "".join(
            disc(piece, x + 0.3 * seen.size * at, y, 0.2 * seen.size, ())
            for spot, own in pieces.items()
            if seen.holds(spot.place)
            for x, y in [self._standing(spot, laid, seen)]
            for at, piece in enumerate(own)
        )

    def _close(
        self,
        place: Cell,
        pieces: Mapping[Spot, Sequence[Piece]],
        laid: Mapping[Cell, Laid],
        seen: _Window,
        near: _Window,
    ) -> str:
        """A tile from near, with what stands on it, and a frame about it, here and on the map."""
        own = {spot: it for spot, it in pieces.items() if spot.place == place}
        drawn = self._turned(laid[place], near.centre(place), near.size)
        for it in (near, seen):
            frame = self._outline(it.size, "tt-none tt-stroke-accent", stroke_width=3)
            drawn += group(frame, at=it.centre(place), pointer_events="none")
        return drawn + self._pieces(own, laid, near)

    def _standing(self, spot: Spot, laid: Mapping[Cell, Laid], seen: _Window) -> _Point:
        """Return where in the picture a spot is."""
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
        return scene.part(str(spot), *body, label=label, at=self._standing(spot, laid, seen))


_THEN: Final = "Turn it, or lay it here"
_THEN_ONE: Final = "Lay it here, or choose another place"


class _Window(NamedTuple):
    """What is seen of a map.

    Attributes:
        size: the size of a tile, in units.
        origin: where the middle of the place (0, 0) is in the picture.
        box: the area of the map: its left edge, its upper one, its right one and its lower one.
        hexagonal: whether tiles are hexagons.
    """

    size: float
    origin: _Point
    box: tuple[float, float, float, float]
    hexagonal: bool

    def exact(self, place: Cell) -> _Point:
        """Return where the middle of a place is in the picture, or beyond it."""
        x, y = _middle(place, hexagonal=self.hexagonal)
        return self.origin[0] + x * self.size, self.origin[1] + y * self.size

    def centre(self, place: Cell) -> _Point:
        """Return the point of the picture that is nearest to the middle of a place."""
        (x, y), (left, top, right, bottom) = self.exact(place), self.box
        half = self.size / 2
        return min(right - half, max(left + half, x)), min(bottom - half, max(top + half, y))

    def beyond(self, place: Cell) -> float:
        """Return how far the middle of a place is from where it would be seen whole."""
        return dist(self.exact(place), self.centre(place))

    def holds(self, place: Cell) -> bool:
        """Check whether a place is seen, up to a tenth of it."""
        return self.beyond(place) < 0.1 * self.size

    def turn_to(self, place: Cell) -> float:
        """Return the turn of an arrow that points to a place that is not seen."""
        (x, y), (left, top) = self.exact(place), self.centre(place)
        return 90 + degrees(atan2(y - top, x - left))


def _window(
    places: Collection[Cell],
    wanted: Collection[Cell],
    box: tuple[float, float, float, float],
    tiles: TileSet,
) -> _Window:
    """Choose the size of tiles, and what is seen where not all places fit: those in the middle."""
    hexagonal = len(tiles.steps) == len(SIX)
    every = [_middle(place, hexagonal=hexagonal) for place in places]
    sought = [_middle(place, hexagonal=hexagonal) for place in wanted]
    left, top, right, bottom = box
    axes = [(left, right, 1.0), (top, bottom, 2 / sqrt(3) if hexagonal else 1.0)]
    firsts = [min(it[axis] for it in every) - own / 2 for axis, (*_, own) in enumerate(axes)]
    lasts = [max(it[axis] for it in every) + own / 2 for axis, (*_, own) in enumerate(axes)]
    fits = [(axes[axis][1] - axes[axis][0]) / (lasts[axis] - firsts[axis]) for axis in (0, 1)]
    size = max(_FLOOR, min(_LARGEST, *fits))
    origin = []
    for axis, (low, high, _) in enumerate(axes):
        first, last, room = firsts[axis], lasts[axis], (high - low) / size
        spare = max(0.0, (last - first - room) / 2)
        wish = fsum(it[axis] for it in sought) / len(sought) - (first + last) / 2
        middle = (first + last) / 2 + min(spare, max(-spare, wish))
        origin.append((low + high) / 2 - middle * size)
    return _Window(size, (origin[0], origin[1]), box, hexagonal)


def _middle(place: Cell, *, hexagonal: bool) -> _Point:
    """Return the middle of a place, in widths of a tile."""
    x, y = place
    return (x + y / 2, y * sqrt(3) / 2) if hexagonal else (x, y)


def _apart(points: Sequence[_Point], stays: Sequence[bool]) -> list[_Point]:
    """Push points of a tile away from each other: those that stay only if both do."""
    found = list(points)
    for _ in range(40):
        for b, a in combinations(reversed(range(len(found))), 2):
            (x, y), (u, v) = found[a], found[b]
            away = dist(found[a], found[b])
            if away < _NEAREST - 0.5:
                angle = atan2(v - y, u - x) if away > 0.5 else radians(137 * b)
                step = (_NEAREST - away) / (2 if stays[a] == stays[b] else 1)
                dx, dy = step * cos(angle), step * sin(angle)
                if stays[b] or not stays[a]:
                    found[a] = _within(x - dx), _within(y - dy)
                if stays[a] or not stays[b]:
                    found[b] = _within(u + dx), _within(v + dy)
    return found


def _within(at: float) -> float:
    return min(36.0, max(-36.0, at))


def _spots(parts: Iterable[str]) -> list[Spot]:
    """Return those of the parts of a picture that are spots."""
    found = filter(None, map(_NAME.fullmatch, parts))
    return [Spot(int(it[1]), int(it[2]), int(it[3])) for it in found if it[3]]


def _name(place: Cell) -> str:
    return f"{place[0]},{place[1]}"


def _rim(sides: int, at: float) -> _Point:
    """Return a point on the rim: 0 is where side 0 begins, 1.5 in the middle of side 1."""
    side = floor(at)
    angle = radians(360 / sides * side - 90 + (0 if sides == len(FOUR) else 30))
    along = (2 * (at - side) - 1) * 50 * tan(pi / sides)
    return 50 * cos(angle) - along * sin(angle), 50 * sin(angle) + along * cos(angle)


def _line(sides: int, ends: Sequence[_End], colour: str) -> str:
    """Draw a line from end to end, or from its only end to a dot."""
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
    """Return the path of an area: along the rim where it has ends, else bent to the middle."""
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


# The same in words.


class MapText(TextView[S]):
    """The words of a game on an open map: what its `MapPicture` shows, in lines.

    The map comes in letters, with the numbers of the seats whose pieces lie there, and the names of
    the free places where the tile in hand fits. Below it stand what the letters mean and the note;
    a line for each seat, and where its pieces lie; the spots where something may be put; and the
    tile in hand. Only `picture` is needed.

    Attributes:
        picture: the picture of the game.
        marks: the letters of kinds of features, as "~"; else each has the first one of its word.
            In the middle of a tile, where several meet, the first of them is seen.
    """

    picture: ClassVar[MapPicture[Any]]
    marks: ClassVar[Mapping[str, str]] = {}

    def position(self, view: S, names: Sequence[str], seat: Watcher = ALL) -> str:
        """Say what the picture shows."""
        picture, tiles, marks = self.picture, self.picture.tiles, self._letters()
        laid, hand, spots = picture.laid(view), picture.hand(view), picture.spots(view)
        numbers = [str(it) for it in range(1, len(names) + 1)]
        tally = [picture.tally(view, it) for it in range(len(names))]
        lie: list[list[str]] = [[] for _ in names]
        for spot, pieces in picture.pieces(view).items():
            for piece in pieces:
                said = f"{piece.letter} {_name(spot.place)} {tiles.named(laid, spot)}"
                lie[piece.seat].append(said.lstrip())
        lines = "\n".join(self._map(view, marks)).strip("\n").splitlines()
        lines.append("  ".join(f"{mark} {kind}" for kind, mark in marks.items()))
        lines += filter(None, [picture.note(view, Scene(names, seat))])
        for line, own in zip(in_columns([numbers, names, tally]), lie, strict=True):
            lines += [line, *wrap("; ".join(own), 76, initial_indent=_IN, subsequent_indent=_IN)]
        if spots:
            lines += in_columns([[*spots], [tiles.named(laid, it) for it in spots.values()]])
        if hand is not None:
            lines += ["The tile to lay:", *block(tiles, Laid(hand), marks)]
        return "\n".join(line.rstrip() for line in lines)

    def _letters(self) -> dict[str, str]:
        """The letter of each kind: those of `marks` first."""
        kinds = dict.fromkeys(kind for own in self.picture.tiles.kinds for kind in own)
        return {**self.marks, **{it: it[0] for it in kinds if it not in self.marks}}

    def _map(self, view: S, marks: Mapping[str, str]) -> list[str]:
        """The map in letters."""
        picture, tiles = self.picture, self.picture.tiles
        laid, hand, owners = picture.laid(view), picture.hand(view), dict[Cell, str]()
        for spot, pieces in picture.pieces(view).items():
            numbers = "".join(str(it.seat + 1) for it in pieces)
            owners[spot.place] = owners.get(spot.place, "") + numbers
        blocks = {it: block(tiles, own, marks, owners.get(it, "")) for it, own in laid.items()}
        hexagonal = len(tiles.steps) == len(SIX)
        wide = 9 if hexagonal else 7
        for place in frontier(laid, tiles.steps) if hand is not None else ():
            if picture.turns(view, place):
                blocks[place] = [" " * wide, _name(place).center(wide), " " * wide]
        return in_rows(blocks, shared=1, hexagonal=hexagonal)


_IN: Final = "   "
"""How far the lines are indented that say where the pieces of a seat lie."""
