"""`python -m benchmarks strength`: how often bots that look ahead win, with confidence intervals.

This takes minutes to hours, so it runs only when it is named. The seats take turns: the bot that is
measured plays every seed once from each seat.
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

TITLE = "Matches that a bot wins alone (or, where it says so, does not lose); 95 % intervals"

MOST_PLIES = 20_000
"""A match that is longer counts as a draw."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A share of matches that a bot is to win.

    Attributes:
        game: the name of an installed game, or an example's file in `examples/`.
        bot: the bot that is measured, by name.
        others: the bot on all other seats.
        share: the share to reach, from 0.0 to 1.0; None where there is no goal.
        seats: the number of players.
        unlost: whether a draw counts as well.
    """

    game: str
    bot: str
    others: str
    share: float | None = None
    seats: int = 2
    unlost: bool = False

    @property
    def title(self) -> str:
        """The name of the row: the game, and who plays whom."""
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
"""What is measured where no game is named, or of the games that are."""


@dataclass(frozen=True, slots=True)
class Result:
    """A number of matches that went well, of those played."""

    good: int
    played: int

    @property
    def share(self) -> float:
        """The share that went well; 0.0 before the first match."""
        return self.good / self.played if self.played else 0.0

    def __str__(self) -> str:
        low, high = wilson(self.good, self.played)
        return f"{self.good} of {self.played}: {self.share:.3f} ({low:.3f} to {high:.3f})"


def measure(goal: Goal, matches: int, processes: int) -> Iterator[Result]:
    """Play matches in some processes, and yield the result so far after each batch of them."""
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
    """Return whether the bot wins a match (or does not lose)."""
    seat = -number % goal.seats  # all bots move on by a seat from match to match
    return row["winners"] == (seat,) or (goal.unlost and row["winners"] in ((), (seat,)))


def _place(game: str) -> str:
    return str(ROOT / "examples" / game) if game.endswith(".py") else game


def main(arguments: Sequence[str]) -> int:
    """Measure the goals of the games that are named, or two bots; 0 also when a goal is missed."""
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
    """Return what is to be measured."""
    known = [goal for goal in GOALS if not options.game or goal.game in options.game]
    if options.bot is None and {*options.game} <= {goal.game for goal in known}:
        return known
    if not options.game or options.bot is None:
        raise RegistryError("to measure anything without a goal, name a game and a --bot")
    for game, bot in product(options.game, (options.bot, options.against)):
        load(_place(game)).bot(bot, Streams(0)["bot"])
    return [Goal(game, options.bot, options.against, seats=options.seats) for game in options.game]


def _row(goal: Goal, matches: int, processes: int) -> Row:
    """Measure a goal; say on standard error how far it is."""
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
        help=f"a game, or an example's file: {', '.join(games)} (all when none is named)",
    )
    parser.add_argument("--matches", type=_positive, default=400, help="of each row (400)")
    parser.add_argument(
        "--processes",
        type=_positive,
        default=os.cpu_count() or 1,
        help="how many matches are played at once (one on each core)",
    )
    parser.add_argument("--bot", help="measure this bot in the place of those with a goal")
    parser.add_argument("--against", default="random", help="the others, with --bot (random)")
    parser.add_argument("--seats", type=_positive, default=2, help="players, with --bot (2)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
