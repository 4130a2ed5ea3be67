"""The options of the program `sorcery` (Sorcery 2024 §5.2)."""

from __future__ import annotations

from typing import Final

from sorcery.bots import BOTS
from sorcery.screen import COMPACT
from sorcery.styles import STYLES
from tabletop.graphics import add_graphics_option
from tabletop.terminal.args import ProgramParser, add_contest_options, add_record_options

DEFAULT_DECK: Final = "default.deck"
"""The deck of a player for whom no option names another."""

PACKAGED_DECKS: Final = (DEFAULT_DECK, "custom.deck")
"""The decks that come with the package, for where there is no file of that name."""


def build_parser() -> ProgramParser:
    """The parser of the program."""
    parser = ProgramParser(
        prog="sorcery",
        description="Play Sorcery: two players, each with a deck of cards, and who has no life"
        " left loses. `help` at the prompt tells what can be typed.",
        epilog="Options may be spelled with one dash or two, and stand in any order."
        " `tabletop replay`, `tabletop resume` and `tabletop scores` know the records and scores of"
        " this program, too.",
    )
    for player in (1, 2):
        parser.add_argument(
            f"-deck{player}",
            f"--deck{player}",
            metavar="FILE",
            help=f"player {player}'s deck: names of cards, one a line; by default {DEFAULT_DECK}."
            f" Where there is no file of that name, {' and '.join(PACKAGED_DECKS)} are those of the"
            " package",
        )
    parser.add_argument(
        "-init",
        "--init",
        metavar="FILE",
        help="read FILE first, a command a line, beginning with the names of the players",
    )
    parser.add_argument(
        "-testing",
        "--testing",
        action="store_true",
        help="testing mode: decks in order, draw and discard, cards for too little magic",
    )
    parser.add_argument(
        "-edition",
        "--edition",
        metavar="NAME",
        help="which edition to play: 2024 (the default), 2017, or one of an installed package",
    )
    parser.add_argument(
        "-style",
        "--style",
        metavar="NAME",
        choices=(*STYLES, COMPACT),
        help="how to draw: simple, fancy, or compact, in 80 columns; by default fancy where the"
        " terminal can show it, and compact where it is too small",
    )
    parser.add_argument(
        "-seed",
        "--seed",
        metavar="TEXT",
        help="any text; by default a fresh phrase, said at the start",
    )
    add_contest_options(parser, ", with the decks of the edition")
    parser.add_argument(
        "-cards",
        "--cards",
        metavar="FILE.py",
        action="append",
        default=[],
        help="add the cards of a Python file, which is run: only one that you trust; repeat",
    )
    parser.add_argument(
        "-bot",
        "--bot",
        metavar="SEAT[=NAME]",
        action="append",
        default=[],
        help=f"let a bot ({', '.join(BOTS)}, or random) play for player 1 or 2, or `all`; repeat",
    )
    add_graphics_option(parser, "-graphics", "--graphics")
    add_record_options(parser)
    return parser
