"""Expectimax search to the end of a seat's turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from typing_extensions import override

from tabletop.bots.search_bot import SearchBot
from tabletop.errors import TabletopError
from tabletop.match.players import Sampler
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.game import Game, Table
from tabletop.states.bounds import Seat
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")


class Expectimax(SearchBot[S, A]):
    """A bot that searches every sequence of its own actions up to the end of its turn.

    The bot rates the state at the end of each sequence. The value of an action that draws random
    numbers is the mean of several samples. Each iteration searches all sequences from one sampled
    state, so one iteration is enough if nothing is hidden.

    Args:
        stream: The random stream of the seat. See `SearchBot` for this and the other arguments.
        depth: Maximum number of own actions to look ahead, at least 1.
        samples: Number of samples per iteration, at least 1, for each action that draws random
            numbers.

    Attributes:
        statistics: For each action, the number of iterations in the last search and the sum of
            their values.

    Raises:
        ValueError: An argument is out of range.
    """

    def __init__(
        self, stream: Stream, *, game: Game[S, A], depth: int = 2, samples: int = 4, **others: Any
    ) -> None:
        super().__init__(stream, game=game, **others)
        if depth < 1 or samples < 1:
            raise ValueError(f"depth and samples must be at least 1, not {depth} and {samples}")
        self._depth = depth
        self._samples = samples

    @override
    def _search(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        turn = _Turn(self, sampler.seat, streams)
        totals = [0.0] * len(actions)
        for number in self._count_iterations():
            state = sampler.sample(streams["hidden"])
            values: list[float] = []
            for action in actions:
                if values and self._is_over():
                    break
                values.append(turn.value_of(state, action, self._depth))
            if len(values) < len(actions) and number:
                break  # an incomplete iteration would compare actions unfairly
            totals = [total + value for total, value in zip(totals, values, strict=False)]
        rounds = self._iterations
        sums = zip(actions, totals, strict=False)
        self.statistics = {action: (rounds, total) for action, total in sums}
        best = max(range(len(totals)), key=totals.__getitem__)
        return actions[best], totals[best] / self._iterations, None


class _Turn:
    """The search of one turn of one seat, on behalf of `bot`."""

    def __init__(self, bot: Expectimax[Any, Any], seat: Seat, streams: Streams) -> None:
        self._bot = bot
        self._seat = seat
        self._picks = streams["picks"]
        self._table = Table(streams.child("rules"))
        self._table.rng.set_listener(self._note)
        self._has_drawn = False

    def _note(self, draw: object) -> None:
        self._has_drawn = True

    def value_of(self, state: Any, action: Any, depth: int) -> float:
        """Return the value of an action in a state, looking ahead `depth` actions including it."""
        try:
            after = self._after(state, action)
        except TabletopError:  # a match would undo such an action, so its value is 0
            return 0.0
        samples = self._bot._samples if self._has_drawn else 1
        total = self._value(after, depth - 1)
        for _ in range(samples - 1):
            total += self._value(self._after(state, action), depth - 1)
        return total / samples

    def _after(self, state: Any, action: Any) -> Any:
        copy = state.clone()
        self._has_drawn = False
        self._bot._game.apply(copy, action, self._table)
        return copy

    def _value(self, state: Any, depth: int) -> float:
        """Return the value of the best sequence of own actions that starts in `state`."""
        bot, seat = self._bot, self._seat
        if depth and tuple(bot._game.to_act(state)) == (seat,):
            actions = bot._worthwhile(state, seat)
            return max([self.value_of(state, action, depth) for action in actions])
        return bot._rate(state, self._table)[seat]
