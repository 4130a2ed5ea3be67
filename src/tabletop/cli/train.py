"""The command `tabletop train`: a bot learns a game by self-play."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from tabletop.cli.match_args import number_in
from tabletop.cli.studies import (
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
        message = f"{quote(text)}: give whole numbers, as 128,128"
        raise argparse.ArgumentTypeError(message) from None


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop train`."""
    add_match_arguments(parser, "train", 5000)
    for name, low, default, what in (
        ("rounds", 0, 200, "how many rounds of playing and learning"),
        ("choices", 2, 8_192, "about how many choices it learns from in a round"),
        ("every", 1, 20, "measure it after so many rounds, and in the end"),
        ("matches", 2, 100, "how many matches it plays against each bot then"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=number_in(low),
            default=default,
            help=f"{what} (%(default)s)",
        )
    parser.add_argument(
        "--against",
        metavar="A,B,...",
        action="append",
        default=[],
        help="the bots that it is measured against (by default those of random, easy and fair that"
        " the game has); repeat for exec:COMMAND and learnt:FILE, which may have commas",
    )
    parser.add_argument(
        "--layers",
        metavar="N,N,...",
        type=_widths,
        default=(128, 128),
        help="how wide the hidden layers of the network are (128,128)",
    )
    add_folder_arguments(
        parser,
        "the folder for policy.npz, which learnt:FILE seats, its curve.csv and curve.svg, and what"
        " it takes to go on",
        "go on with the training that may be in DIR; --rounds may be larger",
    )


def run_train(arguments: argparse.Namespace) -> int:
    """Train a bot by self-play, and measure how good it gets.

    It plays against itself and its earlier selves, and learns from who wins (masked PPO). It sees
    what its seat sees. One seed gives one result on one machine. Ctrl-C keeps the rounds that were
    finished, and --resume goes on. DIR/policy.npz plays at any table, without what trained it:
    tabletop play GAME --bot 2=learnt:DIR/policy.npz
    """
    require("training", "train", "numpy", "torch", "stable_baselines3", "sb3_contrib")
    from tabletop.training.training import train

    folder, kept = arguments.output, "the rounds that were finished"
    try:
        with open_workers(arguments, ", rounds") as (workers, progress):

            def tell(point: Point) -> None:
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
                on_point=tell,
                **match_words(arguments),
            )
    except KeyboardInterrupt:
        raise make_interrupted(arguments, f"{kept} are kept in {folder}") from None
    except ContractError as error:  # of a game that cannot be learnt
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
