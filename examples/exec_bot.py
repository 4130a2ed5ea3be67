"""A bot in a process of its own, which could be in any language.

It needs nothing of `tabletop`. It knows how to play tic-tac-toe; in
every other game it takes a legal action at random.

    BOT='exec:python3 examples/exec_bot.py'
    tabletop play examples/tictactoe.py --bot "2=$BOT"
    tabletop join LINK --bot "$BOT"
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

LINES = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)


def main() -> None:
    game = ""
    for line in sys.stdin:  # until the match is over, or left
        told = json.loads(line)
        if told["type"] == "table":
            game = told["game"]
        elif told["type"] == "state" and told["asked"]:
            if game == "tictactoe":
                own = "xo"[told["asked"][0]]
                words = str(best_cell(told["view"]["cells"], own) + 1)
            else:
                words = random.choice(told["choices"])["words"]
            act(words)


def act(words: str) -> None:
    """Act as a player would type it."""
    message = {"type": "act", "line": words}
    print(json.dumps(message), flush=True)  # or it waits in a buffer


def best_cell(cells: list[Any], own: str) -> int:
    """Complete a line, or stop one; else take the middle first."""
    for mark in (own, "xo".replace(own, "")):
        for line in LINES:
            marks = sorted(cells[cell] for cell in line)
            if marks == sorted((".", mark, mark)):
                return next(cell for cell in line if cells[cell] == ".")
    return next(
        cell
        for cell in (4, 0, 2, 6, 8, 1, 3, 5, 7)
        if cells[cell] == "."
    )


if __name__ == "__main__":
    main()
