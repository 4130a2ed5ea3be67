"""Arguments of the commands that play many matches, and the display of their progress."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self

from tabletop.cli.match_args import (
    add_game_argument,
    add_model_arguments,
    add_option_argument,
    choose_options,
    model_settings,
    number_in,
)
from tabletop.errors import RecordError, UsageError
from tabletop.host.screen_text import print_error
from tabletop.host.user_files import make_folders, reason, user_path
from tabletop.registry import MODEL, bot_name, is_for_command_line, load
from tabletop.studies.series import MOST_PLIES
from tabletop.studies.simulating import Progress
from tabletop.studies.workers import Workers, workers_for
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import Interrupted
from tabletop.terminal.progress import ProgressLine

_KNOWN: Final = 3.0  # seconds before the first plain progress line

_SECONDS: Final = 30.0
"""Minimum number of seconds between later progress lines, if standard error is not a terminal."""


def add_match_arguments(
    parser: argparse.ArgumentParser, seeds: str = "study", plies: int = MOST_PLIES
) -> None:
    """Add the arguments that select the matches to play and the workers that play them.

    Args:
        seeds: The default name for the series of seeds.
        plies: The default maximum length of a match, in plies.
    """
    add_game_argument(parser)
    parser.add_argument("--seats", metavar="N", type=int, help="number of seats")
    parser.add_argument(
        "--seeds",
        metavar="NAME",
        default=seeds,
        help="name of the series of seeds: match 7 has the seed 'NAME 7' (default: %(default)s)",
    )
    add_option_argument(parser)
    parser.add_argument(
        "--plies",
        metavar="N",
        type=number_in(1),
        default=plies,
        help="stop a match after N actions, without a winner (default: %(default)s)",
    )
    workers = parser.add_mutually_exclusive_group()
    workers.add_argument(
        "--workers",
        metavar="N",
        type=number_in(1),
        help="number of worker processes, or 1 to play in this process (default: one per core)",
    )
    workers.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on Dask workers: tcp://HOST:8786 is the address of a scheduler, local:4 starts 4"
        " workers on this machine",
    )


def add_bots_arguments(parser: argparse.ArgumentParser, bots: str) -> None:
    """Add the arguments of `add_match_arguments`, the number of matches, and the bots."""
    add_match_arguments(parser)
    parser.add_argument(
        *("-n", "--matches"),
        metavar="N",
        type=number_in(1),
        required=True,
        help="number of matches",
    )
    parser.add_argument(
        "--bots",
        metavar="A,B,...",
        action="append",
        default=[],
        help=f"{bots}. Repeat it for exec:COMMAND and learnt:FILE, which may contain commas."
        " llm:MODEL is a language model",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        type=user_path,
        help="record each match in this folder. Bots llm:MODEL need it: their answers are stored"
        " there, and the same command continues after a kill without asking again",
    )
    add_model_arguments(parser)


def add_series_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `add_bots_arguments`, and those for metrics and rotation."""
    add_bots_arguments(
        parser,
        "bots by seat, repeated if there are fewer bots than seats (default: fair, or random if"
        " the game has no levels)",
    )
    parser.add_argument(
        "--metric",
        metavar="NAME",
        nargs="+",
        action="extend",
        help="metrics to record in addition to the outcome: metrics of the game, FILE.py:NAME for"
        " your own function, or `none` (default: all metrics of the game)",
    )
    parser.add_argument(
        "--rotate",
        action="store_true",
        help="play each seed once per bot, and move each bot by one seat from match to match",
    )


@contextmanager
def open_workers(
    arguments: argparse.Namespace, unit: str = ""
) -> Iterator[tuple[Workers, ShownProgress]]:
    """Start the workers and show their progress. Progress lines have the game and then `unit`."""
    with (
        ShownProgress(f"{load(arguments.game).game.name}{unit}") as progress,
        workers_for(arguments.workers, arguments.cluster) as workers,
    ):
        yield workers, progress


def match_words(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the keyword arguments of `Series.of` that describe the matches."""
    return {
        "seats": arguments.seats,
        "seeds": as_text(arguments.seeds),
        "options": choose_options(arguments, load(arguments.game).game),
        "plies": arguments.plies,
    }


def bots_words(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the keyword arguments of `Series.of` that describe the bots.

    Raises:
        RecordError: The folder of the records cannot be created.
        UsageError: A language model has no folder for its answers.
    """
    bots, records = read_bot_names(arguments.bots), arguments.records
    is_model = any(bot.startswith(MODEL) for bot in bots)
    if is_model and records is None:
        raise UsageError("bots llm:MODEL need a folder for their answers: --records DIR")
    models = model_settings(arguments, bots, records)
    if records is not None:
        try:
            make_folders(records)
        except OSError as error:
            raise RecordError(f"{records} cannot be created: {reason(error)}") from error
    return {"bots": bots, "records": records, **({"models": models} if is_model else {})}


def series_words(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the keyword arguments of `Series.of` and `simulate`."""
    words: list[str] | None = arguments.metric
    if words is not None and "none" in words and len(words) > 1:
        raise UsageError("--metric none cannot be combined with other metrics")
    return {
        **match_words(arguments),
        **bots_words(arguments),
        "metrics": [] if words == ["none"] else words,
        "rotated": arguments.rotate,
    }


def read_bot_names(words: list[str]) -> list[str]:
    """Split words at commas into bot names. Programs and files are not split."""
    names: list[str] = []
    for word in map(as_text, words):
        is_whole = is_for_command_line(word) and not word.casefold().startswith(MODEL)
        names += [word] if is_whole else word.split(",")
    return [bot_name(name.strip()) for name in names]


class ShownProgress:
    """The progress of a study on standard error.

    A terminal shows a single line, which is removed at the end. Otherwise, plain lines are printed
    at intervals.

    Args:
        what: The start of each line, such as the name of the game.
        beginning: Text to print once, before the first line. Empty for none.

    Attributes:
        done: Number of matches played so far.
    """

    def __init__(self, what: str, beginning: str = "") -> None:
        self.done: int = 0
        self._what = what
        self._beginning = beginning
        self._line = ProgressLine()
        self._is_plain = not sys.stderr.isatty()
        self._has_begun = False  # the line before the first result was shown
        self._has_estimate = False  # a plain line with the remaining time was printed
        self._began = self._printed_at = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.wipe()

    def show(self, progress: Progress) -> None:
        """Show the progress."""
        self.done, total, per_second = progress
        rate = f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.2g}"
        pace = f"; {rate} a second, {format_duration(progress.seconds_left)} left"
        if not per_second:
            pace = "" if self._has_begun else "; starting workers"
        self._has_begun = True
        if not self._is_plain:
            self._print_beginning()
            self._line.show_bar(self._what, self.done, total, pace)
            return
        now = monotonic()
        # The first line has the estimated time. Later lines have growing gaps, so that the log of a
        # long study stays readable.
        wait = _SECONDS if self._has_estimate else _KNOWN
        if now - self._printed_at >= max(wait, 0.1 * (now - self._began)):
            self._print_beginning()
            self._has_estimate = per_second > 0
            self._printed_at = now
            done = f"{self.done:,} of {total:,}, {100 * self.done // total}%"
            print_error(f"{self._what}: {done}{pace}")

    def say(self, line: str) -> None:
        """Print a permanent line."""
        self._line.wipe()
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def _print_beginning(self) -> None:
        if self._beginning:
            print_error(f"{self._what}: {self._beginning}")
            self._beginning = ""


def format_duration(seconds: float) -> str:
    """Format a duration: `17 s`, `4 min`, `3 h 20 min`."""
    if seconds == inf:
        return "?"
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def make_interrupted(arguments: argparse.Namespace, kept: str) -> Interrupted:
    """Return the error for Ctrl-C in a study: the saved results, and the command to resume."""
    first, *others = arguments.typed
    resume = [] if "--resume" in others else ["--resume"]
    command = shlex.join(["tabletop", first, *resume, *others])
    return Interrupted(f"interrupted; {kept}. Resume with: {command}")


def _folder(text: str) -> Path:
    if not text:  # typically a shell variable that is not set
        raise argparse.ArgumentTypeError("the name of a folder is missing")
    return user_path(text)


def add_folder_arguments(
    parser: argparse.ArgumentParser, holds: str, resumes: str, *, required: bool = True
) -> None:
    """Add `--output`, the folder of the results, and `--resume`, each with its help text."""
    parser.add_argument(
        *("-o", "--output"), metavar="DIR", type=_folder, required=required, help=holds
    )
    parser.add_argument("--resume", action="store_true", help=resumes)


def as_json(data: object) -> str:
    """Return data as indented JSON."""
    return json.dumps(data, indent=1) + "\n"
