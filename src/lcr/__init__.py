"""Left, Center, Right, a game of chance for 3 to 11 players.

The rules follow a course document, "Assignment 2: LCR" (CSE 13S, Spring 2024, version 2), and
docstrings refer to its sections (`LCR §2`). `GAME` contains the rules, and `PLUGIN` adds texts,
pictures and metrics. `lcr.sweep` plays millions of games at once. It needs NumPy and is not
imported here.
"""

from pathlib import Path

from lcr.rules.dice import DIE, CourseStream, Face
from lcr.rules.events import ChipPassed, DieRolled, TurnEnded
from lcr.rules.game import Lcr
from lcr.rules.state import ROLL, LcrState, Roll
from lcr.text import LcrText
from tabletop import Plugin

GAME = Lcr()
"""The rules of the document."""

PLUGIN = Plugin(
    GAME,
    text=LcrText(),
    picture="lcr.picture:LcrPicture",
    rulebook=Path(__file__).with_name("data") / "rules.md",
    levels={},  # players have no choices, so all bots are equal
    metrics="lcr.metrics:METRICS",
)
"""The game together with its texts, pictures, rulebook and metrics."""

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
