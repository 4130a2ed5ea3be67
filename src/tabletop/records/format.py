"""The lines of a record: their fields, how they are written, and how they are parsed.

JSON Lines: a header, then a line for each action, in the words a player would type, with a digest
of the match after it.

    {"format": "tabletop-record", "format_version": 1, "game": "lcr", ...}
    {"seat": 0, "do": "roll", "digest": "51c3..."}
    {"undo": 1, "digest": "7d02..."}
    {"seat": 0, "player": "random", "check": "c41e..."}
    {"seat": 1, "do": "roll", "digest": "0cf1...", "chance": 1, ...}
    {"end": {"ranking": [[2], [0, 1]], "reason": "", ...}}
    {"played": 61.5, "check": "0b1d..."}

A digest covers the match after the line, a check covers the line itself. In a record written by
hand both may be left out. The error for a line that is damaged, or impossible where it stands, has
its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tabletop.errors import ContractError, RecordError, RecordVersionError, SeedError
from tabletop.rng.hash_stream import MOST_WORDS
from tabletop.rng.seeds import read_salt
from tabletop.rules.options import OptionValue
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins, to_json
from tabletop.wording import SHOWN_LETTERS, plural, quote, truncate

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch

FORMAT: Final = "tabletop-record"
"""The `format` of a record."""

FORMAT_VERSION: Final = 1
"""The version of the format of records and logs of draws; newer ones are refused."""

HUMAN: Final = "human"
"""The name of a player who is a person."""

MOST_SECONDS: Final = 1e10
"""Maximum time of a match, in seconds: some 300 years."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record: all the data that a match is made from.

    Attributes:
        game, version: the name of the game and the version of its rules.
        source: the name that the game was found by, for people to read. Nothing is loaded by it:
            anybody can write a record.
        seed: the text of the seed.
        seed_origin: "fresh" when the program drew the seed, "given" by hand, "weekly" or "daily";
            empty if unknown.
        seats: the name of each seat.
        players: the player of each seat: "human", or the name of a bot.
        options: every option of the game.
        created: the time in UTC (ISO 8601), if the program that wrote it knew it.
        state: the given first state, as plain data; None when the rules set it up.
        salt: the salt of the match, in hexadecimal digits; empty when it has none. It is in no
            `repr`: with the seed it reveals all hidden hands.
    """

    game: str
    version: str
    seed: str
    seats: tuple[str, ...]
    source: str = ""
    players: tuple[str, ...] = ()
    options: dict[str, OptionValue] = field(default_factory=dict)
    created: str = ""
    seed_origin: str = ""
    state: Any = None
    salt: str = field(default="", repr=False)

    @property
    def salt_bytes(self) -> bytes | None:
        """The salt of the match; None when it has none.

        Raises:
            SeedError: that is no salt.
        """
        return read_salt(self.salt) if self.salt else None

    @classmethod
    def of(
        cls,
        match: AnyMatch,
        *,
        source: str = "",
        players: Sequence[str] = (),
        created: str = "",
        seed_origin: str = "",
    ) -> Header:
        """Make the header of a match that has just been made."""
        return cls(
            game=match.game.name,
            version=match.game.version,
            seed=match.seed.text,
            seats=match.names,
            source=source or match.game.name,
            players=tuple(players) or (HUMAN,) * match.seats,
            options=dict(match.options),
            created=created,
            seed_origin=seed_origin,
            state=None if match.first_state is None else to_builtins(match.first_state),
            salt="" if match.salt is None else match.salt.hex(),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A line after the header; fields that it lacks are None.

    Attributes:
        seat: the seat of the action or player.
        do: an action, as a player would type it.
        digest: the digest of the match after this line.
        chance: the offset of the stream of the bot that chose the action.
        undo: the number of actions taken back.
        player: the player of the seat from here on.
        end: the outcome of the match.
        played: the time of the match up to here in seconds, all its sessions together.
        line: its line in the file, counted from 1.
    """

    seat: Seat | None = None
    do: str | None = None
    digest: str | None = None
    chance: int | None = None
    undo: int | None = None
    player: str | None = None
    end: Outcome | None = None
    played: float | None = None
    line: int = 0

    @property
    def plies(self) -> int:
        """The number of plies it adds; negative for an undo."""
        return 1 if self.do is not None else -(self.undo or 0)


def with_check(line: Mapping[str, object]) -> dict[str, object]:
    """Add a checksum of itself to a line: for lines that carry no digest of the match."""
    # Against accidents and edits by hand; an attacker can compute it as well. `person`
    # separates it from every other hash of the same data.
    check = blake2b(to_json(line), digest_size=8, person=b"tt.check").hexdigest()
    return {**line, "check": check}


def header_line(header: Header, form: str = FORMAT) -> dict[str, object]:
    """Return the first line of a file of this form."""
    data = asdict(header)
    if header.state is None:
        del data["state"]
    if not header.salt:
        del data["salt"]
    return with_check({"format": form, "format_version": FORMAT_VERSION, **data})


def end_line(outcome: Outcome) -> dict[str, object]:
    """Return the line with the outcome of a match.

    It has points only if the game has some, and the best score only where all play together.
    """
    data = {item.name: getattr(outcome, item.name) for item in fields(outcome)}
    if not outcome.points:
        del data["points"]
    if outcome.best is None:
        del data["best"]
    return {"end": data}


T = TypeVar("T")

_HEADER_FIELDS: Final = frozenset({"format", "format_version"} | {it.name for it in fields(Header)})
_ENTRY_FIELDS: Final = frozenset(it.name for it in fields(Entry)) - {"line"}


def parse_header(line: bytes, form: str = FORMAT) -> Header:
    """Parse the first line of a file of this form.

    Raises:
        RecordError: the line is something else, or damaged.
        RecordVersionError: the format is newer than this program.
    """
    try:
        data = _decode(line)
    except ValueError as error:
        raise RecordError(
            f"line 1: no record of a match: {truncate(str(error))}", line=1
        ) from error
    _check_format(data, form)
    try:
        header = _convert(data, Header, _HEADER_FIELDS)
        _ = header.salt_bytes
    except SeedError as error:
        raise RecordError(f"line 1: the header is damaged: `salt`: {error}", line=1) from error
    except ValueError as error:
        raise RecordError(
            f"line 1: the header is damaged: {truncate(str(error))}", line=1
        ) from error
    if header.players and len(header.players) != len(header.seats):
        counts = f"{plural(len(header.players), 'player')} for {plural(len(header.seats), 'seat')}"
        raise RecordError(f"line 1: the header is damaged: {counts}", line=1)
    return header


def _check_format(data: Mapping[str, object], form: str) -> None:
    found, version = data.get("format"), data.get("format_version")
    if found != form:
        raise RecordError(
            f"line 1: no record: format {truncate(repr(found), SHOWN_LETTERS)}, not {form!r}",
            line=1,
        )
    if type(version) is not int or version < 1:
        raise RecordError(
            f"line 1: there is no record format {truncate(repr(version), SHOWN_LETTERS)}", line=1
        )
    if version > FORMAT_VERSION:
        raise RecordVersionError(
            f"line 1: record format {version} is newer than this program,"
            f" which reads format {FORMAT_VERSION}",
            line=1,
        )


def parse_entries(header: Header, lines: Sequence[bytes]) -> Iterator[Entry]:
    """Parse the lines after the header. Blank lines are skipped.

    Raises:
        RecordError: A line is damaged, or makes no sense at its place. Names the line.
    """
    plies = 0
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        try:
            entry = _convert(_decode(line), Entry, _ENTRY_FIELDS)
            _check_fields(entry)
            _check_place(entry, len(header.seats), plies)
        except ValueError as error:
            message = f"line {number} is damaged: {truncate(str(error))}"
            raise RecordError(message, line=number) from error
        plies += entry.plies
        # The number is not in the file: lines can be counted, and a wrong count would be one more
        # lie.
        yield replace(entry, line=number)


def _check_place(entry: Entry, seats: int, plies: int) -> None:
    """Check an entry of a match of so many seats, in which `plies` actions stand before it."""
    if entry.seat is not None and not 0 <= entry.seat < seats:
        counting = f'a record counts from 0, and this one says "seat": {entry.seat}'
        raise ValueError(f"there is no seat {entry.seat + 1} ({counting})")
    if entry.undo is not None and not 0 < entry.undo <= plies:
        taken = plural(entry.undo, "action")
        raise ValueError(f"{taken} cannot be taken back: {plies} played so far")


def _decode(line: bytes) -> dict[str, object]:
    """Decode a line as a JSON object."""
    import msgspec

    try:
        data = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if isinstance(data, dict):
        return data
    raise ValueError("it is no JSON object")


def _convert(data: Mapping[str, object], kind: type[T], known: frozenset[str]) -> T:
    """Convert a decoded line to `kind`, whose fields are `known`."""
    import msgspec

    # The check comes first: of a damaged line, that is what should be said.
    content = {name: value for name, value in data.items() if name != "check"}
    if "check" in data and not _fits(content, data["check"]):
        raise ValueError("its check does not fit: it is not what was written")
    unknown = [name for name in content if name not in known]
    if unknown:
        raise ValueError(
            f"there is no field {quote(unknown[0])}; its fields: {', '.join(sorted(known))}"
        )
    try:
        return msgspec.convert(content, kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error


def _fits(content: Mapping[str, object], check: object) -> bool:
    try:
        return with_check(content)["check"] == check
    except ContractError:  # what JSON cannot say was not written by us
        return False


def _check_fields(entry: Entry) -> None:
    """Validate which fields of an entry occur together."""
    # A line says one thing. Two at once could be read in either order, and lead to two matches.
    done = (entry.do, entry.undo, entry.player, entry.end, entry.played)
    if sum(it is not None for it in done) != 1:
        raise ValueError("it says not just one of: do, undo, player, end, played")
    if (entry.do is not None or entry.player is not None) and entry.seat is None:
        raise ValueError("it does not say whose it is: seat")
    if entry.digest is not None and entry.do is None and entry.undo is None:
        raise ValueError("a digest belongs to: do, undo")
    if entry.played is not None and not 0 <= entry.played <= MOST_SECONDS:
        raise ValueError(f"nobody plays for {entry.played} seconds")
    if entry.chance is not None and entry.do is None:
        raise ValueError("chance belongs to: do")
    # Numbers in a file may be anything; a stream counts up to here, and beyond it would raise.
    if entry.chance is not None and not 0 <= entry.chance < MOST_WORDS:
        raise ValueError(f"a stream has no position {entry.chance}")
