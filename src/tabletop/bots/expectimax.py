"""Expectimax, one turn deep: what a seat can reach before another one is to act."""

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
    """Looks at every line of its own actions up to the end of its turn, and rates where it ends.

    An action that draws counts as the mean of several tries. An iteration goes through all lines in
    one state that the seat may be in: where nothing is hidden and nothing drawn, one is enough.

    Attributes:
        tries: as of a `SearchBot`, and not the argument: for each action the iterations of the last
            thought, and the sum of its values in them.

    Args:
        chance: the stream of its seat; see `SearchBot`, for the other arguments as well.
        depth: the actions of its own that it looks ahead, at least 1.
        tries: how often an action that draws is tried in each iteration, at least 1.

    Raises:
        ValueError: an argument is out of range.
    """

    def __init__(
        self, chance: Stream, *, game: Game[S, A], depth: int = 2, samples: int = 4, **others: Any
    ) -> None:
        super().__init__(chance, game=game, **others)
        if depth < 1 or samples < 1:
            raise ValueError(f"depth={depth}, samples={samples}: write 1 or more")
        self._depth = depth
        self._samples = samples

    @override
    def _think(
        self, actions: Sequence[A], sampler: Sampler[S], streams: Streams
    ) -> tuple[A, float, float | None]:
        turn = _Turn(self, sampler.seat, streams)
        totals = [0.0] * len(actions)
        for number in self._rounds():
            state = sampler.sample(streams["hidden"])
            values: list[float] = []
            for action in actions:
                if values and self._is_over():
                    break
                values.append(turn.value_of(state, action, self._depth))
            if len(values) < len(actions) and number:
                break  # only a whole round compares all actions alike
            totals = [total + value for total, value in zip(totals, values, strict=False)]
        rounds = self._iterations
        self.statistics = {it: (rounds, total) for it, total in zip(actions, totals, strict=False)}
        best = max(range(len(totals)), key=totals.__getitem__)
        return actions[best], totals[best] / self._iterations, None


class _Turn:
    """The values of a turn of one seat, as `bot` rates them."""

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
        """Return the value of an action in a state, by lines of `depth` actions from this one."""
        try:
            after = self._after(state, action)
        except TabletopError:  # a match takes such an action back: it is worth nothing
            return 0.0
        samples = self._bot._samples if self._has_drawn else 1
        total = self._value(after, depth - 1)
        for _ in range(samples - 1):
            total += self._value(self._after(state, action), depth - 1)
        return total / samples

    def _after(self, state: Any, action: Any) -> Any:
        twin = state.clone()
        self._has_drawn = False
        self._bot._game.apply(twin, action, self._table)
        return twin

    def _value(self, state: Any, depth: int) -> float:
        """Return the value of the best line of the seat's own actions from here."""
        bot, seat = self._bot, self._seat
        if depth and tuple(bot._game.to_act(state)) == (seat,):
            actions = bot._worthwhile(state, seat)
            return max([self.value_of(state, action, depth) for action in actions])
        return bot._rate(state, self._table)[seat]
