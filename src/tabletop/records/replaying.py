"""Playing a record again: all of it at once, or step by step, forward and back.

Every digest is compared with the result of the present rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from tabletop.errors import (
    CommandError,
    ContractError,
    IllegalAction,
    OptionError,
    RecordError,
    RecordMismatch,
    RecordVersionError,
    StateError,
    TabletopError,
)
from tabletop.match.match import AnyMatch, Match
from tabletop.records.file import Record, errors_in
from tabletop.records.format import Entry, Header
from tabletop.rng.stream import DrawListener
from tabletop.rules.game import AnyGame
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.wording import number, quote, truncate


def match_from_header(
    game: AnyGame,
    header: Header,
    *,
    anyway: bool = False,
    on_draw: DrawListener | None = None,
) -> AnyMatch:
    """Make the match that a header describes, before its first action.

    Args:
        game: the rules.
        header: of a record.
        anyway: also when it was written with another version of the rules.
        on_draw: called with every draw; see `Match`.

    Raises:
        RecordError: the header is of another game, or of a match that this game cannot be.
        RecordVersionError: it was written with another version of the rules.
    """
    if header.game != game.name:
        raise RecordError(f"line 1: a record of {header.game!r}, not of {game.name!r}", line=1)
    if header.version != game.version and not anyway:
        raise RecordVersionError(f"line 1: {versions(game, header)}", line=1)
    try:
        return Match(
            game,
            seed=header.seed,
            salt=header.salt_bytes,
            seats=header.seats,
            options=header.options,
            state=header.state,
            on_draw=on_draw,
        )
    except StateError as error:
        what = "the state that the match begins from is damaged"
        raise RecordError(f"line 1: {what}: {error}", line=1) from error
    except (OptionError, ValueError) as error:
        raise RecordError(f"line 1: {error}", line=1) from error
    except Exception as error:  # options that the rules accept and cannot begin with
        raise RecordError(
            f"line 1: no match can begin like that: {_describe_error(error)}", line=1
        ) from error


def versions(game: AnyGame, header: Header) -> str:
    """Return the message for a record that was made with another version of the rules."""
    return (
        f"made with version {header.version} of the rules of {game.name};"
        f" these are version {game.version}"
    )


def match_of(
    record: Record, game: AnyGame, *, anyway: bool = False, on_draw: DrawListener | None = None
) -> AnyMatch:
    """Make the match of a record as `match_from_header` does; errors begin with its path."""
    with errors_in(record.path):
        return match_from_header(game, record.header, anyway=anyway, on_draw=on_draw)


def replay(record: Record, game: AnyGame, *, until: int | None = None) -> AnyMatch:
    """Play a record again from its beginning, checking every digest.

    The replay stops at `until` actions, before the next one.

    Raises:
        RecordError: an action is not understood; names its line.
        RecordMismatch: an action, or what it led to, differs with the present rules.
    """
    match, entries = match_of(record, game), iter(record.entries)
    if until is not None:
        entries = takewhile(lambda entry: entry.do is None or match.ply < until, entries)
    for _ in replayed(match, entries, record.path):
        pass
    return match


def replayed(match: AnyMatch, entries: Iterable[Entry], path: str = "") -> Iterator[Entry]:
    """Apply entries of a record to a match as `replay_entry` does; yield each one afterwards.

    Errors begin with the `path` of the record, if it is given.
    """
    with errors_in(path):
        for entry in entries:
            replay_entry(match, entry)
            yield entry


def replay_entry(match: AnyMatch, entry: Entry) -> None:
    """Apply one entry of a record to a match.

    Raises:
        RecordMismatch: it cannot be done, or its result differs from the record.
    """
    try:
        _replay_entry(match, entry)
    except RecordError:
        raise
    except Exception as error:  # rules may raise anything about an impossible state
        raise _mismatch(entry, f"the rules fail here: {_describe_error(error)}") from error


def _replay_entry(match: AnyMatch, entry: Entry) -> None:
    if entry.undo is not None:
        match.undo(entry.undo)
        _compare(match, entry, f"taking back {entry.undo}")
    elif entry.do is not None and entry.seat is not None:
        _replay_action(match, entry.do, entry.seat, entry)
    if entry.end is not None and entry.end != match.outcome:
        then, now = (
            _describe_outcome(outcome, match.names) for outcome in (entry.end, match.outcome)
        )
        raise _mismatch(entry, f"the match ended as {then}, now as {now}")


def _replay_action(match: AnyMatch, text: str, seat: Seat, entry: Entry) -> None:
    ply, shown = match.ply + 1, quote(text)
    try:
        action = match.parse(text, seat)
        actor = match.actor(action)
        if actor == seat:
            if entry.chance is not None:  # as if the bot had been asked
                match.bot_stream(seat).offset = entry.chance
            match.play(action)
    except (CommandError, IllegalAction, ContractError) as error:
        raise _mismatch(entry, f"action {ply}, {shown}, is refused now: {error}") from error
    if actor != seat:
        whose = f"is now {match.names[actor]}'s, not {match.names[seat]}'s"
        raise _mismatch(entry, f"action {ply}, {shown}, {whose}")
    _compare(match, entry, f"action {ply}, {shown},")


def _describe_outcome(outcome: Outcome | None, names: Sequence[str]) -> str:
    """Describe an outcome: the ranks of the seats, and the points of each."""
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
    """Make the error for an entry that the match does not agree with."""
    return RecordMismatch(f"line {entry.line}: {truncate(what)}", line=entry.line)


def _describe_error(error: Exception) -> str:
    """Format an error as text; with its class, unless it is a `TabletopError`."""
    if isinstance(error, TabletopError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def replay_actions(match: AnyMatch, other: AnyMatch) -> AnyMatch:
    """Play the actions of a match on another one, with the chance its bots had; return that one."""
    drawn = {note.ply: note for note in match.bot_draws}
    for ply, action in enumerate(match.actions, 1):
        if ply in drawn:
            other.bot_stream(drawn[ply].seat).offset = drawn[ply].after
        other.play(action)
    return other


class Stepper:
    """A record during a replay.

    Args:
        record: the whole of it.
        game: the rules.
        until: the last step to go to; the end of the record when not given, or when that is sooner.
        anyway: also when the record was made with another version of the rules.

    Attributes:
        match: as it was at this step.
        at: the number of steps done.

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
        self._path = record.path
        self._parts = _parts(record)[:until]
        self._taken: dict[int, tuple[Any, ...]] = {}
        self.at: int = 0
        try:
            self.match: AnyMatch = match_of(record, game, anyway=anyway)
        except RecordVersionError as error:
            message = f"{error}; --anyway replays it up to the first difference"
            raise RecordVersionError(message, line=error.line) from error

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self._parts)

    def forward(self) -> None:
        """Do the next step.

        Raises:
            RecordMismatch: it cannot be done, or its result differs from the record.
        """
        part, match = self._parts[self.at], self.match
        if part[0].undo is not None and self.at not in self._taken:
            # Read off the end of the actions alone: they may be a hundred thousand.
            past = match.actions
            self._taken[self.at] = past[len(past) - part[0].undo :]
        for _ in replayed(match, part, self._path):
            pass
        self.at += 1

    def go(self, step: int) -> None:
        """Go to the point after `number` steps, forward or back.

        Raises:
            RecordMismatch: a step on the way does not replay.
        """
        while self.at < step:
            self.forward()
        undone = 0  # faster: several actions are taken back at once
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
