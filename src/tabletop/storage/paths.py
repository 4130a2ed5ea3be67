"""Where things lie: records in the user's state directory, a file each; scores in one of data.

And when it is: the only place that looks at a calendar.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from tabletop.errors import RecordError, UsageError
from tabletop.game import AnyGame
from tabletop.records.file import Record, read
from tabletop.rng.phrases import entropy
from tabletop.wording import join_words

_SUFFIX = ".jsonl"


def records_directory() -> Path:
    """The directory of the user's records; it may not exist yet."""
    import platformdirs

    return platformdirs.user_state_path("tabletop", appauthor=False) / "records"


def is_own(path: Path) -> bool:
    """Whether a record lies in the directory of the user's records."""
    try:
        return path.resolve().parent == records_directory().resolve()
    except (OSError, RuntimeError):  # a link that leads to itself
        return False


def origins_directory() -> Path:
    """The directory of notes on the games of the user's records; it may not exist yet."""
    return records_directory().parent / "origins"


def tables_directory() -> Path:
    """Where the tables that people were sent links to are noted; it may not exist yet."""
    return records_directory().parent / "tables"


def new_record_path(game: AnyGame, now: datetime) -> Path:
    """A path for a new record; its directory exists.

    Raises:
        RecordError: the directory cannot be made.
    """
    directory = records_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(
            f"{directory}: cannot be made: {error.strerror}; "
            "choose another place with --record FILE, or play with --no-record"
        ) from error
    return directory / f"{game.name}-{now:%Y%m%dT%H%M%S}-{entropy(36**4):06x}{_SUFFIX}"


def scores_path() -> Path:
    """The file of the user's scores; it may not exist yet."""
    import platformdirs

    return platformdirs.user_data_path("tabletop", appauthor=False) / "scores.sqlite3"


def utc_now() -> datetime:
    """The present time in UTC, or that of the environment variable TABLETOP_NOW.

    Raises:
        UsageError: that says no time.
    """
    given = os.environ.get("TABLETOP_NOW")
    if not given:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(given)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"TABLETOP_NOW={given}: give a time like 2026-11-21T12:00:00, in UTC"
        ) from error


def last_interrupted(games: Collection[str] | None = None) -> Record:
    """The youngest record of a match that has not ended.

    Args:
        games: the names of those that may be meant; None for any.

    Raises:
        UsageError: there is none.
    """
    directory = records_directory()
    for path in sorted(directory.glob(f"*{_SUFFIX}"), key=_age):
        try:
            record = read(path)
        except RecordError:
            continue  # not ours to mend: another one may be whole
        if not record.ended and (games is None or record.header.game in games):
            return record
    of = "" if games is None else f" of {join_words(list(games), 'or')}"
    raise UsageError(f"there is no interrupted match{of} in {directory}; give a FILE")


def _age(path: Path) -> float:
    """A sort key: the newest file first."""
    try:
        return -path.stat().st_mtime_ns
    except OSError:  # gone in the meantime, or a link to nowhere
        return 0
