"""My game.

`rules` contains the rules, `text` the output at a terminal and
`picture` the drawing for browsers. Add your bots in a module `bots`.
"""

from pathlib import Path

from tabletop import Plugin

from .rules import Position, Rules
from .text import Text

GAME = Rules()

PLUGIN = Plugin(
    GAME,
    text=Text(),
    picture="tabletop.cli.templates.board.picture:Drawing",
    rulebook=Path(__file__).with_name("rules.md"),
)

__all__ = ["GAME", "PLUGIN", "Position", "Rules"]
