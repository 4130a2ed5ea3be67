"""The games that learners see as numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tabletop import Plugin
from tabletop.registry import load

FOLDER = Path(__file__).parents[3] / "examples"
EXAMPLES = (
    *("caverns", "flotsam", "go", "harbour", "hearts", "herons", "kuhn_poker", "loaded_dice"),
    *("masks", "nettles", "simultaneous", "tictactoe", "vacant_chair"),
)
BUNDLED = ("sorcery", "sorcery-2017", "constructor", "constructor-small", "lcr")


@cache
def loaded(name: str) -> Plugin:
    """A bundled game, or one of the examples."""
    return load(str(FOLDER / f"{name}.py") if name in EXAMPLES else name)
