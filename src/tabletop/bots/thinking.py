"""A bot that thinks: its budget, what it knows of a game, and what it thought last."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, Generic, NamedTuple, Self, TypeAlias, TypeVar

from tabletop.game import Game
from tabletop.outcome import Outcome, Seat
from tabletop.players import Sampler
from tabletop.playouts import playout
from tabletop.rng import Stream, Streams
from tabletop.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

Evaluate: TypeAlias = Callable[[Any, Seat], float]
"""Rates a whole state for a seat, from 0.0 (lost) to 1.0 (won)."""

Policy: TypeAlias = Callable[[Any, Sequence[Any]], Sequence[Any]]
"""Returns those of the legal actions of a state that are worth trying: at least one."""

LONGEST_PLAYOUT: Final = 2_000
"""The plies after which a random playout counts as a draw: some games may never end."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot thinks about an action: in iterations, or in seconds.

    With iterations, the same seed and position give the same action. Seconds are for people who
    play: how far a bot comes in them depends on the machine.

    Attributes:
        iterations: the number of iterations, at least 1; None with seconds.
        seconds: the time, above 0; None with iterations.

    Raises:
        ValueError: neither or both are given, or one is out of range.

    >>> Budget.parse("1000"), Budget.parse("0.5s")
    (Budget(iterations=1000, seconds=None), Budget(iterations=None, seconds=0.5))
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if (self.iterations is None) == (self.seconds is None):
            raise ValueError("a budget is a number of iterations, or of seconds: give one of both")
        if self.iterations is not None and self.iterations < 1:
            raise ValueError(f"a budget of {self.iterations} iterations; write 1 or more")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise ValueError(f"a budget of {self.seconds} seconds; write more than 0")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a budget: `1000` for iterations, `2s` or `0.5s` for seconds.

        Raises:
            ValueError: it is neither.
        """
        number, seconds = text.removesuffix("s"), text.endswith("s")
        try:
            return cls(seconds=float(number)) if seconds else cls(iterations=int(number))
        except ValueError as error:
            what = f"{text!r} is no budget: write iterations as 1000, or seconds as 2s"
            raise ValueError(what) from error

    def rounds(self, stopped: Callable[[], bool]) -> Iterator[int]:
        """Count iterations from 1 while the budget lasts; at least one, unless it is stopped."""
        number, end = 0, None if self.seconds is None else monotonic() + self.seconds
        while number != self.iterations:
            number += 1
            yield number
            if stopped() or (end is not None and monotonic() >= end):
                return


class Thought(NamedTuple):
    """What a bot thought when it chose.

    Attributes:
        action: the action it chose.
        value: how good it takes that for its seat, from 0.0 (lost) to 1.0 (won).
        iterations: the iterations it made.
        seconds: the time it took.
    """

    action: Any
    value: float
    iterations: int
    seconds: float


def worth(outcome: Outcome | None, seat: Seat) -> float:
    """Return the worth of an outcome to a seat: 1.0 for the winner, 0.0 for a loser.

    Several winners share it, and so do all seats when nobody has won or there is no outcome yet:
    a draw of two is worth 0.5 to each.
    """
    if outcome is None:
        return 0.5
    winners = outcome.winners or tuple(seat for group in outcome.ranking for seat in group)
    return 1 / len(winners) if seat in winners else 0.0


class Thinker(ABC, Generic[S, A]):
    """A player that looks ahead for as long as its budget lasts.

    Args:
        chance: the stream of its seat. One draw of it seeds all that it imagines for a choice.
        game: the rules.
        iterations: the budget in iterations.
        seconds: the budget in seconds, in place of iterations.
        evaluate: rates the states that it imagines; without it they are played to the end at
            random.
        policy: leaves out actions that are not worth trying.

    Attributes:
        budget: how long it thinks about an action.
        thought: its last thought; None before the first one, and where there was one action alone.

    Raises:
        ValueError: the budget is out of range; see `Budget`.
    """

    thought: Thought | None = None

    def __init__(
        self,
        chance: Stream,
        *,
        game: Game[S, A],
        iterations: int | None = None,
        seconds: float | None = None,
        evaluate: Evaluate | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.budget = Budget(iterations, seconds)
        self._chance = chance
        self._game = game
        self._evaluate = evaluate
        self._policy = policy
        self._stopped = False
        self._iterations = 0

    def choose(self, view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
        """Return the action that it takes for the best one."""
        self.thought, self._stopped = None, False
        if len(actions) == 1:
            return actions[0]
        begun = monotonic()
        streams = Streams(self._chance.below(1 << 62))
        if self._policy is not None:
            actions = self._policy(sampler.sample(streams["hidden"]), actions)
        action, value = self._think(actions, sampler, streams)
        self.thought = Thought(action, value, self._iterations, monotonic() - begun)
        return action

    def stop(self) -> None:
        """Have `choose` return after the iteration it is at; for another thread or a signal."""
        self._stopped = True

    def _rounds(self) -> Iterator[int]:
        """Count iterations while the budget lasts."""
        for number in self.budget.rounds(lambda: self._stopped):
            self._iterations = number
            yield number

    @abstractmethod
    def _think(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float]:
        """Return the best of some actions, and its value.

        `streams` are the bot's own chance for this choice.
        """

    def _worthwhile(self, state: S, seat: Seat) -> Sequence[A]:
        """Return the legal actions of a seat that are worth trying."""
        actions = self._game.legal_actions(state, seat)
        return actions if self._policy is None else self._policy(state, actions)

    def _rate(self, state: S, chance: Stream, rng: Streams) -> Callable[[Seat], float]:
        """Return a function that rates `state` for a seat.

        It is the state's outcome, else what `evaluate` says, else what a random playout came to.
        """
        if self._game.to_act(state):
            if self._evaluate is not None:
                return partial(self._evaluate, state)
            state = playout(
                self._game, state, chance, rng, plies=LONGEST_PLAYOUT, policy=self._policy
            )
        return partial(worth, self._game.outcome(state))
