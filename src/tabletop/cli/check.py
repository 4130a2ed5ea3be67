"""The command `tabletop check`, which checks whether a game keeps the contract."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
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
from tabletop.host.screen_text import print_error
from tabletop.match.match import AnyMatch, Match
from tabletop.match.players import ask
from tabletop.registry import LEVELS, MOST_ITERATIONS, BotMaker, Plugin, load
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import Interrupted
from tabletop.terminal.progress import ProgressLine
from tabletop.wording import join_words, number, plural

if TYPE_CHECKING:
    from tabletop.testing.laws import LawBroken, Report

_MATCHES, _SECONDS = 20, 30.0  # the default number of matches, and their time limit in seconds
_MOST_SECONDS: Final = 1_000_000  # maximum time of a check, in seconds
_PARTS: Final = ("rules", "bots", "words", "pictures")  # the parts of a check, for `--only`

_RULES_SHARE: Final = 0.6
"""Fraction of the time for rules and bots. The rest is for texts and pictures."""

_TIMING_SHARE: Final = 0.1  # fraction of the time that is reserved for timing the levels

_SHOWN_MATCHES, _SHOWN_PLIES = 5, 2000
"""Number of matches to describe and to draw, and the maximum number of plies of each."""

_SHORT_SEARCH: Final = "search:3"  # the search bot that is tested against the law of bots

_MOVES, _GAP = 4, 8
"""Levels are timed in `_MOVES` random matches, at one decision per match. Each decision is at least
`_GAP` plies later than the decision in the previous match.
"""

_FEW: Final = 0.1  # minimum fraction of tested actions without a warning in the report
_LEVEL_SECONDS: Final = 3.0  # total seconds after which no further move of a level is timed

_ABOUT_A_SECOND: Final = (0.3, 3.0)
"""The range of seconds per move in which the strongest level keeps its budget. Outside this range,
the command suggests a budget of about a second.
"""


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    parser.add_argument(
        "--matches",
        metavar="N",
        type=number_in(1),
        help=f"number of matches to play, ignoring the time limit (default: {_MATCHES}, or fewer"
        " within the time limit)",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=number_in(0.001, _MOST_SECONDS, float),
        help="stop after S seconds and report how much was checked (default:"
        f" {number(_SECONDS)}, or no limit with --matches)",
    )
    parser.add_argument(
        "--plies",
        metavar="N",
        type=number_in(1),
        help="stop a match after N actions (default: a match with more than 100000 actions fails)",
    )
    parser.add_argument(
        "--seed", metavar="TEXT", default="check", help="seed of the random matches"
    )
    parser.add_argument(
        "--seats",
        metavar="N",
        type=int,
        action="append",
        help="number of seats, repeatable (default: every number that the game allows)",
    )
    add_option_argument(parser)
    parser.add_argument(
        "--only",
        choices=_PARTS,
        action="append",
        help="check only this part (repeatable)",
    )
    parser.add_argument(
        "--unseeded",
        action="store_true",
        help="allow draws that do not depend on the seed, because the options install another"
        " random generator",
    )


def run_check(arguments: argparse.Namespace) -> int:
    """Check that a game keeps the contract.

    The command plays random matches and tests every law of the contract. It prefers positions with
    something new: a kind of action, a class of events or a phase. It also renders matches as text
    and as pictures, and prints each kind of fault once. If there is no fault, it prints the time
    per move of the bots `easy`, `fair` and `hard` with the maximum number of seats. Finally, it
    lists the actions, events and options that no match covered.
    """
    from tabletop.testing.check import check_game

    parts = arguments.only or _PARTS
    share = _RULES_SHARE if {"words", "pictures"}.intersection(parts) else 1.0
    seconds, matches = arguments.seconds, arguments.matches or _MATCHES
    if seconds is None and arguments.matches is None:
        seconds = _SECONDS
    plugin = load(arguments.game)
    game = plugin.game
    limits = _choose_limits(arguments, game)
    options = limits["options"]
    began, line = monotonic(), ProgressLine()
    end = None if seconds is None else began + seconds
    limited = "" if seconds is None else f" of {number(seconds)}"
    so_far, levels = " before anything was checked", ""
    faults: list[LawBroken] = []

    def follow(report: Report, doing: str) -> None:
        nonlocal so_far
        if report.plies:
            so_far = f"; no faults so far ({report.counts})"
        done = f"{plural(report.plies, 'action')}, {int(monotonic() - began)}{limited} s"
        line.show(f"{game.name}: {doing}; {done}")

    try:
        _ = plugin.rules  # raises an error if the rulebook cannot be read
        report = check_game(
            game,
            matches=matches,
            seconds=None if seconds is None else seconds * share,
            bots={**plugin.bots, **_short_searches(plugin)},
            encoder=plugin.encoder,
            progress=follow,
            faults=faults,
            parts=parts,
            **limits,
        )
        shown: dict[str, Any] = {
            "matches": min(matches, _SHOWN_MATCHES),
            "plies": arguments.plies or _SHOWN_PLIES,
            "seed": limits["seed"],
            "options": options,
            "faults": faults,
            "coverage": report.coverage,
        }
        timing = _TIMING_SHARE * ("bots" in parts)
        until = None if seconds is None else began + seconds * (1.0 - timing)
        checked = _check_words_and_pictures(plugin, report, until, follow, parts=parts, shown=shown)
        if "bots" in parts and not faults:
            follow(report, "timing the levels")
            levels = _time_levels(plugin, report, end, options, arguments.seats)
    except KeyboardInterrupt:
        if faults:
            so_far = f"; {plural(len(faults), 'fault')} so far, the first is: {faults[0]}"
        raise Interrupted(f"{game.name}: interrupted{so_far}") from None
    finally:
        line.wipe()
    for fault in faults:
        print_error(f"tabletop: {fault}")
    if not faults:
        limit = "" if report.complete else f", as far as checked within {number(seconds)} seconds"
        lines = [_verdict(report, checked, limit), *(report.remarks() if report.matches else ())]
        sys.stdout.writelines(f"{game.name}: {line}\n" for line in lines)
        sys.stdout.write(levels)
    bots = [*(name for name in plugin.bots if name not in LEVELS), *_short_searches(plugin)]
    if report.coverage.played:
        coverage = report.coverage.lines(game, options, bots if "bots" in parts else ())
        sys.stdout.writelines(f"{game.name}: {covered}\n" for covered in coverage)
    return 1 if faults else 0


def _verdict(report: Report, checked: Sequence[str], limit: str) -> str:
    """Return the first line of a check without faults."""
    if checked and not report.matches:
        return f"no faults in {join_words(checked, 'and')}{limit}"
    if report.tested < _FEW * report.plies:
        few = f"only {report.tested} of {plural(report.plies, 'action')} were tested"
        return f"no faults found, but {few}: give it more time with --seconds ({report.counts})"
    return f"keeps the contract{limit} ({report.counts})"


def _choose_limits(arguments: argparse.Namespace, game: AnyGame) -> dict[str, Any]:
    """Return the arguments of `check_game` that select and limit the matches."""
    for seats in arguments.seats or ():
        check_seats(game, seats)
    limits: dict[str, Any] = {
        "seed": as_text(arguments.seed),
        "seats": arguments.seats,
        "options": choose_options(arguments, game),
        "seeded": not arguments.unseeded,
    }
    if arguments.plies is not None:
        limits |= {"plies": arguments.plies, "stop": True}
    return limits


def _time_levels(
    plugin: Plugin,
    report: Report,
    end: float | None,
    options: Options,
    seats: Sequence[int] | None,
) -> str:
    """Return the line of `_times_of_levels`, or note in the report that there was no time."""
    if end is None or monotonic() < end:
        # Moves are slowest with the maximum number of seats.
        return _times_of_levels(plugin, options, max(seats or plugin.game.seats))
    if any(name in plugin.bot_names for name in LEVELS):
        report.left_out.append("timing the levels")
    return ""


def _check_words_and_pictures(
    plugin: Plugin,
    report: Report,
    end: float | None,
    follow: Callable[[Report, str], None],
    *,
    parts: Sequence[str],
    shown: Mapping[str, Any],
) -> list[str]:
    """Check texts and pictures, each in half of the time.

    Return descriptions of how many texts, pictures and bots have been checked.
    """
    from tabletop.testing.check import collecting
    from tabletop.testing.pictures import check_picture
    from tabletop.testing.words import check_words

    game, checks, checked = plugin.game, list[tuple[str, partial[int], str, str]](), list[str]()
    if "words" in parts:
        words = partial(check_words, game, plugin.text)
        checks.append(("texts", words, "the texts of ", "position"))
    if "pictures" in parts:
        pictures = partial(check_picture, game, plugin.make_picture())
        checks.append(("pictures", pictures, "", "picture"))
    for left, (name, check, of, thing) in zip(range(len(checks), 0, -1), checks, strict=True):
        follow(report, f"checking the {name}")
        began, count = monotonic(), 0
        seconds = None if end is None else (end - began) / left
        with collecting(shown["faults"]):
            count = check(**shown, seconds=seconds)
        checked.append(f"{of}{plural(count, thing)}")
        if seconds is not None and monotonic() - began >= seconds:
            report.left_out.append(f"further {name} ({plural(count, thing)} checked)")
    if "bots" in parts:
        checked.append(plural(len(report.coverage.bots), "bot"))
    return checked


def _short_searches(plugin: Plugin) -> dict[str, BotMaker]:
    """Return the cheapest search bots that call all functions of the plugin, by name."""
    names = [_SHORT_SEARCH, *(["alphabeta:1"] if plugin.loud else [])] if plugin.levels else []
    return {name: partial(plugin.bot, name) for name in names}


def _times_of_levels(plugin: Plugin, options: Options, seats: int) -> str:
    """Return a line with the seconds per move of each level and a suggested budget.

    The result is empty for a game without levels or without decisions.
    """
    names = [name for name in LEVELS if name in plugin.bot_names]
    moments = [] if not names else _moments(plugin, options, seats)
    if not moments:
        return ""
    taken = {name: _measure(plugin, name, moments) for name in names}
    each = ", ".join(f"{name} {seconds:.2g} s" for name, (seconds, _) in taken.items())
    line = f"{plugin.game.name}: a move takes {each}"
    line += f" with {seats} seats" if len(plugin.game.seats) > 1 else ""
    strongest = plugin.bots.get(names[-1]) or plugin.levels[names[-1]]
    if not isinstance(strongest, str) or strongest in plugin.bots:
        return f"{line}\n"  # the game's own bot has no budget
    if plugin.hard_is_alpha_beta or strongest.startswith("alphabeta"):
        better = _fitting_depth(plugin, strongest, taken[names[-1]][0], moments)
    else:
        better = _fitting_budget(strongest, *taken[names[-1]])
    if better:
        levels = {**plugin.levels, names[-1]: better}
        words = ", ".join(f'"{name}": "{bot}"' for name, bot in levels.items())
        line += f"; for about a second, write levels={{{words}}}"
    return f"{line}\n"


def _moments(plugin: Plugin, options: Options, seats: int) -> list[AnyMatch]:
    """Return random matches, each stopped at a decision, and each later than the previous one."""
    stream, moments = Streams("levels")["moves"], list[AnyMatch]()
    for index in range(_MOVES):
        seed = f"levels {index}"
        match: AnyMatch = Match(plugin.game, seed=seed, seats=seats, options=options)
        latest: AnyMatch | None = None
        while not match.over and match.ply < _GAP * _MOVES:
            actions = match.legal_actions(match.to_act[0])
            if len(actions) > 1:
                latest = match.clone()
                if match.ply >= _GAP * index:
                    break
            match.play(stream.choice(actions))
        moments += [latest] if latest else []
    return moments


def _measure(plugin: Plugin, level: str, moments: Sequence[AnyMatch]) -> tuple[float, int]:
    """Return the seconds and the iterations per move of a level."""
    iterations, moves, begun = 0, 0, monotonic()
    for match in moments:
        seat = match.to_act[0]
        bot = plugin.bot(level, match.bot_stream(seat), seat)
        ask(bot, match.view(seat), match.legal_actions(seat), match.sampler(seat))
        search = getattr(bot, "last_search", None)
        iterations += search.iterations if search else 0
        moves += 1
        if monotonic() - begun >= _LEVEL_SECONDS:
            break
    return (monotonic() - begun) / moves, iterations // moves


def _fitting_budget(name: str, seconds: float, iterations: int) -> str:
    """Name a search bot that takes about a second per move, or "" if the bot `name` does."""
    low, high = _ABOUT_A_SECOND
    search, _, budget = name.partition(":")
    if not iterations or low <= seconds <= high:
        return ""
    fitting = min(MOST_ITERATIONS, max(1, int(float(f"{iterations / seconds:.1g}"))))
    return "" if str(fitting) == budget else f"{search}:{fitting}"


def _fitting_depth(plugin: Plugin, name: str, seconds: float, moments: Sequence[AnyMatch]) -> str:
    """Name an alpha-beta bot that takes less than a second and is not the bot of another level.

    Return "" if there is none, or if `hard` is fast enough.
    """
    if seconds <= _ABOUT_A_SECOND[1]:
        return ""
    _, depth = _measure(plugin, "alphabeta:1s", moments)  # the last iteration is incomplete
    better = f"alphabeta:{max(1, depth - 1)}"
    return "" if better in plugin.levels.values() else better
