"""Every game of the course, with NumPy: 1,000,000 for each number of players (LCR §3.2).

    >>> games = play([4823, 784], players=3)
    >>> games.turns.tolist(), games.winners.tolist()
    ([6, 2], [0, 2])

All games of a batch consider the same seat at the same time. Where it has no chips, nothing is
rolled; where only one seat has chips, the game is over and is taken out of the batch.
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
"""The games that `sweep` plays at once: as many as the caches of a processor hold well."""

SEEDS: Final = 1 << 32
"""The course seeds are the numbers below this."""

_WAYS: Final = MOST_DICE + 1
"""The count of possible numbers of dice in a turn: none to three."""

_GIVEN, _LEFT = 4, 2
"""From which bit on a move says how many chips are given away, and how many to the left."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The totals of every game of the course, for one number of players.

    Attributes:
        players: the number of players.
        turns_min, turns_max: the turns of the shortest and of the longest game. A seat that is
            skipped has no turn.
        turns_min_seed, turns_max_seed: their seeds, from 0 to 999,999; the smallest, if several.
        turns_total, rolls_total: the turns and the dice of all games together.
        winners: how often each seat wins.
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
    """The results of a batch of games; arrays with a number for each game.

    Attributes:
        winners: the seat that won.
        turns: the number of turns.
        rolls: the number of dice rolled.
    """

    winners: Ints
    turns: Ints
    rolls: Ints


def sweep(players: int, progress: Callable[[int, int], object] | None = None) -> Sweep:
    """Play all 1,000,000 games for `players`, 3 to 11.

    Args:
        players: the number of players.
        progress: called now and then with how many games have been played, and of how many.

    Raises:
        ValueError: `players` is out of range.
    """
    # Games that stand near each other on the cycle roll the same dice.
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
    """Play a game for each of `seeds`, all with the same number of `players`, 3 to 11.

    They are played in batches, on all cores: beside the results, 24 bytes a game, they take little
    memory, however many there are.

    Args:
        seeds: course seeds, each from 0 to 2**32 - 1.
        players: the number of players.
        progress: called now and then with how many games have been played, and of how many.

    Raises:
        ValueError: `players` or a seed is out of range.
    """
    places = np.empty(PERIOD, np.intp)  # where each number stands on the cycle
    places[_cycle().numbers] = np.arange(PERIOD)
    return _play_batches(seeds, players, progress, places)


def _play_batches(
    numbers: Sequence[int] | Ints,
    players: int,
    progress: Callable[[int, int], object] | None,
    places: Ints | None = None,
) -> Games:
    """Play games in batches, on all cores: NumPy releases Python's lock while it computes.

    Args:
        numbers: places on the cycle, or seeds, where `places` says where these stand.
        players, progress, places: as in `play`.
    """
    if players not in SEATS:
        raise ValueError(f"lcr is for {SEATS[0]} to {SEATS[-1]} players, not for {players}")
    size, done = len(numbers), 0
    games = Games(*(np.empty(size, np.intp) for _ in range(3)))
    _cycle()  # so that the threads need not make it

    def play_batch(batch: slice) -> int:
        own = np.asarray(numbers[batch], np.intp)
        if places is not None:
            for seed in own[(own < 0) | (own >= SEEDS)][:1]:
                raise ValueError(f"course seed {seed} is not from 0 to {SEEDS - 1}")
            own = places[own % PERIOD]
        part = _play(own, players)
        games.winners[batch], games.turns[batch] = part.winners, part.turns
        games.rolls[batch] = part.rolls
        return len(own)

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
    """Play the games that begin at these places on the cycle, in one batch; see `play`."""
    batch = _Batch(players, places)
    seat = 0
    while batch.running:
        batch.turn(seat)
        seat = (seat + 1) % players
    return batch.games


class _Batch:
    """Games that are being played side by side; those that are over have no chips any more."""

    def __init__(self, players: int, places: Ints) -> None:
        size = len(places)
        self.games = Games(*(np.zeros(size, np.intp) for _ in range(3)))
        self.running = size
        self._players = players
        self._index = np.arange(size)  # where each game stands in `games`
        self._starts = places * _WAYS
        # Where the next throw of each game stands in `moves`; beyond the end they go round again.
        self._throws = self._starts.copy()
        self._chips = np.full((players, size), CHIPS_AT_START, np.uint8)
        self._turns = np.zeros(size, np.uint32)

    def turn(self, seat: int) -> None:
        """Let `seat` have its turn in every game in which it has chips (LCR §2)."""
        chips, own = self._chips, self._chips[seat]
        rolled = own != 0
        # All but the look-up is work on bytes, of which a processor does very many at a time.
        dice = np.minimum(own, MOST_DICE)
        moves = _cycle().moves.take(self._throws + dice, mode="wrap")
        self._throws += dice * _WAYS
        self._turns += rolled
        own -= moves >> _GIVEN
        chips[(seat + 1) % self._players] += moves >> _LEFT & MOST_DICE
        chips[seat - 1] += moves & MOST_DICE
        # A roller who still has chips has not won, as others had some before: it goes on.
        self._end(np.flatnonzero(rolled & (own == 0)))

    def _end(self, candidates: Ints) -> None:
        """Store the results of those `candidates` that are over: one seat alone has chips."""
        # `take` is several times as fast here as an index is.
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
        # Not each time: to copy all that go on takes longer than to carry some along.
        if self.running < 0.8 * len(self._index):
            self._compact()

    def _compact(self) -> None:
        """Take out the games that are over."""
        keep = np.flatnonzero(self._chips.any(axis=0))
        self._index = self._index[keep]
        self._throws = self._throws[keep]
        self._turns = self._turns[keep]
        self._chips = self._chips.take(keep, axis=1)


class _Cycle(NamedTuple):
    """The one cycle of numbers that the generator goes round, in the order from 0 on.

    `moves` says what a throw from each place does with each number of dice: `_WAYS` bytes a place.
    Two bits of a byte each say how many chips go to the right, to the left, and away in all.
    """

    numbers: Ints
    moves: Bytes


@cache
def _cycle() -> _Cycle:
    numbers = np.zeros(PERIOD, np.intp)
    known = 1
    while known < PERIOD:  # the known numbers, drawn `known` times more
        more = min(known, PERIOD - known)
        offset = jump(0, known)
        factor = (jump(1, known) - offset) % PERIOD
        numbers[known : known + more] = (numbers[:more] * factor + offset) % PERIOD
        known += more
    # The next three dice from each place, as a number in base 6, the first die in front.
    dice = (numbers % SIDES).astype(np.uint8)
    throws = np.zeros(PERIOD, np.uint8)
    for number in range(1, MOST_DICE + 1):
        throws = throws * SIDES + np.roll(dice, -number)
    # All ways of a place are taken over at once, as one number of 32 bits.
    return _Cycle(numbers, _moves().view(np.uint32)[:, 0].take(throws).view(np.uint8))


def _moves() -> Bytes:
    """Return the moves of each throw of three dice, a row each, by how many of its dice count."""
    moves = np.zeros((SIDES**MOST_DICE, _WAYS), np.uint8)
    for throw, faces in enumerate(product(DIE, repeat=MOST_DICE)):
        for dice in range(_WAYS):
            moves[throw, dice] = sum(map(_move_of, faces[:dice]))
    return moves


def _move_of(face: Face) -> int:
    """Return the bits of a move for one die."""
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
    """Return a list of objects with the fields of `Sweep`."""
    return json.dumps([asdict(result) for result in results], indent=1) + "\n"


def as_table(results: Sequence[Sweep]) -> str:
    """Format a column for each number of players, after the labels; seats count from 1."""
    head = ["players", "shortest game", "  its seed", "longest game", "  its seed"]
    head += ["turns a game", "dice a game"]
    head += [f"seat {seat + 1} wins" for seat in range(max(it.players for it in results))]
    columns = [_column(it) for it in results]
    rows = [[what, *cells] for what, *cells in zip_longest(head, *columns, fillvalue="")]
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
