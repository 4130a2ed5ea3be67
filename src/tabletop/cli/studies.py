"""The commands `tabletop simulate`, `report`, `tournament` and `tune`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from math import inf, isinf, isnan
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from tabletop.cli.match_args import number_in
from tabletop.cli.study_args import (
    ShownProgress,
    add_bots_arguments,
    add_folder_arguments,
    add_match_arguments,
    add_series_arguments,
    as_json,
    bots_words,
    format_duration,
    make_interrupted,
    match_words,
    open_workers,
    series_words,
)
from tabletop.errors import UsageError
from tabletop.host.extras import require
from tabletop.host.screen_text import printable
from tabletop.host.user_files import user_path
from tabletop.registry import MODEL, bot_name, load
from tabletop.studies.series import TEAMS, TOGETHER, Row, Series
from tabletop.studies.simulating import Count, rows_in_order, simulate
from tabletop.studies.store import Manifest, Study
from tabletop.studies.workers import workers_for
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import OK, Interrupted
from tabletop.text_layout import table
from tabletop.wording import join_words, plural, quote

if TYPE_CHECKING:
    from tabletop.studies.comparisons import Team, Tournament
    from tabletop.studies.statistics import Estimate


def add_simulate_arguments(parser: argparse.ArgumentParser) -> None:
    add_series_arguments(parser)
    add_folder_arguments(
        parser,
        "folder for the study (default: print the summary and store nothing)",
        "continue the study in DIR, if there is one (-n may be larger than before)",
        required=False,
    )


def run_simulate(arguments: argparse.Namespace) -> int:
    """Play many matches between bots and store the results.

    The matches do not depend on the machine or the number of workers. Ctrl-C keeps
    the finished matches, and --resume plays the rest. `tabletop report DIR` writes a report.
    Without -o, the command only prints a summary, and needs only NumPy of the libraries
    of 'tabletop-rules[studies]'.
    """
    folder: Path | None = arguments.output
    if folder is None and arguments.resume:
        raise UsageError("--resume needs the folder of the study: -o DIR")
    words, began = series_words(arguments), monotonic()
    series = Series.of(arguments.game, **words)
    bots = [series.bots[seat % len(series.bots)] for seat in range(series.seats)]
    players = join_words([f"{bot} on seat {seat}" for seat, bot in enumerate(bots, 1)], "and")
    rotates = "; they rotate" if series.rotated else ""
    beginning = f"{plural(arguments.matches, 'match')} of {printable(players)}{rotates}"
    where = {"workers": arguments.workers, "cluster": arguments.cluster}
    with ShownProgress(load(arguments.game).game.name, beginning) as progress:
        try:
            if folder is None:
                require("a study", "studies", "numpy")
                numbers, count = range(arguments.matches), Count(arguments.matches, progress.show)
                with workers_for(**where) as workers:
                    rows = rows_in_order(series, numbers, workers, count)
                    summary = _summary(Manifest.of(series, arguments.matches), rows)
            else:
                study = simulate(
                    arguments.game,
                    arguments.matches,
                    folder,
                    resume=arguments.resume,
                    progress=progress.show,
                    **where,
                    **words,
                )
                tables = study.tables([it for it in _SUMMARIZED if it in series.columns()])
                rows = (row for part in tables for row in part.to_pylist())
                summary = f"{_summary(study.manifest, rows)}digest {study.digest()}\n"
        except KeyboardInterrupt:
            number = f"{progress.done:,} of {arguments.matches:,} matches"
            if folder is None:
                message = f"interrupted after {number}; without -o DIR, nothing is stored"
                raise Interrupted(message) from None
            raise make_interrupted(arguments, f"{number} are stored in {folder}") from None
        taken = format_duration(monotonic() - began)
    played = f"{arguments.matches:,} matches of {load(arguments.game).game.name} in {taken}\n"
    report = "nothing is stored; use -o DIR to store the matches for `tabletop report DIR`"
    if folder is not None:
        name = shlex.quote(str(folder))
        report = f"{name}: `tabletop report {name}` writes a report"
    sys.stdout.write(f"{played}{summary}{report}\n")
    return OK


_SUMMARIZED: Final = ("winners", "plies", "points", *TOGETHER, *TEAMS)
"""Columns of a study that a summary needs, if the study has them."""


def _summary(manifest: Manifest, rows: Iterable[Row]) -> str:
    """Return a table of the win rates by seat, and a line about the length of the matches."""
    import numpy as np

    from tabletop.studies.statistics import Moments, in_clusters, wilson, worth_of

    # In a cooperative game all seats win or lose together, so the points matter, too.
    together = manifest.cooperative
    seats = 1 if together else manifest.seats
    if manifest.factions:
        rows = list(rows)
    sides = _sides(rows) if isinstance(rows, list) else []
    each_seed = len(manifest.bots) if manifest.rotated else 1
    moments = Moments(4 + seats + 2 * len(sides))
    least, most = inf, 0
    bests, rest = set[float](), iter(rows)
    while part := [*islice(rest, 1000 * each_seed)]:
        lengths = [row["plies"] for row in part]
        least, most = min(least, *lengths), max(most, *lengths)
        if together:
            bests.update(filter(None, [row["best"] for row in part]))
        # Columns: 1 for the match, length, win of each seat, no winner, points of the first seat,
        # and the seats and the wins of each faction and role.
        data = [
            [
                *(1, row["plies"], *(seat in won for seat in range(seats))),
                *(not won, sum(row["points"][:1])),
                *(number for side in sides for number in _seats_and_wins(side, row)),
            ]
            for row in part
            for won in [row["winners"]]
        ]
        clusters = np.arange(len(part)) // each_seed  # the matches of a seed are one cluster
        moments.add(in_clusters(np.array(data, dtype=np.float64), clusters))
    matches = moments.totals[0]
    bots = [""] if manifest.rotated else list(map(printable, manifest.bots))
    names = [(f"seat {seat + 1}", bots[seat % len(bots)]) for seat in range(seats)]
    names = [("all together", "")] if together else [*names, ("nobody", "")]
    shares = [(*name, moments.mean(place, 0), matches) for place, name in enumerate(names, 2)]
    for place, (column, name) in enumerate(sides):
        has = 4 + seats + 2 * place
        label = f"{'faction' if column == 'factions' else 'role'} {printable(name)}"
        # All seats of a faction win together, so a match is one observation.
        number = matches if column == "factions" else moments.totals[has]
        shares.append((label, "", moments.mean(has + 1, has), min(number, moments.totals[has])))
    lines = []
    for winner, bot, share, number in shares:
        worth = worth_of(share, number, moments.clusters) if manifest.rotated else number
        low, high = wilson(share.value * worth, worth)
        lines.append([winner, bot, f"{share.value:.2%}", f"{low:.2%} to {high:.2%}"])
    means = [f"{_mean_in_words(moments.mean(1, 0), 'plies')}, {least:,} to {most:,}"]
    if together:
        ends = sorted(bests)[:: max(1, len(bests) - 1)]  # empty if no match ended
        best = f"of {' to '.join(f'{points:g}' for points in ends)} " if ends else ""
        means.append(_mean_in_words(moments.mean(seats + 3, 0), f"{best}points"))
    wins = table(["wins", "", "matches", "95 %"], lines, right=[2])
    return "\n".join([wins, *means, ""])


def _sides(rows: Iterable[Row]) -> list[tuple[str, str]]:
    """Return the column and the name of each faction and each role, in alphabetical order."""
    return sorted({(column, name) for row in rows for column in TEAMS for name in row[column]})


def _seats_and_wins(side: tuple[str, str], row: Row) -> tuple[int, int]:
    """Return the number of seats of a faction or a role in a match, and how many of them won."""
    column, name = side
    return row[column].count(name), sum(row[column][seat] == name for seat in row["winners"])


def _mean_in_words(mean: Estimate, what: str) -> str:
    within = "" if isnan(mean.low) else f" ({mean.low:.1f} to {mean.high:.1f} at 95 %)"
    return f"{mean.value:.1f} {what} on average{within}"


def _read_elo(text: str) -> tuple[float, float]:
    low, _, high = text.partition(",")
    try:
        return float(low), float(high)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{quote(text)} must be two numbers, such as 0,30"
        ) from None


def _picture(text: str) -> Path:
    file = user_path(text)
    if file.suffix != ".svg" or not file.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{quote(text)}: give FILE.svg in an existing folder")
    return file


def add_tournament_arguments(parser: argparse.ArgumentParser) -> None:
    add_bots_arguments(parser, "two or more bots")
    parser.add_argument(
        "--sprt",
        metavar="LOW,HIGH",
        type=_read_elo,
        help="stop a pairing as soon as a sequential probability ratio test accepts an Elo"
        " difference of LOW or of HIGH, such as --sprt=0,30",
    )
    parser.add_argument(
        "--picture",
        metavar="FILE.svg",
        type=_picture,
        help="write a chart of the ratings to FILE.svg",
    )
    parser.add_argument(
        "--by-faction",
        action="store_true",
        help="let one bot play all seats of a faction, in games with hidden roles or teams",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run_tournament(arguments: argparse.Namespace) -> int:
    """Rank bots by letting each pair of bots play against each other.

    All pairs play the same seeds, each seed twice with swapped seats. With more than two seats, the
    seats alternate between the two bots, or each bot plays a faction (--by-faction). A win scores
    one point, which several winners share. If nobody wins, both bots get half a point. -n is the
    number of matches per pair. In a cooperative game, each bot plays all seats in -n matches, and
    the command compares the points. Ctrl-C prints the results so far.
    """
    require("a tournament", "studies", "numpy", *(["matplotlib"] if arguments.picture else []))
    from tabletop.studies.comparisons import StudyInterrupted, Tournament, compare_teams, tournament

    words = {**match_words(arguments), **bots_words(arguments)}
    played = arguments.game, words.pop("bots"), arguments.matches
    together = load(arguments.game).game.cooperative
    if together and (arguments.sprt or arguments.picture):
        raise UsageError("--sprt and --picture need Elo ratings, which a cooperative game lacks")
    words["by_faction"] = arguments.by_faction
    play = compare_teams if together else partial(tournament, elo=arguments.sprt)
    interrupted: StudyInterrupted | None = None
    results: Tournament | list[Team] | None
    try:
        with open_workers(arguments) as (workers, progress):
            results = play(*played, workers, progress=progress.show, **words)
    except StudyInterrupted as error:
        interrupted, results = error, error.result
    asks_models = words.get("models") is not None
    if asks_models:
        from tabletop.table.language_models import summarize

        answers = summarize(arguments.records)
    if isinstance(results, Tournament):
        data = {**results.data(), **({"models": answers} if asks_models else {})}
        sys.stdout.write(as_json(data) if arguments.json else _results(results))
        if arguments.picture is not None:
            results.draw(arguments.picture)
    elif results:
        teams = [team.data() for team in results]
        sys.stdout.write(as_json(teams) if arguments.json else _results_of_teams(results))
    if asks_models and not arguments.json:
        sys.stdout.write(_answers(answers))
    if interrupted is not None:
        raise Interrupted(str(interrupted))
    return OK


def _answers(summary: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of the answers of language models."""
    rows = [
        [
            printable(f"{MODEL}{it['model']}"),
            f"{it['answers']:,}",
            f"{it['refused'] / it['answers']:.1%}",
            f"{it['input_tokens']:,}",
            f"{it['output_tokens']:,}",
            f"{it['seconds'] / it['answers']:.2f}",
        ]
        for it in summary
    ]
    titles = ["model", "answers", "refused", "tokens in", "out", "seconds each"]
    return "\n" + table(titles, rows, right=range(1, len(titles))) + "\n"


def _range(low: float, high: float) -> str:
    """Format an Elo interval. An infinite end is omitted."""
    if isinf(low) and isinf(high):
        return "any"
    if isinf(high):
        return f"{low:+.0f} or more"
    return f"{high:+.0f} or less" if isinf(low) else f"{low:+.0f} to {high:+.0f}"


def _results(results: Tournament) -> str:
    """Return a table of bot ratings and points, best bot first."""
    points = results.points()
    rows = []
    for place, elo in sorted(enumerate(results.elo()), key=lambda item: -item[1].value):
        against = [f"{score:g}" for score in points[place]]
        against[place] = "-"
        # Ratings are relative to the first bot.
        rating = [f"{elo.value:+.0f}", _range(elo.low, elo.high)] if place else ["0", ""]
        bot = f"{place + 1} {printable(results.bots[place])}"
        played = sum(
            pairing.matches for pairing in results.pairings if results.bots[place] in pairing[:2]
        )
        rows.append([bot, *rating, f"{points[place].sum():g}", f"{played:,}", *against])
    numbers = [f"of {place}" for place in range(1, len(rows) + 1)]
    titles = ["bot", "Elo", "95 %", "points", "n", *numbers]
    lines = [table(titles, rows, right=range(1, len(titles)))]
    for pairing in results.pairings:
        if pairing.sides:
            of_both = [
                [printable(name), *(f"{it.wins:,} of {it.seats:,}" for it in both)]
                for name, both in pairing.sides.items()
            ]
            heads = ["wins", *map(printable, (pairing.first, pairing.second))]
            lines.append(table(heads, of_both, right=(1, 2)))
        if pairing.stronger is not None:
            accepted = "the upper" if pairing.stronger else "the lower"
            decided = f"{accepted} difference accepted after {plural(pairing.matches, 'match')}"
            lines.append(printable(f"{pairing.first} against {pairing.second}: {decided}"))
    return "\n".join(lines) + "\n"


def _results_of_teams(teams: Sequence[Team]) -> str:
    """Return a table of the points of each bot when it plays all seats, best bot first."""
    rows = []
    for place, team in sorted(enumerate(teams), key=lambda item: -item[1].points.value):
        points, apart = team.points, team.apart
        # Differences are relative to the first bot.
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
    titles = ["in all seats", best, "95 %", "difference", "95 %", "n"]
    return table(titles, rows, right=range(1, len(titles))) + "\n"


def add_tune_arguments(parser: argparse.ArgumentParser) -> None:
    add_match_arguments(parser, "tune")
    parser.add_argument("--bot", metavar="BOT", required=True, help="the bot to improve")
    parser.add_argument(
        "--against", metavar="BOT", help="the opponent (default: BOT with its current weights)"
    )
    for name, default, description in (
        ("trials", 200, "number of weight sets to try"),
        ("matches", 40, "matches per trial"),
        ("check", 400, "matches with new seeds to confirm the best weights"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=number_in(1),
            default=default,
            help=f"{description} (default: %(default)s)",
        )
    add_folder_arguments(
        parser,
        "folder for weights.json and the trials, in a format that Optuna can read",
        "continue the trials in DIR, if there are any",
    )


def run_tune(arguments: argparse.Namespace) -> int:
    """Search for weights that let a bot win more often.

    The game declares the weights in `Plugin.weights`. Optuna proposes values, and all trials play
    the same seeds. The best weights then play with new seeds. Only the result of these matches, in
    the last line, is an unbiased estimate. Ctrl-C keeps the trials, and --resume continues.
    """
    require("tune", "studies", "optuna")
    from tabletop.studies.tuning import tune

    try:
        with open_workers(arguments) as (workers, progress):
            result = tune(
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
        raise make_interrupted(arguments, "the trials are stored") from None
    check = result.check
    low, high = check.interval
    sys.stdout.write(
        f"best of {plural(result.trials, 'trial')}, with {result.share:.1%} of the points:\n"
        f"{dict(result.weights)}\n{result.bot}\n"
        f"against {printable(check.second)}, new seeds: {check.share:.1%} of"
        f" {plural(check.matches, 'match')} ({low:.1%} to {high:.1%})\n"
    )
    return OK


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=user_path, help="folder of a study")
    parser.add_argument(
        *("-o", "--output"),
        metavar="FILE",
        type=user_path,
        help="FILE.html for a single file, or FILE.md with the pictures next to it (default: both"
        " DIR/_report.html and DIR/_report.md)",
    )


def run_report(arguments: argparse.Namespace) -> int:
    """Write a report about a study: win rates, match lengths and all metrics.

    The report marks differences that are significant after a correction for the number of
    comparisons, and contains the command that replays the longest match.
    """
    require("a report", "studies", "numpy", "pyarrow", "matplotlib")
    study = Study(arguments.folder)
    from tabletop.studies.report_page import report

    page, *_ = report(study, arguments.output)
    sys.stdout.write(f"{page}\n")
    return OK
