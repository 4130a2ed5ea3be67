"""The commands of studies: `tabletop simulate` plays very many matches, `report` tells of them."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from math import inf, isinf, isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self

from tabletop.cli.match_args import (
    add_game_argument,
    add_option_argument,
    choose_options,
    number_in,
)
from tabletop.errors import UsageError
from tabletop.host.extras import require
from tabletop.host.screen_text import print_error, printable
from tabletop.host.user_files import user_path
from tabletop.registry import bot_name, is_for_command_line, load
from tabletop.studies.series import MOST_PLIES, TOGETHER, Series
from tabletop.studies.simulating import Progress, simulate
from tabletop.studies.store import Study
from tabletop.studies.workers import Workers, workers_for
from tabletop.terminal.args import as_text
from tabletop.terminal.programs import OK, Interrupted
from tabletop.terminal.progress import ProgressLine
from tabletop.text_layout import table
from tabletop.wording import join_words, plural, quote

if TYPE_CHECKING:
    from tabletop.studies.comparisons import Team, Tournament
    from tabletop.studies.statistics import Estimate

_KNOWN: Final = 3.0
"""After so many seconds it is known how long a study takes."""

_SECONDS: Final = 30.0
"""Where standard error is no terminal, progress is told so often at most."""


def add_match_arguments(
    parser: argparse.ArgumentParser, seeds: str = "study", plies: int = MOST_PLIES
) -> None:
    """Add the arguments that describe all matches, and who plays them, with two defaults."""
    add_game_argument(parser)
    parser.add_argument("--seats", metavar="N", type=int, help="how many play")
    parser.add_argument(
        "--seeds",
        metavar="NAME",
        default=seeds,
        help="the name of the series (%(default)s): match 7 has the seed 'NAME 7'",
    )
    add_option_argument(parser)
    parser.add_argument(
        "--plies",
        metavar="N",
        type=number_in(1),
        default=plies,
        help="break a match off after so many actions (%(default)s); nobody wins it",
    )
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


def add_bots_arguments(parser: argparse.ArgumentParser, bots: str) -> None:
    """Add those of `add_match_arguments`, how many matches are played, and what `bots` says."""
    add_match_arguments(parser)
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
        help=f"{bots}; repeat for exec:COMMAND and learnt:FILE, which may have commas",
    )


def add_series_arguments(parser: argparse.ArgumentParser) -> None:
    """Add those of `add_bots_arguments`, and what else `series_words` returns."""
    add_bots_arguments(
        parser,
        "the bots, by seat, beginning again after the last one (by default fair, or else random)",
    )
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


@contextmanager
def open_workers(
    arguments: argparse.Namespace, unit: str = ""
) -> Iterator[tuple[Workers, ShownProgress]]:
    """Have the workers that the arguments name, and show how far they are, in a unit."""
    with (
        ShownProgress(f"{load(arguments.game).game.name}{unit}") as progress,
        workers_for(arguments.workers, arguments.cluster) as workers,
    ):
        yield workers, progress


def match_words(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the arguments say of all matches, as `Series.of` takes it."""
    return {
        "seats": arguments.seats,
        "seeds": as_text(arguments.seeds),
        "options": choose_options(arguments, load(arguments.game).game),
        "plies": arguments.plies,
    }


def series_words(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the arguments say, as `Series.of` and `simulate` take it beside the game."""
    words: list[str] | None = arguments.metric
    if words is not None and "none" in words and len(words) > 1:
        raise UsageError("--metric none: nothing is measured beside it")
    return {
        **match_words(arguments),
        "bots": read_bot_names(arguments.bots),
        "metrics": [] if words == ["none"] else words,
        "rotated": arguments.rotate,
    }


def read_bot_names(words: list[str]) -> list[str]:
    """Return the names of bots in words with commas; programs and files stand alone."""
    names: list[str] = []
    for word in map(as_text, words):
        names += [word] if is_for_command_line(word) else word.split(",")
    return [bot_name(name.strip()) for name in names]


class ShownProgress:
    """How far a study is: one line of a terminal, which goes in the end, or plain lines at times.

    Args:
        what: what is played.
        beginning: what is said of it when it begins.

    Attributes:
        done: how many matches have been played.
    """

    def __init__(self, what: str, beginning: str = "") -> None:
        self.done: int = 0
        self._what = what
        self._beginning = beginning
        self._line = ProgressLine()
        self._is_plain = not sys.stderr.isatty()
        self._has_begun = False  # has shown the state before the first result
        self._has_told = False  # how long it takes
        self._began = self._told_at = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.wipe()

    def show(self, progress: Progress) -> None:
        """Show how far it is."""
        self.done, total, each = progress
        rate = f"{each:,.0f}" if each >= 10 else f"{each:.2g}"
        pace = f"; {rate} a second, {_duration(progress.seconds_left)} left"
        if not each:
            pace = "" if self._has_begun else "; workers start"
        self._has_begun = True
        if not self._is_plain:
            self._say_beginning()
            self._line.show_bar(self._what, self.done, total, pace)
            return
        now = monotonic()
        # How long it takes, as soon as that is known; then ever more seldom, so that the log of a
        # long study can be read as well.
        wait = _SECONDS if self._has_told else _KNOWN
        if now - self._told_at >= max(wait, 0.1 * (now - self._began)):
            self._say_beginning()
            self._has_told = each > 0
            self._told_at = now
            done = f"{self.done:,} of {total:,}, {100 * self.done // total}%"
            print_error(f"{self._what}: {done}{pace}")

    def say(self, line: str) -> None:
        """Print a line that stays."""
        self._line.wipe()
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def _say_beginning(self) -> None:
        if self._beginning:
            print_error(f"{self._what}: {self._beginning}")
            self._beginning = ""


def _duration(seconds: float) -> str:
    """Return a length of time in words: `17 s`, `4 min`, `3 h 20 min`."""
    if seconds == inf:
        return "?"
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def make_interrupted(arguments: argparse.Namespace, kept: str) -> Interrupted:
    """Return what Ctrl-C ends a study with: what is kept, and the command that goes on."""
    first, *others = arguments.typed
    resume = [] if "--resume" in others else ["--resume"]
    command = shlex.join(["tabletop", first, *resume, *others])
    return Interrupted(f"interrupted; {kept}. Go on with: {command}")


def _folder(text: str) -> Path:
    if not text:  # a variable of a shell that was not set
        raise argparse.ArgumentTypeError("give the name of a folder")
    return user_path(text)


def add_folder_arguments(
    parser: argparse.ArgumentParser, holds: str, resumes: str, *, required: bool = True
) -> None:
    """Add the folder of what is played, and whether to go on there; with what their help says."""
    parser.add_argument(
        *("-o", "--output"), metavar="DIR", type=_folder, required=required, help=holds
    )
    parser.add_argument("--resume", action="store_true", help=resumes)


def add_simulate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop simulate`."""
    add_series_arguments(parser)
    add_folder_arguments(
        parser,
        "the folder in which the study is stored; without it, only the summary is printed",
        "continue the study in DIR, if there is one: play the missing matches; -n may be larger",
        required=False,
    )


def run_simulate(arguments: argparse.Namespace) -> int:
    """Play very many matches between bots, and store their outcomes.

    Match number 7 of a series is the same match on every machine and with any number of workers.
    Ctrl-C keeps the finished matches, and --resume continues. `tabletop report DIR` writes a page
    about the study. Without -o, the summary is printed and nothing is kept.
    """
    folder: Path | None = arguments.output
    if folder is None and arguments.resume:
        raise UsageError("--resume: name the folder of the study, -o DIR")
    words, began = series_words(arguments), monotonic()
    series = Series.of(arguments.game, **words)
    bots = [series.bots[seat % len(series.bots)] for seat in range(series.seats)]
    who = join_words([f"{bot} on seat {seat}" for seat, bot in enumerate(bots, 1)], "and")
    takes_turns = "; they take turns" if series.rotated else ""
    beginning = f"{plural(arguments.matches, 'match')} of {printable(who)}{takes_turns}"
    with (
        nullcontext(folder) if folder else TemporaryDirectory(prefix="tabletop-") as place,
        ShownProgress(load(arguments.game).game.name, beginning) as progress,
    ):
        try:
            study = simulate(
                arguments.game,
                arguments.matches,
                place,
                resume=arguments.resume,
                workers=arguments.workers,
                cluster=arguments.cluster,
                progress=progress.show,
                **words,
            )
        except KeyboardInterrupt:
            number = f"{progress.done:,} of {arguments.matches:,} matches"
            if folder is None:
                kept = f"interrupted after {number}; without -o DIR, nothing is kept"
                raise Interrupted(kept) from None
            raise make_interrupted(arguments, f"{number} are kept in {folder}") from None
        taken = _duration(monotonic() - began)
        played = f"{arguments.matches:,} matches of {study.manifest.game} in {taken}\n"
        summary = f"{played}{_summary(study)}digest {study.digest()}\n"
    report = "nothing is kept; with -o DIR, `tabletop report DIR` writes a page about the matches"
    if folder is not None:
        name = shlex.quote(str(folder))
        report = f"{name}: `tabletop report {name}` writes a page about it"
    sys.stdout.write(f"{summary}{report}\n")
    return OK


def _summary(study: Study) -> str:
    """Return a table of who wins, by seat, and a line about the length of the matches."""
    import numpy as np

    from tabletop.studies.statistics import Moments, in_clusters, wilson, worth_of

    manifest = study.manifest
    # All together win as one; then their points are what a match is about.
    together = manifest.cooperative
    seats = 1 if together else manifest.seats
    each_seed = len(manifest.bots) if manifest.rotated else 1
    moments, rest = Moments(4 + seats), np.zeros((0, 4 + seats))
    least, most = inf, 0
    bests = set[float]()
    for part in study.tables(["winners", "plies", "points", *(TOGETHER if together else ())]):
        plies, winners, points = (
            part.column(name).to_pylist() for name in ("plies", "winners", "points")
        )
        least, most = min(least, *plies), max(most, *plies)
        if together:
            bests.update(filter(None, part.column("best").to_pylist()))
        # A match, how long it is, who wins it (each seat, or nobody), and the points of the first.
        rows = [
            [1, length, *(seat in won for seat in range(seats)), not won, sum(own[:1])]
            for length, won, own in zip(plies, winners, points, strict=True)
        ]
        told = np.concatenate([rest, np.array(rows, dtype=np.float64)])
        whole = len(told) // each_seed * each_seed  # the matches of a seed belong together
        moments.add(in_clusters(told[:whole], np.arange(whole) // each_seed))
        rest = told[whole:]
    if len(rest):
        moments.add(in_clusters(rest, np.zeros(len(rest), dtype=np.int64)))
    matches = moments.totals[0]
    bots = [""] if manifest.rotated else list(map(printable, manifest.bots))
    names = [(f"seat {seat + 1}", bots[seat % len(bots)]) for seat in range(seats)]
    names = [("all together", "")] if together else [*names, ("nobody", "")]
    lines = []
    for place, (who, bot) in enumerate(names, 2):
        share = moments.mean(place, 0)
        worth = worth_of(share, matches, moments.clusters) if manifest.rotated else matches
        low, high = wilson(share.value * worth, worth)
        lines.append([who, bot, f"{share.value:.2%}", f"{low:.2%} to {high:.2%}"])
    means = [f"{_mean_in_words(moments.mean(1, 0), 'plies')}, {least:,} to {most:,}"]
    if together:
        ends = sorted(bests)[:: max(1, len(bests) - 1)]  # none where no match came to its end
        best = f"of {' to '.join(f'{it:g}' for it in ends)} " if ends else ""
        means.append(_mean_in_words(moments.mean(seats + 3, 0), f"{best}points"))
    wins = table(["wins", "", "matches", "95 %"], lines, right=[2])
    return "\n".join([wins, *means, ""])


def _mean_in_words(mean: Estimate, what: str) -> str:
    within = "" if isnan(mean.low) else f" ({mean.low:.1f} to {mean.high:.1f} at 95 %)"
    return f"{mean.value:.1f} {what} on average{within}"


def _read_elo(text: str) -> tuple[float, float]:
    low, _, high = text.partition(",")
    try:
        return float(low), float(high)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quote(text)}: give two numbers, as 0,30") from None


def _picture(text: str) -> Path:
    file = user_path(text)
    if file.suffix != ".svg" or not file.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{quote(text)}: give FILE.svg, in a folder that is there")
    return file


def add_tournament_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop tournament`."""
    add_bots_arguments(parser, "the bots, two or more")
    parser.add_argument(
        "--sprt",
        metavar="LOW,HIGH",
        type=_read_elo,
        help="stop a pairing as soon as a sequential test has decided whether one bot is stronger"
        " than the other by LOW or by HIGH points of Elo, as --sprt=0,30",
    )
    parser.add_argument(
        "--picture", metavar="FILE.svg", type=_picture, help="draw the ratings there"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run_tournament(arguments: argparse.Namespace) -> int:
    """Have every two of some bots play against each other, and say how strong they are.

    All pairings play with the same seeds, and each seed twice: round the table two bots take turns,
    and they have changed places in the second match. Who wins has a point; several winners
    share it, and where nobody wins, both bots have half of one. -n is the number of matches of each
    pairing. In a game that all win or lose together, each bot plays -n matches in all seats, and
    what is compared are their points. Ctrl-C prints what is known by then.
    """
    require("a tournament", "studies", "numpy", *(["matplotlib"] if arguments.picture else []))
    from tabletop.studies.comparisons import (
        StudyInterrupted,
        Tournament,
        compare_teams,
        tournament,
    )

    words = match_words(arguments)
    played = arguments.game, read_bot_names(arguments.bots), arguments.matches
    together = load(arguments.game).game.cooperative
    if together and (arguments.sprt or arguments.picture):
        raise UsageError("--sprt and --picture: all win or lose together, and have no Elo")
    play = compare_teams if together else partial(tournament, elo=arguments.sprt)
    interrupted: StudyInterrupted | None = None
    found: Tournament | list[Team] | None
    try:
        with open_workers(arguments) as (workers, progress):
            found = play(*played, workers, progress=progress.show, **words)
    except StudyInterrupted as error:
        interrupted, found = error, error.result
    if isinstance(found, Tournament):
        sys.stdout.write(as_json(found.data()) if arguments.json else _results(found))
        if arguments.picture is not None:
            found.draw(arguments.picture)
    elif found:
        data = [it.data() for it in found]
        sys.stdout.write(as_json(data) if arguments.json else _results_of_teams(found))
    if interrupted is not None:
        raise Interrupted(str(interrupted))
    return OK


def _range(low: float, high: float) -> str:
    """Return an interval of Elo in words; where it has no end, the end that it has."""
    if isinf(low) and isinf(high):
        return "any"
    if isinf(high):
        return f"{low:+.0f} or more"
    return f"{high:+.0f} or less" if isinf(low) else f"{low:+.0f} to {high:+.0f}"


def _results(found: Tournament) -> str:
    """Return a table of the ratings of bots and their points, the best bot first."""
    points = found.points()
    rows = []
    for place, elo in sorted(enumerate(found.elo()), key=lambda it: -it[1].value):
        against = [f"{it:g}" for it in points[place]]
        against[place] = "-"
        # The first bot is what the others are measured by.
        rating = [f"{elo.value:+.0f}", _range(elo.low, elo.high)] if place else ["0", ""]
        bot = f"{place + 1} {printable(found.bots[place])}"
        played = sum(it.matches for it in found.pairings if found.bots[place] in it[:2])
        rows.append([bot, *rating, f"{points[place].sum():g}", f"{played:,}", *against])
    numbers = [f"of {place}" for place in range(1, len(rows) + 1)]
    titles = ["bot", "Elo", "95 %", "points", "n", *numbers]
    lines = [table(titles, rows, right=range(1, len(titles)))]
    for each in found.pairings:
        if each.stronger is not None:
            accepted = "the upper" if each.stronger else "the lower"
            decided = f"{accepted} difference accepted after {plural(each.matches, 'match')}"
            lines.append(printable(f"{each.first} against {each.second}: {decided}"))
    return "\n".join(lines) + "\n"


def _results_of_teams(teams: Sequence[Team]) -> str:
    """Return a table of what bots reach in all seats, the best one first."""
    rows = []
    for place, team in sorted(enumerate(teams), key=lambda it: -it[1].points.value):
        points, apart = team.points, team.apart
        # The first bot is what the others are measured by.
        above = f"{apart.value:+.2f}", f"{apart.low:+.2f} to {apart.high:+.2f}"
        mean = f"{points.value:.2f}", f"{points.low:.2f} to {points.high:.2f}"
        rows.append(
            [
                f"{place + 1} {printable(team.bot)}",
                *mean,
                *(above if place else ("-", "")),
                f"{team.matches:,}",
            ]
        )
    best = f"points of {teams[0].best:g}"
    titles = ["in all seats", best, "95 %", "more", "95 %", "n"]
    return table(titles, rows, right=range(1, len(titles))) + "\n"


def add_tune_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop tune`."""
    add_match_arguments(parser, "tune")
    parser.add_argument("--bot", metavar="BOT", required=True, help="the bot that gets better")
    parser.add_argument(
        "--against", metavar="BOT", help="whom it plays (by default itself, as it stands)"
    )
    for name, default, what in (
        ("trials", 200, "how many weights are tried"),
        ("matches", 40, "how many matches each of them plays"),
        ("check", 400, "how many matches with other seeds the best one plays in the end"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=number_in(1),
            default=default,
            help=f"{what} (%(default)s)",
        )
    add_folder_arguments(
        parser,
        "the folder for the trials, which Optuna reads as well, and weights.json",
        "go on with the trials that may be in DIR",
    )


def run_tune(arguments: argparse.Namespace) -> int:
    """Find weights with which a bot wins more: those that its game names in WEIGHTS.

    Optuna proposes them; all trials play with the same seeds, and the best one then plays with
    others: only the last line says how good it is. Ctrl-C keeps the trials, and --resume goes on.
    """
    require("tune", "studies", "optuna")
    from tabletop.studies.tuning import tune

    try:
        with open_workers(arguments) as (workers, progress):
            found = tune(
                arguments.game,
                arguments.output,
                workers,
                bot=bot_name(as_text(arguments.bot)),
                against=arguments.against and bot_name(as_text(arguments.against)),
                trials=arguments.trials,
                matches=arguments.matches,
                check=arguments.check,
                resume=arguments.resume,
                progress=progress.show,
                **match_words(arguments),
            )
    except KeyboardInterrupt:
        raise make_interrupted(arguments, "the trials are kept") from None
    check = found.check
    low, high = check.interval
    sys.stdout.write(
        f"the best of {plural(found.trials, 'trial')}, with {found.share:.1%} of the points:\n"
        f"{dict(found.weights)}\n{found.bot}\n"
        f"against {printable(check.second)}, other seeds: {check.share:.1%} of"
        f" {plural(check.matches, 'match')} ({low:.1%} to {high:.1%})\n"
    )
    return OK


def as_json(data: object) -> str:
    """Write data as JSON, for people and programs."""
    return json.dumps(data, indent=1) + "\n"


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop report`."""
    parser.add_argument("folder", metavar="DIR", type=user_path, help="the folder of a study")
    parser.add_argument(
        *("-o", "--output"),
        metavar="FILE",
        type=user_path,
        help="FILE.html, which has all in itself, or FILE.md, which has its pictures beside it"
        " (by default both, as DIR/_report.html and DIR/_report.md)",
    )


def run_report(arguments: argparse.Namespace) -> int:
    """Write a page about a study: who wins, how long it takes, and what every metric says of it.

    It says which differences are significant when they are corrected for the number of all
    comparisons, and which command plays the longest match again.
    """
    require("a report", "studies", "numpy", "pyarrow", "matplotlib")
    study = Study(arguments.folder)
    from tabletop.studies.report_page import report

    page, *_ = report(study, arguments.output)
    sys.stdout.write(f"{page}\n")
    return OK
