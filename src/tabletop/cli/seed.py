"""Print a fresh seed: a phrase one can say out loud."""

from __future__ import annotations

import argparse
import sys

from tabletop.cli import UsageError
from tabletop.seeds import fresh_phrase

HELP = "print a fresh seed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("-n", metavar="N", type=int, default=1, help="how many (by default 1)")


def run(arguments: argparse.Namespace) -> int:
    """Print the phrases."""
    if arguments.n < 1:
        raise UsageError(f"-n {arguments.n}: give 1 or more")
    for _ in range(arguments.n):
        sys.stdout.write(fresh_phrase() + "\n")
    return 0
