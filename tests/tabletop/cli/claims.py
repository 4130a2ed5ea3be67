"""A board whose cells are claimed in turn, with a bot that waits for a file."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tabletop import Game, Outcome, Plugin, State, Streams, Table, state

SIDE: Final = 8


@state
class Claims(State):
    """Who has claimed each cell."""

    owners: list[int]

    def __str__(self) -> str:
        rows = (self.owners[row : row + SIDE] for row in range(0, len(self.owners), SIDE))
        return "\n".join(" ".join(".XO"[it] for it in row) for row in rows)


class Claim(Game[Claims, str]):
    """Claim a cell of 64 in turn; nobody wins."""

    name = "claim"
    seats = range(2, 3)

    def setup(self, options: Any, seats: int, rng: Streams) -> Claims:
        return Claims([0] * SIDE**2)

    def to_act(self, state: Claims) -> Sequence[int]:
        return (sum(map(bool, state.owners)) % 2,) if 0 in state.owners else ()

    def legal_actions(self, state: Claims, seat: int) -> list[str]:
        return [f"claim {_name(it)}" for it, owner in enumerate(state.owners) if not owner]

    def apply(self, state: Claims, action: str, table: Table) -> None:
        cell = self.legal_actions(Claims([0] * SIDE**2), 0).index(action)
        state.owners[cell] = self.to_act(state)[0] + 1

    def outcome(self, state: Claims) -> Outcome | None:
        return None if 0 in state.owners else Outcome.draw(2)


class Patient:
    """Claims the first cell, once the file that GO names exists."""

    def __init__(self, *_: object) -> None:
        """Ignore the arguments."""

    def choose(self, view: Claims, actions: Sequence[str]) -> str:
        while not Path(os.environ["GO"]).exists():
            time.sleep(0.01)
        return actions[0]


def _name(cell: int) -> str:
    return f"{'abcdefgh'[cell % SIDE]}{cell // SIDE + 1}"


GAME = Claim()
PLUGIN = Plugin(GAME, bots={"patient": Patient})
