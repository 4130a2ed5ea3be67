"""Score sheets: summaries of finished matches, and their ranking.

`tabletop.scores.book` stores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from hashlib import blake2b
from math import inf
from typing import Any, Final

from tabletop.errors import ScoresError
from tabletop.records.format import HUMAN, Entry, Header
from tabletop.rng.seeds import Seed, daily, weekly
from tabletop.rules.options import OptionValue
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json
from tabletop.wording import plural, quote

FRESH: Final = "fresh"
"""The origin of a seed that the program drew."""

GIVEN: Final = "given"
"""The origin of a seed that was typed."""

WEEKLY: Final = "weekly"
"""The origin of the seed of a week."""

DAILY: Final = "daily"
"""The origin of the seed of a day."""

CLAIMS: Final = ("seed_origin", "finished", "seconds")
"""The fields that a replay cannot verify. An imported sheet copies them from the record."""

MOST: Final = 1 << 53
"""The largest number on a sheet.

JSON readers that use floating point are exact up to this number.
"""

_MIXED: Final = "+"  # the separator between the names of several players of one seat


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The result of one match, with everything that its rank depends on.

    Attributes:
        game, version: The name of the game and the version of its rules.
        seed: The text of the seed.
        seed_origin: "fresh", "given", "weekly", "daily", or empty if unknown.
        seats: The name of each seat.
        players: The player of each seat: "human", the name of a bot, or several of these separated
            by plus signs.
        options: The value of every option of the game.
        outcome: The outcome.
        plies: The number of actions played, without undone actions.
        undone: The number of undone actions.
        seconds: The duration in seconds, or None if it was not measured.
        finished: The time at which the match ended, in UTC (ISO 8601, to the second), or empty if
            unknown.
        program: The version of `tabletop` that created the sheet.
        record: The path of the record, or empty if there is none.
        imported: Whether the sheet was created from an untrusted record. The fields in `claimed`
            are then unverified.
        salt: The salt of the match in hexadecimal digits, or empty. Matches with a salt are not
            ranked.
        given_state: Whether the match started from a given state instead of the setup of its seed.
            Such matches are not ranked.
        key: A hash of the match: 32 hexadecimal digits. See `key_of`.
    """

    game: str
    version: str
    seed: str
    seats: tuple[str, ...]
    players: tuple[str, ...]
    outcome: Outcome
    plies: int
    seed_origin: str = ""
    options: dict[str, OptionValue] = field(default_factory=dict)
    undone: int = 0
    seconds: float | None = None
    finished: str = ""
    program: str = ""
    record: str = ""
    imported: bool = False
    given_state: bool = False
    salt: str = ""
    key: str = ""

    @classmethod
    def of(cls, header: Header, entries: Sequence[Entry], outcome: Outcome) -> ScoreSheet:
        """Create the sheet of a match from its header, entries and outcome."""
        played = sum(entry.do is not None for entry in entries)
        undone = sum(entry.undo or 0 for entry in entries)
        return cls(
            game=header.game,
            version=header.version,
            seed=header.seed,
            seats=header.seats,
            players=_deciders(header, entries),
            outcome=outcome,
            plies=played - undone,
            seed_origin=header.seed_origin,
            options=dict(header.options),
            undone=undone,
            given_state=header.state is not None,
            salt=header.salt,
            key=key_of(header, entries),
        )

    @property
    def kind(self) -> tuple[str, str, int, bytes]:
        """The game, version, number of seats and options.

        Only matches of the same kind are compared.
        """
        return self.game, self.version, len(self.seats), to_json(self.options)

    @property
    def claimed(self) -> tuple[str, ...]:
        """The fields that were copied from an untrusted record and cannot be verified."""
        return CLAIMS if self.imported else ()

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats whose actions were all chosen by humans."""
        return tuple(seat for seat, player in enumerate(self.players) if player == HUMAN)

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners."""
        return tuple(self.seats[seat] for seat in self.outcome.winners)

    @property
    def person_won(self) -> bool:
        """Whether a human has won, and no bot chose any of the winner's actions."""
        return not set(self.people).isdisjoint(self.outcome.winners)


def check_sheet(sheet: ScoreSheet) -> None:
    """Check that a sheet from an untrusted source can be shown and ranked.

    Raises:
        ScoresError: The sheet is impossible. The message contains the reason.
    """
    seats = list(range(len(sheet.seats)))
    if not seats or len(sheet.players) != len(seats):
        raise ScoresError(
            f"{plural(len(sheet.players), 'player')} for {plural(len(seats), 'seat')}"
        )
    ranked = sorted(seat for group in sheet.outcome.ranking for seat in group)
    if ranked != seats or not all(sheet.outcome.ranking):
        raise ScoresError("the outcome does not rank every seat once")
    numbers = {"plies": sheet.plies, "undone": sheet.undone, "seconds": sheet.seconds or 0}
    for name, number in numbers.items():
        if not 0 <= number <= MOST:
            raise ScoresError(f"{name} is out of range: {number:.3g}")
    if sheet.finished and moment_of(sheet.finished) is None:
        raise ScoresError(f"finished must be a time, not {quote(sheet.finished)}")


def _deciders(header: Header, entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the players that have chosen actions for each seat.

    A seat without actions has its player at the end of the match.
    """
    players = list(header.players or (HUMAN,) * len(header.seats))
    deciders: list[dict[str, None]] = [{} for _ in players]
    for entry in entries:
        if entry.seat is None:
            continue
        if entry.player is not None:
            players[entry.seat] = entry.player
        elif entry.do is not None:
            deciders[entry.seat][players[entry.seat]] = None
    return tuple(_MIXED.join(names) or last for names, last in zip(deciders, players, strict=True))


def key_of(header: Header, entries: Iterable[Entry]) -> str:
    """Return a hash of a match's initial conditions, actions and players: 32 hexadecimal digits.

    The formatting of the lines, their digests and checks, and the source of the game are ignored.
    """
    begun: list[object] = [
        header.game,
        header.version,
        Seed(header.seed).canonical,
        header.seed_origin,
        header.seats,
        header.players or (HUMAN,) * len(header.seats),
        header.options,
        header.created,
    ]
    # Added only if present, so that the keys of sheets that are already stored stay the same.
    if header.state is not None:
        begun.append(header.state)
    if header.salt_bytes is not None:
        begun.append({"salt": header.salt_bytes.hex()})
    content = blake2b(to_json(begun), digest_size=16, person=b"tt.score")
    for entry in entries:
        if entry.do is not None or entry.undo is not None or entry.player is not None:
            content.update(to_json([entry.seat, entry.do, entry.undo, entry.player]))
        elif entry.conceded is not None:
            content.update(to_json([entry.seat, entry.conceded]))
    return content.hexdigest()


def moment_of(text: str) -> datetime | None:
    """Parse an ISO 8601 time as UTC, or return None if the text is not a time."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def stamp(moment: datetime) -> str:
    """Format a time as on score sheets: in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def seed_of_today(origin: str, day: date) -> str:
    """Return the weekly or daily seed of a day in UTC, depending on `origin`."""
    return weekly(day) if origin == WEEKLY else daily(day)


def ranked(sheets: Iterable[ScoreSheet]) -> list[ScoreSheet]:
    """Return the sheets in the order of a leaderboard: grouped by kind, best first.

    Matches with a given state or a salt are omitted, because others cannot play the same match.

    Within a kind, matches won by a human come first, then draws with a human, then all others.
    Cooperative matches are ordered by score instead. Ties are broken by these criteria, in this
    order: no undo, fewer plies, a measured rather than a claimed duration, a shorter duration, an
    earlier end.
    """
    shared = (sheet for sheet in sheets if not sheet.given_state and not sheet.salt)
    return sorted(shared, key=_rank)


def _rank(sheet: ScoreSheet) -> tuple[Any, ...]:
    shared = sheet.outcome.is_draw and bool(sheet.people)
    seconds = inf if sheet.seconds is None else sheet.seconds
    standing: float = 0 if sheet.person_won else 1 if shared else 2
    if sheet.outcome.share is not None:
        standing = 2 - 2 * sheet.outcome.share
    has_undo = sheet.undone > 0
    claimed = "seconds" in sheet.claimed
    # The key comes last, so that equal matches have the same order on every machine.
    rank = standing, has_undo, sheet.plies, claimed, seconds, sheet.finished, sheet.key
    return sheet.kind, *rank
