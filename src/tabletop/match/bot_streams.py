"""Random streams for the bots of a match. The streams follow undo and redo.

Every seat can have a stream for its bot. These streams are derived from a root of their own, so
they reveal nothing about the streams of the match. They are not part of its state. Their offsets
are stored after every action. Undo restores the earlier offsets, so a bot that chooses again makes
the same draws.
"""

from __future__ import annotations

from typing import NamedTuple

from tabletop.rng.seeds import Seed
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat


class DrawMark(NamedTuple):
    """The offsets of a bot's stream before and after it chose an action.

    Draws for refused choices before that action are included.

    Attributes:
        ply: The action number, starting at 1.
        seat: The seat of the bot.
        before: The offset before the choice, in 32-bit words.
        after: The offset after the choice.
    """

    ply: int
    seat: Seat
    before: int
    after: int


class RedoMarks(NamedTuple):
    """A snapshot of the draws for undone actions: the list, its length and its last item."""

    undone: list[DrawMark]
    number: int
    last: list[DrawMark]


class BotPosition(NamedTuple):
    """The offset of each stream, now and after the last action, and the number of undone draws."""

    offsets: dict[Seat, int]
    settled: dict[Seat, int]
    undone: int


class BotStreams:
    """The bots' streams by seat, and a log of the draws for each action.

    Attributes:
        drawn: The draws for the actions played, in order.
        undone: The draws for undone actions. The draws of the next action to redo are last.
    """

    __slots__ = ("_root", "_salt", "_settled", "_streams", "drawn", "undone")

    def __init__(self, root: Seed | str | int, salt: bytes | None = None) -> None:
        self._root = root
        self._salt = salt
        self._streams: dict[Seat, Stream] = {}
        self._settled: dict[Seat, int] = {}  # offsets after the last action
        self.drawn: list[DrawMark] = []
        self.undone: list[DrawMark] = []

    def of(self, seat: Seat) -> Stream:
        """Return the stream of a seat: the same object on every call."""
        stream = self._streams.get(seat)
        if stream is None:
            # Rules cannot reach a child family by any stream name.
            stream = Streams(self._root, self._salt).child(("bot", seat))["choices"]
            self._streams[seat], self._settled[seat] = stream, 0
        return stream

    def offsets(self) -> dict[Seat, int]:
        """Return the offset of each stream after the last action. Offsets of 0 are omitted."""
        return {seat: offset for seat, offset in sorted(self._settled.items()) if offset}

    def log_action(self, ply: int, seat: Seat, *, redone: bool = False) -> None:
        """Log the draws for action number `ply`. If it is redone, advance the stream as before."""
        mark = self.undone[-1] if redone and self.undone and self.undone[-1].ply == ply else None
        if redone:
            self.settle()
            if mark is not None:
                self.of(mark.seat).offset = mark.after
        if mark is not None:
            self.undone.pop()
        elif not redone:
            self.undone = []
        stream = self._streams.get(seat)
        if stream is None:
            return
        before, after = self._settled[seat], stream.offset
        # Most choices draw nothing, and need no entry.
        if after != before:
            self.drawn.append(DrawMark(ply, seat, before, after))
            self._settled[seat] = after

    def go_back(self, ply: int, *, redo: bool = True) -> None:
        """Rewind every stream to its offset after the first `ply` actions."""
        self.settle()
        while self.drawn and self.drawn[-1].ply > ply:
            mark = self.drawn[-1]
            self._put(mark.seat, mark.before)
            del self.drawn[-1]
            if redo:
                self.undone.append(mark)

    def settle(self) -> None:
        """Rewind the draws made since the last action."""
        for seat, stream in self._streams.items():
            if stream.offset != self._settled[seat]:
                stream.offset = self._settled[seat]

    def clone(self) -> BotStreams:
        """Return an independent copy with the same offsets and log."""
        twin = BotStreams(self._root, self._salt)
        twin._streams = {seat: stream.copy() for seat, stream in self._streams.items()}
        twin._settled = self._settled.copy()
        twin.drawn, twin.undone = self.drawn.copy(), self.undone.copy()
        return twin

    def marks(self) -> RedoMarks:
        """Return the marks of undone actions, for `restore_marks` if an action fails."""
        return RedoMarks(self.undone, len(self.undone), self.undone[-1:])

    def restore_marks(self, former: RedoMarks) -> None:
        """Restore the marks of undone actions. A single action removes at most one mark."""
        self.undone = former.undone
        if len(self.undone) < former.number:
            self.undone += former.last

    def position(self) -> BotPosition:
        """Return the position, for `restore` if an undo fails."""
        offsets = {seat: stream.offset for seat, stream in self._streams.items()}
        return BotPosition(offsets, self._settled.copy(), len(self.undone))

    def restore(self, former: BotPosition) -> None:
        """Restore an earlier position. Only `go_back` may have been called since."""
        while len(self.undone) > former.undone:
            self.drawn.append(self.undone.pop())
        self._settled = former.settled
        for seat, offset in former.offsets.items():
            self._streams[seat].offset = offset

    def _put(self, seat: Seat, offset: int) -> None:
        self.of(seat).offset = offset
        self._settled[seat] = offset
