"""Matches of a policy against itself and against what it was before: what it learns from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.envs.encoding import Encoder
from tabletop.envs.episodes import Episodes
from tabletop.envs.policies import Layers, forward, scaling
from tabletop.match.match import AnyMatch
from tabletop.registry import load
from tabletop.rules.options import OptionValue

ROWS: Final = 8
"""So many positions are rated at once: with more, what the last digits are may hang on how many
threads NumPy reckons with.
"""


@dataclass(frozen=True, slots=True)
class Lot:
    """Some matches that are played side by side, so that a network sees many positions at once.

    Match 7 is the match of the seed `seeds` and 7. In those with an even number the newest self has
    all seats; in the others it has one, round the table, and an earlier self has the rest.

    Attributes:
        game: the name by which `registry.load` finds the game.
        seats, options: those of the matches.
        plies: a match is broken off after so many actions.
        seeds: the name of the series of matches.
        numbers: the numbers of the matches.
        newest: the network that learns.
        earlier: that of an earlier self.
    """

    game: str
    seats: int
    options: Mapping[str, OptionValue]
    plies: int
    seeds: str
    numbers: range
    newest: Layers
    earlier: Layers


class Played(NamedTuple):
    """What the newest self has decided: a row for each choice, those of a seat in their order.

    Attributes:
        observations: what it saw, as numbers from 0 to 1.
        masks: what it might do, eight actions in a byte.
        actions: what it did.
        rewards: what came of it: the worth of the outcome after the last choice of a match, or 0.
        begins: whether a choice is the first of its seat in a match.
        plies: the actions of all matches.
        matches: how many there were.
        cut: how many of them were broken off.
    """

    observations: NDArray[np.float32]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    begins: NDArray[np.bool_]
    plies: int
    matches: int
    cut: int


@dataclass(slots=True)
class _Seated:
    """A match, with whether each seat is the newest self, and what those seats have decided.

    `legal` is what may be done now.
    """

    match: AnyMatch
    is_newest: tuple[bool, ...]
    legal: Sequence[Any] = ()
    choices: list[list[tuple[Any, Any, int]]] = field(init=False)

    def __post_init__(self) -> None:
        self.choices = [[] for _ in self.is_newest]


@lru_cache(maxsize=4)
def _episodes(
    game: str, seats: int, options: tuple[tuple[str, OptionValue], ...], plies: int
) -> Episodes:
    return Episodes(load(game), seats=seats, options=dict(options), max_plies=plies)


def play(lot: Lot) -> Played:
    """Play the matches of a lot to their ends.

    The chance of both selves is drawn from a generator of the lot, that of a match from its seed.
    """
    episodes = _episodes(lot.game, lot.seats, tuple(sorted(lot.options.items())), lot.plies)
    chance = np.random.default_rng([*f"{lot.seeds} {lot.numbers.start}".encode()])
    all_seated = [
        _Seated(
            episodes.begin(f"{lot.seeds} {number}"),
            tuple(not number % 2 or seat == number // 2 % lot.seats for seat in range(lot.seats)),
        )
        for number in lot.numbers
    ]
    live, asked = all_seated, _Asked(episodes)
    while live := [it for it in live if _is_asked(it, episodes)]:
        turns: dict[bool, list[_Seated]] = {True: [], False: []}
        for one in live:
            turns[one.is_newest[one.match.to_act[0]]].append(one)
        for is_newest, turn in turns.items():
            if turn:
                layers = lot.newest if is_newest else lot.earlier
                asked.decide(turn, layers, chance, is_kept=is_newest)
    return _gathered(all_seated, episodes)


def _is_asked(one: _Seated, episodes: Episodes) -> bool:
    """Play what is the only legal action, and check whether somebody has a choice then."""
    match = one.match
    while match.to_act and not episodes.is_cut(match):
        one.legal = match.legal_actions(match.to_act[0])
        if len(one.legal) > 1:
            return True
        match.play(one.legal[0])
    return False


class _Asked:
    """Asks a network what to do in several matches at once."""

    def __init__(self, episodes: Episodes) -> None:
        self._episodes, self._scaled = episodes, scaling(episodes.encoder)
        self._is_quick = type(episodes.encoder) is Encoder

    def decide(
        self, turn: Sequence[_Seated], layers: Layers, chance: np.random.Generator, *, is_kept: bool
    ) -> None:
        """Play an action in each match, and keep what was seen and done."""
        episodes = self._episodes
        seen: Any = np.empty((len(turn), episodes.encoder.size), np.float32)
        masks: Any = np.empty((len(turn), episodes.index.size), np.int8)
        for one, row, mask in zip(turn, seen, masks, strict=True):
            state, seat = one.match.state, one.match.to_act[0]
            out = memoryview(row) if self._is_quick else row
            episodes.encoder.encode(episodes.game.glance(state, seat), seat, out)
            episodes.index.mask(one.legal, memoryview(mask).cast("B"))
        seen = self._scaled(seen)
        parts = [slice(at, at + ROWS) for at in range(0, len(turn), ROWS)]
        likely = np.concatenate([forward(layers, seen[part], masks[part]) for part in parts])
        reached = likely.cumsum(axis=1)
        # What is rounded may end below 1: a draw beyond it would be no legal action.
        drawn = chance.random((len(turn), 1)) * reached[:, -1:]
        numbers = (reached > drawn).argmax(axis=1).tolist()
        packed = np.packbits(masks, axis=1)
        for at, (one, number) in enumerate(zip(turn, numbers, strict=True)):
            seat = one.match.to_act[0]
            if is_kept:
                one.choices[seat].append((seen[at], packed[at], number))
            one.match.play(episodes.index.actions[number])


def _gathered(all_seated: Sequence[_Seated], episodes: Episodes) -> Played:
    """Return what the newest self has decided in all matches."""
    seen, masks, actions, rewards, begins = [], [], [], [], []
    for one in all_seated:
        worth = episodes.rewards(one.match.outcome)
        for choices, own in zip(one.choices, worth, strict=True):
            for at, (row, mask, number) in enumerate(choices):
                seen.append(row)
                masks.append(mask)
                actions.append(number)
                rewards.append(own if at == len(choices) - 1 else 0.0)
                begins.append(at == 0)
    return Played(
        np.array(seen, np.float32).reshape(len(seen), episodes.encoder.size),
        np.array(masks, np.uint8).reshape(len(seen), -(-episodes.index.size // 8)),
        np.array(actions, np.int64),
        np.array(rewards, np.float32),
        np.array(begins, np.bool_),
        sum(it.match.ply for it in all_seated),
        len(all_seated),
        sum(not it.match.over for it in all_seated),
    )
