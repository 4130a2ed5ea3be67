"""Going through a record step by step, forward and back.

A step is an action, or the taking back of some: whatever was done, in the order it was done in.
"""

from __future__ import annotations

from typing import Any

from tabletop.errors import RecordError, RecordVersionError
from tabletop.game import AnyGame
from tabletop.match import AnyMatch
from tabletop.records.entries import Entry
from tabletop.records.reading import Record
from tabletop.records.record import remake
from tabletop.records.replaying import named, replay_entry


class Stepper:
    """A record that is being replayed.

    Args:
        record: the whole of it.
        game: the rules.
        until: the last step to go to; the end of the record when not given, or when that is sooner.
        anyway: also when the record was made with another version of the rules.

    Attributes:
        match: as it was at this step.
        at: how many steps have been done.
        steps: how many there are.

    Raises:
        RecordError: the record is of another game, or of a match that this game cannot be.
        RecordVersionError: it was made with another version of the rules.
    """

    def __init__(
        self,
        record: Record,
        game: AnyGame,
        *,
        until: int | None = None,
        anyway: bool = False,
    ) -> None:
        self._record = record
        self._parts = _parts(record)[:until]
        self._taken: dict[int, tuple[Any, ...]] = {}
        self.at = 0
        try:
            self.match: AnyMatch = remake(game, record.header, anyway=anyway)
        except RecordVersionError as error:
            message = f"{record.path}: {error}; --anyway replays it up to the first difference"
            raise RecordVersionError(message, line=error.line) from error
        except RecordError as error:
            raise named(record, error) from error

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self._parts)

    def forward(self) -> None:
        """Do the next step.

        Raises:
            RecordMismatch: it cannot be done, or leads to something else than the record says.
        """
        part, match = self._parts[self.at], self.match
        if part[0].undo is not None and self.at not in self._taken:
            # Read off the end of the actions alone: they may be a hundred thousand.
            past = match.actions
            self._taken[self.at] = past[len(past) - part[0].undo :]
        try:
            for entry in part:
                replay_entry(match, entry)
        except RecordError as error:
            raise named(self._record, error) from error.__cause__
        self.at += 1

    def go(self, step: int) -> None:
        """Go to the point after `number` steps, forward or back.

        Raises:
            RecordMismatch: a step on the way does not replay.
        """
        while self.at < step:
            self.forward()
        undone = 0  # several actions are taken back at once: it is quicker
        while self.at > step:
            self.at -= 1
            if self._parts[self.at][0].undo is None:
                undone += 1
                continue
            self.match.undo(undone)
            undone = 0
            for action in self._taken[self.at]:
                self.match.play(action)
        self.match.undo(undone)


def _parts(record: Record) -> list[list[Entry]]:
    """Group entries into steps: an action or undo, and the notes after it."""
    parts: list[list[Entry]] = []
    for entry in record.entries:
        if entry.do is not None or entry.undo is not None:
            parts.append([entry])
        elif parts:
            parts[-1].append(entry)
    return parts
