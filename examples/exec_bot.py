"""A bot in a separate process, which could be written in any language.

It does not import `tabletop`. It plays tic-tac-toe by a simple rule,
and chooses a random legal action in every other game.

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
    for line in sys.stdin:  # until the match ends
        message = json.loads(line)
        if message["type"] == "table":
            game = message["game"]
        elif message["type"] == "state" and message["your_turn"]:
            if game == "tictactoe":
                own = "xo"[message["your_turn"][0]]
                cell = best_cell(message["view"]["cells"], own)
                words = str(cell + 1)
            else:
                words = any_of(message["choices"])
            act(words)


def any_of(choices: list[dict[str, Any]]) -> str:
    """Return the words of a random choice, with random items of it."""
    choice = random.choice(choices)
    if "several" not in choice:
        return str(choice["words"])
    several = choice["several"]
    count = random.randint(several["low"], several["high"])
    items = random.sample(several["items"], count)
    words = [choice["words"], *(item["words"] for item in items)]
    return " ".join(words)


def act(words: str) -> None:
    """Send an action as a player would type it."""
    message = {"type": "act", "line": words}
    print(json.dumps(message), flush=True)  # do not buffer it


def best_cell(cells: list[Any], own: str) -> int:
    """Complete a line, or else block one, or else take a good cell."""
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
