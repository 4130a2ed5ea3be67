"""The record of a match: a save, a bug report and a test at once.

JSON Lines: a header, then a line for everything that was done, in the words a player would type,
with a digest of what it led to. A line is on its way to the disk before its move is shown, so a
killed program loses nothing; an incomplete last line is dropped.

    {"format": "tabletop-record", "format_version": 1, "game": "lcr", ..., "check": "90af..."}
    {"seat": 0, "do": "roll", "digest": "51c3..."}
    {"undo": 1, "digest": "7d02..."}
    {"seat": 0, "player": "random", "check": "c41e..."}
    {"end": {"ranking": [[2], [0, 1]], "reason": "", "abandoned": false}}

A digest stands for the match after the line, a check for the line itself. Who writes a record by
hand leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

from tabletop.codec import to_json
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

T = TypeVar("T")


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
        dropped: how many bytes of an incomplete last line were left out.
    """

    path: str
    header: Header
    entries: tuple[Entry, ...]
    size: int
    dropped: int

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


_HEADER_FIELDS: Final = frozenset(
    {"format", "format_version"} | {field.name for field in fields(Header)}
)
_ENTRY_FIELDS: Final = frozenset(field.name for field in fields(Entry)) - {"line"}


def sealed(line: Mapping[str, object]) -> dict[str, object]:
    """A line with a check of itself: for those that no digest of the match vouches for."""
    check = blake2b(to_json(line), digest_size=8, person=b"tt.check").hexdigest()
    return {**line, "check": check}


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
    return Record(str(path), header, entries, size, len(data) - size)


def _read_header(lines: Sequence[bytes], data: bytes) -> Header:
    if not lines:
        what = "it ends in the middle of the header" if data else "the file is empty"
        raise RecordError(f"line 1: no record: {what}", line=1)
    try:
        told = _decode(lines[0])
    except ValueError as error:
        raise RecordError(f"line 1: no record of a match: {error}", line=1) from error
    _check_format(told)
    try:
        header = _convert(told, Header, _HEADER_FIELDS)
    except ValueError as error:
        raise RecordError(f"line 1: the header is damaged: {error}", line=1) from error
    if header.players and len(header.players) != len(header.seats):
        counts = f"{len(header.players)} players for {len(header.seats)} seats"
        raise RecordError(f"line 1: the header is damaged: {counts}", line=1)
    return header


def _check_format(told: Mapping[str, object]) -> None:
    """Make sure that a first line is that of a record this program can read.

    Raises:
        RecordError: it is of something else.
        RecordVersionError: the format is newer than this program.
    """
    form, version = told.get("format"), told.get("format_version")
    if form != FORMAT:
        raise RecordError(f"line 1: no record: format {form!r}, not {FORMAT!r}", line=1)
    if type(version) is not int or version < 1:
        raise RecordError(f"line 1: there is no record format {version!r}", line=1)
    if version > FORMAT_VERSION:
        raise RecordVersionError(
            f"line 1: record format {version} is newer than this program,"
            f" which reads up to {FORMAT_VERSION}",
            line=1,
        )


def _read_entries(lines: Sequence[bytes], seats: int) -> Iterator[Entry]:
    plies = 0
    for number, line in enumerate(lines[1:], 2):
        try:
            entry = _convert(_decode(line), Entry, _ENTRY_FIELDS)
            plies += _checked_step(entry, seats, plies)
        except ValueError as error:
            raise RecordError(f"line {number} is damaged: {error}", line=number) from error
        yield replace(entry, line=number)


def _decode(line: bytes) -> dict[str, object]:
    """What a line says, by name.

    Raises:
        ValueError: it is no JSON object.
    """
    import msgspec

    try:
        told = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if not isinstance(told, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004  # the line is wrong, not the code
    return told


def _convert(told: Mapping[str, object], kind: type[T], known: frozenset[str]) -> T:
    """The `kind` that a line tells of, in fields that are `known`.

    Raises:
        ValueError: a field is missing, unknown or of the wrong type, or the check does not fit.
    """
    import msgspec

    content = {name: value for name, value in told.items() if name != "check"}
    if "check" in told and told != sealed(content):
        raise ValueError("its check does not fit: it is not what was written")
    unknown = [name for name in content if name not in known]
    if unknown:
        raise ValueError(
            f"there is no field {unknown[0]!r}; its fields: {', '.join(sorted(known))}"
        )
    try:
        return msgspec.convert(content, kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error


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
    if entry.digest is not None and entry.do is None and entry.undo is None:
        raise ValueError("a digest belongs to: do, undo")
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
        _compare(match, entry, f"taking back {entry.undo}")
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
    _compare(match, entry, f"action {ply}, {text!r},")


def _compare(match: Match[Any, Any], entry: Entry, what: str) -> None:
    if entry.digest is not None and entry.digest != match.digest():
        raise _mismatch(entry, f"{what} leads to another state now")


def _mismatch(entry: Entry, what: str) -> RecordMismatch:
    return RecordMismatch(f"line {entry.line}: {what}", line=entry.line)
