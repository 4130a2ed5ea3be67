"""Tic-tac-toe with bots that fail, and a recorder that fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop import Plugin
from tabletop.errors import RecordLost
from tabletop.registry import load
from tabletop.rules import Concession
from tests.tabletop.cli.program import TICTACTOE

GAME = load(TICTACTOE).game


class Nonsense:
    """A bot that returns an object that is not an action."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        return None


class Crash:
    """A bot that fails."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        return 1 / 0


class Full:
    """A recorder that cannot write."""

    plies = 0

    def played(self, match: Any, seat: int, action: Any) -> None:
        raise RecordLost("the disk is full")

    def undone(self, match: Any, count: int) -> None:
        raise RecordLost("the disk is full")

    def conceded(self, match: Any, concession: Concession) -> None:
        raise RecordLost("the disk is full")

    def seated(self, seat: int, player: str) -> None:
        raise RecordLost("the disk is full")


PLUGIN = Plugin(
    GAME,
    bots={
        "nonsense": lambda stream: Nonsense(),
        "crash": lambda stream: Crash(),
        **load(TICTACTOE).bots,
    },
    levels={},
)
