"""Show a recorded match as it was played, or verify that it replays exactly.

A step is an action, or the taking back of some.
"""

from __future__ import annotations

import argparse

from tabletop.cli.film import write_film
from tabletop.cli.records import (
    add_record_argument,
    add_view_arguments,
    check_steps,
    open_record,
)
from tabletop.cli.showing import Show
from tabletop.errors import UsageError
from tabletop.host.files import user_path
from tabletop.host.printable import printable
from tabletop.records.reading import Record
from tabletop.records.record import versions
from tabletop.records.stepping import Stepper
from tabletop.seeds import commitment
from tabletop.terminal.console import Console
from tabletop.terminal.programs import Interrupted
from tabletop.wording import counted

SLOWEST, FASTEST = 0.01, 1000.0
"""The range of --speed, in steps a second."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_record_argument(parser, "FILE")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--verify", action="store_true", help="show nothing; exit 1 unless it replays exactly"
    )
    how.add_argument(
        "--step",
        action="store_true",
        help="wait for a line after each step: Enter, n, b (back), a number (go there), q",
    )
    how.add_argument(
        "--speed", metavar="X", type=float, help="steps a second; without waiting by default"
    )
    how.add_argument(
        "--film",
        metavar="FILE.html",
        type=user_path,
        help="show nothing; write the match as one page with pictures, as `tabletop film` does",
    )
    parser.add_argument("--from", metavar="N", type=int, dest="first", help="begin after N steps")
    parser.add_argument("--until", metavar="N", type=int, help="stop after N steps")
    add_view_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay the record."""
    _check(arguments)
    opened = open_record(arguments, "replay", until=arguments.until)
    if arguments.film:
        write_film(arguments.film, opened)
        return 0
    record, plugin, stepper, watcher, console = opened
    if record.header.version != plugin.game.version:
        console.say(f"{printable(record.path)}: {versions(plugin.game, record.header)}")
    if arguments.verify:
        verify(record, stepper, console)
        return 0
    show = Show(stepper, plugin.text, console, watcher, arguments.first or 0)
    try:
        show.step() if arguments.step else show.run(arguments.speed)
    except KeyboardInterrupt as error:
        console.say()  # what follows begins a line
        if not arguments.step:  # there one may leave at any time
            at, steps = stepper.at, counted(stepper.steps, "step")
            raise Interrupted(f"{record.path}: interrupted after {at} of {steps}") from error
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Accept the arguments.

    Raises:
        UsageError: a number is out of its range, or two of them do not go together.
    """
    for name, value in (("--from", arguments.first), ("--seat", arguments.seat)):
        if arguments.verify and value is not None:
            raise UsageError(f"--verify shows nothing: {name} makes no sense with it")
    if arguments.film and arguments.first is not None:
        raise UsageError("--film has the match from its beginning: --from makes no sense with it")
    first, until, speed = arguments.first, arguments.until, arguments.speed
    check_steps(**{"until": until, "from": first})
    if until is not None and first is not None and first > until:
        raise UsageError(f"--from {first} --until {until}: that ends before it begins")
    if speed is not None and not SLOWEST <= speed <= FASTEST:
        raise UsageError(f"--speed {speed:g}: give {SLOWEST} to {FASTEST:g} steps a second")


def verify(record: Record, stepper: Stepper, console: Console) -> None:
    """Say that a record replays exactly.

    Raises:
        RecordError: it does not.
        Interrupted: nobody waited for it.
    """
    try:
        stepper.go(stepper.steps)
    except KeyboardInterrupt as error:
        raise Interrupted(f"{record.path}: interrupted, and not verified") from error
    ending = "" if record.ended else "; the match has not ended"
    plies = stepper.match.ply
    replays = "replays" if plies == 1 else "replay"
    begins = "" if stepper.match.first_state is None else " from a given position"
    path = printable(record.path)
    console.say(f"{path}: {counted(plies, 'action')}{begins} {replays} exactly{ending}")
    salt = record.header.salt_bytes
    if salt is not None:
        console.say(f"commitment of its seed and salt: {commitment(record.header.seed, salt)}")
