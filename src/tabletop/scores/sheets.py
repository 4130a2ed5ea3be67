"""Score sheets: summaries of ended matches, and their ranking.

`tabletop.scores.book` keeps them.
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
"""The origin of a seed that somebody typed."""

WEEKLY: Final = "weekly"
"""The origin of the seed of a week."""

DAILY: Final = "daily"
"""The origin of the seed of a day."""

CLAIMS: Final = ("seed_origin", "finished", "seconds")
"""The fields of a sheet that a replay cannot verify: only the record claims them."""

MOST: Final = 1 << 53
"""The largest number on a sheet: programs that read JSON have numbers up to here."""

_MIXED: Final = "+"
"""The sign between the names of several players of one seat."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The result of one match, with all data for its rank and comparison.

    Attributes:
        game, version: the name of the game and the version of its rules.
        seed: the text of the seed.
        seed_origin: "fresh", "given" by hand, "weekly", "daily"; empty if unknown.
        seats: the name of each seat.
        players: the player of each seat: "human", the name of a bot, or several of these with a
            plus sign between them.
        options: every option of the game.
        outcome: the outcome.
        plies: the number of actions at the end.
        undone: the number of other actions, played and taken back.
        seconds: its duration; None if not measured.
        finished: the time of its end, in UTC (ISO 8601, to the second); empty if unknown.
        program: the version of `tabletop` that made the sheet.
        record: the path of its record; empty when there is none.
        imported: whether it was taken from a record that somebody else may have made; `claimed`
            names the attributes that are then unverified.
        salt: the salt of the match, in hexadecimal digits; empty when it had none. A match with a
            salt is on no board.
        given_state: whether it began from a given state instead of the setup of its seed. Such a
            match is on no board.
        key: 32 hexadecimal digits: a hash of the record's contents.
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
        """Make the sheet of a match from its header and entries."""
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
        """The properties of matches ranked together: game, version, seats, options."""
        return self.game, self.version, len(self.seats), to_json(self.options)

    @property
    def claimed(self) -> tuple[str, ...]:
        """The attributes that a record only claims: nothing in the replay can verify them."""
        return CLAIMS if self.imported else ()

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats for which only people have decided."""
        return tuple(seat for seat, player in enumerate(self.players) if player == HUMAN)

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners."""
        return tuple(self.seats[seat] for seat in self.outcome.winners)

    @property
    def person_won(self) -> bool:
        """True when a person has won, without the help of a bot."""
        return not set(self.people).isdisjoint(self.outcome.winners)


def check_sheet(sheet: ScoreSheet) -> None:
    """Validate a sheet from an untrusted source: that it can be shown and ranked.

    Raises:
        ScoresError: it cannot be of any match; says why.
    """
    seats = list(range(len(sheet.seats)))
    if not seats or len(sheet.players) != len(seats):
        raise ScoresError(
            f"{plural(len(sheet.players), 'player')} for {plural(len(seats), 'seat')}"
        )
    ranked = sorted(seat for group in sheet.outcome.ranking for seat in group)
    if ranked != seats or not all(sheet.outcome.ranking):
        raise ScoresError("its outcome does not rank every seat once")
    numbers = {"plies": sheet.plies, "undone": sheet.undone, "seconds": sheet.seconds or 0}
    for name, number in numbers.items():
        if not 0 <= number <= MOST:
            raise ScoresError(f"{name} {number:.3g}: no match has so many")
    if sheet.finished and moment_of(sheet.finished) is None:
        raise ScoresError(f"finished {quote(sheet.finished)}: that is no time")


def _deciders(header: Header, entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the players of each seat; for a seat that never acted, its player at the end."""
    now = list(header.players or (HUMAN,) * len(header.seats))
    decided: list[dict[str, None]] = [{} for _ in now]
    for entry in entries:
        if entry.seat is None:
            continue
        if entry.player is not None:
            now[entry.seat] = entry.player
        elif entry.do is not None:
            decided[entry.seat][now[entry.seat]] = None
    return tuple(_MIXED.join(names) or last for names, last in zip(decided, now, strict=True))


def key_of(header: Header, entries: Iterable[Entry]) -> str:
    """Hash a match to 32 hexadecimal digits: its beginning, its actions, and their players.

    The form of lines, their digests and checks, and the place of the game do not count.
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
    # Added only where there is one, so that the keys of sheets already kept stay the same.
    if header.state is not None:
        begun.append(header.state)
    if header.salt_bytes is not None:
        begun.append({"salt": header.salt_bytes.hex()})
    content = blake2b(to_json(begun), digest_size=16, person=b"tt.score")
    for entry in entries:
        if entry.do is not None or entry.undo is not None or entry.player is not None:
            content.update(to_json([entry.seat, entry.do, entry.undo, entry.player]))
    return content.hexdigest()


def moment_of(text: str) -> datetime | None:
    """Parse an ISO 8601 time as UTC; None when the text is not one."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def stamp(moment: datetime) -> str:
    """Format a moment as on sheets: in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def seed_of_today(origin: str, day: date) -> str:
    """Return the weekly or daily seed of a day in UTC, by its origin."""
    return weekly(day) if origin == WEEKLY else daily(day)


def ranked(sheets: Iterable[ScoreSheet]) -> list[ScoreSheet]:
    """Rank sheets as a board shows them: those of a kind together, the best first.

    Matches that began from a given state, or had a salt, are left out: nobody else has played
    these.

    Matches that a person won come first, then those in which a person shared a draw, then the
    others; where all play together, those with a better score. Among these, matches in which
    nothing was taken back come first, then those of fewer plies, those whose time was measured
    here, of less time, and those that ended earlier.
    """
    shared = (sheet for sheet in sheets if not sheet.given_state and not sheet.salt)
    return sorted(shared, key=_rank)


def _rank(sheet: ScoreSheet) -> tuple[Any, ...]:
    shared = sheet.outcome.is_draw and bool(sheet.people)
    seconds = inf if sheet.seconds is None else sheet.seconds
    standing: float = 0 if sheet.person_won else 1 if shared else 2
    if sheet.outcome.share is not None:
        standing = 2 - 2 * sheet.outcome.share
    taken_back = sheet.undone > 0
    claimed = "seconds" in sheet.claimed
    # The key at the end: matches that are otherwise alike are sorted the same on every machine.
    rank = standing, taken_back, sheet.plies, claimed, seconds, sheet.finished, sheet.key
    return sheet.kind, *rank
