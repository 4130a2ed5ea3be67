"""The options of the program `constructor` (Constructor §5)."""

from __future__ import annotations

import argparse
from typing import Final

from constructor.production import VARIANTS
from tabletop.graphics import add_graphics_option
from tabletop.terminal.args import ProgramParser, add_contest_options, add_record_options
from tabletop.wording import shorten

DEFAULT_LAYOUT: Final = "layout.txt"
"""The layout in the current directory that is taken when no option names another."""

MOST_SECONDS: Final = 3600
"""Nobody waits longer for a bot."""


def build_parser() -> ProgramParser:
    """The parser of the program."""
    parser = ProgramParser(
        prog="constructor",
        description="Play Constructor: four builders, and the first with 10 building points wins."
        " `help` at the prompt tells what can be typed. `resign [BOT]` is understood at every"
        " prompt: a bot plays on for the builder who is asked. When input ends, the game is kept"
        " in backup.sv.",
        epilog="Options may be spelled with one dash or two, and stand in any order."
        " `tabletop replay`, `tabletop resume` and `tabletop scores` know the records and scores of"
        " this program, too; `tabletop play constructor-small` is played on a smaller board.",
    )
    parser.add_argument(
        "-seed",
        "--seed",
        metavar="TEXT",
        help="any text; `new` for a fresh phrase. Without it, every game is the same",
    )
    add_contest_options(parser, ", on a random board with fair dice")
    parser.add_argument("-load", "--load", metavar="FILE", help="go on with the game saved in FILE")
    parser.add_argument(
        "-board",
        "--board",
        metavar="FILE",
        help=f"take the layout from FILE; by default from {DEFAULT_LAYOUT} in the current"
        " directory, or the course's own when there is none",
    )
    parser.add_argument(
        "-random-board",
        "--random-board",
        action="store_true",
        help="deal the tiles at random; with -load or -board this means nothing",
    )
    parser.add_argument(
        "-fair",
        "--fair",
        action="store_true",
        help="begin with fair dice, also after -load, and let nobody take loaded ones",
    )
    parser.add_argument(
        "-variant",
        "--variant",
        metavar="NAME",
        choices=tuple(VARIANTS),
        help="whether tiles can be improved (rich), run dry (scarce), or both (living)",
    )
    parser.add_argument(
        "-bot",
        "--bot",
        metavar="COLOUR[=NAME]",
        action="append",
        default=[],
        help="let a bot (builder, or random) play for a builder, or for `all`; repeat",
    )
    parser.add_argument(
        "-pause",
        "--pause",
        metavar="SECONDS",
        type=_seconds,
        help="how long to wait after a bot's turn; by default 1 at a terminal, and 0 elsewhere",
    )
    parser.add_argument(
        "-log", "--log", metavar="FILE", help="add what happens to FILE, a line an event"
    )
    add_graphics_option(parser, "-graphics", "--graphics")
    add_record_options(parser)
    return parser


def _seconds(word: str) -> float:
    """The number of seconds that an option gives, 0 to `MOST_SECONDS`.

    Raises:
        ArgumentTypeError: it is no such number.
    """
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        message = f"{shorten(word)} is not a number of seconds from 0 to {MOST_SECONDS}"
        raise argparse.ArgumentTypeError(message)
    return seconds
