"""Backgammon: a race in which pieces can be sent back.

Each player has fifteen men. Player 1 moves from point 24 down to 1, and
player 2 from 1 up to 24. A die moves one man by its number, to a point
with at most one man of the opponent. That man is hit: it goes to the
bar and must re-enter before its side makes any other move. A double
counts twice. Once all men of a side are on its last six points, its
dice bear them off: a die removes a man from the point of that number,
or the farthest man if the die is higher than needed. A player must use
as many dice as possible. If only one of two dice can be used, it must
be the higher one.

The first player to bear off all men wins one point. The win counts two
points (a gammon) if the loser has borne off no man, and three (a
backgammon) if the loser also has a man on the bar or on the last six
points of the winner. There is no doubling cube. At the start, each
player rolls a die, and the player with the higher die begins with both
dice.

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
    ActionPlayed,
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
    """A seat cannot use any of its dice."""

    seat: Seat


@state
class Race(State):
    """The men of each seat: borne off, on points 1 to 24, on the bar.

    Each seat counts the points from the end of its own race. `dice` are
    the unused dice.
    """

    men: list[list[int]]
    seat: Seat = 0
    dice: list[int] = field(default_factory=list)


class Backgammon(Game[Race, str]):
    """The first player to bear off all men wins."""

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
    """Roll the dice for the other seat."""
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
    best = [step for step in left if left[step] == max(left.values())]
    if len(dice) == 2 and not any(left.values()):
        best = [step for step in best if step[1] == best[0][1]]
    return {words(state.seat, *step): step for step in best}


@lru_cache(maxsize=1 << 14)
def most(mine: Many, dice: Many, walls: Many) -> int:
    """Return the maximum number of dice that can be used."""
    used = 0
    for die in set(dice):
        for start in steps(mine, walls, die):
            rest = after(mine, start, die, dice)
            used = max(used, 1 + most(*rest, walls))
            if used == len(dice):
                return used
    return used


def steps(mine: Many, walls: Many, die: int) -> Sequence[int]:
    """Return the positions from which a die can move a man."""
    there = [at for at in range(BAR, OFF, -1) if mine[at]]
    first = max(there, default=OFF)
    there = there if first < BAR else [BAR]
    bears_off = [it for it in there if it == die or first == it < die]
    ahead = [it for it in there if it > die and it - die not in walls]
    return ahead + (bears_off if first <= 6 else [])


def after(men: Many, start: int, die: int, dice: Many) -> Left:
    """Return the men and the unused dice after a step."""
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
    """Return each place with men, their owner and their number."""
    return [
        (place(seat, at), seat, count)
        for seat, men in enumerate(view.men)
        for at, count in enumerate(men)
        if count
    ]


class RaceText(TextView[Race]):
    """The board as text: `x` for player 1, `o` for player 2."""

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

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        match event:
            case ActionPlayed(seat=mover, action=str(move)):
                start, end = move.split()
                return f"{names[mover]} moves from {start} to {end}."
            case Rolled(roller, dice):
                thrown = " and ".join(map(str, dice))
                return f"{names[roller]} rolls {thrown}."
            case Stuck(stuck):
                return f"{names[stuck]} cannot move."
        return super().event(event, names, seat)


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
    summary="Roll the dice, and bear off all your checkers first.",
    minutes=15,
    evaluate=evaluate,
    levels={
        "easy": "search:5",
        "fair": "search:60",
        "hard": "search:5000",
    },
)
