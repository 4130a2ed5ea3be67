"""Left, Center, Right: a game of chance for 3 to 11 players, as a course document has it.

`GAME` is the rules, `RULES` where people read them, `TEXT` how a match reads at a terminal. The
program `lcr` is `lcr.program.cli`; playing very many games at once is `lcr.program.sweep`, which needs NumPy and is
not imported here. Sections (`LCR §2`) are those of "Assignment 2: LCR", CSE 13S, Spring 2024,
version 2.
"""

from collections.abc import Mapping
from pathlib import Path

from lcr.rules.dice import DIE, CourseStream, Face
from lcr.rules.events import ChipPassed, DieRolled, TurnEnded
from lcr.rules.game import Lcr
from lcr.rules.state import ROLL, LcrState, Roll
from lcr.text import LcrText
from tabletop.registry import BotMaker

GAME = Lcr()
"""The game of the document."""

TEXT = LcrText()
METRICS = "lcr.metrics:METRICS"
PICTURE = "lcr.picture:LcrPicture"
BOTS: Mapping[str, BotMaker] = {}  # there is nothing to decide: all bots play alike
RULES = Path(__file__).with_name("data") / "rules.md"

__all__ = [
    "BOTS",
    "DIE",
    "GAME",
    "PICTURE",
    "ROLL",
    "RULES",
    "TEXT",
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
