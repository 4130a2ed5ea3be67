"""Go on nine by nine lines, with superko: tabletop play examples/go.py --bot 2=taker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from tabletop import (
    ALL,
    Event,
    Game,
    Match,
    MatchEnded,
    Option,
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
from tabletop.display import (
    BoardPicture,
    Piece,
    Scene,
    TextView,
    crossings,
)
from tabletop.parts.board import square
from tabletop.states import UNOBSERVED, PerSeat, Range
from tabletop.wording import plural

SIZE = 9
GRID = square(SIZE, SIZE, columns="abcdefghj")  # without i, which looks like j
KOMI = Option(
    "komi", default=6.5, low=0, high=81, help="Points for White as compensation for moving second."
)

# Sets of points are integers with one bit per point, so one operation handles all points.
POINTS = SIZE * SIZE
FULL = (1 << POINTS) - 1
NEAR = tuple(sum(1 << point for point in near) for near in GRID.neighbours)
NOT_FIRST = sum(1 << point for point in range(POINTS) if point % SIZE)
NOT_LAST = NOT_FIRST >> 1

PASS = "pass"
PUTS, PLACE = GRID.names, GRID.place
STARS = ("c3", "c7", "e5", "g3", "g7")
VERBS = {PASS: "passes", **{put: f"plays {put}" for put in PUTS}}
WAYS = tuple(
    tuple((put, 1 << point, 1 << point + POINTS * seat) for point, put in enumerate(PUTS))
    for seat in (0, 1)
)


@event
class Captured(Event):
    """A seat has captured stones of the other seat."""

    seat: Seat
    stones: int


@state
class Goban(State):
    """The chains of each colour, and the number of stones that each seat has captured.

    `position` encodes all stones, `seen` all previous positions.
    """

    komi: Annotated[float, UNOBSERVED]
    chains: Annotated[list[list[int]], UNOBSERVED] = field(default_factory=lambda: [[], []])
    position: Annotated[int, PerSeat(POINTS)] = 0
    seen: Annotated[set[int], UNOBSERVED] = field(default_factory=set)
    seat: Seat = 0
    passes: Annotated[int, Range(0, 2)] = 0
    captured: Annotated[list[int], UNOBSERVED] = field(default_factory=lambda: [0, 0])

    def stones(self, seat: Seat) -> int:
        return self.position >> POINTS * seat & FULL


# --8<-- [start:beside]
def beside(points: int) -> int:
    """Return all neighbours of some points, and some of these."""
    aside = (points & NOT_LAST) << 1 | (points & NOT_FIRST) >> 1
    return (aside | points << SIZE | points >> SIZE) & FULL


# --8<-- [end:beside]


around = lru_cache(maxsize=1 << 14)(beside)  # most chains do not change from move to move


class Go(Game[Goban, str]):
    """The player with the larger area wins."""

    name = "go"
    title = "Go"
    version = "2"  # in version 2, the state counts captured stones
    options = (KOMI,)

    def setup(self, options: Options, seats: int, rng: Streams) -> Goban:
        return Goban(KOMI.of(options))

    def to_act(self, state: Goban) -> Sequence[Seat]:
        return (state.seat,) if state.passes < 2 else ()

    def legal_actions(self, state: Goban, seat: Seat) -> Sequence[str]:
        position, seen = state.position, state.seen
        points, prey = open_points(state, seat)
        points -= sum(
            stone for stone, taken in prey.items() if after(position, seat, stone, taken) in seen
        )
        ways = [way for way in WAYS[seat] if points & way[1] and position | way[2] not in seen]
        return [*(put for put, _, _ in ways), PASS]

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return [*PUTS, PASS]

    def why_not(self, state: Goban, action: str) -> str:
        if action not in PUTS:
            return f"the board has no point {action}"
        if (state.stones(0) | state.stones(1)) >> PLACE[action] & 1:
            return f"there is a stone on {action}"
        if not open_points(state, state.seat)[0] >> PLACE[action] & 1:
            return f"a stone on {action} would have no liberty"
        return f"{action} would repeat a previous position"

    def apply(self, state: Goban, action: str, table: Table) -> None:
        seat, state.seat = state.seat, 1 - state.seat
        if action == PASS:
            state.passes += 1
            return
        state.passes = 0
        stone, near, chains = 1 << PLACE[action], NEAR[PLACE[action]], state.chains[seat]
        taken = open_points(state, seat)[1].get(stone, 0)
        joined = sum(chain for chain in chains if chain & near) | stone
        state.chains[seat] = [*(chain for chain in chains if not chain & near), joined]
        if taken:
            state.chains[1 - seat] = [it for it in state.chains[1 - seat] if not it & taken]
            state.captured[seat] += taken.bit_count()
            table.emit(Captured(seat, taken.bit_count()))
        state.position = after(state.position, seat, stone, taken)
        state.seen.add(state.position)

    def outcome(self, state: Goban) -> Outcome | None:
        if state.passes < 2:
            return None
        return Outcome.by_score([area(state, 0), area(state, 1) + state.komi], "by area")


def after(position: int, seat: Seat, stone: int, taken: int) -> int:
    """Return the position after a stone has been put and others have been taken."""
    return (position | stone << POINTS * seat) ^ taken << POINTS * (1 - seat)


def open_points(state: Goban, seat: Seat) -> tuple[int, dict[int, int]]:
    """Return the points that are legal apart from superko, and the captures of each point."""
    free = FULL & ~(state.position | state.position >> POINTS)
    points = beside(free)
    for liberties in (around(chain) & free for chain in state.chains[seat]):
        if liberties & liberties - 1:  # at least two, so one liberty remains
            points |= liberties
    prey: dict[int, int] = {}
    for chain in state.chains[1 - seat]:
        liberties = around(chain) & free
        if not liberties & liberties - 1:
            prey[liberties] = prey.get(liberties, 0) | chain
            points |= liberties
    return points & free, prey


# --8<-- [start:area]
def area(state: Goban, seat: Seat) -> int:
    """Return the stones of a seat, and points that only they reach."""
    own, other = state.stones(seat), state.stones(1 - seat)
    whole, reached = own, other
    for _ in range(POINTS):
        whole = (whole | beside(whole)) & ~other
        reached = (reached | beside(reached)) & ~own
    return (whole & ~reached).bit_count()


# --8<-- [end:area]


def evaluate(state: Goban, seat: Seat) -> float:
    """Rate the points that are nearer to a seat, without stones that can be captured at once."""
    taken = sum(open_points(state, state.seat)[1].values())
    own, other = state.stones(seat) & ~taken, state.stones(1 - seat) & ~taken
    for _ in range(SIZE):
        near, far = beside(own) & ~other, beside(other) & ~own
        own, other = own | near & ~far, other | far & ~near
    lead = own.bit_count() - other.bit_count() + state.komi * (2 * seat - 1)
    return max(0.0, min(1.0, 0.5 + lead / 30))


def policy(state: Goban, actions: Sequence[str]) -> Sequence[str]:
    """Pass if this ends the match with a win."""
    if not state.passes:
        return actions
    lead = area(state, 0) - area(state, 1) - state.komi
    return [PASS] if lead * (1 - 2 * state.seat) > 0 else actions


class GoText(TextView[Goban]):
    """The board with coordinates, with `x` for black and `o` for white stones."""

    verbs = VERBS

    def position(self, view: Goban, names: Sequence[str], seat: Watcher = ALL) -> str:
        black, white = view.stones(0), view.stones(1)
        marks = [".xo"[(black >> it & 1) + 2 * (white >> it & 1)] for it in range(POINTS)]
        return f"{GRID.diagram(marks)}\nx {names[0]}, o {names[1]}"

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, Captured):
            return f"{names[event.seat]} captures {plural(event.stones, 'stone')}."
        return super().event(event, names, seat)


class Taker:
    """Captures as much as possible, keeps its own eyes, and passes at the end."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, view: Goban, actions: Sequence[str]) -> str:
        own, prey = view.stones(view.seat), open_points(view, view.seat)[1]
        puts = [put for put in actions if put != PASS and NEAR[PLACE[put]] & ~own]
        takes = [prey.get(1 << PLACE[put], 0).bit_count() for put in puts]
        best = [put for put, count in zip(puts, takes, strict=True) if count == max(takes)]
        return self.stream.choice(best or [PASS])


# --8<-- [start:picture]
class GoPicture(BoardPicture[Goban]):
    """Black and white stones on a board of nine by nine lines."""

    board = crossings(GRID, dots=STARS)
    fills = ("#1b1713", "#fcf8ef")

    def pieces(self, view: Goban) -> Mapping[str, Sequence[Piece]]:
        stones: dict[str, Sequence[Piece]] = {}
        for seat in (0, 1):
            for put, bit, _ in WAYS[0]:
                if view.stones(seat) & bit:
                    stones[put] = [Piece(seat)]
        return stones

    # --8<-- [end:picture]

    def note(self, view: Goban, scene: Scene) -> str:
        return f"{scene.names[1 - view.seat]} has passed" if view.passes else ""

    def tally(self, view: Goban, seat: Seat) -> str:
        komi = f", komi {view.komi:g}" if seat == 1 else ""
        return f"captured {view.captured[seat]}{komi}"


GAME = Go()
PLUGIN = Plugin(
    GAME,
    text=GoText(),
    picture=GoPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Surround more of a small board than your opponent.",
    minutes=20,
    bots={"taker": Taker},
    evaluate=evaluate,
    policy=policy,
    search={"exploration": 0.1},
    levels={"easy": "search:10", "fair": "search:100", "hard": "search:10000"},
)


def main() -> None:
    bots = [Taker(Streams("go")[seat]) for seat in (0, 1)]
    match = Match(GAME, seed="old oak", seats=("Ann", "Bo"), players=bots)
    match.observe(lambda event: print(PLUGIN.text.event(event, match.names)), Captured, MatchEnded)
    match.run()
    print(PLUGIN.text.position(match.state, match.names))


if __name__ == "__main__":
    main()
