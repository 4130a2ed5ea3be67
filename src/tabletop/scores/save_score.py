"""Keeping the score of a match that has ended. A failure here never stops a game."""

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

Say: TypeAlias = Callable[[str], object]
"""A function that shows a text of one or more lines to the player."""

_FIRST_MATCHES: Final = 3
"""The number of finished matches that make a person no newcomer (Working with Seeds)."""

_HINT_TIMEOUT: Final = 1.0
"""Maximum wait for the scores before a match begins, in seconds."""


def open_book(timeout: float | None = None) -> ScoreBook:
    """Open the scores of the user; `timeout` as in `ScoreBook`."""
    from tabletop.scores.book import ScoreBook  # SQLite: only where scores are kept or read

    return ScoreBook(scores_path(), warn=warn, timeout=timeout)


def warn(message: str) -> None:
    """Print a warning on the standard error."""
    print_error(f"tabletop: {message}")


def program_version() -> str:
    """Return the version of this program."""
    from importlib.metadata import version  # slow to import, and not every match is kept

    return version("tabletop-rules")


def newcomers_hint(plugin: Plugin, players: Sequence[str], seed_origin: str) -> str:
    """Return the game's hint for newcomers if a newcomer is to play; else an empty text.

    The scores show who is a newcomer. With a shared or chosen seed the match is the same for
    everybody, and nobody gets a hint.
    """
    if seed_origin != FRESH or HUMAN not in players:
        return ""
    try:
        finished = open_book(_HINT_TIMEOUT).finished_here(plugin.game.name)
    except ScoresError:
        return ""  # said when the score is to be kept
    text: str = plugin.text.welcome() if finished < _FIRST_MATCHES else ""
    return text


def keep_score(
    match: AnyMatch,
    source: str,
    recorded: Path | MemoryRecorder,
    say: Say = str,
    *,
    verify: bool = False,
    is_own: bool = True,
    once: bool = False,
) -> None:
    """Keep and show the score of a match, if it has ended; warn where it cannot be kept.

    Args:
        verify: replay the whole record first: others may have written the part before a resume.
        is_own: whether this program has begun the record; else the record only claims its
            beginning.
        once: whether to do nothing where the score of this match was kept before.
    """
    outcome = match.outcome
    if not match.over or outcome is None:
        return
    path = None if isinstance(recorded, MemoryRecorder) else recorded.absolute()
    try:
        sheet = _sheet(match, outcome, recorded, verify=verify, is_own=is_own)
    except (RecordError, ScoresError) as error:
        warn(f"the score is not kept: {error}")
        return
    say("")
    say(sheet_in_full(sheet, match.game.title, command_to_play(match, source, path)))
    try:
        book = open_book()  # last: it may have to wait for other programs
        (book.add_new if once else book.add)(sheet)
    except ScoresError as error:
        warn(f"the score is not kept: {error}")


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
        # A path may hold bytes that are no text; a score sheet is text throughout.
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
