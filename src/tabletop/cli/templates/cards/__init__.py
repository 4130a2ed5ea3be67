"""My game: the rules, and what comes with them.

`rules` says how it goes, `text` how it reads, and `picture` how it
looks. Bots of its own would stand in `bots`.
"""

from pathlib import Path

from tabletop import Plugin

from .rules import Play, Position, Rules
from .text import Text

GAME = Rules()

PLUGIN = Plugin(
    GAME,
    text=Text(),
    picture="tabletop.cli.templates.cards.picture:Drawing",
    rulebook=Path(__file__).with_name("rules.md"),
)

__all__ = ["GAME", "PLUGIN", "Play", "Position", "Rules"]
