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

from tabletop.codec import digest, from_json, to_json
from tabletop.errors import (
    CommandError,
    ContractError,
    IllegalAction,
    OptionError,
    RecordError,
    RecordMismatch,
    RecordVersionError,
    StateError,
)
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.match.chances import Drawn
from tabletop.outcome import Outcome, Seat
from tabletop.records.checkpoints import describe_error, doubt_about
from tabletop.records.entries import Entry, Header
from tabletop.records.reading import Record, read
from tabletop.rng import DrawListener
from tabletop.wording import cut, number, shorten


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
            chances=_chances_at(start),
            earlier_drawn=earlier.drawn,
        )
    except Exception as error:  # whatever rules make of a state that cannot be
        raise _mismatch(start, f"the checkpoint is damaged: {describe_error(error)}") from error
    doubt = doubt_about(match)
    if doubt or match.streams() != start.streams:
        doubt = doubt or "there are no such offsets of streams"
        raise _mismatch(start, f"the checkpoint is damaged: {doubt}")
    return match


def restored(entry: Entry, kind: type[Any]) -> Any:
    """The state that a checkpoint holds.

    Raises:
        RecordMismatch: the data is not a state of the game, or its digest differs.
    """
    try:
        state = from_json(to_json(entry.state), kind)
        stands_for = digest(state, entry.streams or {})
    except ContractError as error:
        raise _mismatch(entry, f"the checkpoint is damaged: {error}") from error
    if stands_for != entry.digest:
        raise _mismatch(entry, "the checkpoint is damaged: it is not what its digest stands for")
    return state


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


def _chances_at(checkpoint: Entry) -> dict[Seat, int]:
    """How far the chance of bots was drawn there; those at their start are left out."""
    told = enumerate(checkpoint.chances or ())
    return {seat: offset for seat, offset in told if offset}


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


def named(record: Record, error: RecordError) -> RecordError:
    """`error` with the path of the record in front."""
    return type(error)(f"{record.path}: {error}", line=error.line)


def replay_entry(match: AnyMatch, entry: Entry) -> None:
    """Apply one entry of a record to a match.

    Raises:
        RecordMismatch: it cannot be done, or leads to something else than the record says.
    """
    try:
        _replay_entry(match, entry)
    except RecordError:
        raise
    except Exception as error:  # whatever rules make of a state that cannot be
        raise _mismatch(entry, f"the rules fail here: {describe_error(error)}") from error


def _replay_entry(match: AnyMatch, entry: Entry) -> None:
    if entry.undo is not None:
        match.undo(entry.undo)
        _compare(match, entry, f"taking back {entry.undo}")
    elif entry.do is not None and entry.seat is not None:
        _replay_action(match, entry.do, entry.seat, entry)
    elif entry.checkpoint is not None:
        _compare_checkpoint(match, entry)
    if entry.end is not None and not _ended_alike(entry.end, match.outcome):
        then, now = (
            _describe_outcome(outcome, match.names) for outcome in (entry.end, match.outcome)
        )
        raise _mismatch(entry, f"the match ended as {then}, now as {now}")


def _ended_alike(then: Outcome, now: Outcome | None) -> bool:
    """Whether a match ended as recorded; older records have no points."""
    if now is not None and not then.points:
        now = replace(now, points=())
    return then == now


def _replay_action(match: AnyMatch, text: str, seat: Seat, entry: Entry) -> None:
    ply, shown = match.ply + 1, shorten(text)
    try:
        action = match.parse(text, seat)
        actor = match.actor(action)
        if actor == seat:
            if entry.chance is not None:  # as if the bot had been asked
                match.chance_of(seat).offset = entry.chance
            match.play(action)
    except (CommandError, IllegalAction, ContractError) as error:
        raise _mismatch(entry, f"action {ply}, {shown}, is refused now: {error}") from error
    if actor != seat:
        whose = f"is now {match.names[actor]}'s, not {match.names[seat]}'s"
        raise _mismatch(entry, f"action {ply}, {shown}, {whose}")
    _compare(match, entry, f"action {ply}, {shown},")


def _compare_checkpoint(match: AnyMatch, entry: Entry) -> None:
    if entry.checkpoint != match.ply:
        what = f"a checkpoint after {entry.checkpoint} actions: {match.ply} were played"
        raise _mismatch(entry, what)
    restored(entry, type(match.state))
    _compare(match, entry, f"what was played up to checkpoint {entry.checkpoint}")
    if _chances_at(entry) != match.chances():
        what = "tells of other chances of bots than the actions before it"
        raise _mismatch(entry, f"checkpoint {entry.checkpoint} {what}")


def _describe_outcome(outcome: Outcome | None, names: Sequence[str]) -> str:
    """An outcome in words: who came first, second and so on, and the points of each seat."""
    if outcome is None:
        return "a match that goes on"
    places = [
        f"{place}. {' and '.join(names[seat] for seat in group if 0 <= seat < len(names))}"
        for place, group in enumerate(outcome.ranking, 1)
    ]
    points = f", points {', '.join(map(number, outcome.points))}" if outcome.points else ""
    why = f"{'abandoned: ' * outcome.abandoned}{outcome.reason}"
    return f"{', '.join(places)} ({why}){points}"


def _compare(match: AnyMatch, entry: Entry, what: str) -> None:
    if entry.digest is not None and entry.digest != match.digest():
        raise _mismatch(entry, f"{what} leads to another state now")


def _mismatch(entry: Entry, what: str) -> RecordMismatch:
    return RecordMismatch(f"line {entry.line}: {cut(what)}", line=entry.line)
