"""The game `Lcr` (LCR §2 and §5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from lcr.rules.dice import DIE, SIDES, CourseStream
from lcr.rules.events import DieRolled, TurnEnded, chip_moves
from lcr.rules.state import COMMANDS, MOST_DICE, ROLL, SEATS, LcrState, Roll
from tabletop import (
    Game,
    IllegalAction,
    Option,
    Options,
    Outcome,
    Seat,
    Streams,
    Table,
)
from tabletop.rng import Vocabulary
from tabletop.rules import CatalogValue, next_seat

if TYPE_CHECKING:
    from tabletop import Match

COURSE_SEED: Final = Option(
    "course-seed",
    kind=int,
    label="Seed of the course",
    low=0,
    high=2**32 - 1,
    help="Roll with the course's generator, seeded with this number.",
)

PLACES: Final = ("Left Neighbour", "Right Neighbour", "Center Pot")  # for chips (LCR §2)

WORDS: Final = Vocabulary(
    adjectives=(
        *("lucky", "unlucky", "rolling", "rolled", "passing", "passed", "kept", "round", "empty"),
        *("last", "next", "single", "three", "waiting", "winning", "losing", "random", "seeded"),
        *("first", "second", "third", "final", "circular", "clockwise", "neighbouring", "seated"),
        *("remaining", "penniless", "shaken", "thrown", "tossed", "tumbling", "spinning"),
        *("counted", "lone", "leftmost", "rightmost"),
    ),
    nouns=(
        *("dice", "die", "roll", "chip", "chips", "turn", "table", "game", "player", "winner"),
        *("seed", "side", "face", "name", "luck", "circle", "throw", "toss", "cup", "pocket"),
        *("order", "pile", "stack", "stake", "loser", "gamble", "chance", "outcome", "seat"),
    ),
)
"""Words for seed phrases, in addition to those of `names_of_things`."""

_ACTIONS: Final = (ROLL,)
_TURNS: Final = tuple((seat,) for seat in range(SEATS[-1]))


class Lcr(Game[LcrState, Roll]):
    """The rules of Left, Center, Right, in which the last player with chips wins.

    With the option `course-seed`, the stream "dice" is the generator of the course (LCR §3.2), and
    the game is the same as in the course's program. Otherwise the seed of the match determines the
    dice.
    """

    name = "lcr"
    title = "Left, Center, Right"
    version = "1"
    seats = SEATS
    options = (COURSE_SEED,)
    commands = COMMANDS
    words = WORDS

    @override
    def names_of_things(self) -> Iterable[str]:
        """Return the course's player names, the faces of the die and the places for chips."""
        from lcr.rules.names import course_names  # reads a file, which only new seeds need

        return (*course_names(), *DIE, *PLACES)

    @override
    def setup(self, options: Options, seats: int, rng: Streams) -> LcrState:
        seed = COURSE_SEED.of(options)
        if seed is not None:
            rng.install("dice", CourseStream(seed))
        return LcrState.start(seats)

    @override
    def to_act(self, state: LcrState) -> Sequence[Seat]:
        seat = state.seat
        return () if seat is None else _TURNS[seat]

    @override
    def legal_actions(self, state: LcrState, seat: Seat) -> Sequence[Roll]:
        return _ACTIONS

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[Roll]:
        return _ACTIONS

    @override
    def why_not(self, state: LcrState, action: Roll) -> str:
        if state.seat is None:
            return "the game is over: only one player has chips"
        return f"{action} is not possible, because the only action is {ROLL}"

    @override
    def apply(self, state: LcrState, action: Roll, table: Table) -> None:
        """Play one turn, in which each die is applied before the next one is rolled (LCR §5)."""
        seat, chips = state.seat, state.chips
        if seat is None:
            raise IllegalAction("the game is over: only one player has chips")
        watched, emit, dice = table.watched, table.emit, table.rng["dice"]
        passed = chip_moves(len(chips))[seat]
        for _ in range(min(chips[seat], MOST_DICE)):
            roll = dice.below(SIDES)
            if watched:
                emit(DieRolled(seat, roll, DIE[roll]))
            move = passed[roll]
            if move is None:
                continue
            chips[seat] -= 1
            if move.to is None:
                state.pot += 1
            else:
                chips[move.to] += 1
            if watched:
                emit(move)
        if watched:
            emit(TurnEnded(seat, chips[seat]))
        is_over = chips.count(0) == len(chips) - 1
        state.seat = None if is_over else next_seat(seat, len(chips), chips.__getitem__)

    @override
    def outcome(self, state: LcrState) -> Outcome | None:
        winner = state.winner
        if winner is None:
            return None
        return Outcome.win(winner, len(state.chips), "nobody else has chips")

    @override
    def catalog(self, match: Match[LcrState, Roll]) -> Mapping[str, CatalogValue]:
        """Play the match to its end. Return the winner (from 1) and the numbers of turns and rolls.

        The seed determines the whole match, because players have no choices.
        """
        rolls = 0
        while (seat := match.state.seat) is not None:
            rolls += min(match.state.chips[seat], MOST_DICE)
            match.play(ROLL)
        winner = match.state.winner
        return {"winner": 0 if winner is None else winner + 1, "turns": match.ply, "rolls": rolls}
