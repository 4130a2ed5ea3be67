"""The lines of a record: their fields, and how they are written and parsed.

A record consists of JSON lines: a header, then a line for each action with the words that a player
would type and a digest of the match after the action.

    {"format": "tabletop-record", "format_version": 1, "game": "lcr", ...}
    {"seat": 0, "do": "roll", "digest": "51c3..."}
    {"undo": 1, "digest": "7d02..."}
    {"seat": 0, "player": "random", "check": "c41e..."}
    {"seat": 1, "do": "roll", "digest": "0cf1...", "chance": 1, ...}
    {"seat": 2, "conceded": "resigned", "check": "90aa..."}
    {"end": {"ranking": [[2], [0, 1]], "reason": "", ...}}
    {"played": 61.5, "check": "0b1d..."}

A digest covers the match after the line. A check covers the line itself. Digests and checks are
optional, so that a record can be written by hand. Errors for damaged or impossible lines contain
the line number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tabletop.errors import ContractError, RecordError, RecordVersionError, SeedError
from tabletop.rng.hash_stream import MOST_WORDS
from tabletop.rng.seeds import read_salt
from tabletop.rules.concessions import ConcessionReason
from tabletop.rules.options import OptionValue
from tabletop.rules.outcome import Outcome, fields_of
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins, to_json
from tabletop.wording import SHOWN_LETTERS, plural, quote, truncate

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch

FORMAT: Final = "tabletop-record"
"""The `format` of a record."""

FORMAT_VERSION: Final = 1
"""The format version of records and draw logs. Files with a newer version are rejected."""

HUMAN: Final = "human"
"""The name for a human in the list of players."""

MOST_SECONDS: Final = 1e10  # maximum duration of a match in seconds, about 300 years


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record, with everything needed to set up the match.

    Attributes:
        game, version: The name of the game and the version of its rules.
        source: Where the game was found, for information only. Code is never loaded by this name,
            because anybody can write a record.
        seed: The text of the seed.
        seed_origin: "fresh" for a random seed, "given" for a seed chosen by the user, "weekly",
            "daily", or empty if unknown.
        seats: The name of each seat.
        players: The player of each seat: "human" or the name of a bot.
        options: The value of every option of the game.
        created: The time in UTC (ISO 8601), or empty if unknown.
        state: The given initial state as plain data, or None if the rules set up the match.
        salt: The salt of the match in hexadecimal digits, or empty if there is none. The `repr`
            omits the salt, because seed and salt together reveal all hidden hands.
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
        """The salt of the match, or None if there is none.

        Raises:
            SeedError: The field is not a valid salt.
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
        """Create the header for a match that has just been created."""
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
    """A line after the header. Missing fields are None.

    Attributes:
        seat: The seat of the action or player.
        do: An action, as a player would type it.
        digest: The digest of the match after this line.
        chance: The offset of the bot's stream after it chose the action.
        undo: The number of actions undone.
        player: The new player of the seat.
        conceded: "resigned" or "time" if the seat has lost in this way. "draw", without a seat, if
            the players agreed to a draw.
        end: The outcome of the match.
        played: The duration of the match so far in seconds, over all sessions.
        line: The number of the line in the file, starting at 1.
    """

    seat: Seat | None = None
    do: str | None = None
    digest: str | None = None
    chance: int | None = None
    undo: int | None = None
    player: str | None = None
    conceded: ConcessionReason | None = None
    end: Outcome | None = None
    played: float | None = None
    line: int = 0

    @property
    def plies(self) -> int:
        """The change in the number of plies, negative for an undo."""
        return 1 if self.do is not None else -(self.undo or 0)


def with_check(line: Mapping[str, object]) -> dict[str, object]:
    """Add a checksum to a line that has no digest of the match."""
    # The checksum detects damage and manual edits. It does not stop an attacker, who can compute
    # it. `person` makes it differ from other hashes of the same data.
    check = blake2b(to_json(line), digest_size=8, person=b"tt.check").hexdigest()
    return {**line, "check": check}


def header_line(header: Header, form: str = FORMAT) -> dict[str, object]:
    """Return the first line of a file of the given format."""
    data = asdict(header)
    if header.state is None:
        del data["state"]
    if not header.salt:
        del data["salt"]
    return with_check({"format": form, "format_version": FORMAT_VERSION, **data})


def end_line(outcome: Outcome) -> dict[str, object]:
    """Return the line with the outcome of a match.

    Points, factions and roles are included only if the game has them, and the best score only for
    cooperative games.
    """
    data = fields_of(outcome)
    if not outcome.points:
        del data["points"]
    if outcome.best is None:
        del data["best"]
    return {"end": data}


T = TypeVar("T")

_HEADER_FIELDS: Final = frozenset({"format", "format_version"} | {it.name for it in fields(Header)})
_ENTRY_FIELDS: Final = frozenset(it.name for it in fields(Entry)) - {"line"}


def parse_header(line: bytes, form: str = FORMAT) -> Header:
    """Parse the first line of a file of the given format.

    Raises:
        RecordError: The line has a different format or is damaged.
        RecordVersionError: The format is newer than this program.
    """
    try:
        data = _decode(line)
    except ValueError as error:
        raise RecordError(
            f"line 1: not a record of a match: {truncate(str(error))}", line=1
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
    actual, version = data.get("format"), data.get("format_version")
    if actual != form:
        raise RecordError(
            f"line 1: not a record: the format is {truncate(repr(actual), SHOWN_LETTERS)},"
            f" not {form!r}",
            line=1,
        )
    if type(version) is not int or version < 1:
        raise RecordError(
            f"line 1: invalid format version {truncate(repr(version), SHOWN_LETTERS)}", line=1
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
        RecordError: A line is damaged, or impossible at this point. The message contains the line
            number.
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
        # Line numbers are counted here and not stored, because a stored number could be wrong.
        yield replace(entry, line=number)


def _check_place(entry: Entry, seats: int, plies: int) -> None:
    """Check that an entry is possible in a match with this number of seats and plies so far."""
    if entry.seat is not None and not 0 <= entry.seat < seats:
        counting = f'seats in a record are numbered from 0, but the line has "seat": {entry.seat}'
        raise ValueError(f"there is no seat {entry.seat + 1} ({counting})")
    if entry.undo is not None and not 0 < entry.undo <= plies:
        raise ValueError(f"actions to undo must be from 1 to {plies}, not {entry.undo}")


def _decode(line: bytes) -> dict[str, object]:
    """Decode a line as a JSON object."""
    import msgspec

    try:
        data = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if isinstance(data, dict):
        return data
    raise ValueError("not a JSON object")


def _convert(data: Mapping[str, object], kind: type[T], known: frozenset[str]) -> T:
    """Convert a decoded line to an object of class `kind`, which has the fields `known`."""
    import msgspec

    # Verify the checksum first, because any other error would be misleading for a damaged line.
    content = {name: value for name, value in data.items() if name != "check"}
    if "check" in data and not _fits(content, data["check"]):
        raise ValueError("the checksum does not match, so the line was changed")
    unknown = [name for name in content if name not in known]
    if unknown:
        raise ValueError(
            f"unknown field {quote(unknown[0])} (known fields: {', '.join(sorted(known))})"
        )
    try:
        return msgspec.convert(content, kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error


def _fits(content: Mapping[str, object], check: object) -> bool:
    try:
        return with_check(content)["check"] == check
    except ContractError:  # cannot be written as JSON, so this program did not write it
        return False


def _check_fields(entry: Entry) -> None:
    """Check that the fields of an entry belong together."""
    # The order in which to apply two of these fields would be ambiguous.
    kinds = (entry.do, entry.undo, entry.player, entry.conceded, entry.end, entry.played)
    if sum(it is not None for it in kinds) != 1:
        raise ValueError("a line needs exactly one of: do, undo, player, conceded, end, played")
    is_loss = entry.conceded is not None and entry.conceded != "draw"
    if (entry.do is not None or entry.player is not None or is_loss) and entry.seat is None:
        raise ValueError("the field `seat` is missing")
    if entry.digest is not None and entry.do is None and entry.undo is None:
        raise ValueError("only a line with `do` or `undo` can have a `digest`")
    if entry.played is not None and not 0 <= entry.played <= MOST_SECONDS:
        raise ValueError(f"a match cannot last {entry.played} seconds")
    if entry.chance is not None and entry.do is None:
        raise ValueError("only a line with `do` can have a `chance`")
    # A stream would raise an error for an offset out of range.
    if entry.chance is not None and not 0 <= entry.chance < MOST_WORDS:
        raise ValueError(f"`chance` is out of range: {entry.chance}")
