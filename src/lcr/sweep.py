"""Play all games of the course with NumPy: 1,000,000 for each number of players (LCR §3.2).

    >>> games = play([4823, 784], players=3)
    >>> games.turns.tolist(), games.winners.tolist()
    ([6, 2], [0, 2])

All games of a batch process the turn of the same seat at the same time. A seat without chips does
not roll in its game. Games that are over are removed from the batch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product, zip_longest
from typing import Final, NamedTuple, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from lcr.rules.dice import DIE, PERIOD, SIDES, Face, jump
from lcr.rules.state import CHIPS_AT_START, MOST_DICE, SEATS
from tabletop.text_layout import table

Ints: TypeAlias = NDArray[np.intp]
Bytes: TypeAlias = NDArray[np.uint8]

_BATCH: Final = 1 << 15
"""Number of games per batch. Larger batches do not fit well into the caches of a processor."""

SEEDS: Final = 1 << 32
"""Number of course seeds, which are from 0 to `SEEDS - 1`."""

_WAYS: Final = MOST_DICE + 1
"""Number of possible dice counts in a turn, from 0 to 3 dice."""

_GIVEN, _LEFT = 4, 2
"""First bit of the number of chips given away, and of those passed to the left, in a move."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Totals of all games of the course for one number of players.

    Attributes:
        players: Number of players.
        turns_min: Number of turns of the shortest game. A skipped seat has no turn.
        turns_min_seed: The smallest seed of a shortest game, from 0 to 999,999.
        turns_max: Number of turns of the longest game.
        turns_max_seed: The smallest seed of a longest game, from 0 to 999,999.
        turns_total: Total number of turns of all games.
        rolls_total: Total number of dice rolled in all games.
        winners: Number of wins of each seat.
    """

    players: int
    turns_min: int
    turns_min_seed: int
    turns_max: int
    turns_max_seed: int
    turns_total: int
    rolls_total: int
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Games:
    """Results of games, as arrays with one number per game.

    Attributes:
        winners: The seat that won.
        turns: Number of turns.
        rolls: Number of dice rolled.
    """

    winners: Ints
    turns: Ints
    rolls: Ints


def sweep(players: int, progress: Callable[[int, int], object] | None = None) -> Sweep:
    """Play all 1,000,000 games of the course for one number of players.

    Args:
        players: The number of players, from 3 to 11.
        progress: Called after each batch with the number of games played and the total number.

    Raises:
        ValueError: `players` is out of range.
    """
    # Games are played in the order of the cycle, because neighbours roll the same dice.
    games = _play_batches(np.arange(PERIOD), players, progress)
    seeds, turns = _cycle().numbers, games.turns
    fewest, most = int(np.min(turns)), int(np.max(turns))
    return Sweep(
        players=players,
        turns_min=fewest,
        turns_min_seed=int(np.min(seeds[turns == fewest])),
        turns_max=most,
        turns_max_seed=int(np.min(seeds[turns == most])),
        turns_total=int(turns.sum()),
        rolls_total=int(games.rolls.sum()),
        winners=tuple(np.bincount(games.winners, minlength=players).tolist()),
    )


def play(
    seeds: Sequence[int] | Ints,
    players: int,
    progress: Callable[[int, int], object] | None = None,
) -> Games:
    """Play a game for each seed, all with the same number of players.

    The games are played in batches on all cores. The results take 24 bytes per game, and the
    additional memory does not depend on the number of games.

    Args:
        seeds: Course seeds, each from 0 to 2**32 - 1.
        players: The number of players, from 3 to 11.
        progress: Called after each batch with the number of games played and the total number.

    Raises:
        ValueError: `players` or a seed is out of range.
    """
    places = np.empty(PERIOD, np.intp)  # the position of each number on the cycle
    places[_cycle().numbers] = np.arange(PERIOD)
    return _play_batches(seeds, players, progress, places)


def _play_batches(
    numbers: Sequence[int] | Ints,
    players: int,
    progress: Callable[[int, int], object] | None,
    places: Ints | None = None,
) -> Games:
    """Play games in batches on all cores. NumPy releases the GIL while it computes.

    `numbers` are positions on the cycle. If `places` is given, they are seeds, and `places`
    contains the position of each seed.
    """
    if players not in SEATS:
        raise ValueError(f"lcr needs {SEATS[0]} to {SEATS[-1]} players, not {players}")
    size, done = len(numbers), 0
    games = Games(*(np.empty(size, np.intp) for _ in range(3)))
    _cycle()  # fill the cache before the threads need it

    def play_batch(batch: slice) -> int:
        starts = np.asarray(numbers[batch], np.intp)
        if places is not None:
            for seed in starts[(starts < 0) | (starts >= SEEDS)][:1]:
                raise ValueError(f"the course seed must be from 0 to {SEEDS - 1}, not {seed}")
            starts = places[starts % PERIOD]
        part = _play(starts, players)
        games.winners[batch], games.turns[batch] = part.winners, part.turns
        games.rolls[batch] = part.rolls
        return len(starts)

    batches = [slice(start, start + _BATCH) for start in range(0, size, _BATCH)]
    threads = ThreadPoolExecutor(os.cpu_count())
    try:
        for played in threads.map(play_batch, batches):
            done += played
            if progress is not None:
                progress(done, size)
    finally:
        threads.shutdown(cancel_futures=True)
    return games


def _play(places: Ints, players: int) -> Games:
    """Play a batch of games that begin at these positions on the cycle."""
    batch = _Batch(players, places)
    seat = 0
    while batch.running:
        batch.turn(seat)
        seat = (seat + 1) % players
    return batch.games


class _Batch:
    """Games that are played simultaneously. A game that is over has no chips."""

    def __init__(self, players: int, places: Ints) -> None:
        size = len(places)
        self.games = Games(*(np.zeros(size, np.intp) for _ in range(3)))
        self.running = size
        self._players = players
        self._index = np.arange(size)  # the index of each game in `games`
        self._starts = places * _WAYS
        # The index of the next throw of each game in `moves`, taken modulo the length.
        self._throws = self._starts.copy()
        self._chips = np.full((players, size), CHIPS_AT_START, np.uint8)
        self._turns = np.zeros(size, np.uint32)

    def turn(self, seat: int) -> None:
        """Play the turn of `seat` in every game in which the seat has chips (LCR §2)."""
        chips, seat_chips = self._chips, self._chips[seat]
        rolled = seat_chips != 0
        # Bytes keep this fast, because a processor handles many of them at once.
        dice = np.minimum(seat_chips, MOST_DICE)
        moves = _cycle().moves.take(self._throws + dice, mode="wrap")
        self._throws += dice * _WAYS
        self._turns += rolled
        seat_chips -= moves >> _GIVEN
        chips[(seat + 1) % self._players] += moves >> _LEFT & MOST_DICE
        chips[seat - 1] += moves & MOST_DICE
        # A turn takes chips only from its own seat, so the game can end only if that seat has lost
        # all its chips.
        self._end(np.flatnonzero(rolled & (seat_chips == 0)))

    def _end(self, candidates: Ints) -> None:
        """Store the results of the `candidates` in which only one seat has chips."""
        # `take` is several times faster than indexing here.
        has_chips = self._chips.take(candidates, axis=1) != 0
        over = has_chips.sum(axis=0, dtype=np.uint8) == 1
        if not over.any():
            return
        ended = candidates[over]
        index = self._index[ended]
        self.games.winners[index] = has_chips[:, over].argmax(axis=0)
        self.games.turns[index] = self._turns[ended]
        self.games.rolls[index] = (self._throws[ended] - self._starts[index]) // _WAYS
        self._chips[:, ended] = 0
        self.running -= len(ended)
        # Compact only now and then, because copying costs more than carrying some finished games.
        if self.running < 0.8 * len(self._index):
            self._compact()

    def _compact(self) -> None:
        """Remove the games that are over."""
        keep = np.flatnonzero(self._chips.any(axis=0))
        self._index = self._index[keep]
        self._throws = self._throws[keep]
        self._turns = self._turns[keep]
        self._chips = self._chips.take(keep, axis=1)


class _Cycle(NamedTuple):
    """The single cycle of all numbers of the generator, starting with 0.

    Attributes:
        numbers: The numbers in the order of the cycle.
        moves: The effect of the throws from each position: `_WAYS` bytes per position, one for each
            number of dice. Pairs of bits in a byte contain the numbers of chips passed to the
            right, passed to the left, and given away in total.
    """

    numbers: Ints
    moves: Bytes


@cache
def _cycle() -> _Cycle:
    numbers = np.zeros(PERIOD, np.intp)
    known = 1
    while known < PERIOD:  # compute the numbers that follow `known` draws after the known ones
        more = min(known, PERIOD - known)
        offset = jump(0, known)
        factor = (jump(1, known) - offset) % PERIOD
        numbers[known : known + more] = (numbers[:more] * factor + offset) % PERIOD
        known += more
    # The next three dice from each position as a number in base 6, first die first.
    dice = (numbers % SIDES).astype(np.uint8)
    throws = np.zeros(PERIOD, np.uint8)
    for number in range(1, MOST_DICE + 1):
        throws = throws * SIDES + np.roll(dice, -number)
    # Copy the `_WAYS` bytes of a position at once, as one 32-bit number.
    return _Cycle(numbers, _moves().view(np.uint32)[:, 0].take(throws).view(np.uint8))


def _moves() -> Bytes:
    """Return a row for each throw of three dice, with the move for each number of dice."""
    moves = np.zeros((SIDES**MOST_DICE, _WAYS), np.uint8)
    for throw, faces in enumerate(product(DIE, repeat=MOST_DICE)):
        for dice in range(_WAYS):
            moves[throw, dice] = sum(map(_move_of, faces[:dice]))
    return moves


def _move_of(face: Face) -> int:
    """Return the bits that encode the move of one die."""
    match face:
        case Face.DOT:
            return 0
        case Face.CENTER:
            return 1 << _GIVEN
        case Face.LEFT:
            return 1 << _GIVEN | 1 << _LEFT
        case Face.RIGHT:
            return 1 << _GIVEN | 1
    assert_never(face)


def as_json(results: Sequence[Sweep]) -> str:
    """Return the results as a JSON list of objects with the fields of `Sweep`."""
    return json.dumps([asdict(result) for result in results], indent=1) + "\n"


def as_table(results: Sequence[Sweep]) -> str:
    """Return a table with a column for each number of players. Seats count from 1."""
    head = ["players", "shortest game", "  its seed", "longest game", "  its seed"]
    head += ["turns a game", "dice a game"]
    seats = max(result.players for result in results)
    head += [f"seat {seat + 1} wins" for seat in range(seats)]
    columns = [_column(result) for result in results]
    rows = list(map(list, zip_longest(head, *columns, fillvalue="")))
    return table(rows[0], rows[1:], right=range(1, len(rows[0]))) + "\n"


def _column(result: Sweep) -> list[str]:
    return [
        f"{result.players}",
        f"{result.turns_min} turns",
        f"{result.turns_min_seed}",
        f"{result.turns_max} turns",
        f"{result.turns_max_seed}",
        f"{result.turns_total / PERIOD:.3f}",
        f"{result.rolls_total / PERIOD:.3f}",
        *(f"{wins / PERIOD:.2%}" for wins in result.winners),
    ]
