"""The commands of studies: `tabletop simulate` plays very many matches."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from math import inf
from time import monotonic
from typing import Any, Final

from tabletop.cli.match_args import (
    add_game_argument,
    add_option_argument,
    choose_options,
    number_in,
)
from tabletop.cli.progress import ProgressLine
from tabletop.errors import UsageError
from tabletop.host.files import user_path
from tabletop.host.sanitize import printable, say_error
from tabletop.registry import bot_name, is_for_command_line, load
from tabletop.studies import Progress, Series, Study, simulate
from tabletop.studies.series import MOST_PLIES
from tabletop.studies.workers import Workers, workers_for
from tabletop.terminal.args import as_text
from tabletop.terminal.programs import OK, Interrupted
from tabletop.text_layout import table

_SECONDS: Final = 10.0
"""Where standard error is no terminal, progress is told so often at most."""


def add_series_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which matches are played, for `series_from`."""
    add_game_argument(parser)
    parser.add_argument(
        *("-n", "--matches"),
        metavar="N",
        type=number_in(1),
        required=True,
        help="how many matches are played",
    )
    parser.add_argument(
        "--bots",
        metavar="A,B,...",
        action="append",
        default=[],
        help="the bots, by seat, beginning again after the last one (by default the game's best);"
        " repeat for exec:COMMAND and learnt:FILE, which may have commas",
    )
    parser.add_argument("--seats", metavar="N", type=int, help="how many play")
    parser.add_argument(
        "--seeds",
        metavar="NAME",
        default="study",
        help="the name of the series (%(default)s): match 7 has the seed 'NAME 7'",
    )
    add_option_argument(parser)
    parser.add_argument(
        "--metric",
        metavar="NAME",
        nargs="+",
        action="extend",
        help="what is measured beside the outcome: a metric of the game, FILE.py:NAME for one of"
        " your own, or none (by default all metrics of the game)",
    )
    parser.add_argument(
        "--rotate",
        action="store_true",
        help="play each seed as often as there are bots, each bot moving on by a seat",
    )
    parser.add_argument(
        "--plies",
        metavar="N",
        type=number_in(1),
        default=MOST_PLIES,
        help="break a match off after so many actions (%(default)s); nobody wins it",
    )


def add_worker_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say who plays, for `workers_from`."""
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--workers",
        metavar="N",
        type=number_in(1),
        help="how many processes play (by default one on each core); 1 is this one alone",
    )
    who.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on the workers of Dask: tcp://HOST:8786 is a scheduler, local:4 starts 4 here",
    )


def series_words(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the arguments say, as `Series.of` and `simulate` take it beside the game."""
    metrics: list[str] | None = arguments.metric
    if metrics == ["none"]:
        metrics = []
    elif "none" in (metrics or ()):
        raise UsageError("--metric none: nothing is measured beside it")
    return {
        "bots": read_bot_names(arguments.bots),
        "seats": arguments.seats,
        "seeds": as_text(arguments.seeds),
        "options": choose_options(arguments, load(arguments.game).game),
        "metrics": metrics,
        "rotated": arguments.rotate,
        "plies": arguments.plies,
    }


def series_from(arguments: argparse.Namespace) -> Series:
    """Return the series that the arguments describe.

    Raises:
        OptionError, RegistryError, StudyError, UsageError: as `Series.of`.
    """
    return Series.of(arguments.game, **series_words(arguments))


def workers_from(arguments: argparse.Namespace) -> Workers:
    """Return who plays, to be closed at the end; see `workers_for`."""
    return workers_for(arguments.workers, arguments.cluster)


def read_bot_names(words: list[str]) -> list[str]:
    """Return the names of bots in words with commas; programs and files stand alone."""
    names: list[str] = []
    for word in map(as_text, words):
        names += [word] if is_for_command_line(word) else word.split(",")
    return [bot_name(name.strip()) for name in names]


class ShownProgress:
    """How far a study is: one line of a terminal, or plain lines now and then.

    Args:
        what: what is played.
    """

    def __init__(self, what: str) -> None:
        self.last: Progress | None = None
        self._what = what
        self._line = ProgressLine()
        self._is_plain = not sys.stderr.isatty()
        self._began = self._told_at = monotonic()

    def show(self, progress: Progress) -> None:
        """Show how far it is."""
        self.last = progress
        rate = f"{progress.rate:,.0f}" if progress.rate >= 10 else f"{progress.rate:.2g}"
        pace = f"{rate} a second, {_duration(progress.seconds_left)} left"
        if not progress.rate:
            pace = "workers begin"
        if not self._is_plain:
            self._line.show_bar(self._what, progress.done, progress.total, f"; {pace}")
            return
        now = monotonic()
        # Ever more seldom: the log of a long study can be read as well.
        if now - self._told_at >= max(_SECONDS, 0.1 * (now - self._began)):
            self._told_at = now
            percent = 100 * progress.done // progress.total
            done = f"{progress.done:,} of {progress.total:,}, {percent}%"
            say_error(f"{self._what}: {done}; {pace}")

    def wipe(self) -> None:
        """Take the line away."""
        self._line.wipe()


def _duration(seconds: float) -> str:
    """Return a length of time in words: `17 s`, `4 min`, `3 h 20 min`."""
    if seconds == inf:
        return "?"
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def command_with(arguments: argparse.Namespace, option: str) -> str:
    """Return the command line of the program, with an option that it may lack."""
    first, *others = arguments.words
    return shlex.join(
        ["tabletop", first, *([] if option in arguments.words else [option]), *others]
    )


def add_simulate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop simulate`."""
    add_series_arguments(parser)
    add_worker_arguments(parser)
    parser.add_argument(
        *("-o", "--output"),
        metavar="DIR",
        type=user_path,
        required=True,
        help="the folder in which the study is stored",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the study in DIR, if there is one: play what is missing; -n may be larger",
    )


def run_simulate(arguments: argparse.Namespace) -> int:
    """Play very many matches between bots, and store what they came to.

    Match number 7 of a series is the same match whoever plays it and wherever. Ctrl-C keeps what
    was played, and --resume goes on. `tabletop report DIR` writes a page about the study.
    """
    words, began = series_words(arguments), monotonic()
    progress = ShownProgress(arguments.game)
    try:
        study = simulate(
            arguments.game,
            arguments.matches,
            arguments.output,
            resume=arguments.resume,
            workers=arguments.workers,
            cluster=arguments.cluster,
            progress=progress.show,
            **words,
        )
    except KeyboardInterrupt:
        done = progress.last.done if progress.last is not None else 0
        kept = f"{done:,} of {arguments.matches:,} matches are kept in {arguments.output}"
        command = command_with(arguments, "--resume")
        raise Interrupted(f"interrupted; {kept}. Go on with: {command}") from None
    finally:
        progress.wipe()
    taken = _duration(monotonic() - began)
    sys.stdout.write(f"{arguments.matches:,} matches of {study.manifest.game} in {taken}\n")
    sys.stdout.write(_summary(study))
    folder = shlex.quote(str(arguments.output))
    sys.stdout.write(f"digest {study.digest()}\n")
    sys.stdout.write(f"{folder}: `tabletop report {folder}` writes a page about it\n")
    return OK


def _summary(study: Study) -> str:
    """Return a table of who wins, by seat, and a line about the length of the matches."""
    wins: Counter[int] = Counter()
    plies: Counter[int] = Counter()
    none = 0
    for part in study.tables(["winners", "plies"]):
        winners = part.column("winners").to_pylist()
        none += winners.count([])
        wins.update(seat for seats in winners for seat in seats)
        plies.update(part.column("plies").to_pylist())
    matches, manifest = plies.total(), study.manifest
    rows = []
    for seat in range(manifest.seats):
        bot = "" if manifest.rotated else manifest.bots[seat % len(manifest.bots)]
        rows.append([f"seat {seat + 1}", printable(bot), f"{wins[seat] / matches:.2%}"])
    rows.append(["nobody", "", f"{none / matches:.2%}"])
    mean = sum(length * often for length, often in plies.items()) / matches
    length = f"{mean:.1f} plies on average, {min(plies):,} to {max(plies):,}"
    return f"{table(['wins', '', 'matches'], rows, right=[2])}\n{length}\n"
