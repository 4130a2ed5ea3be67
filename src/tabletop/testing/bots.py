"""The law of bots: a bot's choice depends on its view and its stream, and on nothing else.

Each bot plays a few matches against itself. At some moments of them the next actions are taken back
and played again, redone in part, and played by bots that are new, on a clone and on a match that
was made anew as from a record. All of them must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tabletop.errors import ContractError, IllegalAction
from tabletop.match.match import AnyMatch
from tabletop.records.replaying import replay_actions
from tabletop.registry import BotMaker, make_bot
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.states.bounds import Seat
from tabletop.testing.laws import Clock, LawBroken
from tabletop.testing.probe import Probe, describe_failure

_MATCHES: Final = 3  # how many matches are played by each bot
_PLIES: Final = 200  # how many actions of a match are played at most
_THOUGHTS: Final = 8  # the same of a bot that looks ahead: most of a match is alike to it
_COURSE: Final = 7  # how many are compared at a time: an odd number, for bots that alternate
_GAP: Final = 24  # how many actions are played without a comparison, at most
_WHY: Final = (
    "it keeps something from move to move, or draws from elsewhere than the stream it is given, or"
    " outside of `choose`"
)


def check_bot(
    game: AnyGame,
    name: str,
    maker: BotMaker,
    *,
    seed: str,
    numbers: Sequence[int],
    options: Options | None,
    plies: int,
    clock: Clock,
) -> None:
    """Have a bot play itself, with each of the `numbers` of seats in turn; `OutOfTime` ends it."""
    for number in range(_MATCHES):
        seats = numbers[number % len(numbers)]
        probe = Probe(game, f"{seed} bots {number}", seats, options)
        BotTrial(probe, name, maker).run(plies, clock)


@dataclass(slots=True)
class BotTrial:
    """A match that one bot plays for every seat."""

    probe: Probe
    name: str
    maker: BotMaker

    def run(self, plies: int, clock: Clock) -> None:
        """Play the match to its end, or for `plies` actions."""
        match = self.probe.make()
        self._seat(match)
        moments = Streams(self.probe.seed)["moments"]
        looks_ahead = hasattr(match.players[0], "budget")
        last = min(plies, _THOUGHTS if looks_ahead else _PLIES)
        while not match.over and match.ply < last:
            clock.spend(f"the bot {self.name}")
            self._check_moment(match, moments)
            self._play(match, min(moments.below(_GAP), max(0, last - match.ply)))

    def _seat(self, match: AnyMatch) -> None:
        """Have new bots decide for every seat."""
        self.probe.ply = match.ply
        for seat in range(match.seats):
            chance = match.bot_stream(seat)
            try:
                player = make_bot(self.maker, chance, game=match.game, seat=seat)
            except Exception as error:
                raise self._fail(seat, f"making it raised {describe_failure(error)}") from error
            match.set_player(seat, player)

    def _check_moment(self, match: AnyMatch, moments: Stream) -> None:
        """Play on from here in every way there is; afterwards the match is where the first led."""
        before = match.clone()
        course = self._play(match, _COURSE)
        match.undo(match.ply - before.ply)
        self._compare(match, course, "when that has been undone")
        match.undo(match.ply - before.ply)
        redone = moments.between(1, len(course))
        match.redo(redone)
        self._compare(match, course[redone:], "after a redo")
        for other, when in (
            (before, "when a new bot is put in, on a clone"),
            (
                replay_actions(before, self.probe.make()),
                "when a new bot is put in, as when a record is resumed",
            ),
        ):
            self._seat(other)
            self._compare(other, course, when)

    def _play(self, match: AnyMatch, plies: int) -> list[tuple[Seat, Any]]:
        """Play on; the seat and the action of each ply."""
        course: list[tuple[Seat, Any]] = []
        while not match.over and len(course) < plies:
            self.probe.ply, seat = match.ply, match.to_act[0]
            course.append((seat, self._step(match, seat)))
        return course

    def _step(self, match: AnyMatch, seat: Seat) -> Any:
        try:
            return match.step(seat)
        except IllegalAction as error:
            raise self._fail(seat, f"it plays {error.action}, which is refused: {error}") from error
        except ContractError as error:
            raise self.probe.fail("accepted", str(error)) from error
        except Exception as error:
            raise self._fail(seat, f"choosing raised {describe_failure(error)}") from error

    def _compare(self, match: AnyMatch, course: Sequence[tuple[Seat, Any]], when: str) -> None:
        """Play on, and accept nothing but `course`."""
        for seat, expected in course:
            self.probe.ply = match.ply
            action = self._step(match, seat)
            if action != expected:
                what = f"it plays {action} {when}, and played {expected} before: {_WHY}"
                raise self._fail(seat, what)

    def _fail(self, seat: Seat, what: str) -> LawBroken:
        who = f"the bot {self.name!r}, for seat {seat}: {what}"
        return self.probe.fail("bots", who)
