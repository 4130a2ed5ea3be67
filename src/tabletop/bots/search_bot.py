"""A bot that thinks: its budget, what it knows of a game, and what it thought last."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, Generic, NamedTuple, Self, TypeAlias, TypeVar

from tabletop.errors import ContractError
from tabletop.match.contract_errors import no_action_to_try
from tabletop.match.players import Sampler
from tabletop.match.playouts import play_on
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.game import Game, Table
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

Evaluate: TypeAlias = Callable[[Any, Seat], float]
"""Rates a whole state for a seat, from 0.0 (lost) to 1.0 (won)."""

Policy: TypeAlias = Callable[[Any, Sequence[Any]], Sequence[Any]]
"""Returns those of the legal actions of a state that are worth trying: at least one."""

Belief: TypeAlias = Callable[[Any, Seat], float]
"""How likely what a seat has seen is if a whole state is the true one, from 0.0 to 1.0.

Only how the values of two states compare counts. What the state does not tell, the rules can note
in it: what a player has claimed, say.
"""

LONGEST_PLAYOUT: Final = 2_000
"""The plies after which a random playout counts as half a win.

Some games may never end.
"""

_FIRST_DEALS: Final = 64
"""The deals among which the first state is found that a belief does not rule out."""

_DEALS: Final = 3
"""The deals that are proposed for each further state."""

_ONE: Final = 1 << 30
"""Chance is drawn as a whole number below this one."""

_OUTCOMES: Final = 64
"""The outcomes whose worth is remembered."""

_BUDGET: Final = re.compile(r"(\d{1,9})|(\d{1,9}(?:\.\d{1,9})?)s", re.ASCII)


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

    >>> Budget.parse("1000")
    Budget(iterations=1000, seconds=None)
    >>> Budget.parse("0.5s")
    Budget(iterations=None, seconds=0.5)
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
        if not (found := _BUDGET.fullmatch(text)):
            raise ValueError(f"{text!r} is no budget: write iterations as 1000, or seconds as 2s")
        return cls(int(found[1])) if found[1] else cls(seconds=float(found[2]))


class SearchResult(NamedTuple):
    """What a bot thought when it chose.

    Attributes:
        action: the action it chose.
        value: how good it takes that for its seat, from 0.0 (lost) to 1.0 (won).
        iterations: the iterations it made.
        seconds: the time it took.
        share: the part of its iterations that went to the action, from 0.0 to 1.0: how sure it is
            of it. None where all actions are tried alike.
        counts_wins: whether the value is the part of its tries that were won, a draw being half of
            one. Else it is a rating: of positions before the end, of points, or of more places.
    """

    action: Any
    value: float
    iterations: int
    seconds: float
    share: float | None = None
    counts_wins: bool = False


class SearchBot(ABC, Generic[S, A]):
    """A player that looks ahead for as long as its budget lasts.

    Args:
        chance: the stream of its seat. One draw of it seeds all that it imagines for a choice.
        game: the rules.
        iterations: the budget in iterations.
        seconds: the budget in seconds, in place of iterations.
        evaluate: rates the states that it imagines; without it they are played to the end at
            random.
        policy: leaves out actions that are not worth trying.
        belief: weighs the states that it imagines by what its seat has seen others do; without it
            all that the seat cannot tell apart are equally likely.
        plies: the random plies before a state is rated with `evaluate`, 0 or more.
        choices: ends a thought, whatever its budget, when so many random choices have been made in
            it: without `evaluate` a match may be long. Unlike a time, it is the same everywhere.

    Attributes:
        budget: how long it thinks about an action.
        thought: its last thought; None before the first one, and where there was one action alone.
        tries: how often each action was tried in its last thought, and the sum of what that was
            worth; empty for a bot that counts no tries.

    Raises:
        ValueError: `plies`, `choices` or the budget is out of range; see `Budget`.
    """

    last_search: SearchResult | None = None

    def __init__(
        self,
        chance: Stream,
        *,
        game: Game[S, A],
        iterations: int | None = None,
        seconds: float | None = None,
        evaluate: Evaluate | None = None,
        policy: Policy | None = None,
        belief: Belief | None = None,
        plies: int = 0,
        choices: int | None = None,
    ) -> None:
        if plies < 0:
            raise ValueError(f"plies={plies}: write 0 or more")
        if choices is not None and choices < 1:
            raise ValueError(f"choices={choices}: write 1 or more")
        self.budget: Budget = Budget(iterations, seconds)
        self.statistics: dict[A, tuple[int, float]] = {}
        self._plies = plies
        self._most_choices = choices
        self._chance = chance
        self._game = game
        self._evaluate = evaluate
        self._policy = policy
        self._belief = belief
        self._stopped = False
        self._iterations = 0
        self._begun = 0.0
        self._picks: Stream  # of the last thought
        self._counts_wins = True  # so far in this thought
        self._outcomes: dict[int, Worths] = {}  # of this thought

    def choose(self, view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
        """Return the action that it takes for the best one."""
        self.last_search = None
        try:
            return self._choose(actions, sampler)
        finally:
            self._stopped = False  # not before: who stops it may do so before it has begun

    def _choose(self, actions: Sequence[A], sampler: Sampler[S]) -> A:
        if len(actions) == 1:
            return actions[0]
        self._begun, self._iterations, self._counts_wins = monotonic(), 0, True
        self._outcomes.clear()
        streams = Streams(self._chance.below(1 << 62))
        self._picks = streams["picks"]
        if self._belief is not None:
            sampler = _BelievingSampler(self._game, sampler, self._belief)
        if self._policy is not None:
            state = sampler.sample(streams["hidden"])
            actions = self._policy(state, actions)
            if not actions:
                raise no_action_to_try(self._game, state, sampler.seat)
        if len(actions) == 1:
            return actions[0]
        action, value, share = self._think(actions, sampler, streams)
        took, wins = self._measure_time(), self._counts_wins
        self.last_search = SearchResult(action, value, self._iterations, took, share, wins)
        return action

    def stop(self) -> None:
        """Have `choose` return what it has found so far; for another thread, or a signal.

        It may come a moment before that is called.
        """
        self._stopped = True

    def _measure_time(self) -> float:
        """Return the time since it began to think."""
        return monotonic() - self._begun

    def _rounds(self) -> Iterator[int]:
        """Count iterations from 0, and at least one, while the budget lasts."""
        while self._iterations != self.budget.iterations:
            yield self._iterations
            self._iterations += 1
            if self._is_over():
                return

    def _is_over(self) -> bool:
        """Check whether the time or the choices are used up, or somebody has stopped it."""
        seconds, most = self.budget.seconds, self._most_choices
        if most is not None and self._picks.offset >= most:
            return True
        return self._stopped or (seconds is not None and self._measure_time() >= seconds)

    @abstractmethod
    def _think(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        """Return the best of some actions, its value, and the share of the iterations it had.

        `streams` are the bot's own chance for this choice.
        """

    def _worthwhile(self, state: S, seat: Seat) -> Sequence[A]:
        """Return the legal actions of a seat that are worth trying."""
        actions = self._game.legal_actions(state, seat)
        if self._policy is not None:
            actions = self._policy(state, actions)
        if not actions:
            raise no_action_to_try(self._game, state, seat)
        return actions

    def _rate(self, state: S, table: Table) -> Worths:
        """Return what `state` is worth to each seat; playing it on changes it.

        It is the utility of the state's outcome, else what `evaluate` says, else what a random
        playout came to. Who plays alone for no points is ranked before nobody: there `evaluate`
        rates ends, too.
        """
        game, evaluate = self._game, self._evaluate
        plies = LONGEST_PLAYOUT if evaluate is None else self._plies
        if plies:
            play_on(game, state, self._picks, table, plies=plies, policy=self._policy)
        if evaluate is not None and game.to_act(state):
            self._counts_wins = False
            return Worths(partial(evaluate, state))
        outcome = game.outcome(state)
        if outcome is None:
            self._counts_wins = False
            return Worths(lambda seat: 0.5)
        if evaluate is not None and outcome.ranking == ((0,),) and game.point_range is None:
            self._counts_wins = False
            return Worths(partial(evaluate, state))
        # By identity: most games make one outcome for each of the few ways in which they end.
        worths = self._outcomes.get(id(outcome))
        if worths is None:
            self._counts_wins = self._counts_wins and _is_won_or_lost(game, outcome)
            if len(self._outcomes) == _OUTCOMES:
                self._outcomes.clear()
            worths = self._outcomes[id(outcome)] = Worths(partial(game.utility, outcome))
        return worths


class Worths(dict[Seat, float]):
    """What something is worth to each seat, found out when it is first asked for."""

    def __init__(self, find: Callable[[Seat], float]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, seat: Seat) -> float:
        worth = self[seat] = self._find(seat)
        return worth


def _is_won_or_lost(game: Game[Any, Any], outcome: Outcome) -> bool:
    """Check whether an outcome is worth 1.0 to who has won, 0.0 to who has lost, and no more."""
    is_duel = sum(map(len, outcome.ranking)) == 2 and outcome.best is None
    return is_duel and game.point_range is None and type(game).utility is Game.utility


class _BelievingSampler(Sampler[S]):
    """Draws the states of another sampler, each about as often as a belief says that it is true.

    It goes from state to state (Metropolis and Hastings): a deal takes the place of the last one
    if it is likelier, else in so many cases as it is less likely. So weights need no common scale,
    and hands that nobody would lie about are found after a few deals.
    """

    __slots__ = ()

    def __init__(self, game: Game[S, Any], sampler: Sampler[S], belief: Belief) -> None:
        self.seat = sampler.seat
        last: list[tuple[S, float]] = []

        def weigh(state: S) -> float:
            try:
                weight: object = belief(state, sampler.seat)
            except Exception as error:
                raise ContractError(f"{game.name}: belief failed: {error!r}") from error
            if not (isinstance(weight, int | float) and 0.0 <= weight <= 1.0):
                wanted = "a number from 0.0 to 1.0"
                raise ContractError(f"{game.name}: belief returned {weight!r}, not {wanted}")
            return weight

        def draw(rng: Stream) -> S:
            if last:
                state, weight = last[0]
            else:
                state = sampler.sample(rng)
                weight = weigh(state)
            for _ in range(_DEALS if last else _FIRST_DEALS):
                other = sampler.sample(rng)
                its_weight = weigh(other)
                if its_weight >= weight or rng.below(_ONE) * weight < its_weight * _ONE:
                    state, weight = other, its_weight
            last[:] = [(state, weight)]
            return state.clone()

        self._draw = draw
