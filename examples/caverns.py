"""A world without end whose save is a few hundred bytes: explorers in the dark, with a lamp each.

Nothing of the map is kept. Rules are handed streams only in `setup` and `apply`, so `setup` draws a
key out of the match's seed and puts it into the state, as a plain number; from then on chunks are
made of the key and their coordinates, by pure functions, whenever somebody looks. What a pile holds
is decided when it is opened, by the pile's own place: it is the same for everybody. What there is
only once is dealt out in `setup`. The state holds what the explorers have changed, and no more.

    tabletop play examples/caverns.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from tabletop import (
    ALL,
    ContractError,
    Event,
    Game,
    Match,
    Option,
    Options,
    Outcome,
    Seat,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    state,
)
from tabletop.bounds import PER_SEAT, UNOBSERVED, Length, OneOf, Range
from tabletop.codec import from_json, to_json
from tabletop.text_view import TextView

SIZE, MIDDLE = 7, 3
"""A chunk is so many cells wide and high; its middle row and column are always free."""

WAYS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
ROCK, FLOOR = "#", "."
CORNERS = tuple((x, y) for y in (1, 2, 4, 5) for x in (1, 2, 4, 5))
ALCOVES = tuple(cell for cell in CORNERS if 2 in cell or 4 in cell)

LOOT = {"bones": 4, "a flask of oil": 3, "a copper ring": 4, "a silver cup": 2, "a ruby": 1}
"""The things a pile may hold, and how often."""

OIL = Option("oil", default=200, low=1, help="For how many steps a lamp lasts.")
VALUES = {"a copper ring": 1, "a silver cup": 3, "a ruby": 8, "a dragon's scale": 10}
ENCOUNTERS = {"a blind miner": "a flask of oil", "a sleeping dragon": "a dragon's scale"}
"""The people met only once, and their gifts."""

FLASK, BAG, SIGHT = 60, 4, 4
REACH = {dy: 2 * SIGHT - abs(dy) for dy in range(-SIGHT, SIGHT + 1)}
"""How many cells to the left and right a lamp shines, by rows from its place."""

NOT_FAR, FAR = 4, 5

Number = Annotated[int, Range(-9999, 9999)]
Place = tuple[Number, Number]
Thing = Annotated[str, OneOf(VALUES)]


class Chunk(NamedTuple):
    """A piece of the map: its rows, and the cell where its pile lies, if it has one."""

    rows: tuple[str, ...]
    pile: Place | None


@lru_cache(maxsize=1024)
def chunk(key: int, x: int, y: int) -> Chunk:
    """Return the chunk in column `x` and row `y`: the same at any time, for any explorer."""
    chance = Streams(key).at("chunk", x, y)
    rocks = {cell for cell in CORNERS if chance.chance(2, 5)}
    pile = chance.choice(ALCOVES) if chance.chance(1, 2) else None
    doors = [(MIDDLE + MIDDLE * dx, MIDDLE + MIDDLE * dy) for dx, dy in open_ways(key, x, y)]

    def is_free(cell: Place) -> bool:
        inside = 0 < cell[0] < SIZE - 1 and 0 < cell[1] < SIZE - 1
        return cell in doors or cell == pile or (inside and cell not in rocks)

    cells = range(SIZE)
    rows = ("".join(FLOOR if is_free((i, j)) else ROCK for i in cells) for j in cells)
    return Chunk(tuple(rows), pile)


def open_ways(key: int, x: int, y: int) -> Iterator[Place]:
    """Return the directions that lead out of a chunk."""
    for dx, dy in WAYS.values():
        further = abs(x + dx) + abs(y + dy) > abs(x) + abs(y)
        outer, back = ((x + dx, y + dy), (-dx, -dy)) if further else ((x, y), (dx, dy))
        if back in inward_ways(key, *outer):
            yield dx, dy


# --8<-- [start:places]
def inward_ways(key: int, x: int, y: int) -> list[Place]:
    """Return the open ways nearer to the start: at least one."""
    ways = [(-1 if x > 0 else 1, 0)] * (x != 0)
    ways += [(0, -1 if y > 0 else 1)] * (y != 0)
    chance = Streams(key).at("ways", x, y)
    if chance.chance(1, 3) or not ways:
        return ways
    return [chance.choice(ways)]


def loot(key: int, x: int, y: int) -> str:
    """Return what a chunk's pile holds, whoever opens it."""
    chance = Streams(key).at("pile", x, y)
    return chance.weighted(tuple(LOOT), tuple(LOOT.values()))


# --8<-- [end:places]


def chunks(nearest: int, farthest: int) -> list[Place]:
    """Return the chunks so many steps from the start."""
    size = range(-farthest, farthest + 1)
    return [(x, y) for y in size for x in size if nearest <= abs(x) + abs(y) <= farthest]


@state
class Explorer(State):
    """An explorer's place, the oil left in the lamp, and the bag.

    The way is that of the last step; one aside, to a pile, does not count.
    """

    x: Number = MIDDLE
    y: Number = MIDDLE
    oil: Number = 0
    bag: Annotated[list[Thing], Length(BAG)] = field(default_factory=list)
    out: bool = False
    way: Annotated[str, OneOf(WAYS)] = "north"

    @property
    def chunk(self) -> Place:
        return self.x // SIZE, self.y // SIZE


@state
class Caverns(State):
    """The keys that the world is made of, and what differs from it.

    Attributes:
        map_key: of the chunks.
        loot_key: of what lies in piles; hidden from all.
        exit: the chunk with the way out.
        explorers: one a seat.
        unmet: who has not been met yet, and in which chunk they are; hidden from all.
        opened: the chunks whose piles have been opened.
        dropped: what has been laid down, and on which cell.
        steps: how many actions there were.
    """

    map_key: Annotated[int, UNOBSERVED]
    loot_key: Annotated[int, UNOBSERVED]
    exit: Place
    explorers: Annotated[list[Explorer], PER_SEAT]
    unmet: Annotated[list[tuple[int, int, str]], UNOBSERVED]
    opened: Annotated[list[Place], UNOBSERVED] = field(default_factory=list)
    dropped: Annotated[list[tuple[int, int, str]], UNOBSERVED] = field(default_factory=list)
    seat: Seat = 0
    steps: Number = 0

    def cell(self, x: int, y: int) -> str:
        """Return a cell of the map: rock, floor, `$` a pile, `>` the way out, `*` a thing."""
        place = x // SIZE, y // SIZE
        rows, pile = chunk(self.map_key, *place)
        inside = x % SIZE, y % SIZE
        if any((x, y) == other[:2] for other in self.dropped):
            return "*"
        if place == self.exit and inside == (MIDDLE, MIDDLE):
            return ">"
        if inside == pile and place not in self.opened:
            return "$"
        return rows[inside[1]][inside[0]]


@event
class Found(Event):
    """A pile has been opened."""

    seat: Seat
    thing: str


@event
class Met(Event):
    """An explorer met someone, who gives something and is not met again."""

    seat: Seat
    who: str
    gift: str


@event
class LampWentOut(Event):
    """An explorer is left in the dark."""

    seat: Seat


class CavernGame(Game[Caverns, str]):
    """The most treasure brought out wins; a lamp lasts as many steps as it has oil."""

    name = "caverns"
    title = "The caverns"
    version = "2"  # since then the state says which way somebody went last
    seats = range(1, 5)
    options = (OIL,)

    def setup(self, options: Options, seats: int, rng: Streams) -> Caverns:
        dealt = rng.deal("encounters", ENCOUNTERS, chunks(1, NOT_FAR), capacity=1)
        return Caverns(
            map_key=rng["map"].below(2**62),
            loot_key=rng["loot"].below(2**62),
            exit=rng["exit"].choice(chunks(FAR, FAR)),
            explorers=[Explorer(oil=OIL.of(options)) for _ in range(seats)],
            unmet=[(x, y, who) for (x, y), here in dealt.items() for who in here],
        )

    def to_act(self, state: Caverns) -> Sequence[Seat]:
        return (state.seat,) if is_active(state.explorers[state.seat]) else ()

    def legal_actions(self, state: Caverns, seat: Seat) -> Sequence[str]:
        own = state.explorers[seat]
        here = state.cell(own.x, own.y)
        actions = [
            way for way, (dx, dy) in WAYS.items() if state.cell(own.x + dx, own.y + dy) != ROCK
        ]
        actions += ["leave"] * (here == ">") + ["open"] * (here == "$")
        if len(own.bag) < BAG:
            actions += dict.fromkeys(
                f"take {t}" for x, y, t in state.dropped if (x, y) == (own.x, own.y)
            )
        return actions + list(dict.fromkeys(f"drop {thing}" for thing in own.bag))

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        things = sorted(VALUES)
        does = [f"{verb} {thing}" for verb in ("take", "drop") for thing in things]
        return [*WAYS, "leave", "open", *does]

    def apply(self, state: Caverns, action: str, table: Table) -> None:
        seat = state.seat
        own = state.explorers[seat]
        verb, _, thing = action.partition(" ")
        if verb in WAYS:
            own.x, own.y = own.x + WAYS[verb][0], own.y + WAYS[verb][1]
            own.way = own.way if state.cell(own.x, own.y) == "$" else verb
            meet(state, table)
        elif verb == "open":
            thing = loot(state.loot_key, *own.chunk)
            state.opened.append(own.chunk)
            table.emit(Found(seat, thing))
            get(state, own, thing)
        elif verb == "take":
            state.dropped.remove((own.x, own.y, thing))
            get(state, own, thing)
        elif verb == "drop":
            own.bag.remove(thing)
            state.dropped.append((own.x, own.y, thing))
        own.out = verb == "leave"
        own.oil -= 1
        if not own.oil and not own.out:
            table.emit(LampWentOut(seat))
        state.steps += 1
        seats = [*range(seat + 1, len(state.explorers)), *range(seat + 1)]
        state.seat = next((s for s in seats if is_active(state.explorers[s])), seat)

    def outcome(self, state: Caverns) -> Outcome | None:
        if self.to_act(state):
            return None
        if not any(explorer.out for explorer in state.explorers):
            return Outcome.abandon(len(state.explorers), "nobody has found the way out")
        worth = [treasure(own) if own.out else -1 for own in state.explorers]
        return Outcome.by_score(worth, f"a treasure worth {max(worth)}")

    def view(self, state: Caverns, seat: Seat | None) -> Caverns:
        view = state.clone()
        view.loot_key, view.unmet = 0, []
        return view

    def redeal(self, state: Caverns, seat: Seat | None, rng: Stream) -> Caverns:
        """Other things in the piles, and those who have not been met somewhere else."""
        if not state.loot_key:
            raise ContractError("redeal is asked of the whole state, and this is a view of it")
        dealt = state.clone()
        dealt.loot_key = rng.below(2**62)
        elsewhere = rng.sample(chunks(1, NOT_FAR), len(state.unmet))
        dealt.unmet = [
            (*place, who) for place, (_, _, who) in zip(elsewhere, state.unmet, strict=True)
        ]
        return dealt


def is_active(explorer: Explorer) -> bool:
    return explorer.oil > 0 and not explorer.out


def treasure(explorer: Explorer) -> int:
    return sum(VALUES.get(thing, 0) for thing in explorer.bag)


def get(state: Caverns, own: Explorer, thing: str) -> None:
    """Oil goes into the lamp, bones to dust, and the rest into the bag, or to the ground."""
    if thing == "a flask of oil":
        own.oil += FLASK
    elif thing in VALUES and len(own.bag) < BAG:
        own.bag.append(thing)
    elif thing in VALUES:
        state.dropped.append((own.x, own.y, thing))


def meet(state: Caverns, table: Table) -> None:
    own = state.explorers[state.seat]
    for x, y, who in [one for one in state.unmet if one[:2] == own.chunk]:
        state.unmet.remove((x, y, who))
        table.emit(Met(state.seat, who, ENCOUNTERS[who]))
        get(state, own, ENCOUNTERS[who])


@lru_cache(maxsize=8)
def ways_out(key: int, exit: Place) -> dict[Place, int]:
    """Return the cells around the start, and how many steps each is from the way out."""
    world = Caverns(key, 0, exit, [], [])
    edge = [(SIZE * exit[0] + MIDDLE, SIZE * exit[1] + MIDDLE)]
    steps = dict.fromkeys(edge, 0)
    for x, y in edge:  # which grows as we go
        for dx, dy in WAYS.values():
            cell = x + dx, y + dy
            if (
                cell not in steps
                and max(abs(x), abs(y)) <= SIZE * FAR
                and world.cell(*cell) != ROCK
            ):
                steps[cell] = steps[x, y] + 1
                edge.append(cell)
    return steps


def evaluate(state: Caverns, seat: Seat) -> float:
    """Rate a seat's treasure and its way out, against that of the best other seat."""
    steps = ways_out(state.map_key, state.exit)
    values = []
    for own in state.explorers:
        left = steps.get((own.x, own.y), FAR * FAR * SIZE)
        reaches = own.out or own.oil >= left
        values.append((20 + treasure(own)) * reaches - left / 3)
    value = values.pop(seat)
    return max(0.0, min(1.0, 0.5 + (value - max(values, default=20.0)) / 40))


class LampLight(TextView[Caverns]):
    """Shows what the lamp of who is to act shines on, and where the air comes from."""

    def position(self, view: Caverns, names: Sequence[str], seat: Watcher = ALL) -> str:
        own = view.explorers[view.seat]
        people = {(one.x, one.y): str(number) for number, one in enumerate(view.explorers, 1)}
        people[own.x, own.y] = "@"
        lines = []
        for dy, reach in REACH.items():
            cells = [(own.x + dx, own.y + dy) for dx in range(-reach, reach + 1)]
            line = "".join(people.get(cell) or view.cell(*cell) for cell in cells)
            lines.append(" " * abs(dy) + line)
        bag = ", ".join(own.bag) or "nothing"
        lines.append(f"{names[view.seat]}: oil for {own.oil} steps, {bag} in the bag")
        lines.append(f"There is {draught(own, view.exit)}.")
        return "\n".join(lines)


def draught(own: Explorer, out: Place) -> str:
    """Say where the way out is, as far as one feels it."""
    x, y = own.chunk
    ways = ["north"] * (out[1] < y) + ["south"] * (out[1] > y)
    ways += ["west"] * (out[0] < x) + ["east"] * (out[0] > x)
    return f"a draught from the {'-'.join(ways)}" if ways else "daylight, very near"


class Wanderer:
    """Opens the piles beside its way, and walks straight on most of the time.

    It remembers nothing: which way it went last stands in the state, so that it goes on as before
    after an undo.
    """

    def __init__(self, chance: Stream) -> None:
        self.chance = chance

    def choose(self, view: Caverns, actions: Sequence[str]) -> str:
        own = view.explorers[view.seat]
        ways = [action for action in actions if action in WAYS]
        piles = [w for w in ways if view.cell(own.x + WAYS[w][0], own.y + WAYS[w][1]) == "$"]
        if best := [action for action in actions if action in ("leave", "open")] or piles:
            return best[0]
        if own.way not in ways or self.chance.chance(1, 6):
            return self.chance.choice(ways)
        return own.way


class Lit:
    """The numbers of the state, and what the lamp of a seat shines on: what is no rock has a 1."""

    SHOWN = (FLOOR, "$", ">", "*")
    CELLS = tuple((dx, dy) for dy, reach in REACH.items() for dx in range(-reach, reach + 1))

    def __init__(self, game: Game[Caverns, str], options: Options, seats: int) -> None:
        from tabletop.envs import Encoder  # NumPy is for learners alone

        self.state = Encoder(game, options, seats)
        more = len(self.CELLS) * len(self.SHOWN)
        self.low = [*self.state.low, *[0.0] * more]
        self.high = [*self.state.high, *[1.0] * more]
        self.size = len(self.low)

    def encode(self, view: Caverns, seat: Seat | None, out: Any) -> Any:
        own, first = view.explorers[seat or 0], self.state.size
        seen = [view.cell(own.x + dx, own.y + dy) for dx, dy in self.CELLS]
        self.state.encode(view, seat, out[:first])
        out[first:] = [cell == shown for cell in seen for shown in self.SHOWN]
        return out


RULES = Path(__file__).with_suffix(".md")
GAME = CavernGame()
TEXT = LampLight()
ENCODER = Lit
BOTS = {"wanderer": Wanderer}


def main() -> None:
    match = Match(GAME, seed="three old friends", options={"oil": 2000}, seats=["Ada"])
    match.set_player(0, Wanderer(Streams("wanderer")["steps"]))
    match.observe(
        lambda told: print(f"{match.ply:>5}  {TEXT.event(told, match.names)}"), Found, Met
    )
    match.run(1000)
    print(TEXT.position(match.view(0), match.names))
    save = to_json(match.state)
    restored = from_json(save, Caverns)
    print(f"after {match.ply} steps the save has {len(save)} bytes")
    print(f"it restores the same world: {restored == match.state}")


if __name__ == "__main__":
    main()
