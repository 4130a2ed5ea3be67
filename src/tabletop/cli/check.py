"""Command that checks whether a game keeps the contract."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from tabletop.cli.match_args import (
    add_game_argument,
    add_option_argument,
    check_seats,
    choose_options,
    number_in,
)
from tabletop.host.screen_text import say_error
from tabletop.registry import BotMaker, Plugin, load
from tabletop.terminal.args import as_text
from tabletop.terminal.programs import Interrupted
from tabletop.terminal.progress import ProgressLine
from tabletop.wording import number, plural

if TYPE_CHECKING:
    from tabletop.testing.laws import Report

_MATCHES, _SECONDS = 20, 30.0
"""The default number of matches, and their time limit in seconds."""

_MOST_SECONDS: Final = 1_000_000
"""The maximum time of a check, in seconds."""

_RULES_SHARE: Final = 0.9
"""The share of the time for the rules; the picture has the rest."""

_PICTURED_MATCHES, _PICTURED_PLIES = 2, 60
"""The number of matches to draw, and of plies of each; only a failing picture is reported."""

_SHORT_SEARCH: Final = "search:3"
"""The bot that looks ahead which is held to the law of bots."""


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop check`."""
    add_game_argument(parser)
    parser.add_argument(
        "--matches",
        metavar="N",
        type=number_in(1),
        help=f"how many matches, however long they take (by default {_MATCHES}, within the time)",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=number_in(0.001, _MOST_SECONDS, float),
        help="stop after so long, and say how much was checked (by default"
        f" {number(_SECONDS)}; with --matches, as long as it takes)",
    )
    parser.add_argument(
        "--plies",
        metavar="N",
        type=number_in(1),
        help="stop a match after so many actions; without it, one that goes on after 100000 fails",
    )
    parser.add_argument("--seed", metavar="TEXT", default="check", help="play other matches")
    parser.add_argument(
        "--seats",
        metavar="N",
        type=int,
        action="append",
        help="how many play; repeat. By default every number that the game allows",
    )
    add_option_argument(parser)
    parser.add_argument(
        "--unseeded",
        action="store_true",
        help="the options put a generator with a start of its own in place of the seed's",
    )


def run_check(arguments: argparse.Namespace) -> int:
    """Check that a game keeps the contract.

    Plays random matches, and tests every law at each step.
    """
    from tabletop.testing.check import check_game
    from tabletop.testing.laws import LawBroken
    from tabletop.testing.pictures import check_picture

    seconds, matches = arguments.seconds, arguments.matches or _MATCHES
    if seconds is None and arguments.matches is None:
        seconds = _SECONDS
    plugin = load(arguments.game)
    game = plugin.game
    options = choose_options(arguments, game)
    declared: object = game.seats
    for seats in (arguments.seats or ()) if isinstance(declared, range) else ():
        check_seats(game, seats)
    limits: dict[str, Any] = {}
    if arguments.plies is not None:
        limits = {"plies": arguments.plies, "stop": True}
    began, line = monotonic(), ProgressLine()
    limited = "" if seconds is None else f" of {number(seconds)}"
    so_far = ", and not checked"

    def follow(report: Report, doing: str) -> None:
        nonlocal so_far
        if report.plies:
            so_far = f"; nothing was wrong so far ({report})"
        done = f"{plural(report.plies, 'action')}, {int(monotonic() - began)}{limited} s"
        line.show(f"{game.name}: {doing}; {done}")

    try:
        report = check_game(
            game,
            matches=matches,
            seconds=None if seconds is None else seconds * _RULES_SHARE,
            seed=as_text(arguments.seed),
            seats=arguments.seats,
            options=options,
            seeded=not arguments.unseeded,
            bots={**plugin.bots, **_short_search(plugin)},
            encoder=plugin.encoder,
            progress=follow,
            **limits,
        )
        follow(report, "the picture")
        check_picture(
            *(game, plugin.make_picture()),
            matches=min(matches, _PICTURED_MATCHES),
            plies=min(arguments.plies or _PICTURED_PLIES, _PICTURED_PLIES),
            seconds=None if seconds is None else began + seconds - monotonic(),
            seed=as_text(arguments.seed),
            options=options,
        )
        if seconds is not None and monotonic() >= began + seconds:
            report.left_out.append("all pictures")
    except LawBroken as error:
        line.wipe()
        say_error(f"tabletop: {error}")
        return 1
    except KeyboardInterrupt:
        raise Interrupted(f"{game.name}: interrupted{so_far}") from None
    finally:
        line.wipe()
    limit = "" if report.complete else f", as far as {number(seconds)} seconds went"
    sys.stdout.write(f"{game.name}: keeps the contract{limit} ({report})\n")
    return 0


def _short_search(plugin: Plugin) -> dict[str, BotMaker]:
    """Return the cheapest bot that looks ahead, and `fair`, which comes to later positions."""
    names = (_SHORT_SEARCH, "fair") if plugin.levels else ()
    return {name: partial(plugin.bot, name) for name in names}
