"""Keeping the score of a match that has ended. A failure here never stops a game."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from tabletop.errors import RecordError, ScoresError
from tabletop.host.printable import say_error
from tabletop.match import AnyMatch
from tabletop.outcome import Outcome
from tabletop.records.file import read
from tabletop.records.format import HUMAN, Header
from tabletop.registry import Plugin
from tabletop.scores.book import ScoreBook
from tabletop.scores.sheets import FRESH, ScoreSheet, stamp
from tabletop.scores.verify import MemoryRecorder, verified
from tabletop.storage.paths import scores_path, utc_now
from tabletop.storage.replay_command import command_to_play
from tabletop.storage.score_tables import sheet_in_full

Say: TypeAlias = Callable[[str], object]
"""Shows a text of one or more lines to whoever plays."""

_FIRST_MATCHES: Final = 3
"""From so many finished matches on, a person is no newcomer to a game (Working with Seeds)."""

_HINT_PATIENCE: Final = 1.0
"""How many seconds a match waits for the scores before it begins."""


def open_book(patience: float | None = None) -> ScoreBook:
    """The scores of the user; `patience` as in `ScoreBook`."""
    return ScoreBook(scores_path(), warn=warn, patience=patience)


def warn(message: str) -> None:
    """Print a warning on the standard error."""
    say_error(f"tabletop: {message}")


def program_version() -> str:
    """The version of this program."""
    from importlib.metadata import version  # slow to import, and not every match is kept

    return version("tabletop-rules")


def newcomers_hint(plugin: Plugin, players: Sequence[str], seed_origin: str) -> str:
    """The game's hint for newcomers if a newcomer is to play; else empty.

    Scores tell who is one. A match with a seed that others play as well, or that somebody has
    chosen, is the same for everybody: nothing adapts in it.
    """
    if seed_origin != FRESH or HUMAN not in players:
        return ""
    try:
        finished = open_book(_HINT_PATIENCE).finished_here(plugin.game.name)
    except ScoresError:
        return ""  # said when the score is to be kept
    text: str = plugin.text.welcome() if finished < _FIRST_MATCHES else ""
    return text


def keep_resumed(
    match: AnyMatch,
    path: Path,
    source: str,
    say: Say,
    *,
    is_own: bool = False,
) -> None:
    """Keep and show the score of a match that has been resumed, if it has ended.

    The whole of its record is played again first: others may have written what came before. Where
    this program has not begun it (`is_own`), what it says of its beginning is only claimed.
    """

    def sheet(outcome: Outcome) -> ScoreSheet:
        record = read(path)
        return replace(
            verified(record, match.game, program=program_version()),
            seconds=record.seconds,
            finished=stamp(utc_now()),
            record=_as_text(path),
            imported=not is_own,
        )

    _keep(match, sheet, command_to_play(match, source, path.absolute()), say)


def keep_recorded(match: AnyMatch, path: Path, source: str, say: Say) -> None:
    """Keep and show the score of a match that has been recorded, if it has ended."""
    _keep(match, _of_record(path), command_to_play(match, source, path.absolute()), say)


def keep_once(match: AnyMatch, path: Path, source: str) -> None:
    """Keep the score of a match that has been recorded, unless that was done before.

    Nothing is shown, but a warning when it cannot be kept.
    """
    again = command_to_play(match, source, path.absolute())
    _keep(match, _of_record(path), again, lambda text: None, once=True)


def _of_record(path: Path) -> Callable[[Outcome], ScoreSheet]:
    """What makes the score sheet of a record that this program has written."""

    def sheet(outcome: Outcome) -> ScoreSheet:
        record = read(path)
        return ScoreSheet.of(
            record.header,
            record.entries,
            outcome,
            seconds=record.seconds,
            finished=stamp(utc_now()),
            program=program_version(),
            record=_as_text(path),
        )

    return sheet


def _as_text(path: Path) -> str:
    # A path may hold bytes that are no text; a score sheet is text throughout.
    return os.fsencode(path.absolute()).decode("utf-8", "replace")


def keep_unrecorded(
    match: AnyMatch,
    header: Header,
    recorder: MemoryRecorder,
    seconds: float,
    *,
    source: str,
    say: Say,
) -> None:
    """Keep and show the score of a match of which there is no record, if it has ended."""

    def sheet(outcome: Outcome) -> ScoreSheet:
        return ScoreSheet.of(
            header,
            recorder.entries,
            outcome,
            seconds=round(seconds, 3),
            finished=stamp(utc_now()),
            program=program_version(),
        )

    _keep(match, sheet, command_to_play(match, source), say)


def _keep(
    match: AnyMatch,
    make: Callable[[Outcome], ScoreSheet],
    again: str,
    say: Say,
    *,
    once: bool = False,
) -> None:
    outcome = match.outcome
    if not match.over or outcome is None:
        return
    try:
        sheet = make(outcome)
    except (RecordError, ScoresError) as error:
        warn(f"the score is not kept: {error}")
        return
    say("")
    say(sheet_in_full(sheet, match.game.title, again))
    try:
        book = open_book()  # last: it may have to wait for other programs
        (book.add_new if once else book.add)(sheet)
    except ScoresError as error:
        warn(f"the score is not kept: {error}")
