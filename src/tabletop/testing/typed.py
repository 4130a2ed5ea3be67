"""Actions that a person could type: lines drawn from a game's command table.

Where not every action is listed, random matches alone would never play the others. So lines are
made of the words of the table and of values at the ends of what their arguments take and between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tabletop.arguments import Argument, Integer
from tabletop.command import Command
from tabletop.commands import Commands
from tabletop.game import AnyGame
from tabletop.match import Match
from tabletop.options import Options
from tabletop.rng import Stream
from tabletop.testing.clues import Place, leaves, spell_place

WORDS: Final = ("x", "1", "0", "all", "\u00e9")
"""What is typed where any word may stand."""

TEXTS: Final = (*WORDS, "two words", "it's  12")
"""What is typed where any text may stand."""

SMALL: Final = 9
"""Numbers up to so far above the lowest are tried as often as any others."""


def typed_lines(commands: Commands, chance: Stream, count: int) -> Iterator[str]:
    """Some lines that a command table understands, as far as each word goes."""
    for _ in range(count):
        yield _line(chance.choice(commands.commands), chance)


def _line(command: Command, chance: Stream) -> str:
    most = len(command.arguments)
    given = chance.between(command.required, most)
    if command.together and given > command.required:
        given = most
    words = [_word(argument, chance) for argument in command.arguments[:given]]
    return " ".join([command.words, *words])


def _word(argument: Argument, chance: Stream) -> str:
    if isinstance(argument, Integer):
        low, high = argument.low, argument.high
        small = min(high, low + SMALL)
        kind = chance.below(4)
        number = (low, high, chance.between(low, small), chance.between(low, high))[kind]
        return str(number)
    candidates: Sequence[str] = argument.candidates()
    if candidates:
        return chance.choice(candidates)
    return chance.choice(TEXTS if argument.takes_rest else WORDS)


@dataclass(frozen=True, slots=True)
class Overdraft:
    """A number that a free-form action has brought below zero.

    Attributes:
        seed: of the match.
        seats: how many played it.
        ply: how many actions had been played before.
        action: which.
        place: of the number in the state.
        number: what it became.
        answer: what was played after the action; empty when it was the action alone.
    """

    seed: str
    seats: int
    ply: int
    action: str
    place: Place
    number: float
    answer: str = ""

    def __str__(self) -> str:
        then = f"{self.answer} after it " if self.answer else ""
        return (
            f"{self.action} is accepted, though not listed, and {then}makes"
            f" {spell_place(self.place)} {self.number}; listed actions never bring it below"
            " zero: let check refuse to take more than there is (or list an action that may do so)"
        )


def kind_of_place(place: Place) -> Place:
    """A place in a state, with None for the number of an item: `("hands", None, None)`."""
    return tuple(None if isinstance(part, int) else part for part in place)


Debts: TypeAlias = dict[Place, float]
"""Numbers below zero, by where they stand in a state."""


def _below_zero(state: object) -> Debts:
    """The negative numbers in a state, by where they stand."""
    return {
        place: value
        for place, value in leaves(state).items()
        if isinstance(value, int | float) and value < 0
    }


def new_debts(before: object, after: object) -> Debts:
    """The negative numbers after an action, of kinds that were not negative before it."""
    had = {kind_of_place(place) for place in _below_zero(before)}
    debts = _below_zero(after)
    return {place: number for place, number in debts.items() if kind_of_place(place) not in had}


def first_overdraft(
    game: AnyGame,
    options: Options | None,
    found: Sequence[Overdraft],
    played: Sequence[tuple[str, int, Sequence[Any]]],
) -> Overdraft | None:
    """The first number that is below zero through free-form actions alone.

    Args:
        game: the rules.
        options: of the matches.
        found: numbers that free-form actions have brought below zero.
        played: the seed, the seats and the actions of every match, which is played again.
    """
    suspects = {kind_of_place(one.place): one for one in reversed(found)}
    for seed, seats, actions in played:
        match = Match(game, seed=seed, seats=seats, options=options)
        for action in (None, *actions):
            if not suspects:
                return None
            if action is not None:
                match.play(action)
            for place in _below_zero(match.state):
                suspects.pop(kind_of_place(place), None)
    return min(suspects.values(), key=found.index, default=None)
