"""Parses and validates the lines of a record, each by itself and in sequence.

`tabletop.records.entries` has their fields. The error for a line that is damaged, or impossible
where it stands, has its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Final, TypeVar

from tabletop.errors import ContractError, RecordError, RecordVersionError, SeedError
from tabletop.records.entries import FORMAT, FORMAT_VERSION, HUMAN, Entry, Header, sealed
from tabletop.rng.hashed import MOST_WORDS
from tabletop.wording import SHOWN_LETTERS, counted, cut, shorten

MOST_SECONDS: Final = 1e10
"""No match takes longer: these are some 300 years."""

T = TypeVar("T")

_HEADER_FIELDS: Final = frozenset({"format", "format_version"} | {it.name for it in fields(Header)})
_ENTRY_FIELDS: Final = frozenset(it.name for it in fields(Entry)) - {"line"}
_CHECKPOINT_FIELDS: Final = ("state", "streams", "players")


def read_header(line: bytes, form: str = FORMAT, version: int = FORMAT_VERSION) -> Header:
    """Parse the first line of a file.

    Args:
        line: the line.
        form: what the file should be.
        version: the newest version of that format.

    Raises:
        RecordError: it is of something else, or damaged.
        RecordVersionError: the format is newer than this program.
    """
    try:
        data = _decode(line)
    except ValueError as error:
        raise RecordError(f"line 1: no record of a match: {cut(str(error))}", line=1) from error
    _check_format(data, form, version)
    try:
        header = _convert(data, Header, _HEADER_FIELDS)
        _ = header.salt_bytes
    except SeedError as error:
        raise RecordError(f"line 1: the header is damaged: `salt`: {error}", line=1) from error
    except ValueError as error:
        raise RecordError(f"line 1: the header is damaged: {cut(str(error))}", line=1) from error
    if header.players and len(header.players) != len(header.seats):
        counts = (
            f"{counted(len(header.players), 'player')} for {counted(len(header.seats), 'seat')}"
        )
        raise RecordError(f"line 1: the header is damaged: {counts}", line=1)
    return header


def _check_format(data: Mapping[str, object], form: str, newest: int) -> None:
    found, version = data.get("format"), data.get("format_version")
    if found != form:
        raise RecordError(
            f"line 1: no record: format {cut(repr(found), SHOWN_LETTERS)}, not {form!r}", line=1
        )
    if type(version) is not int or version < 1:
        raise RecordError(
            f"line 1: there is no record format {cut(repr(version), SHOWN_LETTERS)}", line=1
        )
    if version > newest:
        raise RecordVersionError(
            f"line 1: record format {version} is newer than this program,"
            f" which reads up to {newest}",
            line=1,
        )


class EntryReader:
    """Reads lines in sequence, and checks what must hold between them.

    Args:
        header: of the record.
        before: when the first line read is a checkpoint in mid-match, to be taken at its word: how
            many lines stand between the header and it. No more actions can have been played.

    Attributes:
        plies: how many actions stand after what has been read.
        players: who decides for each seat then.
    """

    def __init__(self, header: Header, *, before: int | None = None) -> None:
        self._seats = len(header.seats)
        self._before = before
        self.plies = 0
        self.players = header.players or (HUMAN,) * self._seats

    def read(self, lines: Sequence[bytes], first: int) -> Iterator[Entry]:
        """Parse `lines`, the first of which is line `first` of the file.

        Raises:
            RecordError: one of them is damaged, or makes no sense at its place; names it.
        """
        for number, line in enumerate(lines, first):
            try:
                entry = _convert(_decode(line), Entry, _ENTRY_FIELDS)
                self._follow(entry)
            except ValueError as error:
                message = f"line {number} is damaged: {cut(str(error))}"
                raise RecordError(message, line=number) from error
            # The number is not in the file: lines can be counted, and a wrong count would be one
            # more lie.
            yield replace(entry, line=number)

    def _follow(self, entry: Entry) -> None:
        """Validate an entry against those before it, and count it.

        Raises:
            ValueError: it makes no sense at this place.
        """
        _check_fields(entry)
        if entry.seat is not None and not 0 <= entry.seat < self._seats:
            counting = f'a record counts from 0, and this one says "seat": {entry.seat}'
            raise ValueError(f"there is no seat {entry.seat + 1} ({counting})")
        if entry.undo is not None and not 0 < entry.undo <= self.plies:
            taken = counted(entry.undo, "action")
            raise ValueError(f"{taken} cannot be taken back: {self.plies} played so far")
        if entry.checkpoint is not None and entry.players is not None:
            self._follow_checkpoint(entry.checkpoint, entry.players)
        if entry.chances is not None and len(entry.chances) != self._seats:
            raise ValueError(f"chances of {len(entry.chances)} for {counted(self._seats, 'seat')}")
        self.plies += entry.plies
        if entry.player is not None and entry.seat is not None:
            players = list(self.players)
            players[entry.seat] = entry.player
            self.players = tuple(players)

    def _follow_checkpoint(self, ply: int, players: tuple[str, ...]) -> None:
        # Only the first line of what is read can be such: all later ones are counted from it.
        if self._before is not None:
            if len(players) != self._seats:
                raise ValueError(
                    f"{counted(len(players), 'player')} for {counted(self._seats, 'seat')}"
                )
            # The log gets as many places: a forged number must not fill the memory.
            if not 0 <= ply <= self._before:
                lines = counted(self._before, "line")
                raise ValueError(
                    f"a checkpoint after {counted(ply, 'action')}, of which {lines} tell"
                )
            self.plies, self.players, self._before = ply, players, None
        if ply != self.plies:
            raise ValueError(f"a checkpoint after {counted(ply, 'action')}: {_played(self.plies)}")
        if players != self.players:
            raise ValueError(f"its players are {players}, those before it {self.players}")


def _decode(line: bytes) -> dict[str, object]:
    """Decode a line as a JSON object.

    Raises:
        ValueError: it is no JSON object.
    """
    import msgspec

    try:
        data = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if isinstance(data, dict):
        return data
    raise ValueError("it is no JSON object")


def _convert(data: Mapping[str, object], kind: type[T], known: frozenset[str]) -> T:
    """Convert a decoded line to `kind`, whose fields are `known`.

    Raises:
        ValueError: a field is missing, unknown or of the wrong type, or the check does not fit.
    """
    import msgspec

    # The check comes first: of a damaged line, that is what should be said.
    content = {name: value for name, value in data.items() if name != "check"}
    if "check" in data and not _fits(content, data["check"]):
        raise ValueError("its check does not fit: it is not what was written")
    unknown = [name for name in content if name not in known]
    if unknown:
        raise ValueError(
            f"there is no field {shorten(unknown[0])}; its fields: {', '.join(sorted(known))}"
        )
    try:
        return msgspec.convert(content, kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error


def _fits(content: Mapping[str, object], check: object) -> bool:
    try:
        return sealed(content)["check"] == check
    except ContractError:  # what JSON cannot say was not written by us
        return False


def _check_fields(entry: Entry) -> None:
    """Validate which fields of an entry occur together.

    Raises:
        ValueError: they do not belong together.
    """
    # A line says one thing. Two at once could be read in either order, and lead to two matches.
    done = (entry.do, entry.undo, entry.player, entry.end, entry.checkpoint)
    kinds = sum(it is not None for it in done)
    if kinds + (entry.played is not None and entry.checkpoint is None) != 1:
        raise ValueError("it says not just one of: do, undo, player, end, checkpoint, played")
    if (entry.do is not None or entry.player is not None) and entry.seat is None:
        raise ValueError("it does not say whose it is: seat")
    led = (entry.do, entry.undo, entry.checkpoint)
    if entry.digest is not None and led == (None, None, None):
        raise ValueError("a digest belongs to: do, undo, checkpoint")
    if entry.played is not None and not 0 <= entry.played <= MOST_SECONDS:
        raise ValueError(f"nobody plays for {entry.played} seconds")
    _check_chance(entry)
    _check_checkpoint(entry)


def _check_chance(entry: Entry) -> None:
    if entry.chance is not None and entry.do is None:
        raise ValueError("chance belongs to: do")
    if entry.chances is not None and entry.checkpoint is None:
        raise ValueError("chances belongs to: checkpoint")
    # Numbers in a file may be anything; a stream counts up to here, and beyond it would raise.
    for position in (entry.chance or 0, *(entry.chances or ())):
        if not 0 <= position < MOST_WORDS:
            raise ValueError(f"a stream has no position {position}")


def _check_checkpoint(entry: Entry) -> None:
    given = [name for name in _CHECKPOINT_FIELDS if getattr(entry, name) is not None]
    if entry.checkpoint is None and given:
        raise ValueError(f"{given[0]} belongs to: checkpoint")
    if entry.checkpoint is not None and (entry.digest is None or len(given) < 3):
        raise ValueError(f"a checkpoint says all of: {', '.join(_CHECKPOINT_FIELDS)}, digest")


def _played(plies: int) -> str:
    return "1 was played" if plies == 1 else f"{plies} were played"
