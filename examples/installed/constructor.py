"""Constructor on a small board, for two to four builders.

`CHOSEN` holds options of the match: the tiles are dealt at random, and
tiles can be improved. Write "standard", "scarce" or "living" for "rich".
"""

from constructor import (
    BOTS,
    PICTURE,
    RULES,
    SMALL,
    TEXT,
    Constructor,
    evaluate,
    policy,
)

__all__ = [
    "BOTS",
    "CHOSEN",
    "GAME",
    "PICTURE",
    "RULES",
    "TEXT",
    "evaluate",
    "policy",
]

GAME = Constructor(SMALL, seats=range(2, 5))
CHOSEN = {"random-board": True, "variant": "rich"}
