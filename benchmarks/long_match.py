"""A very long match: what a move costs at its end, what going back costs, and its memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from typing_extensions import override

from benchmarks.common import Row, Target
from tabletop import Game, IllegalAction, Match, Options, Outcome, Random, Seat, Streams, Table

TITLE = "A match of 100,000 moves; the best of several matches"

PLIES = 100_000
PART = 10_000
CARDS = 60
LEAST_MATCHES = 3
BACK = (1, 1_000)
REPEATS = 5

NO_SLOWER = Target(1.25, at_least=False)
"""The last moves beside the first ones; the quarter is for the noise of the machine."""

FEW_BYTES = Target(64, at_least=False)


@dataclass(slots=True)
class Deck:
    """Sixty cards in a row, and whose turn it is."""

    cards: list[int]
    seat: Seat = 0

    def clone(self) -> Deck:
        return Deck(self.cards.copy(), self.seat)


class Endless(Game[Deck, int]):
    """A game without end: exchange one of the first cards for any other."""

    name = "endless"
    title = "Endless"

    @override
    def setup(self, options: Options, seats: int, rng: Streams) -> Deck:
        cards = list(range(CARDS))
        rng["deck"].shuffle(cards)
        return Deck(cards)

    @override
    def to_act(self, state: Deck) -> Sequence[Seat]:
        return (state.seat,)

    @override
    def legal_actions(self, state: Deck, seat: Seat) -> Sequence[int]:
        return range(10)

    @override
    def check(self, state: Deck, action: int) -> None:
        if action not in range(10):
            raise IllegalAction(f"there is no card {action}; cards are 0 to 9")

    @override
    def apply(self, state: Deck, action: int, table: Table) -> None:
        cards, other = state.cards, table.rng["deck"].below(CARDS)
        cards[action], cards[other] = cards[other], cards[action]
        state.seat = 1 - state.seat

    @override
    def outcome(self, state: Deck) -> Outcome | None:
        return None


def run(seconds: float) -> Iterator[Row]:
    """Play long matches, go back at their beginning and at their end, and weigh one."""
    first = last = float("inf")
    early: dict[int, float] = dict.fromkeys(BACK, float("inf"))
    late = early.copy()
    for _ in range(max(LEAST_MATCHES, round(2 * seconds))):
        match = _match()
        first = min(first, _time_run(match))
        early = {count: min(early[count], _time_undo(match, count)) for count in BACK}
        match.run(PLIES - 2 * PART)
        last = min(last, _time_run(match))
        late = {count: min(late[count], _time_undo(match, count)) for count in BACK}
    yield Row(f"a move, the first {PART:,}", 1e9 * first / PART, "ns")
    yield Row(
        f"a move, the last {PART:,}",
        1e9 * last / PART,
        "ns",
        last / first,
        "times the first",
        NO_SLOWER,
    )
    for count in BACK:
        moves = "1 move" if count == 1 else f"{count:,} moves"
        yield Row(f"undo of {moves} after {PART:,}", 1e6 * early[count], "µs")
        yield Row(
            f"undo of {moves} after {PLIES:,}",
            1e6 * late[count],
            "µs",
            late[count] / early[count],
            "times the former",
        )
    yield from _memory()


def _match() -> Match[Deck, int]:
    players = (Random("first player"), Random("second player"))
    return Match(Endless(), seed="benchmark", players=players)


def _time_run(match: Match[Deck, int]) -> float:
    started = perf_counter()
    match.run(PART)
    return perf_counter() - started


def _time_undo(match: Match[Deck, int], count: int) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        started = perf_counter()
        match.undo(count)
        best = min(best, perf_counter() - started)
        match.redo(count)
    return best


def _memory() -> Iterator[Row]:
    tracemalloc.start()
    match = _match()
    match.run(PLIES)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield Row("memory of the match", size / 1000, "kB")
    yield Row("memory a move", size / match.ply, "bytes", target=FEW_BYTES)
