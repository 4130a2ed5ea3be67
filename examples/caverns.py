"""An endless world with a save file of a few hundred bytes: explorers with lamps in the dark.

The state contains no map. `setup` draws a key from the seed of the match and stores it in the state
as a plain number. Pure functions then compute the caverns from the key and their coordinates
whenever they are needed. The place of a pile determines its contents, no matter which player opens
it. Unique treasures are dealt to piles in `setup`.

    tabletop play examples/caverns.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import Annotated

from tabletop import (
    ALL,
    ContractError,
    Event,
    Game,
    Match,
    Option,
    Options,
    Outcome,
    Plugin,
    Random,
    Seat,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    state,
)
from tabletop.display import TextView
from tabletop.rules import from_seat
from tabletop.states import (
    PER_SEAT,
    UNOBSERVED,
    Range,
    from_json,
    to_json,
)

WAYS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}

LOOT = {
    "a flask of oil": 3,
    "a copper ring": 4,
    "a silver cup": 2,
    "a ruby": 1,
}  # relative frequencies
RELICS = ("a dragon's scale", "a king's crown")  # unique
VALUES = {"a copper ring": 1, "a silver cup": 3, "a ruby": 8, RELICS[0]: 10, RELICS[1]: 15}
OIL = Option("oil", default=100, low=1, help="Steps that a lamp lasts.")
FLASK, SIGHT, NEAR_PILES, FAR = 20, 3, 8, 9

Number = Annotated[int, Range(-9999, 9999)]
Place = tuple[Number, Number]


# --8<-- [start:places]
@lru_cache(maxsize=1024)
def inward_ways(key: int, x: int, y: int) -> list[Place]:
    """Return ways towards the start. Only the start has none."""
    ways = [(-1 if x > 0 else 1, 0)] * (x != 0)
    ways += [(0, -1 if y > 0 else 1)] * (y != 0)
    chance = Streams(key).at("ways", x, y)
    if chance.chance(1, 3) or not ways:
        return ways
    return [chance.choice(ways)]


@lru_cache(maxsize=1024)
def has_pile(key: int, x: int, y: int) -> bool:
    return Streams(key).at("pile", x, y).chance(1, 7)


def loot(key: int, x: int, y: int) -> str:
    """Return the contents of a pile."""
    chance = Streams(key).at("loot", x, y)
    return chance.weighted(tuple(LOOT), tuple(LOOT.values()))


# --8<-- [end:places]


def open_ways(key: int, x: int, y: int) -> list[str]:
    """Return the ways out of a cavern: its own, and those of its neighbours that lead here."""
    own = inward_ways(key, x, y)
    return [
        name
        for name, (dx, dy) in WAYS.items()
        if (dx, dy) in own or (-dx, -dy) in inward_ways(key, x + dx, y + dy)
    ]


def ring(steps: int) -> list[Place]:
    """Return the caverns at this distance from the start."""
    size = range(-steps, steps + 1)
    return [(x, y) for y in size for x in size if abs(x) + abs(y) == steps]


def near_piles(key: int) -> list[Place]:
    """Return the piles nearest to the start. Every world has the same number of them."""
    piles = (place for steps in count() for place in ring(steps) if has_pile(key, *place))
    return list(islice(piles, NEAR_PILES))


@state
class Explorer(State):
    """The place of an explorer, the oil in the lamp (0 after leaving), and the treasure found."""

    place: Place = (0, 0)
    oil: Number = 0
    treasure: Number = 0
    out: bool = False


@state
class Caverns(State):
    """The keys of the world, and the differences from it. `relics` are hidden in piles."""

    map_key: Annotated[int, UNOBSERVED]
    loot_key: Annotated[int, UNOBSERVED]
    exit: Place
    explorers: Annotated[list[Explorer], PER_SEAT]
    relics: Annotated[dict[Place, str], UNOBSERVED]
    opened: Annotated[list[Place], UNOBSERVED] = field(default_factory=list)
    seat: Seat = 0

    def has_pile(self, place: Place) -> bool:
        return place not in self.opened and has_pile(self.map_key, *place)


@event
class Found(Event):
    """A pile has been opened."""

    seat: Seat
    thing: str


class CavernGame(Game[Caverns, str]):
    """The player who brings out the most treasure wins. A lamp burns one unit of oil per step."""

    name = "caverns"
    title = "The caverns"
    version = "3"  # in version 3, a step leads from cavern to cavern, and piles contain relics
    seats = range(1, 5)
    options = (OIL,)

    def setup(self, options: Options, seats: int, rng: Streams) -> Caverns:
        key = rng["map"].below(2**62)
        dealt = rng.deal("relics", RELICS, near_piles(key), capacity=1)
        return Caverns(
            map_key=key,
            loot_key=rng["loot"].below(2**62),
            exit=rng["exit"].choice(ring(FAR)),
            explorers=[Explorer(oil=OIL.of(options)) for _ in range(seats)],
            relics={place: relic for place, here in dealt.items() for relic in here},
        )

    def to_act(self, state: Caverns) -> Sequence[Seat]:
        return (state.seat,) if state.explorers[state.seat].oil else ()

    def legal_actions(self, state: Caverns, seat: Seat) -> Sequence[str]:
        here = state.explorers[seat].place
        ways = open_ways(state.map_key, *here)
        return ways + ["open"] * state.has_pile(here) + ["leave"] * (here == state.exit)

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return (*WAYS, "open", "leave")

    def apply(self, state: Caverns, action: str, table: Table) -> None:
        seat, own = state.seat, state.explorers[state.seat]
        x, y = own.place
        if action in WAYS:
            own.place = x + WAYS[action][0], y + WAYS[action][1]
        elif action == "open":
            thing = state.relics.pop((x, y), "") or loot(state.loot_key, x, y)
            state.opened.append((x, y))
            own.treasure += VALUES.get(thing, 0)
            own.oil += FLASK * (thing == "a flask of oil")
            table.emit(Found(seat, thing))
        own.out = action == "leave"
        own.oil = 0 if own.out else own.oil - 1
        seats = from_seat(seat + 1, len(state.explorers))
        state.seat = next((it for it in seats if state.explorers[it].oil), seat)

    def outcome(self, state: Caverns) -> Outcome | None:
        if self.to_act(state):
            return None
        if not any(explorer.out for explorer in state.explorers):
            return Outcome.abandon(len(state.explorers), "nobody has found the exit")
        worth = [own.treasure if own.out else -1 for own in state.explorers]
        return Outcome.by_score(worth, f"a treasure worth {max(worth)}")

    def view(self, state: Caverns, seat: Seat | None) -> Caverns:
        return replace(state.clone(), loot_key=0, relics={})

    def redeal(self, state: Caverns, seat: Seat | None, rng: Stream) -> Caverns:
        """Replace the contents of the closed piles, and move the remaining relics."""
        if not state.loot_key:
            raise ContractError("redeal needs the whole state, but this is a view")
        closed = [place for place in near_piles(state.map_key) if place not in state.opened]
        places = rng.sample(closed, len(state.relics))
        relics = dict(zip(places, sorted(state.relics.values()), strict=True))
        return replace(state.clone(), loot_key=rng.below(2**62), relics=relics)


def evaluate(state: Caverns, seat: Seat) -> float:
    """Rate the treasure of a seat and its distance from the exit."""
    own, (x, y) = state.explorers[seat], state.exit
    left = abs(x - own.place[0]) + abs(y - own.place[1])
    return max(0.0, min(1.0, (20 + own.treasure - left / 3) / 100)) * (own.out or own.oil > left)


VERBS = {"": "goes {}", "open": "opens a pile", "Found": "finds {thing}"}


class LampLight(TextView[Caverns]):
    """Shows the caverns around the explorer who is to act."""

    verbs = VERBS

    def position(self, view: Caverns, names: Sequence[str], seat: Watcher = ALL) -> str:
        own = view.explorers[view.seat]
        signs = {other.place: str(number) for number, other in enumerate(view.explorers, 1)}
        signs = {view.exit: ">", **signs, own.place: "@"}
        columns, rows = (range(it - SIGHT, it + SIGHT + 1) for it in own.place)
        lines = []
        for y in rows:
            row = below = ""
            for x in columns:
                ways = open_ways(view.map_key, x, y)
                row += signs.get((x, y), "$" if view.has_pile((x, y)) else "o")
                row += "--" if "east" in ways else "  "
                below += "|  " if "south" in ways else "   "
            lines += [row.rstrip(), below.rstrip()]
        lines.append(f"{names[view.seat]}: oil for {own.oil} steps, treasure of {own.treasure}")
        lines.append(f"You are at {own.place}. The exit is at {view.exit}.")
        return "\n".join(lines)


GAME = CavernGame()
PLUGIN = Plugin(
    GAME,
    text=LampLight(),
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Fetch treasure from the caverns before your lamp goes out.",
    minutes=10,
    evaluate=evaluate,
    levels={"easy": "search:3", "fair": "search:50", "hard": "search:10000"},
)


def main() -> None:
    match = Match(GAME, seed="old oak", options={"oil": 2000}, seats=["Ada"], players=[Random(1)])
    match.observe(
        lambda event: print(f"{match.ply:>5}  {PLUGIN.text.event(event, match.names)}"), Found
    )
    match.run(1000)
    print(PLUGIN.text.position(match.view(0), match.names))
    save = to_json(match.state)
    print(f"after {match.ply} steps the save has {len(save)} bytes")
    print(f"it restores the same world: {from_json(save, Caverns) == match.state}")


if __name__ == "__main__":
    main()
