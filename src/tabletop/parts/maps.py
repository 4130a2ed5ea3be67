"""Open maps: tiles placed side by side without a border, and the regions that they form.

Declare the tiles once, as a module constant. A state contains the tiles on the map:

    TILES = TileSet(("path meadow path meadow", "path path meadow meadow"))

    @state
    class Country(State):
        laid: dict[Cell, Laid] = field(default_factory=dict)

A tile is a string with one word per side, clockwise from the top (for hexagons, from the upper
right). Sides with the same word are joined by one *feature*. In the first tile above, for example,
a path runs straight across the tile. A number distinguishes features of the same kind, such as
`path` and `path2`. If a side has several features, write them clockwise with hyphens in between:
`field-path-field2` has a path in the middle and a field at each corner. Write features that touch
no side after a plus sign: `field field field field + mill`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from tabletop.parts.board import FOUR, SIX, Cell

T = TypeVar("T")

_WORD: Final = re.compile(r"[^\W\d_]+\d*")
_STEPS: Final = {4: FOUR, 6: SIX}
_SIDES: Final = {
    4: ("above", "right", "below", "left"),
    6: ("above right", "right", "below right", "below left", "left", "above left"),
}
"""Names of the sides, clockwise."""


class Laid(NamedTuple):
    """A tile on the map.

    Attributes:
        tile: The number of the tile in its set.
        turn: The rotation, clockwise, in sides.
    """

    tile: int
    turn: int = 0


class Spot(NamedTuple):
    """A feature of the tile at a place. A game may put things on it, such as a player's piece.

    Attributes:
        x: The column of the tile.
        y: The row of the tile.
        feature: The number of the feature on the tile.
    """

    x: int
    y: int
    feature: int

    @property
    def place(self) -> Cell:
        """The place of the tile."""
        return self.x, self.y

    def __str__(self) -> str:
        return f"{self.x},{self.y}:{self.feature}"


@dataclass(frozen=True, slots=True)
class Lay:
    """The action of placing a tile.

    Attributes:
        x: The column of the tile.
        y: The row of the tile.
        turn: The rotation, clockwise, in sides.

    >>> str(Lay(2, -1, 3)), str(Lay(0, 1))
    ('lay 2,-1 turned 3', 'lay 0,1')
    """

    x: int
    y: int
    turn: int = 0

    @property
    def place(self) -> Cell:
        """The place of the tile."""
        return self.x, self.y

    def __str__(self) -> str:
        return f"lay {self.x},{self.y}{f' turned {self.turn}' if self.turn else ''}"


@dataclass(frozen=True, slots=True)
class Region:
    """A set of connected features.

    Attributes:
        kind: The kind of the features.
        spots: The features in ascending order.
        open: The number of sides at which a tile could still be added.
    """

    kind: str
    spots: tuple[Spot, ...]
    open: int

    @property
    def closed(self) -> bool:
        """Whether the region can no longer grow."""
        return not self.open

    @property
    def places(self) -> tuple[Cell, ...]:
        """The places of the tiles of the region, without duplicates."""
        return tuple(dict.fromkeys(spot.place for spot in self.spots))

    def on(self, things: Mapping[Spot, T]) -> list[T]:
        """Return the objects on this region.

        Args:
            things: All objects on the map, by spot.
        """
        return [things[spot] for spot in self.spots if spot in things]


class _Plan(NamedTuple):
    """A tile in one rotation.

    Attributes:
        sides: The features on each side, clockwise.
        kinds: The kinds of these features.
        ends: For each feature, pairs of a side and a position on that side.
    """

    sides: tuple[tuple[int, ...], ...]
    kinds: tuple[tuple[str, ...], ...]
    ends: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class TileSet:
    """The tiles of a game, numbered from 0. All are squares, or all are hexagons.

    Attributes:
        tiles: The description of each tile, as explained in this module.

    Raises:
        ValueError: There are no tiles, a tile does not have four or six sides, tiles differ in
            their number of sides, or a word does not consist of letters and an optional number.

    >>> TILES = TileSet(("path wood path wood", "path path wood wood"))
    >>> laid = {(0, 0): Laid(0), (0, -1): Laid(1, turn=2)}
    >>> path = TILES.region(laid, Spot(0, 0, 0))
    >>> path.kind, path.places, path.open
    ('path', ((0, -1), (0, 0)), 2)
    """

    tiles: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.tiles:
            raise ValueError("a tile set needs at least one tile")
        for number, tile in enumerate(self.tiles):
            sides, _ = _read(tile)
            if len(sides) not in _STEPS:
                raise ValueError(f"tile {number}, {tile!r}, has {len(sides)} sides, not 4 or 6")
            if len(sides) != len(_read(self.tiles[0])[0]):
                raise ValueError(
                    f"tile {number}, {tile!r}, and {self.tiles[0]!r} differ in the number of sides"
                )
            for word in self.features[number]:
                if not _WORD.fullmatch(word):
                    raise ValueError(
                        f"tile {number}, {tile!r}: {word!r} is not a word such as road or road2"
                    )

    @cached_property
    def features(self) -> tuple[tuple[str, ...], ...]:
        """The feature words of each tile, in the order of their first appearance."""
        parts = (_read(tile) for tile in self.tiles)
        words = ([*(word for side in sides for word in side), *inner] for sides, inner in parts)
        return tuple(tuple(dict.fromkeys(tile)) for tile in words)

    @cached_property
    def kinds(self) -> tuple[tuple[str, ...], ...]:
        """The feature kinds of each tile: the words without their numbers."""
        return tuple(tuple(word.rstrip("0123456789") for word in tile) for tile in self.features)

    @cached_property
    def sides(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The features on each side of each unrotated tile, clockwise."""
        return tuple(plans[0].sides for plans in self._plans)

    @cached_property
    def beside(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each feature of each tile, the features next to it on the border of the tile.

        For example, these are the fields that touch a city.
        """
        tiles = []
        for words, sides in zip(self.features, self.sides, strict=True):
            border = [feature for side in sides for feature in side]
            pairs = {*zip(border, border[1:] + border[:1], strict=True)}
            pairs |= {(b, a) for a, b in pairs}
            near = [
                sorted(b for a, b in pairs if a == feature != b) for feature in range(len(words))
            ]
            tiles.append(tuple(map(tuple, near)))
        return tuple(tiles)

    @cached_property
    def steps(self) -> tuple[Cell, ...]:
        """The steps across each side to the neighbouring place: `FOUR` or `SIX` of `board`."""
        return _STEPS[len(_read(self.tiles[0])[0])]

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """For each tile, the rotations that look different, in ascending order."""
        shapes = ([_shape(plan) for plan in plans] for plans in self._plans)
        return tuple(
            tuple(turn for turn, shape in enumerate(tile) if shape not in tile[:turn])
            for tile in shapes
        )

    @cached_property
    def _plans(self) -> tuple[tuple[_Plan, ...], ...]:
        """Each tile in each of its rotations."""
        return tuple(self._turned(number) for number in range(len(self.tiles)))

    def _turned(self, number: int) -> tuple[_Plan, ...]:
        words, kinds = self.features[number], self.kinds[number]
        sides = [tuple(map(words.index, side)) for side in _read(self.tiles[number])[0]]
        plans = []
        for turn in range(len(sides)):
            turned = tuple(sides[side - turn] for side in range(len(sides)))
            ends: list[list[tuple[int, int]]] = [[] for _ in words]
            for side, side_features in enumerate(turned):
                for at, feature in enumerate(side_features):
                    ends[feature].append((side, at))
            side_kinds = tuple(tuple(kinds[feature] for feature in side) for side in turned)
            plans.append(_Plan(turned, side_kinds, tuple(map(tuple, ends))))
        return tuple(plans)

    def neighbours(self, place: Cell) -> tuple[Cell, ...]:
        """Return the neighbouring places of a place, one for each side."""
        x, y = place
        return tuple((x + dx, y + dy) for dx, dy in self.steps)

    def fits(self, laid: Mapping[Cell, Laid], place: Cell, tile: Laid) -> bool:
        """Return whether a place is free and the tile matches all neighbouring tiles.

        Two tiles match if their common side has the same kinds of features.
        """
        if place in laid:
            return False
        kinds, half = self._plans[tile.tile][tile.turn].kinds, len(self.steps) // 2
        for side, beside in enumerate(self.neighbours(place)):
            other = laid.get(beside)
            if other is not None:
                across = self._plans[other.tile][other.turn].kinds[side - half]
                if across[::-1] != kinds[side]:
                    return False
        return True

    def turns_at(self, laid: Mapping[Cell, Laid], place: Cell, tile: int) -> list[int]:
        """Return the rotations in which a tile fits at a place, in ascending order.

        Rotations that look the same are returned once.
        """
        return [turn for turn in self.turns[tile] if self.fits(laid, place, Laid(tile, turn))]

    def ways(self, laid: Mapping[Cell, Laid], tile: int) -> list[Lay]:
        """Return all legal ways to place a tile next to the others, row by row."""
        places = frontier(laid, self.steps)
        return [Lay(*place, turn) for place in places for turn in self.turns_at(laid, place, tile)]

    def why_not(self, laid: Mapping[Cell, Laid], tile: int, lay: Lay) -> str:
        """Return the reason why an action `Lay` is not possible, for `Game.why_not`.

        >>> TILES = TileSet(("path wood path wood",))
        >>> TILES.why_not({(0, 0): Laid(0)}, 0, Lay(0, 1, 1))
        'the tile does not fit at 0,1 in this rotation (write lay 0,1)'
        """
        where, places = f"{lay.x},{lay.y}", frontier(laid, self.steps)
        if lay.place in laid:
            return f"{where} is occupied"
        if lay.place not in places:
            return f"no tile is next to {where}" if laid else "place the first tile at 0,0"
        turns = self.turns_at(laid, lay.place, tile)
        if not turns:
            return f"the tile does not fit at {where}"
        ways = " or ".join(str(Lay(*lay.place, turn)) for turn in turns)
        return f"the tile does not fit at {where} in this rotation (write {ways})"

    def spots(self, laid: Mapping[Cell, Laid], place: Cell) -> list[Spot]:
        """Return the spots of the tile at a place, one for each of its features."""
        return [Spot(*place, number) for number in range(len(self.features[laid[place].tile]))]

    def named(self, laid: Mapping[Cell, Laid], spot: Spot) -> str:
        """Describe a spot by its kind and the sides that it touches on the rotated tile.

        >>> TILES = TileSet(("path path wood wood + inn",))
        >>> laid = {(0, 0): Laid(0, turn=3)}
        >>> [TILES.named(laid, spot) for spot in TILES.spots(laid, (0, 0))]
        ['path above, left', 'wood right, below', 'inn']
        """
        tile, turn = laid[spot.place]
        sides = dict.fromkeys(side for side, _ in self._plans[tile][turn].ends[spot.feature])
        words = _SIDES[len(self.steps)]
        return (
            f"{self.kinds[tile][spot.feature]} {', '.join(words[side] for side in sides)}".rstrip()
        )

    def region(self, laid: Mapping[Cell, Laid], start: Spot) -> Region:
        """Return the region that contains a spot.

        If the rules allow tiles that do not match, a side at which two different kinds meet is
        neither connected nor open.
        """
        half, open_ends = len(self.steps) // 2, 0
        kind = self.kinds[laid[start.place].tile][start.feature]
        seen, waiting = {start}, [start]
        while waiting:
            spot = waiting.pop()
            tile, turn = laid[spot.place]
            for side, at in self._plans[tile][turn].ends[spot.feature]:
                dx, dy = self.steps[side]
                beside = spot.x + dx, spot.y + dy
                if beside not in laid:
                    open_ends += 1
                    continue
                other = self._plans[laid[beside].tile][laid[beside].turn]
                here, across = self._plans[tile][turn].kinds[side], other.kinds[side - half]
                if here == across[::-1]:
                    joined = Spot(*beside, other.sides[side - half][-1 - at])
                    if joined not in seen:
                        seen.add(joined)
                        waiting.append(joined)
        return Region(kind, tuple(sorted(seen)), open_ends)

    def regions(
        self, laid: Mapping[Cell, Laid], places: Iterable[Cell | Spot] | None = None
    ) -> list[Region]:
        """Return the regions at some places or spots, by default all, without duplicates."""
        by_spot: dict[Spot, Region] = {}
        for place in sorted(laid) if places is None else places:
            for spot in [place] if isinstance(place, Spot) else self.spots(laid, place):
                if spot not in by_spot:
                    region = self.region(laid, spot)
                    by_spot |= dict.fromkeys(region.spots, region)
        return list(dict.fromkeys(by_spot.values()))

    def touching(self, laid: Mapping[Cell, Laid], region: Region, kind: str) -> list[Region]:
        """Return the regions of a kind that touch the given region on any tile, without duplicates.

        >>> TILES = TileSet(("wood path-meadow path2-path meadow-path2",))
        >>> laid = {(0, 0): Laid(0)}
        >>> meadow = TILES.region(laid, Spot(0, 0, 2))
        >>> [path.spots for path in TILES.touching(laid, meadow, "path")]
        [(Spot(x=0, y=0, feature=1),), (Spot(x=0, y=0, feature=3),)]
        """
        near = [
            Spot(*spot.place, feature)
            for spot in region.spots
            for tile in [laid[spot.place].tile]
            for feature in self.beside[tile][spot.feature]
            if self.kinds[tile][feature] == kind
        ]
        return self.regions(laid, near)


def block(tiles: TileSet, laid: Laid, marks: Mapping[str, str], middle: str = "") -> list[str]:
    """Draw a tile as three lines of text, for `in_rows` with `shared=1`.

    Each side shows the mark of its kind. The three characters in the middle are `middle`, then the
    marks of features that touch no side. Remaining characters show the mark of a feature that joins
    several sides. If there are several such features, the kind that comes first in `marks` is used.

    Args:
        tiles: The set of tiles.
        laid: The tile to draw.
        marks: The character of each kind. Features that touch no side need no mark.
        middle: Text for the middle of the tile, such as the initial of a player.

    >>> TILES = TileSet(("path path meadow meadow + inn",))
    >>> block(TILES, Laid(0, turn=1), {"path": "+", "meadow": "."})
    ['   .   ', '. +++ +', '   +   ']
    >>> marks = {"path": "+", "meadow": ".", "inn": "^"}
    >>> block(TILES, Laid(0), marks, "A")[1]
    '. A^+ +'
    """
    sides, kinds = tiles.sides[laid.tile], tiles.kinds[laid.tile]
    rim = [
        marks[kinds[(side := sides[at - laid.turn])[len(side) // 2]]] for at in range(len(sides))
    ]
    features = [feature for side in sides for feature in side]
    joined = [marks[kinds[feature]] for feature in features if features.count(feature) > 1]
    fill = min(joined, key=[*marks.values()].index, default=" ")
    inner = "".join(
        marks.get(kind, "") for number, kind in enumerate(kinds) if number not in features
    )
    inside = f"{(middle + inner)[:3]:{fill}^3}"
    if len(rim) == len(FOUR):
        up, right, down, left = rim
        return [f"   {up}   ", f"{left} {inside} {right}", f"   {down}   "]
    up_right, right, down_right, down_left, left, up_left = rim
    return [
        f"  {up_left}   {up_right}  ",
        f"{left}  {inside}  {right}",
        f"  {down_left}   {down_right}  ",
    ]


def _read(tile: str) -> tuple[list[list[str]], list[str]]:
    """Split a tile into the words of each side and the words of features that touch no side."""
    sides, _, inner = tile.partition("+")
    return [side.split("-") for side in sides.split()], inner.split()


def _shape(plan: _Plan) -> tuple[object, ...]:
    """Return a value that is the same for all rotations that look the same.

    Features are renumbered in the order in which they appear on the sides.
    """
    order = list(dict.fromkeys(feature for side in plan.sides for feature in side))
    return plan.kinds, tuple(tuple(map(order.index, side)) for side in plan.sides)


def frontier(laid: Iterable[Cell], steps: Sequence[Cell] = FOUR) -> list[Cell]:
    """Return the free places next to tiles, row by row from the top.

    On an empty map, the only such place is (0, 0).

    >>> frontier([(0, 0), (0, -1)])
    [(0, -2), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]
    """
    places = set(laid)
    near = {(x + dx, y + dy) for x, y in places for dx, dy in steps} or {(0, 0)}
    return sorted(near - places, key=lambda place: place[::-1])


def within(reach: int, start: Cell = (0, 0), steps: Sequence[Cell] = FOUR) -> list[Cell]:
    """Return the places at most `reach` steps from `start`, including `start`, row by row.

    With the steps `EIGHT` and a reach of 1, these are a place and the eight places around it.

    >>> within(1, (2, -1))
    [(2, -2), (1, -1), (2, -1), (3, -1), (2, 0)]
    """
    places = {start}
    rim = places
    for _ in range(reach):
        rim = {(x + dx, y + dy) for x, y in rim for dx, dy in steps} - places
        places = places | rim
    return sorted(places, key=lambda place: place[::-1])


def extent(places: Iterable[Cell]) -> tuple[int, int, int, int]:
    """Return the smallest column and row, and the largest column and row, of some places.

    Raises:
        ValueError: `places` is empty.

    >>> extent([(0, 0), (-2, 1)])
    (-2, 0, 0, 1)
    """
    columns, rows = zip(*places, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def in_rows(
    blocks: Mapping[Cell, Sequence[str]], shared: int = 0, *, hexagonal: bool = False
) -> list[str]:
    """Return a map as lines of text, with a block of characters at each place.

    Args:
        blocks: The lines of the block at each place. All blocks must have the same size. Where
            blocks overlap, a blank does not replace the character of the other block.
        shared: The number of lines and columns by which neighbouring blocks overlap.
        hexagonal: Whether each row starts half a block further right than the row above.

    >>> in_rows({(0, 0): ["/^", "##"], (1, 1): ["..", ".."]})
    ['/^', '##', '  ..', '  ..']
    >>> left, right = [" ~ ", "#.#", " ~ "], [" # ", "#.~", " # "]
    >>> in_rows({(0, 0): left, (1, 0): right}, shared=1)
    [' ~ #', '#.#.~', ' ~ #']
    """
    if not blocks:
        return []
    first = next(iter(blocks.values()))
    high, wide = len(first) - shared, len(first[0]) - shared
    slant = wide // 2 if hexagonal else 0
    corners = {(x, y): (x * wide + y * slant, y * high) for x, y in blocks}
    left, top, right, bottom = extent(corners.values())
    rows = [[" "] * (right - left + wide + shared) for _ in range(bottom - top + high + shared)]
    for place, (x, y) in corners.items():
        for row, line in enumerate(blocks[place], y - top):
            for column, letter in enumerate(line, x - left):
                if letter != " ":
                    rows[row][column] = letter
    return ["".join(row).rstrip() for row in rows]
