"""The state of a game (Constructor §2) and the constants of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Annotated, Final, NamedTuple, TypeAlias

from constructor.rules.board import BOARDS, Board
from tabletop import Seat, State, state
from tabletop.states import BAG, FIXED, PER_SEAT, UNOBSERVED, Length, OneOf, PerSeat, Range, SeatOr

COLOURS: Final = ("Blue", "Red", "Orange", "Yellow")
"""The colours of the builders, by seat (Constructor §2.7)."""

WINNING_POINTS: Final = 10  # building points that a builder needs to win (Constructor §4.4)

GEESE_ROLL: Final = 7
GEESE_LIMIT: Final = 9  # cards in a hand that are safe from the geese (Constructor §3.6)

NOBODY: Final = -1
NOWHERE: Final = -1

STOCK: Final = 20  # resources of a tile at the beginning ("scarce" and "living")


class Resource(IntEnum):
    """The kinds of resources in their fixed order (Constructor §3.5.1), and PARK.

    PARK is the kind of tiles that produce nothing.
    """

    BRICK = 0
    ENERGY = 1
    GLASS = 2
    HEAT = 3
    WIFI = 4
    PARK = 5


KINDS: Final = 5  # number of kinds that builders can own, which excludes PARK
Cost: TypeAlias = tuple[int, int, int, int, int]  # amounts of each kind, in the fixed order
ROAD_COST: Final[Cost] = (0, 0, 0, 1, 1)  # the cost of a road (Constructor §2.6)


class Residence(NamedTuple):
    """A kind of residence (Constructor §2.4.1).

    Attributes:
        name: The name of the residence.
        letter: The letter on the board and in saves.
        points: The building points, which are also the resources that each adjacent tile yields.
        cost: The cost of building a basement, or of improving the residence of the level below.
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
"""The residence of each level: `RESIDENCES[level - 1]`.

Rules, texts, pictures, saves and bots use this table. To add a kind of residence, add a row.
"""

TOP_LEVEL: Final = len(RESIDENCES)
RESIDENCE_COSTS: Final = tuple(residence.cost for residence in RESIDENCES)  # by level - 1

LEVEL_LETTERS: Final = "".join(residence.letter for residence in RESIDENCES)
POINTS: Final = (0, *(residence.points for residence in RESIDENCES))  # by level


class Phase(StrEnum):
    """The kind of the next decision, which also selects how input is parsed (Constructor §4)."""

    SETUP = "setup"
    BEGINNING = "beginning"
    CHOOSING_ROLL = "choosing roll"
    BUILDING = "building"
    ANSWERING = "answering"
    PLACING_GEESE = "placing geese"
    STEALING = "stealing"
    OVER = "over"


# Ranges of attributes, for the observations of learning bots.

Amount: TypeAlias = Annotated[int, Range(0, 999)]
Owner: TypeAlias = Annotated[int, SeatOr(NOBODY)]
TilePlace: TypeAlias = Annotated[int, OneOf(lambda match: range(NOWHERE, len(match.state.tiles)))]


@dataclass(frozen=True, slots=True)
class Tile:
    """The products of a tile.

    Attributes:
        kind: The resource that the tile produces, or PARK.
        value: The roll on which the tile produces, 2 to 12. The value of a PARK has no effect.
        also: The second kind of an improved tile, or None (variants "rich" and "living").
        left: The remaining stock, or None for no limit (variants "scarce" and "living").
    """

    kind: Resource
    value: Annotated[int, Range(2, 12)]
    also: Resource | None = None
    left: Annotated[int | None, Range(0, STOCK)] = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A trade that the active builder has offered.

    Attributes:
        seat: The seat that must answer.
        give: The kind of which the active builder gives one card.
        take: The kind of which the active builder receives one card.
    """

    seat: Seat
    give: Resource
    take: Resource


@state
class ConstructorState(State):
    """The state of a game of Constructor, which is completely public.

    Attributes:
        board: The name of the board, see `constructor.BOARDS`.
        tiles: The products of each tile.
        cards: The amounts of all resources of all builders, `cards[seat * KINDS + kind]`.
        roads: The owner of the road on each edge, or `NOBODY`.
        homes: The owner of the residence on each vertex, or `NOBODY`.
        levels: The level of the residence on each vertex, 1 to 3, or 0 without a residence.
        built: The edges with roads, in the order in which the roads were built.
        settled: The vertices with residences, in the order in which the residences were built.
        fair: Whether each builder has fair dice, by seat. Other dice are loaded.
        geese: The tile with the geese, or `NOWHERE`.
        turn: The seat whose turn it is. During the setup, the seat that has the first turn.
        phase: The kind of the next decision.
        order: The seats that still have to choose a basement, in this order.
        offer: The offer that awaits an answer, or None.
        variant: The name of the variant, see `constructor.rules.production.VARIANTS`.
        patience: Number of turns without building after which the game ends, or 0 for no limit.
        idle: Number of turns that have ended since a builder last built something.
        refused: The offers that were declined in this turn, without duplicates, oldest first.
        fair_only: Whether loaded dice are forbidden.
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
        """The board with its adjacency."""
        return BOARDS[self.board]

    @property
    def seats(self) -> int:
        """The number of builders."""
        return len(self.fair)

    def hand(self, seat: Seat) -> list[int]:
        """Return the number of cards of each kind that `seat` has."""
        return self.cards[seat * KINDS : seat * KINDS + KINDS]

    def points(self, seat: Seat) -> int:
        """Return the building points of `seat`, from its residences (Constructor §2.4.1)."""
        levels, homes = self.levels, self.homes
        return sum(POINTS[levels[vertex]] for vertex in self.settled if homes[vertex] == seat)

    def roads_of(self, seat: Seat) -> list[int]:
        """Return the edges with roads of `seat`, in the order in which they were built."""
        return [edge for edge in self.built if self.roads[edge] == seat]

    def homes_of(self, seat: Seat) -> list[int]:
        """Return the vertices with residences of `seat`, in the order in which they were built."""
        return [vertex for vertex in self.settled if self.homes[vertex] == seat]


def empty_state(
    board: Board, tiles: tuple[Tile, ...], seats: int, variant: str = "standard"
) -> ConstructorState:
    """Return a state without buildings, with the geese on the first PARK if there is one."""
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
