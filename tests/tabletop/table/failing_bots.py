"""Tic-tac-toe with bots that fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop import Plugin
from tabletop.registry import load
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


PLUGIN = Plugin(
    GAME,
    bots={
        "nonsense": lambda stream: Nonsense(),
        "crash": lambda stream: Crash(),
        **load(TICTACTOE).bots,
    },
    levels={},
)
