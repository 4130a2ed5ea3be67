"""The actions played in a match, and how to go back to a former one.

Going back plays the log again from the nearest checkpoint. A state is kept every 64 plies; of those
long ago only some stay, so that a match of any length keeps a few dozen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from tabletop.match.bot_streams import BotStreams
from tabletop.rng.streams import Streams
from tabletop.rules.game import Game, Table
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

CHECKPOINT_PLIES = 64
"""The plies between two states that are kept: undo plays on from the nearest one."""


class Checkpoint(NamedTuple, Generic[S]):
    """A state to go back to: that after the first `ply` actions, and the offsets of its streams."""

    ply: int
    state: S
    streams: Mapping[str, int]


Past: TypeAlias = tuple[S, Streams, list[Checkpoint[S]]]
"""The past at some ply: the state, the streams, and the checkpoints up to there."""


class History(Generic[S, A]):
    """The actions of a match, and states to go back to.

    Attributes:
        log: the actions played, in order.
        undone: the actions taken back, the next to be redone last.
        checkpoints: copies of the state on the way, in order.
        chances: the streams of bots; None while no bot has asked for one.
    """

    __slots__ = ("bot_streams", "checkpoints", "log", "undone")

    def __init__(self) -> None:
        self.log: list[A] = []
        self.undone: list[A] = []
        self.checkpoints: list[Checkpoint[S]] = []
        self.bot_streams: BotStreams | None = None

    def clone(self) -> History[S, A]:
        """Return an independent history with the same past; both can redo the undone actions."""
        twin: History[S, A] = History()
        twin.log, twin.undone = self.log.copy(), self.undone.copy()
        twin.checkpoints = self.checkpoints.copy()
        twin.bot_streams = None if self.bot_streams is None else self.bot_streams.clone()
        return twin

    def keep(self, state: S, rng: Streams) -> None:
        """Keep a copy of `state`, the present one, and drop some of the older ones.

        A checkpoint stays for 16 times the largest power of two that divides its ply. So the
        distance to the next checkpoint is never more than a fraction of the way back.
        """
        ply = len(self.log)
        stay = [it for it in self.checkpoints if ply - it.ply <= 16 * (it.ply & -it.ply)]
        self.checkpoints = [*stay, Checkpoint(ply, state.clone(), rng.state())]

    def back_to(
        self, ply: int, game: Game[S, A], rng: Streams, begin: Callable[[], tuple[S, Streams]]
    ) -> Past[S]:
        """Return the state, streams and checkpoints after the first `ply` actions; nothing changes.

        `begin` makes the first state and the first streams.
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
        for number, action in enumerate(self.log[start:ply], start + 1):
            game.apply(state, action, quiet)
            if not number % CHECKPOINT_PLIES:  # dropped before; wanted for the next step back
                kept.append(Checkpoint(number, state.clone(), rng.state()))
        return state, rng, kept
