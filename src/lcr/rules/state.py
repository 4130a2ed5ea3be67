"""The state of LCR and its only action, to roll the dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from tabletop import Command, Commands, Seat, State, state
from tabletop.states import PER_SEAT, Range

SEATS: Final = range(3, 12)  # the possible numbers of players (LCR §5, corrected in §10)
CHIPS_AT_START: Final = 3  # chips of each player at the beginning (LCR §2)
MOST_DICE: Final = 3  # maximum number of dice in a turn (LCR §2)


Chips: TypeAlias = Annotated[int, Range(0, lambda match: CHIPS_AT_START * match.seats)]
"""A number of chips, from 0 to all chips of the match."""


@state
class LcrState(State):
    """The state of a game. The total number of chips never changes.

    Attributes:
        chips: The number of chips of each seat, at least 0.
        pot: The number of chips in the pot, which never leave it.
        seat: The seat that rolls next, or None if the game is over.
    """

    chips: Annotated[list[Chips], PER_SEAT]
    pot: Chips = 0
    seat: Seat | None = 0

    @classmethod
    def start(cls, seats: int) -> LcrState:
        """Return the state before the first turn, with three chips for each seat (LCR §2)."""
        return cls([CHIPS_AT_START] * seats)

    @property
    def winner(self) -> Seat | None:
        """The only seat with chips if the game is over, otherwise None."""
        return None if self.seat is not None else self.chips.index(max(self.chips))

    def __str__(self) -> str:
        return f"chips {' '.join(map(str, self.chips))}, pot {self.pot}"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll a die for each chip, at most three, and apply each die (LCR §2)."""

    def __str__(self) -> str:
        return "roll"


ROLL: Final = Roll()
"""The only action of the game."""

COMMANDS: Final = Commands(
    Command("roll", Roll, help="Roll a die for each of your chips, at most three."),
)
"""The command table of the game."""
