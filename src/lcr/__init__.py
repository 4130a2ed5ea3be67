"""Left, Center, Right: a game of chance for 3 to 11 players, as a course document has it.

`GAME` is the rules, `PLUGIN` what comes with them. To play very many games at once is `lcr.sweep`,
which needs NumPy and is not imported here. Sections (`LCR §2`) are those of "Assignment 2: LCR",
CSE 13S, Spring 2024, version 2.
"""

from pathlib import Path

from lcr.rules.dice import DIE, CourseStream, Face
from lcr.rules.events import ChipPassed, DieRolled, TurnEnded
from lcr.rules.game import Lcr
from lcr.rules.state import ROLL, LcrState, Roll
from lcr.text import LcrText
from tabletop import Plugin

GAME = Lcr()
"""The game of the document."""

PLUGIN = Plugin(
    GAME,
    text=LcrText(),
    picture="lcr.picture:LcrPicture",
    rulebook=Path(__file__).with_name("data") / "rules.md",
    levels={},  # there is nothing to decide: all bots play alike
    metrics="lcr.metrics:METRICS",
)
"""The game with what comes with it."""

__all__ = [
    "DIE",
    "GAME",
    "PLUGIN",
    "ROLL",
    "ChipPassed",
    "CourseStream",
    "DieRolled",
    "Face",
    "Lcr",
    "LcrState",
    "LcrText",
    "Roll",
    "TurnEnded",
]
