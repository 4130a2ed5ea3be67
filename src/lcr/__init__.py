"""Left, Center, Right, a game of chance for 3 to 11 players.

The rules follow a course document, "Assignment 2: LCR" (CSE 13S, Spring 2024, version 2), and
docstrings refer to its sections (`LCR §2`). `GAME` contains the rules, and `PLUGIN` adds texts,
pictures and metrics. `lcr.sweep` plays millions of games at once. It needs NumPy and is not
imported here.
"""

from typing import TYPE_CHECKING

from tabletop.host import lazy_attributes

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

if TYPE_CHECKING:
    from lcr.plugin import GAME, PLUGIN
    from lcr.rules.dice import DIE, CourseStream, Face
    from lcr.rules.events import ChipPassed, DieRolled, TurnEnded
    from lcr.rules.game import Lcr
    from lcr.rules.state import ROLL, LcrState, Roll
    from lcr.text import LcrText
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
