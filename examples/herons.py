"""A fen that grows tile by tile: tabletop play examples/herons.py --bot 2=keen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated, TypeAlias

from tabletop import (
    ALL,
    ActionPlayed,
    Event,
    Game,
    Options,
    Outcome,
    Plugin,
    Seat,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    state,
)
from tabletop.display import MapPicture, MapText, Piece, Scene
from tabletop.parts.board import Cell
from tabletop.parts.cards import deck_of
from tabletop.parts.maps import (
    Laid,
    Lay,
    Region,
    Spot,
    TileSet,
    within,
)
from tabletop.states import (
    BAG,
    PER_SEAT,
    Fields,
    Length,
    OneOf,
    Range,
)
from tabletop.wording import plural

# --8<-- [start:tiles]
COUNTS = {
    "water meadow water meadow": 3,
    "water water meadow meadow": 4,
    "water reed water meadow": 3,
    "water water reed reed": 3,
    "water water2 water3 meadow": 2,
    "water meadow meadow meadow": 2,
    "water reed reed reed": 2,
    "reed meadow meadow meadow": 2,
    "reed reed meadow meadow": 3,
    "reed reed2 meadow meadow": 2,
    "reed meadow reed meadow": 1,
    "reed reed reed meadow": 2,
}
TILES = TileSet(tuple(COUNTS))
# --8<-- [end:tiles]
EVERY = deck_of(dict(enumerate(COUNTS.values())))
HERONS, MOST, PASS = 3, 80, "no heron"
NAMES = {"water": "channel", "reed": "reed bed"}
COLOURS = {"water": "#4f8fb3", "reed": "#8f9b45"}
MARKS = {"water": "~", "reed": "#", "meadow": "."}
Act: TypeAlias = Lay | str

# --8<-- [start:bounds]
# Every tile touches another one, which limits the distances.
FAR = len(EVERY) - 1
TURNS = range(4)
FEATURES = range(max(map(len, TILES.features)))
PLACES = within(FAR)
PERCHES = [Spot(*it, feature) for it in PLACES for feature in FEATURES]
EACH = {word for own in TILES.features for word in own}
WORDS = sorted(word for word in EACH if word.rstrip("23") in NAMES)
ACTS: list[Act] = [Lay(*it, turn) for it in PLACES for turn in TURNS]
ACTS += [PASS, *(f"heron {word}" for word in WORDS)]

KINDS = OneOf(range(len(COUNTS)))
Tile = Annotated[int, KINDS]
Place = Annotated[Cell, OneOf(PLACES)]
Turned = Annotated[Laid, Fields(tile=KINDS, turn=OneOf(TURNS))]
Perch = Annotated[Spot, OneOf(PERCHES)]
# --8<-- [end:bounds]


@event
class Closed(Event):
    """A seat has closed a region.

    `tiles` is the size of the region, and `points` the points of each seat for it.
    """

    seat: Seat
    kind: str
    tiles: int
    points: tuple[int, ...]


@event
class Counted(Event):
    """The match is over, and `points` are the points of each seat for its remaining herons."""

    points: tuple[int, ...]


@state
class Fen(State):
    """The tiles on the map and in the bag. `fresh` is the place of the tile that was just laid."""

    bag: Annotated[list[Tile], Length(len(EVERY)), BAG]
    points: Annotated[list[Annotated[int, Range(0, 2 * MOST)]], PER_SEAT]
    drawn: Annotated[list[Tile], Length(1)] = field(default_factory=list)
    seat: Seat = 0
    laid: dict[Place, Turned] = field(default_factory=lambda: {(0, 0): Laid(0)})
    herons: dict[Perch, Seat] = field(default_factory=dict)
    fresh: Place | None = None


class Herons(Game[Fen, Act]):
    """The player with the most points wins. Bots maximize their points."""

    name = "herons"
    title = "Herons"
    seats = range(2, 5)
    point_range = (0, MOST)

    def setup(self, options: Options, seats: int, rng: Streams) -> Fen:
        state = Fen(EVERY[1:], [0] * seats)  # the first tile is on the map
        draw_tile(state, rng["bag"])
        return state

    def to_act(self, state: Fen) -> Sequence[Seat]:
        return (state.seat,) if state.drawn or state.fresh else ()

    # --8<-- [start:rules]
    def legal_actions(self, state: Fen, seat: Seat) -> Sequence[Act]:
        if state.fresh is None:
            return TILES.ways(state.laid, state.drawn[0])
        return [PASS, *perches(state)]

    def apply(self, state: Fen, action: Act, table: Table) -> None:
        if isinstance(action, Lay):
            tile, state.fresh = state.drawn.pop(), action.place
            state.laid[action.place] = Laid(tile, action.turn)
            for region in TILES.regions(state.laid, [action.place]):
                if region.closed and region.kind in NAMES:
                    close(state, region, table)
            if perches(state):
                return
        elif action != PASS:
            state.herons[perches(state)[action]] = state.seat
        state.fresh = None
        state.seat = (state.seat + 1) % len(state.points)
        draw_tile(state, table.rng["bag"])
        if not state.drawn and state.herons:
            table.emit(Counted(standing(state)))

    # --8<-- [end:rules]

    def all_actions(self, options: Options, seats: int) -> Sequence[Act]:
        return ACTS

    def why_not(self, state: Fen, action: Act) -> str:
        if state.fresh is not None:
            return "set a heron in an open region without a heron of yours, or choose `no heron`"
        if not isinstance(action, Lay):
            return "lay the tile first"
        return TILES.why_not(state.laid, state.drawn[0], action)

    def outcome(self, state: Fen) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(totals(state), "the bag is empty")


def draw_tile(state: Fen, rng: Stream) -> None:
    """Draw tiles until one fits, and discard the others."""
    while state.bag:
        tile = state.bag.pop(rng.below(len(state.bag)))
        if TILES.ways(state.laid, tile):
            state.drawn = [tile]
            return


# --8<-- [start:regions]
def perches(state: Fen) -> Mapping[str, Spot]:
    """Return the spots for a heron by the text of the action."""
    owners = list(state.herons.values())
    if state.fresh is None or owners.count(state.seat) == HERONS:
        return {}
    words, spots = TILES.features[state.laid[state.fresh].tile], {}
    for spot in TILES.spots(state.laid, state.fresh):
        region = TILES.region(state.laid, spot)
        free = state.seat not in region.on(state.herons)
        if region.kind in NAMES and region.open and free:
            spots[f"heron {words[spot.feature]}"] = spot
    return spots


def close(state: Fen, region: Region, table: Table) -> None:
    tiles, new = len(region.places), [0] * len(state.points)
    for owner in (state.seat, *2 * region.on(state.herons)):
        new[owner] += tiles
    state.points = [*map(sum, zip(state.points, new, strict=True))]
    for spot in region.spots:
        state.herons.pop(spot, None)
    table.emit(Closed(state.seat, region.kind, tiles, tuple(new)))


def standing(state: Fen) -> tuple[int, ...]:
    """Return the points of each seat for its remaining herons."""
    points = [0] * len(state.points)
    for spot, owner in state.herons.items():
        points[owner] += len(TILES.region(state.laid, spot).places)
    return tuple(points)


def totals(state: Fen) -> list[int]:
    """Return the points of each seat, with its remaining herons."""
    return [*map(sum, zip(state.points, standing(state), strict=True))]


# --8<-- [end:regions]


def evaluate(state: Fen, seat: Seat) -> float:
    """Rate the points of a seat, and the expected points of its herons.

    A region with fewer open ends is more likely to be closed.
    """
    regions = [
        TILES.region(state.laid, spot) for spot, owner in state.herons.items() if owner == seat
    ]
    hope = sum(len(region.places) / region.open for region in regions)
    return min(1.0, (totals(state)[seat] + hope) / MOST)


class Keen:
    """Maximizes its lead after the next action."""

    def choose(self, view: Fen, actions: Sequence[Act]) -> Act:
        return max(actions, key=lambda action: self.lead(view, action))

    def lead(self, view: Fen, action: Act) -> float:
        after, own = view.clone(), view.seat
        GAME.apply(after, action, Table(Streams("a guess")))
        rates = [evaluate(after, seat) for seat in range(len(view.points))]
        return rates.pop(own) - max(rates)


def heron_feature(action: str) -> str:
    """Return the feature for a heron in words, such as `reed bed`, or "" for no heron."""
    return NAMES.get(action.removeprefix("heron ").rstrip("23"), "")


def gains(names: Sequence[str], points: Sequence[int]) -> str:
    """Return the points that seats receive: `Ann +6, Bo +3`."""
    pairs = zip(names, points, strict=True)
    return ", ".join(f"{name} +{own}" for name, own in pairs if own)


# --8<-- [start:picture]
class FenPicture(MapPicture[Fen]):
    """The fen with its herons."""

    tiles = TILES
    colours = COLOURS
    lines = ("water",)
    ground = "#dcd3a6"

    def laid(self, view: Fen) -> Mapping[Cell, Laid]:
        return view.laid

    def hand(self, view: Fen) -> int | None:
        return view.drawn[0] if view.drawn else None

    def pieces(self, view: Fen) -> Mapping[Spot, Sequence[Piece]]:
        herons = view.herons.items()
        return {spot: [Piece(owner)] for spot, owner in herons}

    def spots(self, view: Fen) -> Mapping[str, Spot]:
        return perches(view)

    def tally(self, view: Fen, seat: Seat) -> str:
        own = plural(view.points[seat], "point")
        more = standing(view)[seat] if GAME.outcome(view) else 0
        return f"{own} + {more}" if more else own

    def note(self, view: Fen, scene: Scene) -> str:
        return f"{plural(len(view.bag), 'tile')} left"

    # --8<-- [end:picture]

    def label(self, action: Act, view: Fen, names: Sequence[str], seat: Seat) -> str:
        if isinstance(action, Lay):
            return super().label(action, view, names, seat)
        feature = heron_feature(action)
        return f"Heron on the {feature}" if feature else "No heron"


# --8<-- [start:text]
class FenText(MapText[Fen]):
    """The contents of the picture as text."""

    picture = FenPicture()
    marks = MARKS

    # --8<-- [end:text]

    def asked(self, view: Fen, seat: Seat, names: Sequence[str]) -> str:
        return "Place the tile (turn it by clicking)" if view.drawn else "Set a heron?"

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, ActionPlayed) and isinstance(event.action, str):
            feature = heron_feature(event.action)
            return f"{names[event.seat]} sets a heron on the {feature}." if feature else ""
        if isinstance(event, Closed):
            closing = f"{names[event.seat]} closes a {NAMES[event.kind]} of {event.tiles} tiles"
            return f"{closing}: {gains(names, event.points)}."
        if isinstance(event, Counted):
            return f"Remaining herons: {gains(names, event.points)}."
        return super().event(event, names, seat)


GAME = Herons()
PLUGIN = Plugin(
    GAME,
    text=FenText(),
    picture=FenPicture(),
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Lay tiles of a fen, and place herons where it grows largest.",
    minutes=20,
    bots={"keen": lambda stream: Keen()},
    evaluate=evaluate,
)
