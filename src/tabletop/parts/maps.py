"""Open maps: tiles laid side by side without an edge, and the regions that grow over them.

Describe the tiles once, as a constant of the module; a state holds which of them lies where:

    TILES = TileSet(("path meadow path meadow", "path path meadow meadow"))

    @state
    class Country(State):
        laid: dict[Cell, Laid] = field(default_factory=dict)

A tile is written as the words of its sides, clockwise from above (of a hexagon from above right).
The same word twice is one *feature*, which joins these sides: above, a path that goes straight on.
A number makes another feature of the same kind: `path`, `path2`. A side of several features has
them clockwise, with hyphens: `field-path-field2` has a path in its middle, and a field at each of
its corners. After a plus stand features that reach no side: `field field field field + mill`.
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
"""Sides in words, clockwise."""


class Laid(NamedTuple):
    """A tile on the map: its number in the set, and its turn clockwise, in sides."""

    tile: int
    turn: int = 0


class Spot(NamedTuple):
    """A feature of the tile at a place: where something may lie, such as a player's piece."""

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
    """The action of laying a tile at a place, turned clockwise by so many sides.

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
    """Features of tiles that belong together, because they touch.

    Attributes:
        kind: their kind.
        spots: all of them, ascending.
        open: the number of ends that no tile has been laid to.
    """

    kind: str
    spots: tuple[Spot, ...]
    open: int

    @property
    def closed(self) -> bool:
        """True if it cannot grow any more."""
        return not self.open

    @property
    def places(self) -> tuple[Cell, ...]:
        """The places of its tiles, each once."""
        return tuple(dict.fromkeys(spot.place for spot in self.spots))

    def on(self, things: Mapping[Spot, T]) -> list[T]:
        """Return those of the things by their spots that lie on it."""
        return [things[spot] for spot in self.spots if spot in things]


class _Plan(NamedTuple):
    """A tile that is turned.

    Attributes:
        sides: the features on each side, clockwise.
        kinds: their kinds.
        ends: for each feature, its sides, and its place on each.
    """

    sides: tuple[tuple[int, ...], ...]
    kinds: tuple[tuple[str, ...], ...]
    ends: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class TileSet:
    """The tiles of a game, numbered from 0: squares, or hexagons.

    Attributes:
        tiles: each tile in words; see the module.

    Raises:
        ValueError: there is no tile, a tile has neither four nor six sides or not as many as the
            others, or a word is not letters and a number.

    >>> TILES = TileSet(("path wood path wood", "path path wood wood"))
    >>> laid = {(0, 0): Laid(0), (0, -1): Laid(1, turn=2)}
    >>> path = TILES.region(laid, Spot(0, 0, 0))
    >>> path.kind, path.places, path.open
    ('path', ((0, -1), (0, 0)), 2)
    """

    tiles: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.tiles:
            raise ValueError("a set has at least one tile")
        for number, tile in enumerate(self.tiles):
            sides, _ = _read(tile)
            if len(sides) not in _STEPS:
                raise ValueError(f"tile {number}, {tile!r}, has {len(sides)} sides, not 4 or 6")
            if len(sides) != len(_read(self.tiles[0])[0]):
                raise ValueError(f"tile {number}, {tile!r}, has other sides than {self.tiles[0]!r}")
            for word in self.features[number]:
                if not _WORD.fullmatch(word):
                    raise ValueError(f"tile {number}, {tile!r}: {word!r} is not like road or road2")

    @cached_property
    def features(self) -> tuple[tuple[str, ...], ...]:
        """The words of the features of each tile, in the order in which it names them."""
        parts = (_read(tile) for tile in self.tiles)
        words = ([*(word for side in sides for word in side), *inner] for sides, inner in parts)
        return tuple(tuple(dict.fromkeys(own)) for own in words)

    @cached_property
    def kinds(self) -> tuple[tuple[str, ...], ...]:
        """The kinds of the features of each tile: their words without numbers."""
        return tuple(tuple(word.rstrip("0123456789") for word in own) for own in self.features)

    @cached_property
    def sides(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The features on each side of each tile, clockwise."""
        return tuple(plans[0].sides for plans in self._plans)

    @cached_property
    def beside(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each feature of each tile those that meet it on the border, as a field its city."""
        found = []
        for own, sides in zip(self.features, self.sides, strict=True):
            border = [feature for side in sides for feature in side]
            pairs = {*zip(border, border[1:] + border[:1], strict=True)}
            pairs |= {(b, a) for a, b in pairs}
            near = [sorted(b for a, b in pairs if a == it != b) for it in range(len(own))]
            found.append(tuple(map(tuple, near)))
        return tuple(found)

    @cached_property
    def steps(self) -> tuple[Cell, ...]:
        """The steps over each side to the neighbour there: `FOUR` or `SIX` of `board`."""
        return _STEPS[len(_read(self.tiles[0])[0])]

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """For each tile the turns in which its sides differ, from 0 up."""
        shapes = ([_shape(plan) for plan in plans] for plans in self._plans)
        return tuple(
            tuple(turn for turn, shape in enumerate(own) if shape not in own[:turn])
            for own in shapes
        )

    @cached_property
    def _plans(self) -> tuple[tuple[_Plan, ...], ...]:
        """Each tile in each of its turns."""
        return tuple(self._turned(number) for number in range(len(self.tiles)))

    def _turned(self, number: int) -> tuple[_Plan, ...]:
        words, kinds = self.features[number], self.kinds[number]
        sides = [tuple(map(words.index, side)) for side in _read(self.tiles[number])[0]]
        plans = []
        for turn in range(len(sides)):
            turned = tuple(sides[side - turn] for side in range(len(sides)))
            ends: list[list[tuple[int, int]]] = [[] for _ in words]
            for side, own in enumerate(turned):
                for at, feature in enumerate(own):
                    ends[feature].append((side, at))
            side_kinds = tuple(tuple(kinds[it] for it in side) for side in turned)
            plans.append(_Plan(turned, side_kinds, tuple(map(tuple, ends))))
        return tuple(plans)

    def neighbours(self, place: Cell) -> tuple[Cell, ...]:
        """Return the places beside a place, over each side."""
        x, y = place
        return tuple((x + dx, y + dy) for dx, dy in self.steps)

    def fits(self, laid: Mapping[Cell, Laid], place: Cell, tile: Laid) -> bool:
        """Check whether a place is free, and all sides there have the same kinds as the tile's."""
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
        """Return the turns in which a tile fits at a place, from 0 up; equal ones once."""
        return [turn for turn in self.turns[tile] if self.fits(laid, place, Laid(tile, turn))]

    def ways(self, laid: Mapping[Cell, Laid], tile: int) -> list[Lay]:
        """Return all ways to lay a tile beside those that lie there, row by row."""
        places = frontier(laid, self.steps)
        return [Lay(*it, turn) for it in places for turn in self.turns_at(laid, it, tile)]

    def why_not(self, laid: Mapping[Cell, Laid], tile: int, lay: Lay) -> str:
        """Say why a tile may not be laid so, for the `why_not` of a game.

        >>> TILES = TileSet(("path wood path wood",))
        >>> TILES.why_not({(0, 0): Laid(0)}, 0, Lay(0, 1, 1))
        'at 0,1 it is laid so: lay 0,1'
        """
        where, places = f"{lay.x},{lay.y}", frontier(laid, self.steps)
        if lay.place in laid:
            return f"a tile lies at {where}"
        if lay.place not in places:
            return f"no tile lies beside {where}" if laid else "the first tile lies at 0,0"
        turns = self.turns_at(laid, lay.place, tile)
        if not turns:
            return f"its sides do not fit at {where}"
        ways = " or ".join(str(Lay(*lay.place, turn)) for turn in turns)
        return f"at {where} it is laid so: {ways}"

    def spots(self, laid: Mapping[Cell, Laid], place: Cell) -> list[Spot]:
        """Return the spots of the tile at a place, one for each of its features."""
        return [Spot(*place, number) for number in range(len(self.features[laid[place].tile]))]

    def named(self, laid: Mapping[Cell, Laid], spot: Spot) -> str:
        """Say what a spot is, and which sides of its tile it reaches, as that lies.

        >>> TILES = TileSet(("path path wood wood + inn",))
        >>> laid = {(0, 0): Laid(0, turn=3)}
        >>> [TILES.named(laid, spot) for spot in TILES.spots(laid, (0, 0))]
        ['path above, left', 'wood right, below', 'inn']
        """
        tile, turn = laid[spot.place]
        sides = dict.fromkeys(side for side, _ in self._plans[tile][turn].ends[spot.feature])
        words = _SIDES[len(self.steps)]
        return f"{self.kinds[tile][spot.feature]} {', '.join(words[it] for it in sides)}".rstrip()

    def region(self, laid: Mapping[Cell, Laid], start: Spot) -> Region:
        """Return the region that a spot belongs to.

        Ends that touch another kind, where rules let tiles lie so, are neither joined nor open.
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
                own, across = self._plans[tile][turn].kinds[side], other.kinds[side - half]
                if own == across[::-1]:
                    joined = Spot(*beside, other.sides[side - half][-1 - at])
                    if joined not in seen:
                        seen.add(joined)
                        waiting.append(joined)
        return Region(kind, tuple(sorted(seen)), open_ends)

    def regions(
        self, laid: Mapping[Cell, Laid], places: Iterable[Cell | Spot] | None = None
    ) -> list[Region]:
        """Return the regions of the whole map, or those at these places or spots, each once."""
        found: dict[Spot, Region] = {}
        for place in sorted(laid) if places is None else places:
            for spot in [place] if isinstance(place, Spot) else self.spots(laid, place):
                if spot not in found:
                    region = self.region(laid, spot)
                    found |= dict.fromkeys(region.spots, region)
        return list(dict.fromkeys(found.values()))

    def touching(self, laid: Mapping[Cell, Laid], region: Region, kind: str) -> list[Region]:
        """Return the regions of a kind that meet a region on some tile, each once.

        >>> TILES = TileSet(("wood path-meadow path2-path meadow-path2",))
        >>> laid = {(0, 0): Laid(0)}
        >>> meadow = TILES.region(laid, Spot(0, 0, 2))
        >>> [it.spots for it in TILES.touching(laid, meadow, "path")]
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
    """Return a tile in three lines, for `in_rows` with one line shared.

    The letter of a kind in `marks` stands at each side, and that of what joins several sides in the
    middle, behind up to three others: those in `middle`, then those of features that reach no side,
    where `marks` has them. Of several kinds there the first of `marks` does.

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
    joined = [marks[kinds[it]] for it in features if features.count(it) > 1]
    fill = min(joined, key=[*marks.values()].index, default=" ")
    inner = "".join(marks.get(it, "") for at, it in enumerate(kinds) if at not in features)
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
    """Read a tile: the words of each side, and those inside."""
    sides, _, inner = tile.partition("+")
    return [side.split("-") for side in sides.split()], inner.split()


def _shape(plan: _Plan) -> tuple[object, ...]:
    """Return what is equal for turns that look alike: features are numbered as they come."""
    order = list(dict.fromkeys(feature for side in plan.sides for feature in side))
    return plan.kinds, tuple(tuple(map(order.index, side)) for side in plan.sides)


def frontier(laid: Iterable[Cell], steps: Sequence[Cell] = FOUR) -> list[Cell]:
    """Return the free places beside those that are laid, row by row from above.

    Where nothing is laid, the first place is (0, 0).

    >>> frontier([(0, 0), (0, -1)])
    [(0, -2), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]
    """
    there = set(laid)
    near = {(x + dx, y + dy) for x, y in there for dx, dy in steps} or {(0, 0)}
    return sorted(near - there, key=lambda place: place[::-1])


def within(reach: int, start: Cell = (0, 0), steps: Sequence[Cell] = FOUR) -> list[Cell]:
    """Return the places up to so many steps from a place, that one too, row by row from above.

    With the steps `EIGHT` and a reach of 1 that are a place and the eight round it.

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
    """Return the first column and row of some places, and the last ones.

    Raises:
        ValueError: there is no place.

    >>> extent([(0, 0), (-2, 1)])
    (-2, 0, 0, 1)
    """
    columns, rows = zip(*places, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def in_rows(
    blocks: Mapping[Cell, Sequence[str]], shared: int = 0, *, hexagonal: bool = False
) -> list[str]:
    """Return a map in text: at each place a block of lines, all of the same size.

    So many (`shared`) lines and columns of the border are those of the neighbour as well; a blank
    leaves what is there. Each row of hexagons (`hexagonal`) begins half a block further right.

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
