"""Constructor on a small board, for two to four builders.

`CHOSEN` holds options of the match: the tiles are dealt at random, and
tiles can be improved. Write "standard", "scarce" or "living" for "rich".
"""

from dataclasses import replace

import constructor
from constructor import SMALL, Constructor

PLUGIN = replace(
    constructor.PLUGIN, game=Constructor(SMALL, seats=range(2, 5))
)
CHOSEN = {"random-board": True, "variant": "rich"}
