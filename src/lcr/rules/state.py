"""The state, chips and a pot, and the only action: roll the dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from tabletop import Command, Commands, Seat, State, state
from tabletop.states import PER_SEAT, Range

SEATS: Final = range(3, 12)
"""The possible numbers of players (LCR §5, as its §10 has mended it)."""

CHIPS_AT_START: Final = 3
"""The chips each player begins with (LCR §2)."""

MOST_DICE: Final = 3
"""The most dice in a turn (LCR §2)."""


Chips: TypeAlias = Annotated[int, Range(0, lambda match: CHIPS_AT_START * match.seats)]
"""A number of chips, up to all there are."""


@state
class LcrState(State):
    """The chips of every seat and of the pot, and whose turn it is; their sum never changes.

    Attributes:
        chips: the chips of each seat; one number a seat, each at least 0.
        pot: the chips in the middle; they stay there.
        seat: the seat that rolls next; None when only one has chips: it has won.
    """

    chips: Annotated[list[Chips], PER_SEAT]
    pot: Chips = 0
    seat: Seat | None = 0

    @classmethod
    def start(cls, seats: int) -> LcrState:
        """Return the state before the first turn: three chips each, seat 0 begins (LCR §2)."""
        return cls([CHIPS_AT_START] * seats)

    @property
    def winner(self) -> Seat | None:
        """The only seat with chips, once the game is over."""
        return None if self.seat is not None else self.chips.index(max(self.chips))

    def __str__(self) -> str:
        return f"chips {' '.join(map(str, self.chips))}, pot {self.pot}"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll a die for each chip, at most three, and do what they say (LCR §2)."""

    def __str__(self) -> str:
        return "roll"


ROLL: Final = Roll()
"""The only action there is."""

COMMANDS: Final = Commands(
    Command("roll", Roll, help="Roll a die for each of your chips, at most three."),
)
"""The spelling of actions."""
