"""The command `tabletop compare`: what other options or rules change."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

from tabletop.cli.match_args import read_options
from tabletop.cli.studies import (
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
from tabletop.terminal.args import as_text
from tabletop.terminal.programs import OK
from tabletop.text_layout import table
from tabletop.wording import plural, quote

if TYPE_CHECKING:
    from tabletop.studies.rule_comparisons import Difference


def add_compare_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop compare`."""
    add_series_arguments(parser)
    parser.add_argument(
        "--against",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the second matches, which have those of --option otherwise; repeat",
    )
    parser.add_argument("--other", metavar="GAME", help="play the second matches by these rules")
    parser.add_argument(
        "--vary",
        metavar="NAME=A,B,...",
        action="append",
        default=[],
        help="play with each of these values of an option, and say what each changes beside the"
        " first one; repeat for all combinations of several options, and what two change together",
    )
    how_long = parser.add_mutually_exclusive_group()
    how_long.add_argument(
        "--power",
        metavar="N",
        type=float,
        help="say also how many matches of each kind give a difference of N its star, 4 times in 5",
    )
    how_long.add_argument(
        "--until",
        metavar="NAME=N",
        type=_read_until,
        help="stop as soon as it is known whether the mean of this name differs by more than N, as"
        " 'wins, seat 1=0.05'; -n is how many matches are played at most",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    add_folder_arguments(
        parser,
        "store the matches in this folder, a study of each kind: 1, 2, ...",
        "go on with the studies in DIR, if there are any; -n may be larger",
        required=False,
    )


def _read_until(text: str) -> tuple[str, float]:
    name, _, apart = text.rpartition("=")
    try:
        return as_text(name).strip(), float(apart)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{quote(text)}: give a mean and a difference, as 'wins, seat 1=0.05'"
        ) from None


def run_compare(arguments: argparse.Namespace) -> int:
    """Say what other values of options, or other rules, change: of who wins, lengths and metrics.

    A match of each kind is played with each seed, and their differences are shown with intervals. A
    star stands where chance alone would hardly make so large a difference anywhere in the table: in
    at most 5 % of such tables. With --power, -n matches are a trial that says how many it takes;
    with --until, they end as soon as enough is known, and intervals are wider, so that they hold
    whenever that is.
    """
    require("a comparison", "studies", "numpy")
    from tabletop.studies.rule_comparisons import compare, vary

    is_pair = bool(arguments.against) or arguments.other is not None
    if is_pair == bool(arguments.vary):
        wanted = "give --against NAME=VALUE or --other GAME, or --vary NAME=A,B"
        raise UsageError(f"{'two things at once' if is_pair else 'nothing'} to compare: {wanted}")
    if arguments.resume and arguments.output is None:
        raise UsageError("--resume: say in which folder the matches are: -o DIR")
    words = series_words(arguments)
    first = Series.of(arguments.game, **words)
    play = (
        partial(vary, first, _read_values(arguments))
        if arguments.vary
        else partial(compare, first, _second_series(arguments, words))
    )
    try:
        with open_workers(arguments) as (workers, progress):
            found = play(
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
        as_json([it.data() for it in found])
        if arguments.json
        else _differences(found, arguments.power, arguments.until)
    )
    return OK


def _read_values(arguments: argparse.Namespace) -> dict[str, list[OptionValue]]:
    """Return the values of each option that varies."""
    rules, found = load(arguments.game).game, dict[str, list[OptionValue]]()
    for word in map(as_text, arguments.vary):
        name, equals, texts = word.partition("=")
        each = [f"{name}={text}" for text in texts.split(",")] if equals else [word]
        values = [read_options(rules, [it], "--vary")[name] for it in each]
        if any(it.partition("=")[0] == name for it in map(as_text, arguments.option)):
            raise UsageError(f"--vary {word}: --option sets {name} as well: leave one of them out")
        found.setdefault(name, []).extend(values)
    return found


def _second_series(arguments: argparse.Namespace, words: dict[str, Any]) -> Series:
    """Return the series that the first one is compared with."""
    other = arguments.other or arguments.game
    changed = read_options(load(other).game, list(map(as_text, arguments.against)), "--against")
    return Series.of(other, **{**words, "options": {**words["options"], **changed}})


def _differences(
    found: Sequence[Difference], power: float | None, until: tuple[str, float] | None
) -> str:
    """Return a table of differences, and what is known of the mean that was watched."""
    titles = ["mean of", "first", "second", "difference", "95 %", ""]
    rows = [
        [
            printable(it.name),
            *(f"{number:.4g}" for number in (it.first, it.second)),
            f"{it.apart.value:+.4g}",
            "?" if isnan(it.apart.low) else f"{it.apart.low:+.4g} to {it.apart.high:+.4g}",
            "*" if it.p < 0.05 else "",
        ]
        for it in found
    ]
    right = [1, 2, 3, 4]
    if power is not None:
        right.append(len(titles))
        titles.append(f"n for {power:g}")
        for row, it in zip(rows, found, strict=True):
            row.append("?" if it.needed is None else f"{it.needed:,}")
    if any(it.effect for it in found):
        titles, right = ["effect", *titles], [place + 1 for place in right]
        rows = [[printable(it.effect), *row] for row, it in zip(rows, found, strict=True)]
    lines = [table(titles, rows, right=right)]
    for it in found:
        if until is not None and it.name == until[0]:
            effect = f"{it.effect}: " if it.effect else ""
            more = {True: "is more than", False: "is less than", None: "may be more or less than"}
            known = f"the difference {more[it.larger]} {until[1]:g}"
            played = plural(it.matches, "match")
            lines.append(printable(f"{effect}{it.name}: {known}, after {played} of each kind"))
    return "\n".join(lines) + "\n"
