"""Command that checks whether a game keeps the contract."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, Final

from tabletop.cli.match_args import (
    add_game_argument,
    add_option_argument,
    check_seats,
    choose_options,
    number_in,
)
from tabletop.host.screen_text import say_error
from tabletop.match.match import AnyMatch, Match
from tabletop.match.players import ask
from tabletop.registry import LEVELS, MOST_ITERATIONS, BotMaker, Plugin, load
from tabletop.rng.streams import Streams
from tabletop.rules.options import Options
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
"""The share of the time for the rules; the words and the picture have the rest."""

_SAID_MATCHES, _SAID_PLIES = 5, 2000
"""The number of matches to say in words, and of plies of each."""

_PICTURED_MATCHES, _PICTURED_PLIES = 2, 60
"""The number of matches to draw, and of plies of each; only a failing picture is reported."""

_SHORT_SEARCH: Final = "search:3"
"""The bot that looks ahead which is held to the law of bots."""

_MOVES, _GAP = 4, 8
"""Levels are measured at one choice in each of so many random matches, so many plies later each."""

_LEVEL_SECONDS: Final = 3.0
"""No further move of a level is measured after so long."""

_ABOUT_A_SECOND: Final = (0.3, 3.0)
"""What the strongest level may take a move, in seconds: less could make it stronger."""


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

    Plays random matches, and tests every law at each step; some are said and drawn as well. Then it
    says what a move of `easy`, `fair` and `hard` takes where most play, and which budget would take
    a second where that is far from it.
    """
    from tabletop.testing.check import check_game
    from tabletop.testing.laws import LawBroken

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
    end = None if seconds is None else began + seconds
    limited = "" if seconds is None else f" of {number(seconds)}"
    so_far = ", and not checked"
    levels = ""

    def follow(report: Report, doing: str) -> None:
        nonlocal so_far
        if report.plies:
            so_far = f"; nothing was wrong so far ({report})"
        done = f"{plural(report.plies, 'action')}, {int(monotonic() - began)}{limited} s"
        line.show(f"{game.name}: {doing}; {done}")

    try:
        _ = plugin.rules  # that the rules for people can be read
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
        _check_words_and_picture(
            *(plugin, report, end, follow),
            matches=matches,
            plies=arguments.plies,
            seed=as_text(arguments.seed),
            options=options,
        )
        if end is None or monotonic() < end:
            follow(report, "the time of the levels")
            # Where most play, a move takes longest.
            levels = _times_of_levels(plugin, options, max(arguments.seats or game.seats))
        elif any(name in plugin.bot_names for name in LEVELS):
            report.left_out.append("what a move of each level takes")
    except LawBroken as error:
        line.wipe()
        say_error(f"tabletop: {error}")
        return 1
    except KeyboardInterrupt:
        raise Interrupted(f"{game.name}: interrupted{so_far}") from None
    finally:
        line.wipe()
    limit = "" if report.complete else f", as far as {number(seconds)} seconds went"
    sys.stdout.write(f"{game.name}: keeps the contract{limit} ({report})\n{levels}")
    return 0


def _check_words_and_picture(
    plugin: Plugin,
    report: Report,
    end: float | None,
    follow: Callable[[Report, str], None],
    *,
    matches: int,
    plies: int | None,
    seed: str,
    options: Options,
) -> None:
    """Check how a game is said and drawn, each in half of the time that is left until the end."""
    from tabletop.testing.pictures import check_picture
    from tabletop.testing.words import check_words

    follow(report, "the words")
    half = None if end is None else (monotonic() + end) / 2
    said = check_words(
        *(plugin.game, plugin.text),
        matches=min(matches, _SAID_MATCHES),
        plies=plies or _SAID_PLIES,
        seconds=None if half is None else half - monotonic(),
        seed=seed,
        options=options,
    )
    if half is not None and monotonic() >= half:
        report.left_out.append(f"the words of more than {plural(said, 'position')}")
    follow(report, "the picture")
    drawn = check_picture(
        *(plugin.game, plugin.make_picture()),
        matches=min(matches, _PICTURED_MATCHES),
        plies=min(plies or _PICTURED_PLIES, _PICTURED_PLIES),
        seconds=None if end is None else end - monotonic(),
        seed=seed,
        options=options,
    )
    if end is not None and monotonic() >= end:
        report.left_out.append(f"more than {plural(drawn, 'picture')}")


def _short_search(plugin: Plugin) -> dict[str, BotMaker]:
    """Return the cheapest bot that looks ahead."""
    return {_SHORT_SEARCH: partial(plugin.bot, _SHORT_SEARCH)} if plugin.levels else {}


def _times_of_levels(plugin: Plugin, options: Options, seats: int) -> str:
    """Return a line about what each level takes a move, and what to declare; empty without any."""
    names = [name for name in LEVELS if name in plugin.bot_names]
    moments = [] if not names else _moments(plugin, options, seats)
    if not moments:
        return ""
    taken = {name: _measure(plugin, name, moments) for name in names}
    each = ", ".join(f"{name} {seconds:.2g} s" for name, (seconds, _) in taken.items())
    line = f"{plugin.game.name}: a move takes {each} of one core"
    line += f" with {seats} seats" if len(plugin.game.seats) > 1 else ""
    strongest = plugin.bots.get(names[-1]) or plugin.levels[names[-1]]
    if not isinstance(strongest, str) or strongest in plugin.bots:
        return f"{line}\n"  # a bot of the game's own takes no budget
    if better := _fitting_budget(strongest, *taken[names[-1]]):
        line += f'; about a second: levels={{..., "{names[-1]}": "{better}"}}'
    return f"{line}\n"


def _moments(plugin: Plugin, options: Options, seats: int) -> list[AnyMatch]:
    """Return random matches that stand where there is something to choose, ever later."""
    chance, found = Streams("levels")["moves"], list[AnyMatch]()
    for at in range(_MOVES):
        match: AnyMatch = Match(plugin.game, seed=f"levels {at}", seats=seats, options=options)
        latest: AnyMatch | None = None
        while not match.over and match.ply < _GAP * _MOVES:
            actions = match.legal_actions(match.to_act[0])
            if len(actions) > 1:
                latest = match.clone()
                if match.ply >= _GAP * at:
                    break
            match.play(chance.choice(actions))
        found += [latest] if latest else []
    return found


def _measure(plugin: Plugin, level: str, moments: Sequence[AnyMatch]) -> tuple[float, int]:
    """Return the seconds of one core that a level takes a move, and its iterations."""
    iterations, moves, begun = 0, 0, process_time()
    for match in moments:
        seat = match.to_act[0]
        bot = plugin.bot(level, match.chance_of(seat), seat)
        ask(bot, match.view(seat), match.legal_actions(seat), match.sampler(seat))
        thought = getattr(bot, "thought", None)
        iterations += thought.iterations if thought else 0
        moves += 1
        if process_time() - begun >= _LEVEL_SECONDS:
            break
    return (process_time() - begun) / moves, iterations // moves


def _fitting_budget(name: str, seconds: float, iterations: int) -> str:
    """Return what takes about a second in place of a bot with a budget; empty if that does."""
    low, high = _ABOUT_A_SECOND
    way, _, budget = name.partition(":")
    if not iterations or low <= seconds <= high:
        return ""
    fitting = min(MOST_ITERATIONS, max(1, int(float(f"{iterations / seconds:.1g}"))))
    return "" if str(fitting) == budget else f"{way}:{fitting}"
