"""The law of bots: what a bot plays depends on what it is shown and on its chance, and on no more.

Each bot plays a few matches against itself. At some moments of them the next actions are taken back
and played again, redone in part, and played by bots that are new, on a clone and on a match that
was made anew as from a record. All of them must be the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tabletop.errors import ContractError, IllegalAction
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.options import Options
from tabletop.outcome import Seat
from tabletop.registry import BotMaker, make_bot
from tabletop.rng import Stream, Streams
from tabletop.testing.laws import Clock, LawBroken

MATCHES: Final = 3
"""How many matches are played by each bot."""

PLIES: Final = 200
"""How many actions of a match are played at most."""

COURSE: Final = 7
"""How many actions are compared at a time: an odd number, for bots that alternate."""

_GAP: Final = 24  # how many actions are played without a comparison, at most
_WHY: Final = (
    "it keeps something from move to move, or draws from elsewhere than the stream it is given, or"
    " outside of `choose`"
)


def check_bots(
    game: AnyGame,
    bots: Mapping[str, BotMaker],
    *,
    seed: str,
    numbers: Sequence[int],
    options: Options | None,
    plies: int,
    clock: Clock,
) -> None:
    """Have every bot play, and play the same again; `OutOfTime` ends it.

    Each bot plays itself, with each of the `numbers` of seats in turn.
    """
    for name, maker in bots.items():
        for number in range(MATCHES):
            seats = numbers[number % len(numbers)]
            trial = BotTrial(game, name, maker, f"{seed} bots {number}", seats, options)
            trial.run(plies, clock)


@dataclass(slots=True)
class BotTrial:
    """A match that one bot plays for every seat."""

    game: AnyGame
    name: str
    maker: BotMaker
    seed: str
    seats: int
    options: Options | None
    ply: int = 0

    def run(self, plies: int, clock: Clock) -> None:
        """Play the match to its end, or for `plies` actions."""
        match = self._make()
        self._seat(match)
        moments = Streams(self.seed)["moments"]
        last = min(plies, PLIES)
        while not match.over and match.ply < last:
            clock.spend(f"the bot {self.name}")
            self._check_moment(match, moments)
            self._play(match, moments.below(_GAP))

    def _make(self) -> AnyMatch:
        return Match(self.game, seed=self.seed, seats=self.seats, options=self.options)

    def _seat(self, match: AnyMatch) -> None:
        """Have new bots decide for every seat."""
        self.ply = match.ply
        for seat in range(self.seats):
            chance = match.chance_of(seat)
            try:
                player = make_bot(self.maker, chance, game=self.game, seat=seat)
            except Exception as error:
                raise self._fail(seat, f"making it raised {error!r}") from error
            match.set_player(seat, player)

    def _check_moment(self, match: AnyMatch, moments: Stream) -> None:
        """Play on from here in every way there is; afterwards the match is where the first led."""
        before = match.clone()
        course = self._play(match, COURSE)
        self._go_back(match, before)
        self._compare(match, course, "when that has been undone")
        self._go_back(match, before)
        redone = moments.between(1, len(course))
        match.redo(redone)
        self._compare(match, course[redone:], "after a redo")
        for other, when in (
            (before, "when a new bot is put in, on a clone"),
            (self._made_anew(before), "when a new bot is put in, as when a record is resumed"),
        ):
            self._seat(other)
            self._compare(other, course, when)

    def _go_back(self, match: AnyMatch, before: AnyMatch) -> None:
        match.undo(match.ply - before.ply)

    def _made_anew(self, match: AnyMatch) -> AnyMatch:
        """Another match at the same point, played from its beginning."""
        other = self._make()
        drawn = {note.ply: note for note in match.drawn}
        for ply, action in enumerate(match.actions, 1):
            if ply in drawn:
                other.chance_of(drawn[ply].seat).offset = drawn[ply].after
            other.play(action)
        return other

    def _play(self, match: AnyMatch, plies: int) -> list[tuple[Seat, Any]]:
        """Play on; the seat and the action of each ply."""
        course: list[tuple[Seat, Any]] = []
        while not match.over and len(course) < plies:
            self.ply, seat = match.ply, match.to_act[0]
            course.append((seat, self._step(match, seat)))
        return course

    def _step(self, match: AnyMatch, seat: Seat) -> Any:
        try:
            return match.step(seat)
        except IllegalAction as error:
            raise self._fail(seat, f"it plays {error.action}, which is refused: {error}") from error
        except ContractError as error:
            raise LawBroken(self.game.name, self.seed, self.ply, "accepted", str(error)) from error
        except Exception as error:
            raise self._fail(seat, f"choosing raised {error!r}") from error

    def _compare(self, match: AnyMatch, course: Sequence[tuple[Seat, Any]], when: str) -> None:
        """Play on, and accept nothing but `course`."""
        for seat, expected in course:
            self.ply = match.ply
            action = self._step(match, seat)
            if action != expected:
                what = f"it plays {action} {when}, and played {expected} before: {_WHY}"
                raise self._fail(seat, what)

    def _fail(self, seat: Seat, what: str) -> LawBroken:
        who = f"the bot {self.name!r}, for seat {seat}: {what}"
        return LawBroken(self.game.name, self.seed, self.ply, "bots", who)
