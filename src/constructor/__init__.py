"""Constructor, a game of building and trading on a board of tiles.

The rules follow a course document, "CS246 Fall 2020 Project - Constructor", and docstrings refer to
its sections (`Constructor §3.6`). `GAME` is the game of that document, with 19 tiles and four
builders. `PLUGIN` adds texts, pictures, bots and studies. `SMALL_PLUGIN` and `SQUARE_PLUGIN` use
the same rules on other boards.
"""

from dataclasses import replace
from pathlib import Path

from constructor.bots.evaluation import evaluate, policy
from constructor.bots.players import BOTS, WEIGHTS, Builder, Planner
from constructor.rules.actions import (
    Accept,
    Action,
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
from constructor.rules.events import (
    BasementChosen,
    DiceChosen,
    DiceRolled,
    GameWon,
    GeesePlaced,
    NothingGained,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    SetupEnded,
    TileChanged,
    TradeAnswered,
    TradeOffered,
    TurnBegan,
    VictimsFound,
)
from constructor.rules.game import Constructor
from constructor.rules.layouts import format_layout, parse_layout
from constructor.rules.saves import parse_save, write_save
from constructor.rules.state import (
    COLOURS,
    RESIDENCES,
    ConstructorState,
    Phase,
    Residence,
    Resource,
    Tile,
)
from constructor.text.lessons import lessons
from constructor.text.text_view import ConstructorText
from tabletop import Plugin

GAME = Constructor()
"""The rules of the document, with 19 tiles and four builders."""

PLUGIN = Plugin(
    GAME,
    text=ConstructorText(),
    picture="constructor.picture:ConstructorPicture",
    rulebook=Path(__file__).with_name("data") / "rules.md",
    summary="Build roads and houses on a board of resources, trade, and be the first with "
    "10 points.",
    minutes=60,
    lessons=lessons,
    bots=BOTS,
    evaluate=evaluate,
    policy=policy,
    console="constructor.program.console:ConstructorConsole",
    metrics="constructor.bots.metrics:METRICS",
    weights=WEIGHTS,
)
"""The game together with its texts, pictures, rulebook, bots and metrics."""

SMALL_PLUGIN = replace(PLUGIN, game=Constructor(SMALL, seats=range(2, 5)), minutes=30)
"""The same rules on a board of seven tiles, for two to four builders."""

SQUARE_PLUGIN = replace(PLUGIN, game=Constructor(SQUARE, seats=range(2, 5)))
"""The same rules on a board of 16 rectangular tiles, for two to four builders."""

__all__ = [
    "BOARDS",
    "COLOURS",
    "GAME",
    "PLUGIN",
    "RESIDENCES",
    "SMALL",
    "SMALL_PLUGIN",
    "SQUARE",
    "SQUARE_PLUGIN",
    "STANDARD",
    "Accept",
    "Action",
    "BasementChosen",
    "Board",
    "BuildResidence",
    "BuildRoad",
    "Builder",
    "ChooseRoll",
    "Constructor",
    "ConstructorState",
    "Decline",
    "DiceChosen",
    "DiceRolled",
    "EndTurn",
    "GameWon",
    "GeesePlaced",
    "Improve",
    "ImproveTile",
    "NothingGained",
    "Phase",
    "PlaceGeese",
    "Planner",
    "Residence",
    "ResidenceBuilt",
    "Resource",
    "ResourceStolen",
    "ResourcesGained",
    "ResourcesLost",
    "RoadBuilt",
    "Roll",
    "Settle",
    "SetupEnded",
    "Steal",
    "Tile",
    "TileChanged",
    "Trade",
    "TradeAnswered",
    "TradeOffered",
    "TurnBegan",
    "UseFairDice",
    "UseLoadedDice",
    "VictimsFound",
    "format_layout",
    "parse_layout",
    "parse_save",
    "write_save",
]
