"""The random streams of the bots of a match, which undo and redo with it.

Every seat can have a stream for its player. The streams have a root of their own: the draws of bots
reveal nothing of the match, and are no part of its state. The offset that each choice reached is
noted after its action; undo restores it, so that a bot that is asked again draws the same again.
"""

from __future__ import annotations

from typing import NamedTuple

from tabletop.rng.seeds import Seed
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat


class DrawMark(NamedTuple):
    """The offsets of the stream of a bot before and after it chose an action.

    The draws for refused choices before that action are included.

    Attributes:
        ply: the number of the action, from 1.
        seat: the seat of the bot.
        before: the offset before it chose, in words of 32 bits.
        after: the offset afterwards.
    """

    ply: int
    seat: Seat
    before: int
    after: int


class BotStreams:
    """The streams of the seats that have asked for one, and a log of the draws for each action."""

    __slots__ = ("_root", "_salt", "_settled", "_streams", "drawn", "undone")

    def __init__(self, root: Seed | str | int, salt: bytes | None = None) -> None:
        self._root = root
        self._salt = salt
        self._streams: dict[Seat, Stream] = {}
        self._settled: dict[Seat, int] = {}  # their offsets after the last action
        self.drawn: list[DrawMark] = []
        self.undone: list[DrawMark] = []  # of actions that can be redone, the next one last

    def of(self, seat: Seat) -> Stream:
        """Return the stream of a seat; always the same one."""
        stream = self._streams.get(seat)
        if stream is None:
            # A family of its own: no name in the rules leads to it.
            stream = Streams(self._root, self._salt).child(("bot", seat))["choices"]
            self._streams[seat], self._settled[seat] = stream, 0
        return stream

    def offsets(self) -> dict[Seat, int]:
        """Return the offsets of the streams after the last action; those at 0 are left out."""
        return {seat: offset for seat, offset in sorted(self._settled.items()) if offset}

    def log_action(self, ply: int, seat: Seat, *, redone: bool = False) -> None:
        """Log the draws for action number `ply`; for a redone one the stream goes where it went."""
        note = self.undone[-1] if redone and self.undone and self.undone[-1].ply == ply else None
        if redone:
            self.settle()
            if note is not None:
                self.of(note.seat).offset = note.after
        # Replaced and not changed, so that a kept one can be put back.
        self.undone = self.undone[:-1] if note is not None else self.undone if redone else []
        stream = self._streams.get(seat)
        if stream is None:
            return
        before, after = self._settled[seat], stream.offset
        # Most choices draw nothing: the log stays as short as what there is to take back.
        if after != before:
            self.drawn.append(DrawMark(ply, seat, before, after))
            self._settled[seat] = after

    def go_back(self, ply: int, *, redo: bool = True) -> None:
        """Set every stream back to its offset after the first `ply` actions."""
        self.settle()
        while self.drawn and self.drawn[-1].ply > ply:
            note = self.drawn[-1]
            self._put(note.seat, note.before)
            if redo:
                self.undone += [note]
            del self.drawn[-1]

    def settle(self) -> None:
        """Undo the draws since the last action."""
        for seat, stream in self._streams.items():
            if stream.offset != self._settled[seat]:
                stream.offset = self._settled[seat]

    def clone(self) -> BotStreams:
        """Return an independent copy, with the same draws to come and the same past."""
        twin = BotStreams(self._root, self._salt)
        twin._streams = {seat: stream.copy() for seat, stream in self._streams.items()}
        twin._settled = self._settled.copy()
        twin.drawn, twin.undone = self.drawn.copy(), self.undone.copy()
        return twin

    def put_back(self, former: BotStreams) -> None:
        """Restore the position of a clone that was made of this before."""
        self.drawn, self.undone, self._settled = former.drawn, former.undone, former._settled
        for seat, stream in former._streams.items():
            self._streams[seat].offset = stream.offset

    def _put(self, seat: Seat, offset: int) -> None:
        self.of(seat).offset = offset
        self._settled[seat] = offset
