"""The record of a match: a save, a bug report and a test at once.

`tabletop.records.entries` tells what stands in it, `tabletop.records.reading` reads it,
`tabletop.records.journal` writes it. A line is on its way to the disk before its move is shown, so
a killed program loses nothing; an incomplete last line is dropped.

Long records carry checkpoints. `read_end` takes a record from one of its last on, so that going on
with a match of 100,000 plies does not play all of them again; `read` takes the whole of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from tabletop.errors import (
    OptionError,
    RecordError,
    RecordMismatch,
    RecordVersionError,
    StateError,
)
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.match.chances import Drawn
from tabletop.records.checkpoints import describe_error, doubt_about
from tabletop.records.entries import Entry, Header
from tabletop.records.reading import Record, read
from tabletop.records.replaying import chances_at, mismatch, named, replay_entry, restored
from tabletop.rng import DrawListener


def remake(
    game: AnyGame,
    header: Header,
    *,
    anyway: bool = False,
    on_draw: DrawListener | None = None,
) -> AnyMatch:
    """The match that a header describes, before its first action.

    Args:
        game: the rules.
        header: what the match is made from.
        anyway: also when it was written with another version of the rules.
        on_draw: told of every draw; see `Match`.

    Raises:
        RecordError: the header is of another game, or of a match that this game cannot be.
        RecordVersionError: it was written with another version of the rules.
    """
    if header.game != game.name:
        raise RecordError(f"line 1: a record of {header.game!r}, not of {game.name!r}", line=1)
    if header.version != game.version and not anyway:
        raise RecordVersionError(f"line 1: {versions(game, header)}", line=1)
    try:
        match = Match(
            game,
            seed=header.seed,
            salt=header.salt_bytes,
            seats=header.seats,
            options=header.options,
            state=header.state,
            on_draw=on_draw,
        )
    except StateError as error:
        raise RecordError(f"line 1: {_FORGED}: {error}", line=1) from error
    except (OptionError, ValueError) as error:
        raise RecordError(f"line 1: {error}", line=1) from error
    except Exception as error:  # options that the rules accept and cannot begin with
        raise RecordError(
            f"line 1: no match can begin like that: {describe_error(error)}", line=1
        ) from error
    doubt = "" if header.state is None else doubt_about(match)
    if doubt:
        raise RecordError(f"line 1: {_FORGED}: {doubt}", line=1)
    return match


_FORGED: Final = "the state that the match begins from is damaged"


def versions(game: AnyGame, header: Header) -> str:
    """The message for a record that was made with another version of the rules."""
    return (
        f"made with version {header.version} of the rules of {game.name};"
        f" these are version {game.version}"
    )


def begin(record: Record, game: AnyGame) -> AnyMatch:
    """The match before the first of the record's entries: at its beginning, or at a checkpoint.

    Raises:
        RecordError: as `remake`; or the checkpoint is damaged, or none of these rules.
    """
    match = remake(game, record.header)
    start = record.start
    if start is None or start.checkpoint is None or start.streams is None:
        return match
    state = restored(start, type(match.state))
    earlier = Earlier(record, start, game)
    try:
        match.jump(
            start.checkpoint,
            state,
            start.streams,
            earlier.actions,
            chances=chances_at(start),
            earlier_drawn=earlier.drawn,
        )
    except Exception as error:  # whatever rules make of a state that cannot be
        raise mismatch(start, f"the checkpoint is damaged: {describe_error(error)}") from error
    doubt = doubt_about(match)
    if doubt or match.streams() != start.streams:
        doubt = doubt or "there are no such offsets of streams"
        raise mismatch(start, f"the checkpoint is damaged: {doubt}")
    return match


class Earlier:
    """The actions before a checkpoint, replayed on first use.

    Args:
        record: what was read, from the checkpoint on.
        start: the checkpoint.
        game: the rules.
    """

    def __init__(self, record: Record, start: Entry, game: AnyGame) -> None:
        self._record = record
        self._start = start
        self._game = game

    @cached_property
    def _match(self) -> AnyMatch:
        whole = read(self._record.path)
        before = tuple(entry for entry in whole.entries if entry.line <= self._start.line)
        return replay(replace(whole, entries=before), self._game)

    def actions(self) -> Sequence[Any]:
        """The actions.

        Raises:
            RecordError: they cannot be read, or do not replay.
        """
        return self._match.actions

    def drawn(self) -> Sequence[Drawn]:
        """What bots have drawn for them.

        Raises:
            RecordError: as `actions`.
        """
        return self._match.drawn


def replay(record: Record, game: AnyGame, *, until: int | None = None) -> AnyMatch:
    """Play a record again, checking every digest.

    One that begins at a checkpoint which cannot be is played from its beginning instead: that
    shows what is wrong, and where.

    Args:
        record: what was read.
        game: the rules.
        until: stop when so many actions stand and the next thing done would be one more.

    Raises:
        RecordError: an action is not understood; names its line.
        RecordMismatch: an action, or what it led to, differs with the present rules.
    """
    if until is not None and record.start is not None:
        record = read(record.path)
    try:
        match = begin(record, game)
    except RecordMismatch as error:
        return _replay_whole(record, game, error)
    except RecordError as error:
        raise named(record, error) from error.__cause__
    try:
        for entry in record.entries:
            if entry.do is not None and until is not None and match.ply >= until:
                break
            replay_entry(match, entry)
    except RecordError as error:
        raise named(record, error) from error.__cause__
    return match


def _replay_whole(record: Record, game: AnyGame, doubt: RecordMismatch) -> AnyMatch:
    """Replay from the first line on, because the checkpoint that `record` begins at is in doubt."""
    try:
        return replay(read(record.path), game)
    except RecordMismatch as error:
        if error.line == doubt.line:  # it is the checkpoint: the doubt says what is wrong with it
            raise named(record, doubt) from doubt.__cause__
        raise
