"""What a player may do: roll the dice. There is nothing to decide (LCR §1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabletop import Command, Commands


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
"""How actions are typed."""
