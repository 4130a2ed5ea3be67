"""Check that a game keeps the contract: play random matches, and test every law at each step."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tabletop.cli.gameoptions import describe_options, read_options
from tabletop.cli.games import players_of
from tabletop.errors import UsageError
from tabletop.game import AnyGame
from tabletop.host.printable import say_error
from tabletop.registry import load
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import Interrupted

_PICTURED_MATCHES, _PICTURED_PLIES = 2, 60
"""How much of how many matches is also drawn; only a picture that fails is reported."""


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
        help="stop a match after so many actions; without it, one that goes on after 100000 fails",
    )
    parser.add_argument("--seed", metavar="TEXT", default="check", help="play other matches")
    parser.add_argument(
        "--seats",
        metavar="N[,M...]",
        type=_numbers,
        action="extend",
        help="how many play, in turn; by default every number that the game allows",
    )
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the game; repeat. `--option help` lists them",
    )
    parser.add_argument(
        "--unseeded",
        action="store_true",
        help="the options put a generator with a start of its own in place of the seed's",
    )


def _numbers(text: str) -> list[int]:
    words = text.split(",")
    if not all(word.strip().isascii() and word.strip().isdecimal() for word in words):
        raise argparse.ArgumentTypeError(f"{text!r}: write whole numbers with commas between")
    return [int(word) for word in words]


def run(arguments: argparse.Namespace) -> int:
    """Check the game; exit 1 with the law that it breaks."""
    from tabletop.drawing import picture_of
    from tabletop.testing import LawBroken, check_game, check_picture

    for name in ("matches", "plies"):
        if getattr(arguments, name) is not None and getattr(arguments, name) < 1:
            raise UsageError(f"--{name} {getattr(arguments, name)}: give 1 or more")
    plugin = load(arguments.game)
    game = plugin.game
    if "help" in arguments.option:
        sys.stdout.write(describe_options(game))
        return 0
    options = read_options(game, [as_text(word) for word in arguments.option])
    _check_seats(game, arguments.seats)
    limits: dict[str, Any] = {}
    if arguments.plies is not None:
        limits = {"plies": arguments.plies, "stop": True}
    try:
        report = check_game(
            game,
            matches=arguments.matches,
            seed=as_text(arguments.seed),
            seats=arguments.seats,
            options=options,
            seeded=not arguments.unseeded,
            bots=plugin.bots,
            **limits,
        )
        matches = min(arguments.matches, _PICTURED_MATCHES)
        seed = as_text(arguments.seed)
        check_picture(
            *(game, picture_of(plugin)),
            matches=matches,
            plies=_PICTURED_PLIES,
            seed=seed,
            options=options,
        )
    except LawBroken as error:
        say_error(f"tabletop: {error}")
        return 1
    except KeyboardInterrupt:
        raise Interrupted(f"{game.name}: interrupted, and not checked") from None
    sys.stdout.write(f"{game.name}: keeps the contract ({report})\n")
    return 0


def _check_seats(game: AnyGame, numbers: list[int] | None) -> None:
    """Accept the numbers of seats to try.

    Raises:
        UsageError: the game is not for one of them.
    """
    allowed: object = game.seats
    for number in numbers or ():
        if isinstance(allowed, range) and number not in allowed:
            raise UsageError(f"{game.name} is for {players_of(game)} players, not for {number}")
