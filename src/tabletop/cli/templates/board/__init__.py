"""My game.

`rules` contains the rules, `text` the output at a terminal,
`picture` the drawing for browsers and `bots` the bots.
"""

from pathlib import Path

from tabletop import Plugin

from .bots import Expert
from .rules import Position, Rules
from .text import Text

GAME = Rules()

PLUGIN = Plugin(
    GAME,
    text=Text(),
    picture="tabletop.cli.templates.board.picture:Drawing",
    bots={"expert": Expert},
    rulebook=Path(__file__).with_name("rules.md"),
)

__all__ = ["GAME", "PLUGIN", "Position", "Rules"]
