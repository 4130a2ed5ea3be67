"""The law of bots: a bot's choice depends only on its view and its random stream.

Each bot plays a few matches against itself. At some points, the next actions are undone and then
played again, undone and partly redone, and played by new bots on a clone and on a match restored
from a record. The bot must choose the same actions every time.
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

_MATCHES: Final = 3  # matches of each bot
_PLIES: Final = 200  # maximum number of actions of a match
_THOUGHTS: Final = 8  # the same for a search bot, which is slow
_COURSE: Final = 7  # actions that are compared at a time; odd, to detect bots that alternate
_GAP: Final = 24  # maximum number of actions between two comparisons
_WHY: Final = (
    "the bot stores data between moves, draws from a source other than its stream, or draws"
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
    """Test the law of bots for one bot, in matches that cycle through `numbers` of seats."""
    for number in range(_MATCHES):
        seats = numbers[number % len(numbers)]
        probe = Probe(game, f"{seed} bots {number}", seats, options)
        BotTrial(probe, name, maker).run(plies, clock)


@dataclass(slots=True)
class BotTrial:
    """A match in which one bot plays for every seat."""

    probe: Probe
    name: str
    maker: BotMaker

    def run(self, plies: int, clock: Clock) -> None:
        """Play the match to its end, or up to `plies` actions."""
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
        """Put a new bot on every seat."""
        self.probe.ply = match.ply
        for seat in range(match.seats):
            stream = match.bot_stream(seat)
            try:
                player = make_bot(self.maker, stream, game=match.game, seat=seat)
            except Exception as error:
                what = f"creating it raised {describe_failure(error)}"
                raise self._fail(seat, what) from error
            match.set_player(seat, player)

    def _check_moment(self, match: AnyMatch, moments: Stream) -> None:
        """Play the next actions in each way that the module describes, and compare the results.

        Afterwards, the match is in the position after these actions.
        """
        before = match.clone()
        course = self._play(match, _COURSE)
        match.undo(match.ply - before.ply)
        self._compare(match, course, "after an undo")
        match.undo(match.ply - before.ply)
        redone = moments.between(1, len(course))
        match.redo(redone)
        self._compare(match, course[redone:], "after a redo")
        for other, when in (
            (before, "with a new bot on a clone"),
            (replay_actions(before, self.probe.make()), "with a new bot on a resumed record"),
        ):
            self._seat(other)
            self._compare(other, course, when)

    def _play(self, match: AnyMatch, plies: int) -> list[tuple[Seat, Any]]:
        """Play some actions. Return the seat and the action of each ply."""
        course: list[tuple[Seat, Any]] = []
        while not match.over and len(course) < plies:
            self.probe.ply, seat = match.ply, match.to_act[0]
            course.append((seat, self._step(match, seat)))
        return course

    def _step(self, match: AnyMatch, seat: Seat) -> Any:
        try:
            return match.step(seat)
        except IllegalAction as error:
            what = f"it chose {error.action}, which is illegal: {error}"
            raise self._fail(seat, what) from error
        except ContractError as error:
            raise self.probe.fail("accepted", str(error)) from error
        except Exception as error:
            raise self._fail(seat, f"choosing raised {describe_failure(error)}") from error

    def _compare(self, match: AnyMatch, course: Sequence[tuple[Seat, Any]], when: str) -> None:
        """Play some actions, and fail unless they equal those of `course`."""
        for seat, expected in course:
            self.probe.ply = match.ply
            action = self._step(match, seat)
            if action != expected:
                what = f"it first chose {expected}, and {action} {when}: {_WHY}"
                raise self._fail(seat, what)

    def _fail(self, seat: Seat, what: str) -> LawBroken:
        return self.probe.fail("bots", f"the bot {self.name!r}, for seat {seat}: {what}")
