"""Root-parallel search: several trees for one choice, each in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any
from weakref import finalize

from tabletop.bots.pool import Worker
from tabletop.bots.questions import Question
from tabletop.bots.search import most_tried
from tabletop.bots.thinking import Budget, Thought
from tabletop.errors import TabletopError
from tabletop.players import Sampler
from tabletop.registry import Plugin
from tabletop.rng import Stream, Streams


class RootParallel:
    """A player that has `search` grow several trees at once, and adds up how often they tried what.

    The processes are its own, and end with it, or by `close`. They are sent one state that its seat
    may be in, and deal what is hidden in that anew, so that no tree knows more than the seat. The
    same numbers of trees and of iterations give the same choice on any number of processors.

    Args:
        chance: the stream of its seat; see `tabletop.bots.Thinker`.
        plugin: the game.
        trees: the number of trees and of processes, at least 1.
        iterations: those of all trees together.
        seconds: the time, in place of iterations.

    Attributes:
        thought: its last thought; see `tabletop.bots.Thinker`.

    Raises:
        ValueError: the budget or the number of trees is out of range.
    """

    thought: Thought | None = None

    def __init__(
        self,
        chance: Stream,
        *,
        plugin: Plugin,
        trees: int = 2,
        iterations: int | None = None,
        seconds: float | None = None,
    ) -> None:
        Budget(iterations, seconds)
        if trees < 1:
            raise ValueError(f"trees={trees}: write 1 or more")
        share = f"{seconds}s" if iterations is None else str(-(-iterations // trees))
        self._chance, self._plugin, self._name = chance, plugin, f"search:{share}"
        self._workers = [Worker() for _ in range(trees)]
        self._end = finalize(self, _end, self._workers)

    def choose(self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]) -> Any:
        """Return the action that all trees together have tried most.

        Raises:
            TabletopError: a search has failed; says why.
        """
        self.thought = None
        if len(actions) == 1:
            return actions[0]
        begun, streams = monotonic(), Streams(self._chance.below(1 << 62))
        state, seat = sampler.sample(streams["hidden"]), sampler.seat
        questions = [
            Question.of(self._plugin, self._name, state, seat, chance=streams["tree", number])
            for number in range(len(self._workers))
        ]
        tries: dict[str, tuple[int, float]] = {}
        with ThreadPoolExecutor(len(questions)) as threads:
            for answer in threads.map(Worker.ask, self._workers, questions):
                if answer.error:
                    raise TabletopError(answer.error)
                # A policy may have left nothing to search.
                for text, (visits, total) in (answer.tries or {answer.action: (1, 0.5)}).items():
                    before = tries.get(text, (0, 0.0))
                    tries[text] = before[0] + visits, before[1] + total
        best, value, share = most_tried({it: tries[str(it)] for it in actions if str(it) in tries})
        made = sum(visits for visits, _ in tries.values())
        self.thought = Thought(best, value, made, monotonic() - begun, share)
        return best

    def close(self) -> None:
        """End its processes."""
        self._end()


def _end(workers: Sequence[Worker]) -> None:
    for worker in workers:
        worker.end()
