"""Games with an observation encoder."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tabletop import Plugin
from tabletop.registry import load

FOLDER = Path(__file__).parents[3] / "examples"
EXAMPLES = (
    *("beacons", "caverns", "flotsam", "go", "harbour", "hearts", "herons", "kuhn_poker"),
    *("loaded_dice", "masks", "nettles", "simultaneous", "tictactoe", "vacant_chair"),
)
BUNDLED = ("sorcery", "sorcery-2017", "constructor", "constructor-small", "lcr")


@cache
def loaded(name: str) -> Plugin:
    """Load a bundled game or an example."""
    return load(str(FOLDER / f"{name}.py") if name in EXAMPLES else name)
