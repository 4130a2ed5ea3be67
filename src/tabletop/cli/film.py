"""Write a recorded match as one page that steps through it with pictures, for any browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from tabletop.cli.records import (
    Opened,
    add_record_argument,
    add_view_arguments,
    check_steps,
    open_record,
    write_output,
)
from tabletop.host.files import user_path
from tabletop.host.printable import printable
from tabletop.wording import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_record_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.html",
        type=user_path,
        help="where the page goes; beside the record by default",
    )
    parser.add_argument("--until", metavar="N", type=int, help="stop after N steps")
    add_view_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    check_steps(until=arguments.until)
    output = arguments.output or arguments.file.with_suffix(".html")
    write_film(output, open_record(arguments, "film", until=arguments.until))
    return 0


def write_film(output: Path, opened: Opened) -> None:
    """Write the page of a record, and say where it is.

    Raises:
        RecordMismatch: a step does not replay; nothing is written.
        TabletopError: it cannot be written.
    """
    from tabletop.picture import picture_of
    from tabletop.replay_page import replay_page

    plugin, stepper = opened.plugin, opened.stepper
    page = replay_page(stepper, picture_of(plugin), plugin.text, opened.watcher)
    write_output(output, page.encode())
    opened.console.say(f"{printable(str(output))}: {counted(stepper.steps, 'step')}")
