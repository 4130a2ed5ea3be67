"""The history of a match: the actions played, and checkpoints for undo.

Undo replays the log from the nearest earlier checkpoint. A checkpoint is created every 64 plies.
Older checkpoints are thinned out, so even a long match keeps only a few dozen checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from tabletop.match.bot_streams import BotStreams
from tabletop.rng.streams import Streams
from tabletop.rules.concessions import Concession
from tabletop.rules.game import Game, Table
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")

CHECKPOINT_PLIES = 64
"""Plies between two checkpoints. Undo replays from the nearest checkpoint."""


class Checkpoint(NamedTuple, Generic[S]):
    """A copy of the state after the first `ply` actions, and the offsets of all random streams."""

    ply: int
    state: S
    streams: Mapping[str, int]


Past: TypeAlias = tuple[S, Streams, list[Checkpoint[S]]]
"""The position at an earlier ply: the state, the streams, and the checkpoints up to this ply."""


class History(Generic[S, A]):
    """The actions of a match, and checkpoints for undo.

    Attributes:
        log: The actions played, in order.
        undone: The undone actions. The next action to redo is the last one in the list.
        checkpoints: Copies of earlier states, in order.
        concessions: The seats that have lost, and an agreed draw, in order.
        bot_streams: The random streams of bots, or None if no bot has requested one.
    """

    __slots__ = ("bot_streams", "checkpoints", "concessions", "log", "undone")

    def __init__(self) -> None:
        self.log: list[A] = []
        self.undone: list[A] = []
        self.checkpoints: list[Checkpoint[S]] = []
        self.concessions: tuple[Concession, ...] = ()
        self.bot_streams: BotStreams | None = None

    def clone(self) -> History[S, A]:
        """Return an independent copy, including the actions that can be redone."""
        twin: History[S, A] = History()
        twin.log, twin.undone = self.log.copy(), self.undone.copy()
        twin.checkpoints = self.checkpoints.copy()
        twin.concessions = self.concessions
        twin.bot_streams = None if self.bot_streams is None else self.bot_streams.clone()
        return twin

    def drop_undone(self, *, redone: bool) -> None:
        """Drop the undone action that is redone, or all of them if a different action is played."""
        if redone:
            self.undone.pop()
        else:
            self.undone = []

    def keep(self, state: S, rng: Streams) -> None:
        """Add a checkpoint of `state`, the current state, and drop some older checkpoints.

        A checkpoint is dropped after `16 * n` further actions, where `n` is the largest power of
        two that divides its ply. The gaps between checkpoints therefore grow in proportion to their
        age.
        """
        ply = len(self.log)
        kept = [it for it in self.checkpoints if ply - it.ply <= 16 * (it.ply & -it.ply)]
        self.checkpoints = [*kept, Checkpoint(ply, state.clone(), rng.state())]

    def back_to(
        self, ply: int, game: Game[S, A], rng: Streams, begin: Callable[[], tuple[S, Streams]]
    ) -> Past[S]:
        """Return the state, streams and checkpoints after the first `ply` actions.

        The history is unchanged.

        Args:
            begin: Creates the initial state and streams.
        """
        # A new list, because an interrupted undo must leave the history unchanged.
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
        # These actions were legal when they were played, and rules are deterministic: no checks.
        for number, action in enumerate(self.log[start:ply], start + 1):
            game.apply(state, action, quiet)
            if not number % CHECKPOINT_PLIES:  # restore a dropped checkpoint for later undos
                kept.append(Checkpoint(number, state.clone(), rng.state()))
        return state, rng, kept
