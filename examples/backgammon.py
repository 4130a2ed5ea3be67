"""Backgammon: a race of fifteen men each, who send each other back.

Player 1 moves from point 24 down to 1, player 2 from 1 up to 24. Each
die moves a man so many points, to where the other one has at most one
man. That man is hit: it enters again from the bar before any other of
its side moves. Two equal dice count twice. Once all men of a side are
in its last six points, dice bear them off: from their own point, or
the farthest man when they are higher than needed. As many dice as
possible are used; if only one of two can be, the higher one.

Who has all men off first wins a point; two if the other has none off
(gammon), three if that one still has a man on the bar or in the last
six points of the winner (backgammon). There is no doubling cube. At
first each rolls a die: the higher one begins, with both of them.

    tabletop play examples/backgammon.py --bot 2
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TypeAlias

from tabletop import (
    ALL,
    Event,
    Game,
    Options,
    Outcome,
    Plugin,
    Seat,
    State,
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
    points,
)
from tabletop.parts.dice import dice

MEN, BAR, OFF = 15, 25, 0
START = {24: 2, 13: 5, 8: 3, 6: 5}
Many: TypeAlias = tuple[int, ...]
Left: TypeAlias = tuple[Many, Many]


@event
class Rolled(Event):
    """A seat has rolled the dice."""

    seat: Seat
    dice: tuple[int, ...]


@event
class Stuck(Event):
    """A seat can use neither of its dice."""

    seat: Seat


@state
class Race(State):
    """The men of each seat: off, on points 1 to 24, on the bar.

    Each seat counts the points from its own end of the race. `dice`
    are those still to be used.
    """

    men: list[list[int]]
    seat: Seat = 0
    dice: list[int] = field(default_factory=list)


class Backgammon(Game[Race, str]):
    """The first one to bear off all men wins."""

    name = "backgammon"
    title = "Backgammon"

    def setup(self, options: Options, seats: int, rng: Streams) -> Race:
        men = [START.get(point, 0) for point in range(BAR + 1)]
        first, second = rng["dice"].sample(range(1, 7), 2)
        pair = [max(first, second), min(first, second)]
        return Race([men, men.copy()], int(second > first), pair)

    def to_act(self, state: Race) -> Sequence[Seat]:
        over = MEN in (state.men[0][OFF], state.men[1][OFF])
        return () if over else (state.seat,)

    def legal_actions(self, state: Race, seat: Seat) -> Sequence[str]:
        return list(moves(state))

    def apply(self, state: Race, action: str, table: Table) -> None:
        seat, (start, die) = state.seat, moves(state)[action]
        mine, other = state.men[seat], state.men[1 - seat]
        end = max(start - die, OFF)
        mine[start] -= 1
        mine[end] += 1
        state.dice.remove(die)
        if end and other[BAR - end]:
            other[BAR - end] -= 1
            other[BAR] += 1
        while self.to_act(state) and not moves(state):
            roll(state, table)

    def outcome(self, state: Race) -> Outcome | None:
        if self.to_act(state):
            return None
        winner = int(state.men[1][OFF] == MEN)
        loser = state.men[1 - winner]
        worth = 1 if loser[OFF] else 2 + any(loser[19:])
        how = ("off first", "a gammon", "a backgammon")[worth - 1]
        points = (worth, -worth) if winner == 0 else (-worth, worth)
        return Outcome.by_score(points, how)


def roll(state: Race, table: Table) -> None:
    """Let the other seat roll; a turn without moves ends at once."""
    state.seat = 1 - state.seat
    pair = sorted(dice("2d6").faces(table.rng["dice"]), reverse=True)
    state.dice = pair * (2 if pair[0] == pair[1] else 1)
    table.emit(Rolled(state.seat, tuple(pair)))
    if not moves(state):
        table.emit(Stuck(state.seat))


def moves(state: Race) -> Mapping[str, tuple[int, int]]:
    """Return the start and the die of each legal move, by its text."""
    mine, dice = tuple(state.men[state.seat]), tuple(state.dice)
    other = state.men[1 - state.seat]
    walls = tuple(BAR - at for at in range(1, BAR) if other[at] > 1)
    left = {
        (start, die): most(*after(mine, start, die, dice), walls)
        for die in sorted(set(dice), reverse=True)
        for start in steps(mine, walls, die)
    }
    best = [it for it in left if left[it] == max(left.values())]
    if len(dice) == 2 and not any(left.values()):
        best = [it for it in best if it[1] == best[0][1]]
    return {words(state.seat, *it): it for it in best}


@lru_cache(maxsize=1 << 14)
def most(mine: Many, dice: Many, walls: Many) -> int:
    """Return how many dice can be used at most."""
    used = 0
    for die in set(dice):
        for start in steps(mine, walls, die):
            rest = after(mine, start, die, dice)
            used = max(used, 1 + most(*rest, walls))
            if used == len(dice):
                return used
    return used


def steps(mine: Many, walls: Many, die: int) -> Sequence[int]:
    """Return the places from which a die moves a man."""
    there = [at for at in range(BAR, OFF, -1) if mine[at]]
    first = max(there, default=OFF)
    there = there if first < BAR else [BAR]
    bears_off = [it for it in there if it == die or first == it < die]
    ahead = [it for it in there if it > die and it - die not in walls]
    return ahead + (bears_off if first <= 6 else [])


def after(men: Many, start: int, die: int, dice: Many) -> Left:
    """Return the men and the dice after a step."""
    moved, rest = list(men), list(dice)
    moved[start] -= 1
    moved[max(start - die, OFF)] += 1
    rest.remove(die)
    return tuple(moved), tuple(rest)


def words(seat: Seat, start: int, die: int) -> str:
    return f"{place(seat, start)} {place(seat, max(start - die, OFF))}"


def place(seat: Seat, at: int) -> str:
    name = str(BAR - at if seat else at)
    return {BAR: "bar", OFF: "off"}.get(at, name)


def evaluate(state: Race, seat: Seat) -> float:
    """Rate the lead of a seat in the race."""
    lead = pips(state.men[1 - seat]) - pips(state.men[seat])
    return max(0.0, min(1.0, 0.5 + lead / 300))


def pips(men: Sequence[int]) -> int:
    return sum(at * count for at, count in enumerate(men))


def standing(view: Race) -> Sequence[tuple[str, Seat, int]]:
    """Return each place with men, whose they are and how many."""
    return [
        (place(seat, at), seat, count)
        for seat, men in enumerate(view.men)
        for at, count in enumerate(men)
        if count
    ]


class RaceText(TextView[Race]):
    """The board: `x` for the men of player 1, `o` for player 2."""

    def position(
        self, view: Race, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        there = {at: f"{n}{'xo'[it]}" for at, it, n in standing(view)}
        line, rows = "{:>5}" * 12, []
        for row in (range(13, 25), range(12, 0, -1)):
            marks = [there.get(str(at), ".") for at in row]
            rows += [line.format(*row), line.format(*marks)]
        for mark, name, own in zip("xo", names, view.men, strict=True):
            where = f"{own[BAR]} on the bar, {own[OFF]} off"
            rows += [f"{mark} {name}: {where}, {pips(own)} pips"]
        rolled = " ".join(map(str, view.dice))
        return "\n".join([*rows, f"dice: {rolled or 'none'}"])


class RacePicture(BoardPicture[Race]):
    """The board, with the dice above it."""

    board = points()

    def pieces(self, view: Race) -> Mapping[str, Sequence[Piece]]:
        there = defaultdict[str, list[Piece]](list)
        for name, seat, count in standing(view):
            there[name] += [Piece(seat)] * count
        return there

    def note(self, view: Race, scene: Scene) -> str:
        return f"dice: {' and '.join(map(str, view.dice))}"


GAME = Backgammon()
PLUGIN = Plugin(
    GAME,
    text=RaceText(),
    picture=RacePicture,
    rulebook=__doc__,
    evaluate=evaluate,
    levels={
        "easy": "search:5",
        "fair": "search:60",
        "hard": "search:5000",
    },
)
