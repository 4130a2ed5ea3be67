"""Check that a game keeps the contract: play random matches, and test every law at each step."""

from __future__ import annotations

import argparse
import sys

from tabletop.cli import UsageError
from tabletop.printable import say_error
from tabletop.registry import load

HELP = "check that a game keeps the contract"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", metavar="GAME", help="a name, module:NAME, or a path to a .py file")
    parser.add_argument(
        "--matches", metavar="N", type=int, default=20, help="how many matches (by default 20)"
    )
    parser.add_argument(
        "--plies",
        metavar="N",
        type=int,
        default=100_000,
        help="most actions a match (default 100000)",
    )
    parser.add_argument("--seed", metavar="TEXT", default="check", help="play other matches")


def run(arguments: argparse.Namespace) -> int:
    """Check the game; exit 1 with the law that it breaks."""
    from tabletop.testing import LawBroken, check_game

    for name in ("matches", "plies"):
        if getattr(arguments, name) < 1:
            raise UsageError(f"--{name} {getattr(arguments, name)}: give 1 or more")
    game = load(arguments.game).game
    try:
        report = check_game(
            game, matches=arguments.matches, plies=arguments.plies, seed=arguments.seed
        )
    except LawBroken as error:
        say_error(f"tabletop: {error}")
        return 1
    except KeyboardInterrupt:
        say_error(f"tabletop: {game.name}: interrupted, and not checked")
        return 1
    sys.stdout.write(f"{game.name}: keeps the contract ({report})\n")
    return 0
