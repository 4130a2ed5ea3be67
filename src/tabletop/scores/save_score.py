"""Store and show the score of a finished match. An error here never stops a game."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from tabletop.errors import RecordError, ScoresError
from tabletop.host.paths import scores_path, utc_now
from tabletop.host.screen_text import print_error
from tabletop.match.match import AnyMatch
from tabletop.records.file import read
from tabletop.records.format import HUMAN
from tabletop.records.replay_command import command_to_play
from tabletop.registry import Plugin
from tabletop.rules.outcome import Outcome
from tabletop.scores.score_tables import sheet_in_full
from tabletop.scores.sheets import FRESH, ScoreSheet, stamp
from tabletop.scores.verify import MemoryRecorder, verified

if TYPE_CHECKING:
    from tabletop.scores.book import ScoreBook

Show: TypeAlias = Callable[[str], object]
"""A function that shows a text of one or more lines to the player."""

_FIRST_MATCHES: Final = 3
"""Number of finished matches after which a player no longer counts as a newcomer."""

_HINT_TIMEOUT: Final = 1.0  # seconds to wait for the score book before a match starts


def open_book(timeout: float | None = None) -> ScoreBook:
    """Open the score book of the user. `timeout` is in seconds, as for `ScoreBook`."""
    from tabletop.scores.book import ScoreBook  # imports SQLite, so import only when needed

    return ScoreBook(scores_path(), warn=warn, timeout=timeout)


def warn(message: str) -> None:
    """Print a warning on standard error."""
    print_error(f"tabletop: {message}")


def program_version() -> str:
    """Return the version of this program."""
    from importlib.metadata import version  # slow to import, and seldom needed

    return version("tabletop-rules")


def newcomers_hint(plugin: Plugin, players: Sequence[str], seed_origin: str) -> str:
    """Return the game's hint for newcomers if a newcomer is going to play, or an empty string.

    A player is a newcomer until the score book has a few finished matches. Matches with a shared or
    chosen seed never show the hint, so that they are the same for everybody.
    """
    if seed_origin != FRESH or HUMAN not in players:
        return ""
    try:
        finished = open_book(_HINT_TIMEOUT).finished_here(plugin.game.name)
    except ScoresError:
        return ""  # `keep_score` will report the error
    text: str = plugin.text.welcome() if finished < _FIRST_MATCHES else ""
    return text


def keep_score(
    match: AnyMatch,
    source: str,
    recorded: Path | MemoryRecorder,
    show: Show = str,
    *,
    verify: bool = False,
    is_own: bool = True,
    once: bool = False,
) -> None:
    """Store and show the score of a match if it has ended. Errors are printed as warnings.

    Args:
        match: The match.
        source: The name by which the game was found.
        recorded: The path of the record, or the recorder of a match without a file.
        show: Called with the lines to show. By default, nothing is shown.
        verify: Whether to replay the whole record first. This is necessary if the record was
            resumed, because others may have written the earlier part.
        is_own: Whether this program started the record. If not, the origin of the seed and the
            times are marked as unverified.
        once: Whether to skip a match whose score is already stored.
    """
    outcome = match.outcome
    if not match.over or outcome is None:
        return
    path = None if isinstance(recorded, MemoryRecorder) else recorded.absolute()
    try:
        sheet = _sheet(match, outcome, recorded, verify=verify, is_own=is_own)
    except (RecordError, ScoresError) as error:
        warn(f"the score was not saved: {error}")
        return
    show("")
    show(sheet_in_full(sheet, match.game.title, command_to_play(match, source, path)))
    try:
        book = open_book()  # last: it may have to wait for other programs
        (book.add_new if once else book.add)(sheet)
    except ScoresError as error:
        warn(f"the score was not saved: {error}")


def _sheet(
    match: AnyMatch,
    outcome: Outcome,
    recorded: Path | MemoryRecorder,
    *,
    verify: bool,
    is_own: bool,
) -> ScoreSheet:
    if isinstance(recorded, MemoryRecorder):
        sheet = ScoreSheet.of(recorded.header, recorded.entries, outcome)
        seconds, place = recorded.seconds, ""
    else:
        record = read(recorded)
        if verify:
            sheet = verified(record, match.game)
        else:
            sheet = ScoreSheet.of(record.header, record.entries, outcome)
        # A path may contain invalid UTF-8, which a score sheet cannot store.
        place = os.fsencode(recorded.absolute()).decode("utf-8", "replace")
        seconds = record.seconds
    return replace(
        sheet,
        seconds=seconds,
        finished=stamp(utc_now()),
        program=program_version(),
        record=place,
        imported=not is_own,
    )
