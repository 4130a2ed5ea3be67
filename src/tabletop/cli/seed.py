"""Print fresh seeds: phrases one can say out loud, of a game's own words when GAME is given."""

from __future__ import annotations

import argparse
import sys

from tabletop.errors import UsageError
from tabletop.phrases import Vocabulary, common_vocabulary, fresh_phrase
from tabletop.registry import load

MOST = 100_000
"""How many phrases are printed at most: far fewer than any game is good for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a game, for phrases of its words")
    parser.add_argument("-n", metavar="N", type=int, default=1, help="how many (by default 1)")


def run(arguments: argparse.Namespace) -> int:
    """Print the phrases, all different."""
    if not 1 <= arguments.n <= MOST:
        raise UsageError(f"-n {arguments.n}: give 1 to {MOST}")
    words = common_vocabulary() if arguments.game is None else load(arguments.game).game.vocabulary
    if arguments.n > words.phrases:
        raise UsageError(f"-n {arguments.n}: there are only {words.phrases} phrases")
    for phrase in _phrases(words, arguments.n):
        sys.stdout.write(phrase + "\n")
    return 0


def _phrases(words: Vocabulary, count: int) -> list[str]:
    phrases: dict[str, None] = {}
    while len(phrases) < count:
        phrases[fresh_phrase(words)] = None
    return list(phrases)
