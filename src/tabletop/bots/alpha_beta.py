"""Alpha-beta search for two players, if nothing is hidden and the rules draw no random numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import inf
from typing import Any, Final, NamedTuple, TypeVar

from typing_extensions import override

from tabletop.bots.search_bot import Policy, SearchBot
from tabletop.errors import UsageError
from tabletop.match.players import Sampler
from tabletop.match.playouts import play_on
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame, Game, Table
from tabletop.states.bounds import Seat
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

POSITIONS: Final = 1_000_000
"""Default maximum number of positions per search, which takes about a minute."""

_MOST_DEPTH: Final = 100
"""Maximum depth, which limits the depth of the recursion."""

_MOST_LOUD: Final = 12
"""Maximum number of loud actions after the last ply of an iteration."""

_TRIALS: Final = 4
"""Number of random matches that are played to detect random draws."""

_TRIAL_PLIES: Final = 200
"""Maximum number of plies of each of these matches."""


class AlphaBeta(SearchBot[S, A]):
    """A bot that searches all sequences of actions of both players up to a depth.

    The bot expects the best reply of the opponent. Each iteration searches one action deeper than
    the previous iteration, so a budget in iterations is the depth. The search ends early if a
    deeper iteration cannot change the result. Without `evaluate`, the search recognizes only
    finished matches.

    A position in the middle of an exchange of pieces has a misleading rating. With `loud`, the
    search continues after its last ply with loud actions only, such as captures, until the player
    to act prefers to stop (quiescence search).

    Args:
        stream: The random stream of the seat, which decides between actions of equal value. See
            `SearchBot` for this and the other arguments.
        loud: Selects the loud actions among the legal actions of a state, the most promising first:
            actions that change the rating so much that the replies must be searched, too. The
            search also tries them first elsewhere. At most 12 loud actions extend a sequence.
        positions: Maximum number of positions per search, at least 1, whatever the budget. Unlike a
            time limit, the maximum gives the same result on every machine.
        instead: The bot that chooses in a position in which alpha-beta search cannot continue. By
            default, such a position raises a `UsageError`.

    Raises:
        ValueError: An argument is out of range, or the game is not suitable. See `cannot_search`.
    """

    def __init__(
        self,
        stream: Stream,
        *,
        game: Game[S, A],
        loud: Policy | None = None,
        positions: int = POSITIONS,
        instead: SearchBot[S, A] | None = None,
        **others: Any,
    ) -> None:
        others["evaluate"] = others.get("evaluate") or _even
        super().__init__(stream, game=game, **others)
        if positions < 1:
            raise ValueError(f"positions must be at least 1, not {positions}")
        if reason := cannot_search(game):
            raise ValueError(f"alpha-beta search cannot play {game.name}, because {reason}")
        self._loud = loud
        self._most_positions = positions
        self._positions = 0  # of the last search
        self._instead = instead
        self._uses_instead = False

    @override
    def choose(self, view: S, actions: Sequence[A], sampler: Sampler[S]) -> A:
        """Search for the best action, and return it."""
        try:
            return super().choose(view, actions, sampler)
        except _UnsuitableError:
            if self._instead is None:
                raise
        self._uses_instead = True
        try:
            return self._instead.choose(view, actions, sampler)
        finally:
            self._uses_instead = False
            self.last_search = self._instead.last_search
            self.statistics = self._instead.statistics

    @override
    def stop(self) -> None:
        if self._uses_instead and self._instead is not None:
            self._instead.stop()
        else:
            super().stop()

    @override
    def _search(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        self._positions = 0
        duel = _Duel(self, sampler.seat, streams)
        root = sampler.sample(streams["hidden"])
        ordered = list(actions)
        self._picks.shuffle(ordered)
        best = _Choice(ordered[0], 0.0)
        for number in self._count_iterations():
            choice = duel.choose(root, ordered, number + 1)
            if choice is None:
                break
            if number == 0 or choice.depth < inf or choice.value > 0.0:
                best = choice  # if every action loses, keep the one that delays the defeat longest
            ordered.sort(key=lambda action: action is not best.action)
            if choice.depth == inf or number + 1 == _MOST_DEPTH:
                self._iterations = number + 1
                break
        return best.action, best.value, None

    @override
    def _is_over(self) -> bool:
        return self._positions >= self._most_positions or super()._is_over()


def cannot_search(game: AnyGame) -> str:
    """Return the reason why alpha-beta search cannot play a game, or an empty string.

    Random draws, simultaneous choices and rules that fail are detected in a few random matches.
    """
    if list(game.seats) != [2]:
        return "the game is not only for two players"
    if game.hides_something:
        return "players have secrets"
    try:
        return _try_out(game)
    except Exception as error:  # also of the rules
        return f"the rules fail in a random match: {error}"


def _try_out(game: AnyGame) -> str:
    """Return the reason why alpha-beta search cannot play some random matches, or ""."""
    for number in range(_TRIALS):
        streams, draws = Streams(number), list[object]()
        state = game.setup(game.resolve_options({}), 2, streams)
        table, picks = Table(streams), Streams(number)["picks"]
        streams.set_listener(lambda *draw, into=draws: into.append(draw))
        for _ in range(_TRIAL_PLIES):
            if len(game.to_act(state)) > 1:
                return "players choose at the same time"
            play_on(game, state, picks, table, plies=1, policy=None)
        if draws:
            return "the rules draw random numbers"
    return ""


def _even(state: object, seat: Seat) -> float:
    """Rate a position of a game without `evaluate`."""
    return 0.5


class _Choice(NamedTuple):
    """The best action of a position.

    Attributes:
        action: The action, or None if no action was searched.
        value: The value for the seat of the bot.
        depth: The number of actions searched, or infinity if all sequences ended the match. Loud
            actions after the last ply count down from 0.
    """

    action: Any
    value: float
    depth: float = 0


class _Bounds(NamedTuple):
    """The bounds of the value of a position in the transposition table."""

    lower: float
    upper: float
    choice: _Choice


class _UnsuitableError(UsageError):
    """The rules do something for which alpha-beta search is not suitable."""


class _OutOfBudgetError(Exception):
    """The budget was used up within an iteration."""


class _Duel:
    """The search for one choice of one seat, on behalf of `bot`."""

    def __init__(self, bot: AlphaBeta[Any, Any], seat: Seat, streams: Streams) -> None:
        self._bot = bot
        self._seat = seat
        self._table = Table(streams.child("rules"))
        self._table.rng.set_listener(self._refuse)
        self._known: dict[Hashable, _Bounds] = {}
        self._cutoffs = Counter[Hashable]()  # by action, weighted by depth

    def choose(self, root: Any, actions: Sequence[Any], depth: int) -> _Choice | None:
        """Return the best action at the root, or None if the budget ends too early."""
        best: _Choice | None = None
        shallowest = inf
        try:
            for action in actions:
                low = best.value if best else 0.0
                value, searched = self._after(root, action, depth, low, 1.0)
                shallowest = min(shallowest, searched)
                if best is None or value > best.value:
                    best = _Choice(action, value)
                if value >= 1.0:
                    shallowest = searched
                    break
        except _OutOfBudgetError:
            shallowest = depth  # the first action was the best of the previous iteration
        return best and best._replace(depth=shallowest)

    def _after(
        self, state: Any, action: Any, depth: int, low: float, high: float
    ) -> tuple[float, float]:
        """Return the value of an action and the depth of its search.

        The value is a bound of the true value if it is not between `low` and `high`.
        """
        copy = state.clone()
        bot = self._bot
        bot._game.apply(copy, action, self._table)
        bot._positions += 1
        if bot._is_over():
            raise _OutOfBudgetError
        seats = bot._game.to_act(copy)
        if not seats or (depth == 1 and bot._loud is None):
            return bot._rate(copy, self._table)[self._seat], 1 if seats else inf
        if len(seats) > 1:
            self._refuse()
        place = bot._game.search_key(copy)
        known = self._known.get(place)
        if known and known.choice.depth >= depth - 1:
            lower, upper, choice = known
            if lower >= high or upper <= low or lower == upper:
                return choice.value, choice.depth + 1
        first = known.choice.action if known else None
        choice = self._best(copy, seats[0], first, depth - 1, low=low, high=high)
        lower = choice.value if choice.value > low else 0.0
        upper = choice.value if choice.value < high else 1.0
        self._known[place] = _Bounds(lower, upper, choice)
        return choice.value, choice.depth + 1

    def _best(
        self, state: Any, seat: Seat, first: Any, depth: int, *, low: float, high: float
    ) -> _Choice:
        """Return the best action of `seat`. The action `first` is searched first.

        After the last ply, the seat chooses between loud actions and the rating of the position.
        """
        is_own = seat == self._seat
        best = _Choice(None, -inf if is_own else inf)
        shallowest = inf
        if depth <= 0:
            best = _Choice(None, self._bot._rate(state.clone(), self._table)[self._seat], depth)
            shallowest = depth
            low, high = (max(low, best.value), high) if is_own else (low, min(high, best.value))
            if low >= high or depth <= -_MOST_LOUD:
                return best
        for action in self._order(state, seat, first, depth):
            value, searched = self._after(state, action, depth, low, high)
            shallowest = min(shallowest, searched)
            if value > best.value if is_own else value < best.value:
                best = _Choice(action, value)
            if is_own:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                self._cutoffs[action] += max(depth, 0) ** 2
                shallowest = searched
                break
        return best._replace(depth=shallowest)

    def _order(self, state: Any, seat: Seat, first: Any, depth: int) -> Sequence[Any]:
        """Return the actions to search in the order of their promise, only loud ones after depth 1.

        The action `first` comes first, then the loud actions, then those that caused most cutoffs.
        """
        bot, cutoffs = self._bot, self._cutoffs
        actions = bot._worthwhile(state, seat)
        loud = bot._loud(state, actions) if bot._loud else ()
        if depth <= 0:
            return loud
        ranks = {action: rank for rank, action in enumerate(loud)}
        return sorted(
            actions, key=lambda it: (it != first, ranks.get(it, len(actions)), -cutoffs[it])
        )

    def _refuse(self, draw: object = None) -> None:
        """Reject a game that `cannot_search` took for suitable."""
        wrong = "let players choose at the same time" if draw is None else "draw random numbers"
        raise _UnsuitableError(f"alpha-beta search cannot continue, because the rules {wrong}")
