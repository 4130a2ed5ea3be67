"""List the games that can be played."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from tabletop.errors import RegistryError
from tabletop.game import AnyGame
from tabletop.host.printable import printable, say_error
from tabletop.registry import installed, load_point
from tabletop.text_layout import table

_BROKEN: Final = "(cannot be loaded)"
"""What stands for the title of a game that is installed, and fails; why is said below."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes: nothing."""


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each installed game, and why one cannot be loaded."""
    rows = []
    broken = []
    for name, point in installed().items():
        try:
            game = load_point(point).game
        except RegistryError as error:
            broken.append(str(error))
            rows.append((name, "-", "-", _BROKEN))
        else:
            rows.append((name, players_of(game), game.version, printable(game.title or game.name)))
    sys.stdout.write(table(("NAME", "PLAYERS", "VERSION", "TITLE"), rows) + "\n")
    for message in broken:
        say_error(f"tabletop: {message}")
    return 1 if broken else 0


def players_of(game: AnyGame) -> str:
    """How many can play, in words: `2`, `3-11`, or `2, 4`."""
    seats = game.seats
    if len(seats) > 1 and seats.step == 1:
        return f"{seats[0]}-{seats[-1]}"
    return ", ".join(map(str, seats))
