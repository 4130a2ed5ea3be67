"""Copies of states: those that `@state` has written, beside the same ones written out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.common import Contender, Row, Target, race
from tabletop import State, state

TITLE = "A copy of a state: the clone of @state, and one written out"

COPIES = "copies/s"
WRITTEN = "of the clone written out"
AT_LEAST = Target(1 / 1.1, at_least=True)


@dataclass(slots=True)
class WrittenBoard:
    """Three fields, written out."""

    cells: tuple[int, ...]
    turn: int = 0
    winner: int | None = None

    def clone(self) -> WrittenBoard:
        return WrittenBoard(self.cells, self.turn, self.winner)


@state
class Board(State):
    """Three fields."""

    cells: tuple[int, ...]
    turn: int = 0
    winner: int | None = None


@dataclass(slots=True)
class WrittenTrick:
    """Lists and a dictionary, written out."""

    deck: list[int]
    hands: list[list[int]]
    trick: list[int]
    leader: int
    taken: dict[int, int]

    def clone(self) -> WrittenTrick:
        hands = [hand.copy() for hand in self.hands]
        return WrittenTrick(
            self.deck.copy(), hands, self.trick.copy(), self.leader, self.taken.copy()
        )


@state
class Trick(State):
    """Lists and a dictionary."""

    deck: list[int]
    hands: list[list[int]]
    trick: list[int]
    leader: int
    taken: dict[int, int]


@dataclass(slots=True)
class WrittenMinion:
    """A state in another one, written out."""

    name: str
    attack: int
    defence: int
    history: tuple[str, ...] = ()

    def clone(self) -> WrittenMinion:
        return WrittenMinion(self.name, self.attack, self.defence, self.history)


@dataclass(slots=True)
class WrittenSide:
    """A state that holds states, written out."""

    life: int
    hand: list[str]
    minions: list[WrittenMinion]
    first: WrittenMinion | None

    def clone(self) -> WrittenSide:
        first = self.first
        return WrittenSide(
            self.life,
            self.hand.copy(),
            [minion.clone() for minion in self.minions],
            None if first is None else first.clone(),
        )


@dataclass(slots=True)
class WrittenDuel:
    """States in a list, written out."""

    sides: list[WrittenSide]
    turn: int = 0

    def clone(self) -> WrittenDuel:
        return WrittenDuel([side.clone() for side in self.sides], self.turn)


@state
class Minion(State):
    """A state in another one."""

    name: str
    attack: int
    defence: int
    history: tuple[str, ...] = ()


@state
class Side(State):
    """A state that holds states."""

    life: int
    hand: list[str]
    minions: list[Minion]
    first: Minion | None


@state
class Duel(State):
    """States in a list."""

    sides: list[Side]
    turn: int = 0


def run(seconds: float) -> Iterator[Row]:
    """Race the two kinds of copies, for a small state, one of lists and one of states."""
    cells = (0, 1, 2) * 3
    cards = [list(range(9)) for _ in range(4)]
    taken = dict.fromkeys(range(4), 3)
    yield _row("three fields", WrittenBoard(cells), Board(cells), seconds)
    yield _row(
        "a deck and four hands",
        WrittenTrick(list(range(20)), cards, [1, 2], 0, taken),
        Trick(list(range(20)), cards, [1, 2], 0, taken),
        seconds,
    )
    yield _row(
        "two sides of five minions",
        WrittenDuel([_written_side(), _written_side()]),
        Duel([_side(), _side()]),
        seconds,
    )


def _written_side() -> WrittenSide:
    return WrittenSide(20, ["card"] * 5, [WrittenMinion("minion", 1, 2)] * 5, None)


def _side() -> Side:
    return Side(20, ["card"] * 5, [Minion("minion", 1, 2)] * 5, None)


def _row(what: str, written: State, made: State, seconds: float) -> Row:
    result = race({"written": _copier(written), "made": _copier(made)}, seconds)
    ratio = result.ratio("made", "written")
    return Row(what, result.speed("made"), COPIES, ratio, WRITTEN, AT_LEAST)


def _copier(thing: Any) -> Contender:
    def copy(times: int) -> int:
        clone = thing.clone
        for _ in range(times):
            clone()
        return times

    return copy
