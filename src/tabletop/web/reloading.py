"""Going on with the match of a table that has left memory, or that another server has begun."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from tabletop.errors import RecordError, RecordInUse, RecordMismatch, TabletopError
from tabletop.records.journal import Journal
from tabletop.records.reading import Record, read, read_end
from tabletop.records.record import begin
from tabletop.records.replaying import named, replay_entry
from tabletop.registry import Plugin
from tabletop.session import Session
from tabletop.web.shelf import Kept
from tabletop.web.table import WebTable

MORE: Final = "whoever runs the server finds more in what it says"

_log = logging.getLogger("tabletop")


class TableLost(TabletopError):
    """A table cannot be gone on with; said in words for the people at it, without any path."""


def go_on(
    kept: Kept, plugin: Plugin, make: Callable[[Kept, Session], WebTable]
) -> tuple[WebTable, Journal]:
    """The table that was kept, with its match where its record ends.

    Like `tabletop.records.record.replay`, it plays all of a record whose checkpoint is in doubt.

    Args:
        kept: what is known of the table.
        plugin: its game.
        make: makes the table of a session.

    Raises:
        TableLost: its record is gone, or damaged, or in use; what exactly is wrong is logged.
    """
    path = Path(kept.record)
    try:
        record = read_end(path)
        try:
            return _replayed(kept, plugin, record, make)
        except RecordMismatch:
            if record.start is None:
                raise
            return _replayed(kept, plugin, read(path), make)
    except Exception as error:
        _log.error("table %s: %s", kept.table, error, exc_info=not isinstance(error, TabletopError))
        raise TableLost(_in_words(path, error)) from error


def _replayed(
    kept: Kept, plugin: Plugin, record: Record, make: Callable[[Kept, Session], WebTable]
) -> tuple[WebTable, Journal]:
    match = begin(record, plugin.game)
    session = Session(match, plugin, record.players, undo=kept.undo)
    # Its fronts come first: they are told what happened, as they were when it did.
    table = make(kept, session)
    session.replayed()
    try:
        for entry in record.entries:
            replay_entry(match, entry)
            if entry.do is not None or entry.undo is not None:
                # One by one: what the last of them led to is marked in the picture.
                session.replayed()
        journal = Journal.resume(record, match, clock=monotonic)
    except RecordError as error:
        table.close()
        session.close()
        raise named(record, error) from error
    return table, journal


def _in_words(path: Path, error: Exception) -> str:
    if isinstance(error, RecordInUse):
        return "another program goes on with the match of this table just now"
    if not path.exists():
        return f"the record of this table is gone: the match cannot go on; {MORE}"
    if isinstance(error, RecordError):
        return f"the record of this table cannot be read: the match cannot go on; {MORE}"
    return f"this table cannot be opened again: the match cannot go on; {MORE}"
