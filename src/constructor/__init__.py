"""Constructor: builders on a board of tiles, as a course document has it.

`GAME` is the document's game: 19 tiles and four builders. `SMALL_GAME` and `SQUARE_GAME` are the
same rules on other boards. The program `constructor` is `constructor.program.cli`. Sections
(`Constructor §3.6`) are those of "CS246 Fall 2020 Project - Constructor".
"""

from pathlib import Path

from constructor.bots.evaluation import evaluate, policy
from constructor.bots.players import BOTS, WEIGHTS
from constructor.rules.actions import (
    Accept,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    Decline,
    EndTurn,
    Improve,
    ImproveTile,
    PlaceGeese,
    Roll,
    Settle,
    Steal,
    Trade,
    UseFairDice,
    UseLoadedDice,
)
from constructor.rules.board import BOARDS, SMALL, SQUARE, STANDARD, Board
from constructor.rules.game import Constructor
from constructor.rules.state import COLOURS, ConstructorState, Phase, Resource, Tile
from constructor.text.text_view import ConstructorText

GAME = Constructor()
"""The game of the document: 19 tiles and four builders."""

SMALL_GAME = Constructor(SMALL, seats=range(2, 5))
"""The same rules on a smaller board."""

SQUARE_GAME = Constructor(SQUARE, seats=range(2, 5))
"""The same rules on a board of squares."""

TEXT = ConstructorText()
METRICS = "constructor.bots.metrics:METRICS"
PICTURE = "constructor.picture:ConstructorPicture"
UI = "constructor.program.ui:ConstructorUI"
RULES = Path(__file__).with_name("data") / "rules.md"

__all__ = [
    "BOARDS",
    "BOTS",
    "COLOURS",
    "GAME",
    "PICTURE",
    "RULES",
    "SMALL",
    "SMALL_GAME",
    "SQUARE",
    "SQUARE_GAME",
    "STANDARD",
    "TEXT",
    "UI",
    "WEIGHTS",
    "Accept",
    "Board",
    "BuildResidence",
    "BuildRoad",
    "ChooseRoll",
    "Constructor",
    "ConstructorState",
    "Decline",
    "EndTurn",
    "Improve",
    "ImproveTile",
    "Phase",
    "PlaceGeese",
    "Resource",
    "Roll",
    "Settle",
    "Steal",
    "Tile",
    "Trade",
    "UseFairDice",
    "UseLoadedDice",
    "evaluate",
    "policy",
]
