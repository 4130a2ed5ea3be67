"""Print the rules of a game, as it comes with them.

At a terminal they are laid out for it; elsewhere they are Markdown, as the game has them.
"""

from __future__ import annotations

import argparse
import sys

from tabletop.errors import TabletopError
from tabletop.registry import load
from tabletop.rulebook import no_rules, shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", metavar="GAME", help="a name, module:NAME, or a path to a .py file")


def run(arguments: argparse.Namespace) -> int:
    """Print the rules; exit 1 when there are none."""
    plugin = load(arguments.game)
    rules = plugin.rules
    if not rules:
        raise TabletopError(no_rules(plugin.game))
    sys.stdout.write(shown(rules, at_terminal=sys.stdout.isatty()) + "\n")
    return 0
