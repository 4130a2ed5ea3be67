"""The lines of a record, as dataclasses. `tabletop.records.lines` reads them.

JSON Lines: a header, then a line for everything that was done, in the words a player would type,
with a digest of what it led to.

    {"format": "tabletop-record", "format_version": 2, "game": "lcr", ..., "check": "90af..."}
    {"seat": 0, "do": "roll", "digest": "51c3..."}
    {"undo": 1, "digest": "7d02..."}
    {"seat": 0, "player": "random", "check": "c41e..."}
    {"seat": 1, "do": "roll", "digest": "0cf1...", "chance": 1, "check": "77d0..."}
    {"checkpoint": 1000, "state": {...}, "streams": {...}, "players": [...], "digest": "...", ...}
    {"end": {"ranking": [[2], [0, 1]], "reason": "", "abandoned": false, "points": [1, 0, 8]}}
    {"played": 61.5, "check": "0b1d..."}

A digest covers the match after the line, a check covers the line itself. In a record written by
hand both may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from tabletop.codec import to_builtins, to_json
from tabletop.match import AnyMatch
from tabletop.options import OptionValue
from tabletop.outcome import Outcome, Seat
from tabletop.seeds import read_salt

FORMAT: Final = "tabletop-record"
FORMAT_VERSION: Final = 4
"""Version 2 has checkpoints, `played` and `seed_origin`; version 3 may begin from a given `state`,
and says how far the chance of bots was drawn; version 4 may have a `salt`.

Those before are read as well, and what needs nothing of a version is written as the one before it,
which older programs read.
"""

OLDEST_VERSION: Final = 2
"""No record is written as an older version."""

HUMAN: Final = "human"


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record: all that a match is made from.

    Attributes:
        game, version: the name of the game and the version of its rules.
        source: what the game was found by, for people to read. Nothing is loaded by it: anybody
            can write a record.
        seed: the text of the seed.
        seed_origin: "fresh" when the program drew the seed, "given" by hand, "weekly" or "daily";
            empty when nobody said.
        seats: the name of each seat.
        players: who decides for each seat: "human", or the name of a bot.
        options: every option of the game.
        created: when, in UTC (ISO 8601), if the program that wrote it said so.
        state: what the match was given to begin from, as plain data; None when it was set up by
            the rules.
        salt: the salt of the match, in hexadecimal digits; empty when it has none. It is in no
            `repr`: with the seed it gives all hidden hands away.
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
            seed_origin=seed_origin,
            state=None if match.first_state is None else to_builtins(match.first_state),
            salt="" if match.salt is None else match.salt.hex(),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line after the header; fields that it lacks are None.

    Attributes:
        seat: whose action or player this is.
        do: an action, as a player would type it.
        digest: of the match after this line.
        chance: how far the chance of the bot that chose the action was drawn then.
        undo: how many actions were taken back.
        player: who decides for the seat from here on.
        end: how the match ended.
        checkpoint: how many actions stand here, on a line that a match can begin at.
        state: what they have led to, as plain data.
        streams: the offset of every stream.
        players: who decides for each seat.
        chances: how far the chance of a bot was drawn, for each seat.
        played: how many seconds the match has taken up to here, all its sessions together.
        line: where in the file it stands, counted from 1.
    """

    seat: Seat | None = None
    do: str | None = None
    digest: str | None = None
    chance: int | None = None
    undo: int | None = None
    player: str | None = None
    end: Outcome | None = None
    checkpoint: int | None = None
    state: Any = None
    streams: dict[str, int] | None = None
    players: tuple[str, ...] | None = None
    chances: tuple[int, ...] | None = None
    played: float | None = None
    line: int = 0

    @property
    def plies(self) -> int:
        """The number of plies it adds; negative for an undo."""
        return 1 if self.do is not None else -(self.undo or 0)


def sealed(line: Mapping[str, object]) -> dict[str, object]:
    """The line with a checksum of itself: for lines that carry no digest of the match."""
    # Against accidents and edits by hand; whoever means harm can compute it as well. `person`
    # makes it differ from every other hash of the same data.
    check = blake2b(to_json(line), digest_size=8, person=b"tt.check").hexdigest()
    return {**line, "check": check}


def header_line(header: Header, form: str, version: int) -> dict[str, object]:
    """The first line of a file.

    Args:
        header: what it says.
        form: what the file is.
        version: the version of that format.
    """
    data = asdict(header)
    if header.state is None:
        del data["state"]
    if not header.salt:
        del data["salt"]
    return sealed({"format": form, "format_version": version, **data})


def version_needed(header: Header, *, has_chances: bool) -> int:
    """The oldest version of records that can say what a match is made from.

    Args:
        header: what it is made from.
        has_chances: whether bots may draw in it.
    """
    if header.salt:
        return FORMAT_VERSION
    return OLDEST_VERSION + (header.state is not None or has_chances)


def action_line(seat: Seat, text: str, stands_for: str) -> bytes:
    """The line of an action, as `to_json` would write it with a newline after it.

    Args:
        seat: whose action it is.
        text: what a player would type for it.
        stands_for: the digest of the match after it.
    """
    if type(seat) is not int:  # rules may count seats otherwise
        line = {"seat": seat, "do": text, "digest": stands_for}
        return to_json(line, order=None) + b"\n"
    return f'{{"seat":{seat},"do":{_quoted(text)},"digest":"{stands_for}"}}\n'.encode()


@lru_cache(maxsize=4096)  # a game has few actions, which come up again and again
def _quoted(text: str) -> str:
    return to_json(text).decode()


def end_line(outcome: Outcome) -> dict[str, object]:
    """The line that says how a match ended; it has points only if the game has some."""
    # Points are left out where there are none: records of such games stay as older programs wrote
    # them.
    # Not by `asdict`, which copies all that is in it: that took as long as five moves.
    data = {item.name: getattr(outcome, item.name) for item in fields(outcome)}
    if not outcome.points:
        del data["points"]
    return {"end": data}
