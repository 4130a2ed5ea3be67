"""Options of games, as typed and as in a record. Each line is NAME=VALUE."""

from __future__ import annotations

from pathlib import Path

from tabletop import OptionError
from tabletop.cli.match_args import describe_options, read_options
from tabletop.errors import UsageError
from tools.fuzz.making import GAMES, fresh, game
from tools.fuzz.target import Target

GOES_ON = 5


def run(data: bytes, folder: Path) -> str:
    """Start a match of every game with these options."""
    words = data.decode("utf-8", "replace").split("\n")
    return " ".join(begun(name, words) for name in GAMES)


def begun(name: str, words: list[str]) -> str:
    """Start a match with these options."""
    describe_options(game(name))
    try:
        match = fresh(name, options=read_options(game(name), words))
    except (UsageError, OptionError) as error:
        return f"{error};"
    match.run(GOES_ON)
    return "begun;"


def declared() -> tuple[bytes, ...]:
    """Return every option of every game, without a value."""
    return tuple(
        sorted({f"\n{option.name}=".encode() for name in GAMES for option in game(name).options})
    )


TARGET = Target(run, lambda: (word.strip() for word in declared()), words=declared())
