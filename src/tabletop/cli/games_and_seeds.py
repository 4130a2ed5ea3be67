"""The commands `tabletop games`, `tabletop rules` and `tabletop seed`."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from tabletop.cli.match_args import add_game_argument, number_in, players_of
from tabletop.display.rulebook import find_sections, no_rules, shown
from tabletop.errors import CommandError, RegistryError, TabletopError, UsageError
from tabletop.host.modules import clash_of
from tabletop.host.pager import show_pages
from tabletop.host.screen_text import print_error, printable
from tabletop.registry import installed, load, load_point
from tabletop.rng.phrases import common_vocabulary, fresh_phrase
from tabletop.text_layout import table

MOST_SEEDS: Final = 100_000  # maximum number of seeds that `tabletop seed` prints at a time


def add_games_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command takes no arguments."""


def run_games(arguments: argparse.Namespace) -> int:
    """List the installed games."""
    rows = []
    messages = []
    is_broken = False
    for name, point in installed().items():
        try:
            game = load_point(point).game
        except RegistryError as error:
            is_broken = True
            messages.append(str(error))
            rows.append((name, "-", "-", "(cannot be loaded)"))
        else:
            rows.append((name, players_of(game), game.version, printable(game.title or game.name)))
            if clash := clash_of(point):
                messages.append(f"{name}: {clash}")
    sys.stdout.write(table(("NAME", "PLAYERS", "VERSION", "TITLE"), rows) + "\n")
    for message in messages:
        print_error(f"tabletop: {message}")
    return 1 if is_broken else 0


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    parser.add_argument(
        "words",
        metavar="WORDS",
        nargs="*",
        help="print only sections with these words in a heading",
    )


def run_rules(arguments: argparse.Namespace) -> int:
    """Print the rules of a game.

    The rules are formatted for a terminal. If the output is a file or a pipe, the original Markdown
    is printed.
    """
    plugin = load(arguments.game)
    rules = plugin.rules
    if not rules:
        raise TabletopError(no_rules(plugin.game))
    if arguments.words:
        try:
            rules = find_sections(rules, " ".join(arguments.words))
        except CommandError as error:
            raise UsageError(str(error)) from error
    show_pages(shown(rules, at_terminal=sys.stdout.isatty()))
    return 0


def add_seed_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="use the vocabulary of this game")
    parser.add_argument(
        "-n",
        metavar="N",
        type=number_in(1, MOST_SEEDS),
        default=1,
        help="number of seeds (default: 1)",
    )


def run_seed(arguments: argparse.Namespace) -> int:
    """Generate seeds: short phrases that are easy to say and to type.

    With GAME, the phrases consist of words from that game.
    """
    words = common_vocabulary() if arguments.game is None else load(arguments.game).game.vocabulary
    if arguments.n > words.phrases:
        raise UsageError(f"-n {arguments.n}: there are only {words.phrases} phrases")
    phrases: dict[str, None] = {}
    while len(phrases) < arguments.n:
        phrases[fresh_phrase(words)] = None
    sys.stdout.write("".join(f"{phrase}\n" for phrase in phrases))
    return 0
