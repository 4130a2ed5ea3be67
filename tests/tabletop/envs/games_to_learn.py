"""The games that can be learnt: those installed, and the examples that list their actions."""

from __future__ import annotations

from pathlib import Path

from tabletop.registry import installed

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = [
    str(path)
    for path in sorted(EXAMPLES.glob("*.py"))
    if "\nGAME = " in (text := path.read_text("utf-8")) and "def all_actions" in text
]
GAMES = [*installed(), *FILES]


def example(name: str) -> str:
    """The path of an example."""
    return str(EXAMPLES / f"{name}.py")


def title(game: str) -> str:
    """A name for the test of a game."""
    return Path(game).stem
