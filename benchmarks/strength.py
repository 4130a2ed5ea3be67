"""`python -m benchmarks strength`: win rates of search bots with confidence intervals.

This takes minutes to hours, so it runs only on request. The measured bot plays every seed once from
each seat.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from benchmarks.common import ROOT, Row, Target, as_data, as_table
from tabletop import RegistryError, Streams, TabletopError
from tabletop.registry import load
from tabletop.studies import Row as StudyRow
from tabletop.studies import Series, wilson, workers_for
from tabletop.studies.simulating import play_missing

TITLE = "Matches that a bot wins alone (or does not lose, if stated), with 95 % intervals"

MOST_PLIES = 20_000
"""Maximum plies. A longer match counts as a draw."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A win rate that a bot should reach.

    Attributes:
        game: Name of an installed game, or a file in `examples/`.
        bot: Name of the measured bot.
        others: Name of the bot on all other seats.
        share: Target win rate, from 0.0 to 1.0, or None without a target.
        seats: Number of players.
        unlost: Whether draws count as well.
    """

    game: str
    bot: str
    others: str
    share: float | None = None
    seats: int = 2
    unlost: bool = False

    @property
    def title(self) -> str:
        """The label of the row: the game and the bots."""
        others = self.others if self.seats == 2 else f"{self.seats - 1} of {self.others}"
        unlost = ", not lost" if self.unlost else ""
        return f"{self.game.removesuffix('.py')}, {self.bot} against {others}{unlost}"


GOALS: Sequence[Goal] = (
    Goal("sorcery", "search:500", "duelist", 0.6),
    Goal("sorcery", "search:5000", "duelist", 0.75),
    Goal("constructor", "hard", "builder", 0.4, seats=4),
    Goal("tictactoe.py", "hard", "random", 1.0, unlost=True),
    Goal("tictactoe.py", "hard", "hard", 1.0, unlost=True),
    Goal("nettles.py", "hard", "careful", 0.4, seats=4),
    Goal("masks.py", "hard", "random", 0.75),
    Goal("vacant_chair.py", "hard", "schemer"),
    Goal("harbour.py", "hard", "honest", 0.5),
    Goal("harbour.py", "hard", "honest", seats=4),
    Goal("liars_dice.py", "hard", "sober", 0.5),
    Goal("flotsam.py", "hard", "trader", seats=3),
    Goal("go.py", "hard", "taker"),
    Goal("caverns.py", "hard", "random"),
)
"""The measurements that run by default, or those of the given games."""


@dataclass(frozen=True, slots=True)
class Result:
    """The number of successes among the matches played."""

    good: int
    played: int

    @property
    def share(self) -> float:
        """Share of successes, or 0.0 before the first match."""
        return self.good / self.played if self.played else 0.0

    def __str__(self) -> str:
        low, high = wilson(self.good, self.played)
        return f"{self.good} of {self.played}: {self.share:.3f} ({low:.3f} to {high:.3f})"


def measure(goal: Goal, matches: int, processes: int) -> Iterator[Result]:
    """Play matches in several processes, and yield the result so far after each batch."""
    bots = (goal.bot, *[goal.others] * (goal.seats - 1))
    series = Series(
        _place(goal.game), goal.seats, bots, seeds="strength", rotated=True, plies=MOST_PLIES
    )
    result = Result(0, 0)
    with workers_for(processes) as workers:
        for batch in play_missing(series, [range(matches)], workers):
            good = sum(map(partial(_goes_well, goal), batch.numbers, batch.rows))
            result = Result(result.good + good, result.played + len(batch.rows))
            yield result


def _goes_well(goal: Goal, number: int, row: StudyRow) -> bool:
    """Return whether the bot won the match (or did not lose it)."""
    seat = -number % goal.seats  # all bots move by one seat from match to match
    return row["winners"] == (seat,) or (goal.unlost and row["winners"] in ((), (seat,)))


def _place(game: str) -> str:
    return str(ROOT / "examples" / game) if game.endswith(".py") else game


def main(arguments: Sequence[str]) -> int:
    """Run the requested measurements. The exit status is 0 even if a target is missed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        goals = _goals(options)
    except TabletopError as error:
        parser.error(str(error))
    rows = [_row(goal, options.matches, options.processes) for goal in goals]
    if options.json:
        print(json.dumps([as_data(row) for row in rows], indent=2))
    else:
        print(as_table(TITLE, rows))
    return 0


def _goals(options: argparse.Namespace) -> Sequence[Goal]:
    """Return the measurements to run."""
    known = [goal for goal in GOALS if not options.game or goal.game in options.game]
    if options.bot is None and {*options.game} <= {goal.game for goal in known}:
        return known
    if not options.game or options.bot is None:
        raise RegistryError("give a game and a --bot to measure a bot without a target")
    for game, bot in product(options.game, (options.bot, options.against)):
        load(_place(game)).bot(bot, Streams(0)["bot"])
    return [Goal(game, options.bot, options.against, seats=options.seats) for game in options.game]


def _row(goal: Goal, matches: int, processes: int) -> Row:
    """Run a measurement, and print its progress to standard error."""
    result = Result(0, 0)
    for result in measure(goal, matches, processes):
        if sys.stderr.isatty() or result.played * 10 % matches < 10:
            end = "\r" if sys.stderr.isatty() else "\n"
            print(f"{goal.title}: {result}", end=end, file=sys.stderr, flush=True)
    print(file=sys.stderr)
    low, high = wilson(result.good, result.played)
    of = f"of the matches ({low:.3f} to {high:.3f})"
    target = None if goal.share is None else Target(goal.share, at_least=True)
    return Row(goal.title, result.good, f"of {result.played}", result.share, of, target)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength", description=__doc__)
    games = tuple(dict.fromkeys(goal.game for goal in GOALS))
    parser.add_argument(
        "game",
        nargs="*",
        help=f"games or files of examples: {', '.join(games)} (default: all)",
    )
    parser.add_argument(
        "--matches", type=_positive, default=400, help="matches per row (default: 400)"
    )
    parser.add_argument(
        "--processes",
        type=_positive,
        default=os.cpu_count() or 1,
        help="matches played at the same time (default: one per core)",
    )
    parser.add_argument("--bot", help="bot to measure instead of the predefined ones")
    parser.add_argument(
        "--against", default="random", help="bot on the other seats, with --bot (default: random)"
    )
    parser.add_argument(
        "--seats", type=_positive, default=2, help="number of players, with --bot (default: 2)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
