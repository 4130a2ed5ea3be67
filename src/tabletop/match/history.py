"""The actions played in a match, and how to go back to a former one.

Going back plays the log again from the nearest checkpoint. A state is kept every 64 plies; the
older they are, the fewer, so that a match of any length has a few dozen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from tabletop.game import Game, Table
from tabletop.match.bots import BotStreams
from tabletop.rng import Streams
from tabletop.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

CHECKPOINT_PLIES = 64


class Checkpoint(NamedTuple, Generic[S]):
    """A state to go back to: before the action number `ply`, counted from 0."""

    ply: int
    state: S
    streams: Mapping[str, int]


_PLY: Final[Callable[[Checkpoint[Any]], int]] = attrgetter("ply")

Past: TypeAlias = tuple[S, Streams, list[Checkpoint[S]]]
"""How things were at some ply: the state, the streams, and the checkpoints up to there."""


class History(Generic[S, A]):
    """The actions of a match, and states to go back to.

    Attributes:
        log: what has been played, in order.
        undone: what was taken back, the next to be redone last.
        checkpoints: copies of the state on the way, in order.
        chances: the chance of bots; None while nobody has asked for any.
    """

    __slots__ = ("chances", "checkpoints", "log", "undone")

    def __init__(self) -> None:
        self.log: list[A] = []
        self.undone: list[A] = []
        self.checkpoints: list[Checkpoint[S]] = []
        self.chances: BotStreams | None = None

    def clone(self) -> History[S, A]:
        """An independent history with the same past; what was undone can be redone in both."""
        twin: History[S, A] = History()
        twin.log, twin.undone = self.log.copy(), self.undone.copy()
        twin.checkpoints = self.checkpoints.copy()
        twin.chances = None if self.chances is None else self.chances.clone()
        return twin

    def keep(self, state: S, rng: Streams) -> None:
        """Keep a copy of `state`, the present one."""
        _keep_checkpoint(self.checkpoints, len(self.log), state, rng)

    def back_to(
        self, ply: int, game: Game[S, A], rng: Streams, begin: Callable[[], tuple[S, Streams]]
    ) -> Past[S]:
        """The state, streams and checkpoints after the first `ply` actions; nothing changes.

        Args:
            ply: how many actions of the log to play.
            game: the rules.
            rng: streams of the match, wherever they are now.
            begin: makes the first state, and the streams as they were then.
        """
        # A list of its own: until all is played again, the match must be able to stay as it is.
        kept = [checkpoint for checkpoint in self.checkpoints if checkpoint.ply <= ply]
        if kept:
            start, former, streams = kept[-1]
            state = former.clone()
            rng = rng.clone()
            rng.restore(streams)
        else:
            start = 0
            state, rng = begin()
        quiet = Table(rng)
        # Not checked again: these were legal when they were played, and rules are deterministic.
        for reached, action in enumerate(self.log[start:ply], start + 1):
            game.apply(state, action, quiet)
            if not reached % CHECKPOINT_PLIES:  # who goes back far often goes back further
                _keep_checkpoint(kept, reached, state, rng)
        return state, rng, kept


def _keep_checkpoint(checkpoints: list[Checkpoint[S]], ply: int, state: S, rng: Streams) -> None:
    """Keep a copy of `state` at `ply`, and thin out the older copies."""
    # The eight newest are kept, and about four of each further doubling of the age. So their number
    # grows with the logarithm of the match, and going back replays about a quarter of the way at
    # most. Multiples of a power of two: what is kept now was not dropped at an earlier time.
    now = ply // CHECKPOINT_PLIES
    # From an age of four times a power of two on, only its multiples stay. Each new copy has just
    # one other come to such an age that is none.
    gone = (now - ((now & -now) << 3)) * CHECKPOINT_PLIES
    place = bisect_left(checkpoints, gone, key=_PLY)
    if gone >= 0 and place < len(checkpoints) and checkpoints[place].ply < gone + CHECKPOINT_PLIES:
        del checkpoints[place]
    checkpoints.append(Checkpoint(ply, state.clone(), rng.state()))
