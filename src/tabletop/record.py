"""The record of a match: a save, a bug report and a test at once.

JSON Lines: a header, then a line for everything that was done, in the words a player would type,
with a digest of what it led to. A line is on its way to the disk before its move is shown, so a
killed program loses nothing; an incomplete last line is dropped.

    {"format": "tabletop-record", "format_version": 1, "game": "lcr", "seed": "old oak", ...}
    {"seat": 0, "do": "roll", "digest": "51c3..."}
    {"undo": 1}
    {"seat": 0, "player": "random"}
    {"end": {"ranking": [[2], [0, 1]], "reason": "", "abandoned": false}}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from tabletop.errors import (
    CommandError,
    ContractError,
    IllegalAction,
    OptionError,
    RecordError,
    RecordMismatch,
    RecordVersionError,
)
from tabletop.game import Game, OptionValue, Outcome, Seat
from tabletop.match import Match

FORMAT: Final = "tabletop-record"
FORMAT_VERSION: Final = 1
HUMAN: Final = "human"


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record: all that a match is made from.

    Attributes:
        game, version: the name of the game and the version of its rules.
        source: what the game was found by; see `tabletop.registry`.
        seed: the text of the seed.
        seats: the name of each seat.
        players: who decides for each seat: "human", or the name of a bot.
        options: every option of the game.
        created: when, in UTC (ISO 8601), if the program that wrote it said so.
    """

    game: str
    version: str
    seed: str
    seats: tuple[str, ...]
    source: str = ""
    players: tuple[str, ...] = ()
    options: dict[str, OptionValue] = field(default_factory=dict)
    created: str = ""

    @classmethod
    def of(
        cls,
        match: Match[Any, Any],
        *,
        source: str = "",
        players: Sequence[str] = (),
        created: str = "",
    ) -> Header:
        """The header of a match that has just been made."""
        return cls(
            game=match.game.name,
            version=match.game.version,
            seed=match.seed.text,
            seats=match.names,
            source=source or match.game.name,
            players=tuple(players) or (HUMAN,) * match.seats,
            options=dict(match.options),
            created=created,
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line after the header; what it does not say is None.

    Attributes:
        seat: whose action or player this is.
        do: an action, as a player would type it.
        digest: of the match after this line.
        undo: how many actions were taken back.
        player: who decides for the seat from here on.
        end: how the match ended.
        line: where in the file it stands, counted from 1.
    """

    seat: int | None = None
    do: str | None = None
    digest: str | None = None
    undo: int | None = None
    player: str | None = None
    end: Outcome | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read.

    Attributes:
        path: where it was read from.
        header: what the match was made from.
        entries: what was done.
        size: how many bytes of the file are complete lines.
        dropped: whether an incomplete last line was left out.
    """

    path: str
    header: Header
    entries: tuple[Entry, ...]
    size: int
    dropped: bool

    @property
    def plies(self) -> int:
        """How many actions stand at the end, what was taken back not counted."""
        return sum(1 if entry.do is not None else -(entry.undo or 0) for entry in self.entries)

    @property
    def ended(self) -> bool:
        """Whether the match came to its end."""
        return bool(self.entries) and self.entries[-1].end is not None

    @property
    def players(self) -> tuple[str, ...]:
        """Who decides for each seat at the end of the record."""
        players = list(self.header.players or (HUMAN,) * len(self.header.seats))
        for entry in self.entries:
            if entry.player is not None and entry.seat is not None:
                players[entry.seat] = entry.player
        return tuple(players)


def remake(game: Game[Any, Any], header: Header) -> Match[Any, Any]:
    """The match that a header describes, before its first action.

    Raises:
        RecordError: the header is of another game, or of a match that this game cannot be.
        RecordVersionError: it was written with another version of the rules.
    """
    if header.game != game.name:
        raise RecordError(f"line 1: a record of {header.game!r}, not of {game.name!r}", line=1)
    if header.version != game.version:
        raise RecordVersionError(
            f"line 1: made with version {header.version} of the rules of {game.name};"
            f" these are version {game.version}",
            line=1,
        )
    try:
        return Match(game, seed=header.seed, seats=header.seats, options=header.options)
    except (OptionError, ValueError) as error:
        raise RecordError(f"line 1: {error}", line=1) from error


def read(path: str | Path) -> Record:
    """Read a record. An incomplete last line is left out.

    Raises:
        RecordError: the file cannot be read, or is no record; names the line and what is wrong.
        RecordVersionError: its format is newer than this program.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    size = data.rfind(b"\n") + 1
    lines = data[:size].split(b"\n")[:-1]
    try:
        header = _read_header(lines, data)
        entries = tuple(_read_entries(lines, len(header.seats)))
    except RecordError as error:
        raise type(error)(f"{path}: {error}", line=error.line) from error.__cause__
    return Record(str(path), header, entries, size, dropped=size < len(data))


def _read_header(lines: Sequence[bytes], data: bytes) -> Header:
    import msgspec

    if not lines:
        what = "it ends in the middle of the header" if data else "the file is empty"
        raise RecordError(f"line 1: no record: {what}", line=1)
    try:
        sign = msgspec.json.decode(lines[0], type=_Sign)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RecordError(f"line 1: no record of a match: {error}", line=1) from error
    if sign.format != FORMAT:
        raise RecordError(f"line 1: no record: format {sign.format!r}, not {FORMAT!r}", line=1)
    if sign.format_version > FORMAT_VERSION:
        raise RecordVersionError(
            f"line 1: record format {sign.format_version} is newer than this program,"
            f" which reads up to {FORMAT_VERSION}",
            line=1,
        )
    try:
        header = msgspec.json.decode(lines[0], type=Header)
    except msgspec.MsgspecError as error:
        raise RecordError(f"line 1: the header is damaged: {error}", line=1) from error
    if header.players and len(header.players) != len(header.seats):
        counts = f"{len(header.players)} players for {len(header.seats)} seats"
        raise RecordError(f"line 1: the header is damaged: {counts}", line=1)
    return header


@dataclass(frozen=True, slots=True)
class _Sign:
    """What tells a record from any other file."""

    format: str
    format_version: int


def _read_entries(lines: Sequence[bytes], seats: int) -> Iterator[Entry]:
    import msgspec

    decoder = msgspec.json.Decoder(Entry)
    plies = 0
    for number, line in enumerate(lines[1:], 2):
        try:
            entry = decoder.decode(line)
            plies += _checked_step(entry, seats, plies)
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
            raise RecordError(f"line {number} is damaged: {error}", line=number) from error
        yield replace(entry, line=number)


def _checked_step(entry: Entry, seats: int, plies: int) -> int:
    """How many plies an entry adds.

    Raises:
        ValueError: it makes no sense at this place.
    """
    if entry.seat is not None and not 0 <= entry.seat < seats:
        raise ValueError(f"there is no seat {entry.seat}")
    told = [entry.do is not None, entry.undo is not None, entry.player is not None]
    if sum(told) + (entry.end is not None) != 1:
        raise ValueError("it says not just one of: do, undo, player, end")
    if (entry.do is not None or entry.player is not None) and entry.seat is None:
        raise ValueError("it does not say whose it is: seat")
    if entry.undo is not None and not 0 < entry.undo <= plies:
        raise ValueError(f"{entry.undo} actions cannot be taken back: {plies} were played")
    return 1 if entry.do is not None else -(entry.undo or 0)


def replay(record: Record, game: Game[Any, Any], *, until: int | None = None) -> Match[Any, Any]:
    """Play a record again, checking every digest.

    Args:
        record: what was read.
        game: the rules.
        until: stop when so many actions stand and the next thing done would be one more.

    Raises:
        RecordError: an action is not understood; names its line.
        RecordMismatch: an action, or what it led to, differs with the present rules.
    """
    try:
        match = remake(game, record.header)
        for entry in record.entries:
            if entry.do is not None and until is not None and match.ply >= until:
                break
            replay_entry(match, entry)
    except RecordError as error:
        raise type(error)(f"{record.path}: {error}", line=error.line) from error.__cause__
    return match


def replay_entry(match: Match[Any, Any], entry: Entry) -> None:
    """Do what one line of a record says.

    Raises:
        RecordMismatch: it cannot be done, or leads to something else than the record says.
    """
    if entry.undo is not None:
        match.undo(entry.undo)
    elif entry.do is not None and entry.seat is not None:
        _replay_action(match, entry.do, entry.seat, entry)
    if entry.end is not None and entry.end != match.outcome:
        raise _mismatch(entry, f"the match ended as {entry.end}, now as {match.outcome}")


def _replay_action(match: Match[Any, Any], text: str, seat: Seat, entry: Entry) -> None:
    ply = match.ply + 1
    try:
        action = match.parse(text, seat)
        actor = match.actor(action)
        if actor == seat:
            match.play(action)
    except (CommandError, IllegalAction, ContractError) as error:
        raise _mismatch(entry, f"action {ply}, {text!r}, is refused now: {error}") from error
    if actor != seat:
        raise _mismatch(entry, f"action {ply}, {text!r}, is now seat {actor}'s, not {seat}'s")
    if entry.digest is not None and entry.digest != match.digest():
        raise _mismatch(entry, f"action {ply}, {text!r}, leads to another state now")


def _mismatch(entry: Entry, what: str) -> RecordMismatch:
    return RecordMismatch(f"line {entry.line}: {what}", line=entry.line)
