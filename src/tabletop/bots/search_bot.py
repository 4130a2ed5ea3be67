"""The base class of search bots, their budget and their search results."""

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
from tabletop.rules.selections import spread
from tabletop.states.bounds import Seat
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

Evaluate: TypeAlias = Callable[[Any, Seat], float]
"""Function that rates a complete state for a seat, from 0.0 (lost) to 1.0 (won)."""

Policy: TypeAlias = Callable[[Any, Sequence[Any]], Sequence[Any]]
"""Function that returns the legal actions worth searching in a state, at least one."""

Belief: TypeAlias = Callable[[Any, Seat], float]
"""Function that rates how plausible a complete state is to a seat, from 0.0 to 1.0.

Only the ratio between the values of two states matters. The function sees only the state, so the
rules must record earlier events such as claims in the state.
"""

LONGEST_PLAYOUT: Final = 2_000
"""Maximum number of plies in a random playout.

A playout that reaches the limit counts as half a win. The limit is necessary because some games
never end.
"""

_FIRST_DEALS: Final = 64
"""Maximum number of deals to find a first state that the belief does not rule out."""

_DEALS: Final = 3
"""Number of deals to propose for each further state."""

_ONE: Final = 1 << 30
"""Random numbers that decide whether a deal is accepted are integers below this bound."""

_OUTCOMES: Final = 64
"""Maximum number of outcomes whose values are cached."""

_BUDGET: Final = re.compile(r"(\d{1,9})|(\d{1,9}(?:\.\d{1,9})?)s", re.ASCII)


@dataclass(frozen=True, slots=True)
class Budget:
    """The limit of a search: a number of iterations, or a time in seconds.

    With iterations, the same seed and position give the same action. With seconds, the result
    depends on the speed of the machine, so use seconds only in matches with human players.

    Attributes:
        iterations: The number of iterations, at least 1, or None if the budget is in seconds.
        seconds: The time in seconds, above 0, or None if the budget is in iterations.

    Raises:
        ValueError: Both values or neither are given, or a value is out of range.

    >>> Budget.parse("1000")
    Budget(iterations=1000, seconds=None)
    >>> Budget.parse("0.5s")
    Budget(iterations=None, seconds=0.5)
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if (self.iterations is None) == (self.seconds is None):
            raise ValueError("a budget needs either iterations or seconds")
        if self.iterations is not None and self.iterations < 1:
            raise ValueError(f"iterations must be at least 1, not {self.iterations}")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise ValueError(f"seconds must be greater than 0, not {self.seconds}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a budget: `1000` for iterations, `2s` or `0.5s` for seconds.

        Raises:
            ValueError: The text has a different form.
        """
        if not (match := _BUDGET.fullmatch(text)):
            raise ValueError(
                f"{text!r} is not a budget (write 1000 for iterations, or 2s for seconds)"
            )
        return cls(int(match[1])) if match[1] else cls(seconds=float(match[2]))


class SearchResult(NamedTuple):
    """The result of one search.

    Attributes:
        action: The action that the bot chose.
        value: The estimated value of the action for the seat, from 0.0 (lost) to 1.0 (won).
        iterations: The number of iterations.
        seconds: The duration of the search.
        share: The fraction of the iterations that chose this action, as a measure of confidence.
            None for bots that search all actions equally often.
        counts_wins: Whether `value` is the share of iterations won, with a draw as half a win. If
            False, `value` also depends on `evaluate`, points, or ranks below the first.
    """

    action: Any
    value: float
    iterations: int
    seconds: float
    share: float | None = None
    counts_wins: bool = False


class SearchBot(ABC, Generic[S, A]):
    """Base class of players that search for an action within a budget.

    Args:
        stream: The random stream of the seat. Each choice among several actions draws one number
            from it, which seeds the search.
        game: The rules.
        iterations: The budget in iterations.
        seconds: The budget in seconds, instead of `iterations`.
        evaluate: Rates states during the search. By default, random playouts to the end of the
            match rate them.
        policy: Selects the actions to search. By default, all legal actions are searched.
        belief: Weights the sampled states by the observed behaviour of other players. By default,
            all states that are consistent with the view are equally likely.
        plies: The number of random plies before `evaluate` rates a state, 0 or more.
        choices: Maximum number of random choices per search, whatever the budget. This is useful
            for long matches without `evaluate`. Unlike a time limit, the maximum gives the same
            result on every machine. By default, there is no maximum.
        per_action: Minimum number of iterations for each action to choose from, 0 or more. It
            raises a budget in iterations that is too small for the number of actions.

    Attributes:
        budget: The budget for each choice.
        last_search: The result of the last search. None before the first search, and if there was
            only one action to choose from.
        statistics: For each action, the number of iterations in the last search and the sum of
            their values. Empty for bots without these statistics.

    Raises:
        ValueError: `plies`, `choices` or the budget is out of range; see `Budget`.
    """

    last_search: SearchResult | None = None

    def __init__(
        self,
        stream: Stream,
        *,
        game: Game[S, A],
        iterations: int | None = None,
        seconds: float | None = None,
        evaluate: Evaluate | None = None,
        policy: Policy | None = None,
        belief: Belief | None = None,
        plies: int = 0,
        choices: int | None = None,
        per_action: int = 0,
    ) -> None:
        if plies < 0:
            raise ValueError(f"plies must be at least 0, not {plies}")
        if choices is not None and choices < 1:
            raise ValueError(f"choices must be at least 1, not {choices}")
        self.budget: Budget = Budget(iterations, seconds)
        self.statistics: dict[A, tuple[int, float]] = {}
        self._plies = plies
        self._most_choices = choices
        self._per_action = per_action
        self._most_iterations = self.budget.iterations  # of the current search
        self._stream = stream
        self._game = game
        self._evaluate = evaluate
        self._policy = policy
        self._belief = belief
        self._stopped = False
        self._iterations = 0
        self._begun = 0.0
        self._picks: Stream  # random choices of the last search
        self._counts_wins = True  # so far in this search
        self._outcomes: dict[int, SeatValues] = {}  # of this search, by the identity of the outcome

    def choose(self, view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
        """Search for the best action, and return it."""
        self.last_search = None
        try:
            return self._choose(actions, sampler)
        finally:
            self._stopped = False  # not at the start, because `stop` may come first

    def _choose(self, actions: Sequence[A], sampler: Sampler[S]) -> A:
        if len(actions) == 1:
            return actions[0]
        self._begun, self._iterations, self._counts_wins = monotonic(), 0, True
        self._outcomes.clear()
        streams = Streams(self._stream.below(1 << 62))
        self._picks = streams["picks"]
        if self._belief is not None:
            sampler = _BelievingSampler(self._game, sampler, self._belief)
        if self._policy is not None:
            state = sampler.sample(streams["hidden"])
            actions = self._policy(state, actions)
            if not actions:
                raise no_action_to_try(self._game, state, sampler.seat)
        actions = spread(actions)
        if len(actions) == 1:
            return actions[0]
        if self.budget.iterations is not None:
            least = self._per_action * len(actions)
            self._most_iterations = max(self.budget.iterations, least)
        action, value, share = self._search(actions, sampler, streams)
        seconds, wins = self._measure_time(), self._counts_wins
        self.last_search = SearchResult(action, value, self._iterations, seconds, share, wins)
        return action

    def stop(self) -> None:
        """Make `choose` return its best action so far.

        Call from another thread or a signal handler.

        If `choose` is not running, the call stops the next search.
        """
        self._stopped = True

    def _measure_time(self) -> float:
        return monotonic() - self._begun

    def _count_iterations(self) -> Iterator[int]:
        """Yield the number of each iteration, from 0, at least once and while the budget lasts."""
        while self._iterations != self._most_iterations:
            yield self._iterations
            self._iterations += 1
            if self._is_over():
                return

    def _is_over(self) -> bool:
        """Return whether the budget is used up, or `stop` was called."""
        seconds, most = self.budget.seconds, self._most_choices
        if most is not None and self._picks.offset >= most:
            return True
        return self._stopped or (seconds is not None and self._measure_time() >= seconds)

    @abstractmethod
    def _search(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        """Return the best action, its value, and its fraction of the iterations.

        Args:
            sampler: Draws states that are consistent with the view of the seat.
            streams: The random streams of this search.
        """

    def _worthwhile(self, state: S, seat: Seat) -> Sequence[A]:
        """Return the legal actions of a seat that `policy` keeps."""
        actions = self._game.legal_actions(state, seat)
        if self._policy is not None:
            actions = self._policy(state, actions)
        if not actions:
            raise no_action_to_try(self._game, state, seat)
        return spread(actions)

    def _rate(self, state: S, table: Table) -> SeatValues:
        """Return the value of a state for each seat. The function may change the state.

        The value is the utility of the outcome if the match is over. Otherwise it is the rating of
        `evaluate`, or the result of a random playout. In a solo game without points, every outcome
        has the same ranking, so `evaluate` also rates the final states.
        """
        game, evaluate = self._game, self._evaluate
        plies = LONGEST_PLAYOUT if evaluate is None else self._plies
        if plies:
            play_on(game, state, self._picks, table, plies=plies, policy=self._policy)
        if evaluate is not None and game.to_act(state):
            self._counts_wins = False
            return SeatValues(partial(evaluate, state))
        outcome = game.outcome(state)
        if outcome is None:
            self._counts_wins = False
            return SeatValues(lambda seat: 0.5)
        if evaluate is not None and outcome.ranking == ((0,),) and game.point_range is None:
            self._counts_wins = False
            return SeatValues(partial(evaluate, state))
        # Cached by identity, because most games reuse a few outcome objects.
        values = self._outcomes.get(id(outcome))
        if values is None:
            self._counts_wins = self._counts_wins and _is_won_or_lost(game, outcome)
            if len(self._outcomes) == _OUTCOMES:
                self._outcomes.clear()
            values = self._outcomes[id(outcome)] = SeatValues(partial(game.utility, outcome))
        return values


class SeatValues(dict[Seat, float]):
    """The values of a state by seat, computed on first access."""

    def __init__(self, find: Callable[[Seat], float]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, seat: Seat) -> float:
        value = self[seat] = self._find(seat)
        return value


def _is_won_or_lost(game: Game[Any, Any], outcome: Outcome) -> bool:
    """Return whether an outcome is that of a duel, worth 1.0 to the winner and 0.0 to the loser."""
    is_duel = sum(map(len, outcome.ranking)) == 2 and outcome.best is None
    return is_duel and game.point_range is None and type(game).utility is Game.utility


class _BelievingSampler(Sampler[S]):
    """A sampler that weights sampled states by a belief (Metropolis-Hastings).

    A proposed deal replaces the current deal if the proposal is more plausible. Otherwise, the
    probability of a replacement is the ratio of the two weights. Only ratios matter, so a belief
    needs no normalization. A few deals are enough to find plausible hands.
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
                expected = "a number from 0.0 to 1.0"
                raise ContractError(f"{game.name}: belief returned {weight!r}, not {expected}")
            return weight

        def draw(rng: Stream) -> S:
            if last:
                state, weight = last[0]
            else:
                state = sampler.sample(rng)
                weight = weigh(state)
            for _ in range(_DEALS if last else _FIRST_DEALS):
                other = sampler.sample(rng)
                other_weight = weigh(other)
                if other_weight >= weight or rng.below(_ONE) * weight < other_weight * _ONE:
                    state, weight = other, other_weight
            last[:] = [(state, weight)]
            return state.clone()

        self._draw = draw
