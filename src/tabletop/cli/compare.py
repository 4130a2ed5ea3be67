"""The command `tabletop compare`, which measures the effect of other options or rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING

from tabletop.cli.match_args import read_options
from tabletop.cli.study_args import (
    add_folder_arguments,
    add_series_arguments,
    as_json,
    make_interrupted,
    open_workers,
    series_words,
)
from tabletop.errors import UsageError
from tabletop.host.extras import require
from tabletop.host.screen_text import printable
from tabletop.registry import load
from tabletop.rules.options import OptionValue
from tabletop.studies.series import Series
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import OK
from tabletop.text_layout import table
from tabletop.wording import plural, quote

if TYPE_CHECKING:
    from tabletop.studies.rule_comparisons import Difference


def add_compare_arguments(parser: argparse.ArgumentParser) -> None:
    add_series_arguments(parser)
    parser.add_argument(
        "--against",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the second series, in addition to those of --option (repeatable)",
    )
    parser.add_argument("--other", metavar="GAME", help="rules of the second series")
    parser.add_argument(
        "--vary",
        metavar="NAME=A,B,...",
        action="append",
        default=[],
        help="play a series with each value of an option and compare it with the first value."
        " Repeat to play all combinations of several options and measure their interactions",
    )
    how_long = parser.add_mutually_exclusive_group()
    how_long.add_argument(
        "--power",
        metavar="N",
        type=float,
        help="also print how many matches per series detect a difference of N with a probability"
        " of 80 %%",
    )
    how_long.add_argument(
        "--until",
        metavar="NAME=N",
        type=_read_until,
        help="stop as soon as the data show whether the difference in this mean is larger or"
        " smaller than N, for example 'wins, seat 1=0.05'. -n is then the maximum number of"
        " matches",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    add_folder_arguments(
        parser,
        "store the matches in this folder, as one study per series: 1, 2, ...",
        "continue the studies in DIR, if there are any (-n may be larger than before)",
        required=False,
    )


def _read_until(text: str) -> tuple[str, float]:
    name, _, apart = text.rpartition("=")
    try:
        return as_text(name).strip(), float(apart)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{quote(text)} must be a mean and a difference, such as 'wins, seat 1=0.05'"
        ) from None


def run_compare(arguments: argparse.Namespace) -> int:
    """Measure how other options or rules change win rates, match lengths and metrics.

    All series use the same seeds. The table shows each difference with its 95 % interval. A star
    marks a significant difference. The significance is corrected for the number of rows: if nothing
    really differs, at most 5 % of tables contain a star. With --power, the -n matches are a pilot
    run that estimates the number of matches needed. With --until, play may stop early, and the
    intervals are wider to allow for that.
    """
    require("a comparison", "studies", "numpy")
    from tabletop.studies.rule_comparisons import compare, vary

    is_pair = bool(arguments.against) or arguments.other is not None
    if is_pair == bool(arguments.vary):
        wanted = "--against NAME=VALUE or --other GAME, or else --vary NAME=A,B"
        problem = "--vary cannot be combined with --against or --other"
        raise UsageError(f"{problem if is_pair else 'nothing to compare'}: give {wanted}")
    if arguments.resume and arguments.output is None:
        raise UsageError("--resume needs the folder of the matches: -o DIR")
    words = series_words(arguments)
    first = Series.of(arguments.game, **words)
    if arguments.vary:
        play = partial(vary, first, _read_values(arguments))
    else:
        other = arguments.other or arguments.game
        changed = read_options(load(other).game, [*map(as_text, arguments.against)], "--against")
        second = Series.of(other, **{**words, "options": {**words["options"], **changed}})
        play = partial(compare, first, second)
    try:
        with open_workers(arguments) as (workers, progress):
            differences = play(
                *(arguments.matches, workers),
                power=arguments.power,
                until=arguments.until,
                folder=arguments.output,
                resume=arguments.resume,
                progress=progress.show,
            )
    except KeyboardInterrupt:
        if arguments.output is None:
            raise
        raise make_interrupted(arguments, f"matches are kept in {arguments.output}") from None
    sys.stdout.write(
        as_json([it.data() for it in differences])
        if arguments.json
        else _differences(differences, arguments.power, arguments.until)
    )
    return OK


def _read_values(arguments: argparse.Namespace) -> dict[str, list[OptionValue]]:
    """Return the values of each option in `--vary`."""
    rules, varied = load(arguments.game).game, dict[str, list[OptionValue]]()
    for word in map(as_text, arguments.vary):
        name, equals, texts = word.partition("=")
        each = [f"{name}={text}" for text in texts.split(",")] if equals else [word]
        values = [read_options(rules, [it], "--vary")[name] for it in each]
        if any(it.partition("=")[0] == name for it in map(as_text, arguments.option)):
            raise UsageError(f"--vary {word}: --option also sets {name} (leave one of them out)")
        varied.setdefault(name, []).extend(values)
    return varied


def _differences(
    differences: Sequence[Difference], power: float | None, until: tuple[str, float] | None
) -> str:
    """Return a table of differences, and a line about each mean of `--until`."""
    titles = ["mean of", "first", "second", "difference", "95 %", ""]
    rows = [
        [
            printable(it.name),
            *(f"{number:.4g}" for number in (it.first, it.second)),
            f"{it.apart.value:+.4g}",
            "?" if isnan(it.apart.low) else f"{it.apart.low:+.4g} to {it.apart.high:+.4g}",
            "*" if it.p < 0.05 else "",
        ]
        for it in differences
    ]
    right = [1, 2, 3, 4]
    if power is not None:
        right.append(len(titles))
        titles.append(f"n for {power:g}")
        for row, it in zip(rows, differences, strict=True):
            row.append("?" if it.needed is None else f"{it.needed:,}")
    if any(it.effect for it in differences):
        titles, right = ["effect", *titles], [place + 1 for place in right]
        rows = [[printable(it.effect), *row] for row, it in zip(rows, differences, strict=True)]
    lines = [table(titles, rows, right=right)]
    for it in differences:
        if until is not None and it.name == until[0]:
            effect = f"{it.effect}: " if it.effect else ""
            more = {
                True: "is larger than",
                False: "is smaller than",
                None: "may be larger or smaller than",
            }
            result = f"the difference {more[it.larger]} {until[1]:g}"
            played = f"{plural(it.matches, 'match')} per series"
            lines.append(printable(f"{effect}{it.name}: {result}, after {played}"))
    return "\n".join(lines) + "\n"
