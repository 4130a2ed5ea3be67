"""Score sheets for untrusted records, verified by replaying the records."""

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
from tabletop.rules.concessions import Concession
from tabletop.rules.game import AnyGame
from tabletop.scores.sheets import DAILY, WEEKLY, ScoreSheet, moment_of, stamp
from tabletop.states.bounds import Seat


class MemoryRecorder:
    """A `Recorder` that stores entries in memory, for matches without a record file.

    Attributes:
        header: The header of the match.
        entries: The entries, in order.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.entries: list[Entry] = []
        self._began = monotonic()

    @property
    def seconds(self) -> float:
        """The duration of the match so far, in seconds."""
        return round(monotonic() - self._began, 3)

    @property
    def plies(self) -> int:
        """The number of actions, without undone actions."""
        return sum(entry.plies for entry in self.entries)

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        """Store an action."""
        self.entries.append(Entry(seat=seat, do=str(action)))

    def undone(self, match: AnyMatch, count: int) -> None:
        """Store an undo of `count` actions."""
        self.entries.append(Entry(undo=count))

    def conceded(self, match: AnyMatch, concession: Concession) -> None:
        """Store a concession."""
        self.entries.append(Entry(seat=concession.seat, conceded=concession.reason))

    def seated(self, seat: Seat, player: str) -> None:
        """Store that `player` plays for `seat` from now on."""
        self.entries.append(Entry(seat=seat, player=player))


def verified(record: Record, game: AnyGame, *, program: str = "") -> ScoreSheet:
    """Replay an untrusted record, and return its score sheet.

    The actions and the outcome are verified with the current rules. The date and the duration
    cannot be verified, and are copied from the record.

    Args:
        record: The record.
        game: The rules.
        program: The version of `tabletop` for the sheet.

    Raises:
        RecordError: The record does not replay.
        ScoresError: The match has not ended, or its seed does not fit its origin.
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
    """Check that a weekly or daily seed belongs to the day on which the match was started."""
    header = record.header
    namer = {WEEKLY: weekly, DAILY: daily}.get(header.seed_origin)
    if namer is None:
        return
    if header.state is not None:
        raise ScoresError(
            f"{record.path}: a match of the {header.seed_origin} seed cannot start from a given"
            " position"
        )
    if header.salt:
        raise ScoresError(
            f"{record.path}: a match of the {header.seed_origin} seed cannot have a salt"
        )
    begun = moment_of(header.created)
    if begun is None or namer(begun.date()) != header.seed:
        when = f"started {header.created}" if header.created else "without a start time"
        raise ScoresError(
            f"{record.path}: {header.seed!r} is not the {header.seed_origin} seed of a match {when}"
        )


def _finished(record: Record) -> str:
    """Return the earliest time at which the match can have ended, or an empty string if unknown."""
    begun = moment_of(record.header.created)
    if begun is None:
        return ""
    try:
        return stamp(begun + timedelta(seconds=record.seconds))
    except OverflowError:
        return stamp(begun)
