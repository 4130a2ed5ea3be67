"""Self-play: matches of a policy against itself and against earlier versions of it."""

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
"""Number of positions to evaluate together. With more positions, the last digits of the results
could depend on the number of NumPy threads.
"""


@dataclass(frozen=True, slots=True)
class Lot:
    """A group of matches played in parallel, so that a network evaluates many positions at once.

    The seed of match 7 is `seeds`, a space and `7`. In matches with an even number, the current
    policy plays all seats. In matches with an odd number, it plays one seat, a different one each
    time, and an earlier version plays the others.

    Attributes:
        game: Name by which `registry.load` finds the game.
        seats, options: Number of seats, and options of the game.
        seeds: Name of the series of matches.
        numbers: Numbers of the matches.
        newest: Network of the current policy.
        earlier: Network of an earlier version.
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
    """The choices of the current policy, one row per choice. The choices of a seat are in order.

    Attributes:
        observations: Observations, as numbers from 0 to 1.
        masks: Legal actions, with eight actions per byte.
        actions: Indices of the chosen actions.
        rewards: The rewards of the choices: for the last choice of a seat in a match, the reward of
            the outcome, and for all others 0.
        begins: Whether the choice is the first choice of its seat in a match.
        plies: Number of actions in all matches.
        matches: Number of matches.
        stopped: Number of matches that were stopped at the limit.
    """

    observations: NDArray[np.float32]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    begins: NDArray[np.bool_]
    plies: int
    matches: int
    stopped: int


@dataclass(slots=True)
class _Seated:
    """A match with its choices.

    Attributes:
        is_newest: Whether each seat is played by the current policy.
        legal: Legal actions of the seat that is to act.
        choices: The choices of each seat played by the current policy.
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

    Each lot has its own generator for choices. The draws of the rules come from the seeds of the
    matches.
    """
    episodes = _episodes(lot.game, lot.seats, tuple(sorted(lot.options.items())), lot.plies)
    generator = np.random.default_rng([*f"{lot.seeds} {lot.numbers.start}".encode()])
    all_seated = [
        _Seated(
            episodes.begin(f"{lot.seeds} {number}"),
            tuple(not number % 2 or seat == number // 2 % lot.seats for seat in range(lot.seats)),
        )
        for number in lot.numbers
    ]
    live, decider = all_seated, _Decider(episodes)
    while live := [it for it in live if _advance(it, episodes)]:
        turns: dict[bool, list[_Seated]] = {True: [], False: []}
        for seated in live:
            turns[seated.is_newest[seated.match.to_act[0]]].append(seated)
        for is_newest, turn in turns.items():
            if turn:
                layers = lot.newest if is_newest else lot.earlier
                decider.decide(turn, layers, generator, is_kept=is_newest)
    return _gathered(all_seated, episodes)


def _advance(seated: _Seated, episodes: Episodes) -> bool:
    """Play forced actions, and return whether the match has reached a choice."""
    match = seated.match
    while match.to_act and not episodes.is_truncated(match):
        seated.legal = match.legal_actions(match.to_act[0])
        if len(seated.legal) > 1:
            return True
        match.play(seated.legal[0])
    return False


class _Decider:
    """Chooses actions for several matches at once, using a network."""

    def __init__(self, episodes: Episodes) -> None:
        self._episodes, self._scaled = episodes, scaling(episodes.encoder)
        self._is_quick = type(episodes.encoder) is Encoder

    def decide(
        self,
        turn: Sequence[_Seated],
        layers: Layers,
        generator: np.random.Generator,
        *,
        is_kept: bool,
    ) -> None:
        """Play an action in each match.

        Args:
            is_kept: Whether to record the choices.
        """
        episodes = self._episodes
        observations: Any = np.empty((len(turn), episodes.encoder.size), np.float32)
        masks: Any = np.empty((len(turn), episodes.index.size), np.int8)
        for seated, row, mask in zip(turn, observations, masks, strict=True):
            state, seat = seated.match.state, seated.match.to_act[0]
            out = memoryview(row) if self._is_quick else row
            episodes.encoder.encode(episodes.game.glance(state, seat), seat, out)
            episodes.index.mask(seated.legal, memoryview(mask).cast("B"))
        observations = self._scaled(observations)
        parts = [slice(at, at + ROWS) for at in range(0, len(turn), ROWS)]
        probabilities = np.concatenate(
            [forward(layers, observations[part], masks[part]) for part in parts]
        )
        cumulative = probabilities.cumsum(axis=1)
        # Scaled by the last sum, because rounding may leave it below 1, and a draw beyond it would
        # select an illegal action.
        drawn = generator.random((len(turn), 1)) * cumulative[:, -1:]
        numbers = (cumulative > drawn).argmax(axis=1).tolist()
        packed = np.packbits(masks, axis=1)
        for at, (seated, number) in enumerate(zip(turn, numbers, strict=True)):
            seat = seated.match.to_act[0]
            if is_kept:
                seated.choices[seat].append((observations[at], packed[at], number))
            seated.match.play(episodes.index.actions[number])


def _gathered(all_seated: Sequence[_Seated], episodes: Episodes) -> Played:
    """Return the choices of the current policy in all matches."""
    observations, masks, actions, rewards, begins = [], [], [], [], []
    for seated in all_seated:
        results = episodes.rewards(seated.match.outcome)
        for choices, reward in zip(seated.choices, results, strict=True):
            for at, (row, mask, number) in enumerate(choices):
                observations.append(row)
                masks.append(mask)
                actions.append(number)
                rewards.append(reward if at == len(choices) - 1 else 0.0)
                begins.append(at == 0)
    return Played(
        np.array(observations, np.float32).reshape(len(observations), episodes.encoder.size),
        np.array(masks, np.uint8).reshape(len(observations), -(-episodes.index.size // 8)),
        np.array(actions, np.int64),
        np.array(rewards, np.float32),
        np.array(begins, np.bool_),
        sum(it.match.ply for it in all_seated),
        len(all_seated),
        sum(not it.match.over for it in all_seated),
    )
