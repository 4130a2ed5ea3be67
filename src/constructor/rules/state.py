"""The state (Constructor §2), and the numbers that the rules go by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Annotated, Final, NamedTuple, TypeAlias

from constructor.rules.board import BOARDS, Board
from tabletop import Seat, State, state
from tabletop.states import BAG, FIXED, PER_SEAT, UNOBSERVED, Length, OneOf, PerSeat, Range, SeatOr

COLOURS: Final = ("Blue", "Red", "Orange", "Yellow")
"""The builders by seat (Constructor §2.7)."""

WINNING_POINTS: Final = 10
"""The first builder with so many wins (Constructor §4.4)."""

GEESE_ROLL: Final = 7
GEESE_LIMIT: Final = 9
"""The most resources a builder keeps when geese come; of more, half go (Constructor §3.6)."""

NOBODY: Final = -1
NOWHERE: Final = -1

STOCK: Final = 20
"""The resources a tile holds at first in the variants "scarce" and "living"."""


class Resource(IntEnum):
    """The kinds of resources in their fixed order (Constructor §3.5.1), and PARK for tiles."""

    BRICK = 0
    ENERGY = 1
    GLASS = 2
    HEAT = 3
    WIFI = 4
    PARK = 5


KINDS: Final = 5
"""The number of kinds that can be owned: all but PARK, which produces nothing."""

Cost: TypeAlias = tuple[int, int, int, int, int]
"""Amounts of each kind, in the fixed order."""

ROAD_COST: Final[Cost] = (0, 0, 0, 1, 1)
"""The cost of a road (Constructor §2.6)."""


class Residence(NamedTuple):
    """A kind of residence (Constructor §2.4.1).

    Attributes:
        name: its name.
        letter: its letter on the board and in saves.
        points: the building points that it is worth, and the resources of each tile that it yields.
        cost: of building it; of an improvement, in place of the residence before it in the table.
    """

    name: str
    letter: str
    points: int
    cost: Cost


RESIDENCES: Final = (
    Residence("basement", "B", 1, (1, 1, 1, 0, 1)),
    Residence("house", "H", 2, (0, 0, 2, 3, 0)),
    Residence("tower", "T", 3, (3, 2, 2, 2, 1)),
)
"""Every residence by its level: `RESIDENCES[level - 1]`.

Rules, texts, pictures, saves and bots read this table: a row more is one more thing to build.
"""

TOP_LEVEL: Final = len(RESIDENCES)
RESIDENCE_COSTS: Final = tuple(residence.cost for residence in RESIDENCES)
"""The cost of each level of a residence: `RESIDENCE_COSTS[level - 1]`."""

LEVEL_LETTERS: Final = "".join(residence.letter for residence in RESIDENCES)
POINTS: Final = (0, *(residence.points for residence in RESIDENCES))
"""The points of a vertex for its owner: `POINTS[level]`."""


class Phase(StrEnum):
    """The kind of decision that comes next, and so how input is read (Constructor §4)."""

    SETUP = "setup"
    BEGINNING = "beginning"
    CHOOSING_ROLL = "choosing roll"
    BUILDING = "building"
    ANSWERING = "answering"
    PLACING_GEESE = "placing geese"
    STEALING = "stealing"
    OVER = "over"


# What learners see of a state, from where to where.

Amount: TypeAlias = Annotated[int, Range(0, 999)]
Owner: TypeAlias = Annotated[int, SeatOr(NOBODY)]
TilePlace: TypeAlias = Annotated[int, OneOf(lambda match: range(NOWHERE, len(match.state.tiles)))]


@dataclass(frozen=True, slots=True)
class Tile:
    """The products of a tile.

    Attributes:
        kind: its resource, or PARK.
        value: the roll it produces on, 2 to 12; means nothing on a PARK.
        also: a second kind that it has been improved to produce, or None (variant "rich").
        left: the resources it can still give; None for no end of them (variant "scarce").
    """

    kind: Resource
    value: Annotated[int, Range(2, 12)]
    also: Resource | None = None
    left: Annotated[int | None, Range(0, STOCK)] = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A trade that waits for an answer: the active builder's `give` for the other's `take`.

    Attributes:
        seat: the seat that is asked.
        give, take: the kinds of resources, one each.
    """

    seat: Seat
    give: Resource
    take: Resource


@state
class ConstructorState(State):
    """A game of Constructor. All of it is public.

    Attributes:
        board: the name of the board; see `constructor.BOARDS`.
        tiles: the products of each tile.
        cards: the resources of all builders: `cards[seat * KINDS + kind]`.
        roads: the owner of the road on each edge, or `NOBODY`.
        homes: the owner of the residence on each vertex, or `NOBODY`.
        levels: the level of the residence on each vertex, 1 to 3; 0 where there is none.
        built: the edges with roads, in the order in which they were built.
        settled: the vertices with residences, in the order in which they were built.
        fair: whether each builder's dice are fair; else they are loaded.
        geese: the tile with the geese, or `NOWHERE`.
        turn: the seat whose turn it is; during the setup the builder who begins.
        phase: the kind of decision due.
        order: the seats that still have to choose a basement, the next one first.
        offer: the trade that waits for an answer.
        refused: the trades that have been declined in this turn, each once, in that order.
        fair_only: True if loaded dice are forbidden.
        variant: which variant is played; see `constructor.rules.production.VARIANTS`.
        patience: the turns without building after which the game is over; 0 for never.
        idle: how many such turns there have been since something was built.
    """

    board: Annotated[str, UNOBSERVED]
    tiles: Annotated[tuple[Tile, ...], FIXED]
    cards: Annotated[list[Amount], PerSeat(KINDS)]
    roads: Annotated[list[Owner], FIXED]
    homes: Annotated[list[Owner], FIXED]
    levels: Annotated[list[Annotated[int, Range(0, TOP_LEVEL)]], FIXED]
    built: Annotated[list[int], UNOBSERVED]
    settled: Annotated[list[int], UNOBSERVED]
    fair: Annotated[list[bool], PER_SEAT]
    geese: TilePlace
    turn: Seat
    phase: Phase
    order: Annotated[tuple[Seat, ...], Length(2 * len(COLOURS)), BAG] = ()
    offer: Offer | None = None
    variant: Annotated[str, UNOBSERVED] = "standard"
    patience: Annotated[int, UNOBSERVED] = 0
    idle: Amount = 0
    refused: Annotated[tuple[Offer, ...], Length(len(COLOURS) * KINDS**2), BAG] = ()
    fair_only: bool = False

    @property
    def topology(self) -> Board:
        """The board itself."""
        return BOARDS[self.board]

    @property
    def seats(self) -> int:
        """The number of builders."""
        return len(self.fair)

    def hand(self, seat: Seat) -> list[int]:
        """Return the amount of each kind that `seat` has, in the fixed order."""
        return self.cards[seat * KINDS : seat * KINDS + KINDS]

    def points(self, seat: Seat) -> int:
        """Return the building points of `seat`, from its residences (Constructor §2.4.1)."""
        levels, homes = self.levels, self.homes
        return sum(POINTS[levels[vertex]] for vertex in self.settled if homes[vertex] == seat)

    def roads_of(self, seat: Seat) -> list[int]:
        """Return the roads of `seat`, in the order in which they were built."""
        return [edge for edge in self.built if self.roads[edge] == seat]

    def homes_of(self, seat: Seat) -> list[int]:
        """Return the vertices with residences of `seat`, in the order in which they were built."""
        return [vertex for vertex in self.settled if self.homes[vertex] == seat]


def empty_state(
    board: Board, tiles: tuple[Tile, ...], seats: int, variant: str = "standard"
) -> ConstructorState:
    """Return a board without buildings; the geese are on the first PARK, if there is one."""
    parks = [place for place, tile in enumerate(tiles) if tile.kind is Resource.PARK]
    return ConstructorState(
        board=board.name,
        tiles=tiles,
        cards=[0] * (seats * KINDS),
        roads=[NOBODY] * len(board.edges),
        homes=[NOBODY] * len(board.vertices),
        levels=[0] * len(board.vertices),
        built=[],
        settled=[],
        fair=[False] * seats,
        geese=parks[0] if parks else NOWHERE,
        turn=0,
        phase=Phase.BEGINNING,
        variant=variant,
    )
