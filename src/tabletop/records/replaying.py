"""Replay a record, all at once or step by step in both directions.

Every digest in the record is compared with the result of the current rules.
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
from tabletop.rules.concessions import Concession, ConcessionReason
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
    """Create the match that a header describes, before its first action.

    Args:
        game: The rules.
        header: The header of a record.
        anyway: Whether to accept a different version of the rules.
        on_draw: Called with every draw; see `Match`.

    Raises:
        RecordError: The header belongs to a different game, or this game cannot set up the match.
        RecordVersionError: The record was made with a different version of the rules.
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
        raise RecordError(f"line 1: the initial state is damaged: {error}", line=1) from error
    except (OptionError, ValueError) as error:
        raise RecordError(f"line 1: {error}", line=1) from error
    except Exception as error:  # the rules may accept options and then fail in the setup
        raise RecordError(
            f"line 1: the match cannot be set up: {_describe_error(error)}", line=1
        ) from error


def versions(game: AnyGame, header: Header) -> str:
    """Return the message for a record that was made with a different version of the rules."""
    return (
        f"made with version {header.version} of the rules of {game.name},"
        f" but version {game.version} is installed"
    )


def match_of(
    record: Record, game: AnyGame, *, anyway: bool = False, on_draw: DrawListener | None = None
) -> AnyMatch:
    """Create a match like `match_from_header`, with the path of the record in errors."""
    with errors_in(record.path):
        return match_from_header(game, record.header, anyway=anyway, on_draw=on_draw)


def replay(record: Record, game: AnyGame, *, until: int | None = None) -> AnyMatch:
    """Replay a record from its beginning, and compare every digest.

    Args:
        record: The record.
        game: The rules.
        until: The number of actions after which to stop. By default, replay all actions.

    Raises:
        RecordError: An action cannot be parsed. The message contains the line number.
        RecordMismatch: The current rules refuse an action, or its result differs.
    """
    match, entries = match_of(record, game), iter(record.entries)
    if until is not None:
        entries = takewhile(lambda entry: entry.do is None or match.ply < until, entries)
    for _ in replayed(match, entries, record.path):
        pass
    return match


def replayed(match: AnyMatch, entries: Iterable[Entry], path: str = "") -> Iterator[Entry]:
    """Apply entries of a record to a match with `replay_entry`, and yield each entry afterwards.

    If the path of the record is given, error messages begin with it.
    """
    with errors_in(path):
        for entry in entries:
            replay_entry(match, entry)
            yield entry


def replay_entry(match: AnyMatch, entry: Entry) -> None:
    """Apply one entry of a record to a match.

    Raises:
        RecordMismatch: The entry cannot be applied, or its result differs from the record.
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
        _compare(match, entry, f"the undo of {entry.undo}")
    elif entry.do is not None and entry.seat is not None:
        _replay_action(match, entry.do, entry.seat, entry)
    elif entry.conceded is not None:
        try:
            _concede(match, entry.seat, entry.conceded)
        except TabletopError as error:
            what = f"the line with {quote(entry.conceded)} is refused now: {error}"
            raise _mismatch(entry, what) from error
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
            if entry.chance is not None:  # as if the bot had chosen the action
                match.bot_stream(seat).offset = entry.chance
            match.play(action)
    except (CommandError, IllegalAction, ContractError) as error:
        raise _mismatch(entry, f"action {ply}, {shown}, is refused now: {error}") from error
    if actor != seat:
        whose = f"is now {match.names[actor]}'s, not {match.names[seat]}'s"
        raise _mismatch(entry, f"action {ply}, {shown}, {whose}")
    _compare(match, entry, f"action {ply}, {shown},")


def _describe_outcome(outcome: Outcome | None, names: Sequence[str]) -> str:
    """Describe an outcome: the rank of each seat, and the points."""
    if outcome is None:
        return "a match that is not over"
    places = [
        f"{place}. {' and '.join(names[seat] for seat in group if 0 <= seat < len(names))}"
        for place, group in enumerate(outcome.ranking, 1)
    ]
    points = f", points {', '.join(map(number, outcome.points))}" if outcome.points else ""
    reason = f"{'abandoned: ' * outcome.abandoned}{outcome.reason}"
    return f"{', '.join(places)} ({reason}){points}"


def _compare(match: AnyMatch, entry: Entry, what: str) -> None:
    if entry.digest is not None and entry.digest != match.digest():
        raise _mismatch(entry, f"{what} now leads to a different state")


def _mismatch(entry: Entry, what: str) -> RecordMismatch:
    """Return the error for an entry whose replay differs from the record."""
    return RecordMismatch(f"line {entry.line}: {truncate(what)}", line=entry.line)


def _describe_error(error: Exception) -> str:
    """Format an error as text, with its class unless it is a `TabletopError`."""
    if isinstance(error, TabletopError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def replay_actions(match: AnyMatch, other: AnyMatch) -> AnyMatch:
    """Replay actions and concessions of `match` on `other`, with the bots' stream offsets."""
    draws = {mark.ply: mark for mark in match.bot_draws}
    _replay_concessions(other, match.concessions)
    for ply, action in enumerate(match.actions, 1):
        if ply in draws:
            other.bot_stream(draws[ply].seat).offset = draws[ply].after
        other.play(action)
        _replay_concessions(other, match.concessions)
    return other


def _replay_concessions(match: AnyMatch, concessions: Iterable[Concession]) -> None:
    """Replay those of `concessions` that belong to the present ply of a match."""
    for concession in concessions:
        if concession.ply == match.ply:
            _concede(match, concession.seat, concession.reason)


def _concede(match: AnyMatch, seat: Seat | None, reason: ConcessionReason) -> None:
    if seat is None or reason == "draw":
        match.agree_draw()
    else:
        match.concede(seat, reason)


class Stepper:
    """A replay that can be moved forward and back.

    Args:
        record: The whole record.
        game: The rules.
        until: The number of the last step to allow. By default, this is the last step of the
            record.
        anyway: Whether to accept a different version of the rules.

    Attributes:
        match: The match at the current step.
        at: The number of steps applied.

    Raises:
        RecordError: The record belongs to a different game, or this game cannot set up the match.
        RecordVersionError: The record was made with a different version of the rules.
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
        first, *parts = _parts(record)
        self._parts = parts[:until]
        # The actions that the undo at a step removed, and the concessions before it.
        self._undone: dict[int, tuple[tuple[Any, ...], tuple[Concession, ...]]] = {}
        self.at: int = 0
        try:
            self.match: AnyMatch = match_of(record, game, anyway=anyway)
        except RecordVersionError as error:
            message = f"{error} (use --anyway to replay up to the first difference)"
            raise RecordVersionError(message, line=error.line) from error
        for _ in replayed(self.match, first, self._path):
            pass

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self._parts)

    def forward(self) -> None:
        """Apply the next step.

        Raises:
            RecordMismatch: The step cannot be applied, or its result differs from the record.
        """
        part, match = self._parts[self.at], self.match
        if part[0].undo is not None and self.at not in self._undone:
            # Keep only the undone actions, because a match may have a hundred thousand actions.
            actions = match.actions
            self._undone[self.at] = actions[len(actions) - part[0].undo :], match.concessions
        for _ in replayed(match, part, self._path):
            pass
        self.at += 1

    def go(self, step: int) -> None:
        """Go to the position after step number `step`, forward or back.

        Raises:
            RecordMismatch: A step on the way cannot be replayed.
        """
        while self.at < step:
            self.forward()
        undone = 0  # count actions, because undoing several at once is faster
        while self.at > step:
            self.at -= 1
            if self._parts[self.at][0].undo is None:
                undone += 1
                continue
            self.match.undo(undone)
            undone = 0
            actions, concessions = self._undone[self.at]
            for action in actions:
                self.match.play(action)
                _replay_concessions(self.match, concessions)
        self.match.undo(undone)


def _parts(record: Record) -> list[list[Entry]]:
    """Group entries into steps with the other lines after each, and the lines before all."""
    parts: list[list[Entry]] = [[]]
    for entry in record.entries:
        if entry.do is not None or entry.undo is not None:
            parts.append([entry])
        else:
            parts[-1].append(entry)
    return parts
