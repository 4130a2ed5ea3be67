"""Score sheets of records that somebody else may have made: replayed, and verified."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from time import monotonic
from typing import Any

from tabletop.errors import ScoresError
from tabletop.match.match import AnyMatch
from tabletop.records.file import Record
from tabletop.records.format import Entry, Header
from tabletop.records.replaying import match_of, replayed
from tabletop.rng.seeds import daily, weekly
from tabletop.rules.game import AnyGame
from tabletop.scores.sheets import DAILY, WEEKLY, ScoreSheet, moment_of, stamp
from tabletop.states.bounds import Seat


class MemoryRecorder:
    """A `Recorder` that keeps its entries in memory: for matches without a record file.

    Attributes:
        header: the header of the match.
        entries: the entries, in order.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.entries: list[Entry] = []
        self._began = monotonic()

    @property
    def seconds(self) -> float:
        """The time that the match has taken so far, in seconds."""
        return round(monotonic() - self._began, 3)

    @property
    def plies(self) -> int:
        """The number of actions, without those taken back."""
        return sum(entry.plies for entry in self.entries)

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        """Note an action."""
        self.entries.append(Entry(seat=seat, do=str(action)))

    def undone(self, match: AnyMatch, count: int) -> None:
        """Note that `count` actions are taken back."""
        self.entries.append(Entry(undo=count))

    def seated(self, seat: Seat, player: str) -> None:
        """Note that `player` decides for `seat` from now on."""
        self.entries.append(Entry(seat=seat, player=player))


def verified(record: Record, game: AnyGame, *, program: str = "") -> ScoreSheet:
    """Replay a record from an untrusted source, and make its score sheet.

    The course of the match is verified with the present rules. Its date and duration cannot be
    verified, and are taken from the record. `program` is the version of `tabletop`.

    Raises:
        RecordError: it does not replay.
        ScoresError: the match has not ended, or its seed does not fit its origin.
    """
    _check_origin(record)
    recorder = MemoryRecorder(record.header)
    match = match_of(record, game)
    match.set_recorder(recorder)
    for entry in replayed(match, record.entries, record.path):
        if entry.player is not None and entry.seat is not None:
            recorder.seated(entry.seat, entry.player)
    outcome = match.outcome
    if not match.over or outcome is None:
        raise ScoresError(f"{record.path}: the match has not ended")
    return replace(
        ScoreSheet.of(record.header, recorder.entries, outcome),
        seconds=record.seconds or None,
        finished=_finished(record),
        program=program,
        record=record.path,
        imported=True,
    )


def _check_origin(record: Record) -> None:
    """Check that a weekly or daily seed is that of its day, and was played in its time."""
    header = record.header
    namer = {WEEKLY: weekly, DAILY: daily}.get(header.seed_origin)
    if namer is None:
        return
    if header.state is not None:
        raise ScoresError(
            f"{record.path}: it begins from a given position: that is no match of the"
            f" {header.seed_origin} seed"
        )
    if header.salt:
        raise ScoresError(
            f"{record.path}: it has a salt: that is no match of the {header.seed_origin} seed"
        )
    begun = moment_of(header.created)
    if begun is None or namer(begun.date()) != header.seed:
        when = f"begun {header.created}" if header.created else "begun nobody knows when"
        raise ScoresError(
            f"{record.path}: {header.seed!r} is not the {header.seed_origin} seed of a match {when}"
        )


def _finished(record: Record) -> str:
    """Return the earliest time at which a record's match can have ended; empty if unknown."""
    begun = moment_of(record.header.created)
    if begun is None:
        return ""
    try:
        return stamp(begun + timedelta(seconds=record.seconds))
    except OverflowError:
        return stamp(begun)
