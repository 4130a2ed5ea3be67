"""The user's folders for records and scores, and the current time."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

from tabletop.errors import RecordError, UsageError
from tabletop.host.user_files import make_folders

RECORD_SUFFIX = ".jsonl"

_LONGEST = 100  # maximum number of characters of the game's name in a record's file name


def records_directory() -> Path:
    """Return the directory of the user's records, which may not exist yet."""
    import platformdirs

    return platformdirs.user_state_path("tabletop", appauthor=False) / "records"


def is_own(path: Path) -> bool:
    """Return whether a record is in the directory of the user's records."""
    try:
        return path.resolve().parent == records_directory().resolve()
    except (OSError, RuntimeError):  # such as a link to itself
        return False


def origins_directory() -> Path:
    """Return the directory of notes about the user's records, which may not exist yet."""
    return records_directory().parent / "origins"


def tables_directory() -> Path:
    """Return the directory of the tables shared by links, which may not exist yet."""
    return records_directory().parent / "tables"


def new_record_path(game: str, now: datetime) -> Path:
    """Return a path for a new record of a game. The directory of records is created if necessary.

    Characters of the game's name that are unsafe in a file name are replaced by `_`.

    Args:
        now: The current time, which becomes part of the file name.

    Raises:
        RecordError: The directory cannot be created.
    """
    directory = records_directory()
    try:
        make_folders(directory, 0o700)
    except OSError as error:
        raise RecordError(
            f"{directory}: cannot be created: {error.strerror}; "
            "choose another place with --record FILE, or play with --no-record"
        ) from error
    ending = f"{os.urandom(3).hex()}{RECORD_SUFFIX}"
    name = re.sub(r"[^\w-]", "_", game)[:_LONGEST]
    return directory / f"{name}-{now:%Y%m%dT%H%M%S}-{ending}"


def scores_path() -> Path:
    """Return the path of the user's score book, which may not exist yet."""
    import platformdirs

    return platformdirs.user_data_path("tabletop", appauthor=False) / "scores.sqlite3"


def utc_now() -> datetime:
    """Return the current time in UTC, or the time in the environment variable TABLETOP_NOW.

    Raises:
        UsageError: The variable does not contain a time.
    """
    given = os.environ.get("TABLETOP_NOW")
    if not given:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(given)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"TABLETOP_NOW={given}: not a time such as 2026-11-21T12:00:00, in UTC"
        ) from error
