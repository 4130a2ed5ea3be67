"""The command `tabletop train`, which trains a bot by self-play."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from tabletop.cli.match_args import number_in
from tabletop.cli.study_args import (
    add_folder_arguments,
    add_match_arguments,
    make_interrupted,
    match_words,
    open_workers,
    read_bot_names,
)
from tabletop.errors import ContractError, UsageError
from tabletop.host.extras import require
from tabletop.host.screen_text import printable
from tabletop.terminal.programs import OK, with_place
from tabletop.wording import quote

if TYPE_CHECKING:
    from tabletop.training.training import Point


def _widths(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        message = f"{quote(text)} must be whole numbers, such as 128,128"
        raise argparse.ArgumentTypeError(message) from None


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    add_match_arguments(parser, "train", 5000)
    for name, low, default, description in (
        ("rounds", 0, 200, "rounds of playing and learning"),
        ("choices", 2, 8_192, "approximate number of decisions to learn from in a round"),
        ("every", 1, 20, "rounds between two evaluations (the last round is always evaluated)"),
        ("matches", 2, 100, "matches against each bot in an evaluation"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=number_in(low),
            default=default,
            help=f"{description} (default: %(default)s)",
        )
    parser.add_argument(
        "--against",
        metavar="A,B,...",
        action="append",
        default=[],
        help="opponents in evaluations (default: those of random, easy and fair that the game has)."
        " Repeat it for exec:COMMAND and learnt:FILE, which may contain commas",
    )
    parser.add_argument(
        "--layers",
        metavar="N,N,...",
        type=_widths,
        default=(128, 128),
        help="widths of the hidden layers of the network (default: 128,128)",
    )
    add_folder_arguments(
        parser,
        "folder for the trained policy.npz, the learning curve (curve.csv, curve.svg) and the"
        " checkpoint",
        "continue the training in DIR, if there is one (--rounds may be larger than before)",
    )


def run_train(arguments: argparse.Namespace) -> int:
    """Train a bot by self-play and evaluate it regularly.

    The bot plays against itself and its earlier versions, and learns from the results (masked PPO).
    The bot sees only the view of its seat. On one machine, the same seed gives the same result.
    Ctrl-C keeps the finished rounds, and --resume continues. DIR/policy.npz can play at any table,
    without the training libraries: tabletop play GAME --bot 2=learnt:DIR/policy.npz
    """
    require("training", "train", "numpy", "torch", "stable_baselines3", "sb3_contrib")
    from tabletop.training.training import train

    folder = arguments.output
    try:
        with open_workers(arguments, ", rounds") as (workers, progress):

            def report(point: Point) -> None:
                progress.say(_line(point))

            trained = train(
                arguments.game,
                folder,
                workers,
                rounds=arguments.rounds,
                choices=arguments.choices,
                hidden=arguments.layers,
                every=arguments.every,
                matches=arguments.matches,
                against=read_bot_names(arguments.against) or None,
                resume=arguments.resume,
                progress=progress.show,
                on_point=report,
                **match_words(arguments),
            )
    except KeyboardInterrupt:
        raise make_interrupted(arguments, f"the finished rounds are stored in {folder}") from None
    except ContractError as error:  # the game does not support training
        raise UsageError(with_place(error)) from error
    words = ["tabletop", "play", arguments.game]
    if arguments.seats is not None:
        words += ["--seats", str(arguments.seats)]
    for option in arguments.option:
        words += ["--option", option]
    words += ["--bot", f"2=learnt:{folder / trained.policy.name}"]
    sys.stdout.write(f"play against it: {printable(shlex.join(words))}\n")
    return OK


def _line(point: Point) -> str:
    low, high = point.pairing.interval
    return printable(
        f"round {point.round}, {point.choices:,} choices: {point.pairing.share:.1%} of the points"
        f" against {point.pairing.second} ({low:.1%} to {high:.1%})"
    )
