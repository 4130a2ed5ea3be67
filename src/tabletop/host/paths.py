"""The folders of a user, for records and for scores; and the present time."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

from tabletop.errors import RecordError, UsageError
from tabletop.host.user_files import make_folders

RECORD_SUFFIX = ".jsonl"

_LONGEST = 100
"""Characters of a game's name in the name of a record."""


def records_directory() -> Path:
    """The directory of the user's records; it may not exist yet."""
    import platformdirs

    return platformdirs.user_state_path("tabletop", appauthor=False) / "records"


def is_own(path: Path) -> bool:
    """Check whether a record lies in the directory of the user's records."""
    try:
        return path.resolve().parent == records_directory().resolve()
    except (OSError, RuntimeError):  # a link that leads to itself
        return False


def origins_directory() -> Path:
    """The directory of notes on the games of the user's records; it may not exist yet."""
    return records_directory().parent / "origins"


def tables_directory() -> Path:
    """Return the folder of notes on tables with links sent to people; it may not exist yet."""
    return records_directory().parent / "tables"


def new_record_path(game: str, now: datetime) -> Path:
    """Return a path for a new record of a game, in the directory of records, which exists.

    Characters of the game's name that could lead out of the directory become `_`.
    """
    directory = records_directory()
    try:
        make_folders(directory, 0o700)
    except OSError as error:
        raise RecordError(
            f"{directory}: cannot be made: {error.strerror}; "
            "choose another place with --record FILE, or play with --no-record"
        ) from error
    ending = f"{os.urandom(3).hex()}{RECORD_SUFFIX}"
    name = re.sub(r"[^\w-]", "_", game)[:_LONGEST]
    return directory / f"{name}-{now:%Y%m%dT%H%M%S}-{ending}"


def scores_path() -> Path:
    """The file of the user's scores; it may not exist yet."""
    import platformdirs

    return platformdirs.user_data_path("tabletop", appauthor=False) / "scores.sqlite3"


def utc_now() -> datetime:
    """Return the present time in UTC, or that of the environment variable TABLETOP_NOW.

    Raises:
        UsageError: that is no time.
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
