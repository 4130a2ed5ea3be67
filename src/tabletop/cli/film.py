"""Write a recorded match as one page that steps through it with pictures, for any browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from tabletop.cli.records import read_record, watcher_of
from tabletop.errors import TabletopError
from tabletop.events import Watcher
from tabletop.host.files import user_path, write_text
from tabletop.host.printable import printable
from tabletop.records.stepping import Stepper
from tabletop.registry import Plugin
from tabletop.storage.origins import plugin_of
from tabletop.terminal.console import Console
from tabletop.terminal.sitting import warn_dropped
from tabletop.wording import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", metavar="RECORD", type=user_path, help="a record")
    parser.add_argument("--game", metavar="GAME", help="the game: a name, module:NAME, or a path")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.html",
        type=user_path,
        help="where the page goes; beside the record by default",
    )
    parser.add_argument(
        "--seat",
        metavar="N",
        help="as seat 1, 2, ... saw it; or `all`: everything (by default what all can see)",
    )
    parser.add_argument("--until", metavar="N", type=int, help="stop after N steps")
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="also with other rules than it was made with, up to the first difference",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    record = read_record(arguments.file)
    watcher = watcher_of(arguments.seat, record)
    plugin = plugin_of(record, arguments.game, "film", record.path)
    console = Console()
    warn_dropped(record, console)
    stepper = Stepper(record, plugin.game, until=arguments.until, anyway=arguments.anyway)
    output = arguments.output or arguments.file.with_suffix(".html")
    write_film(output, stepper, plugin, watcher, console)
    return 0


def write_film(
    output: Path, stepper: Stepper, plugin: Plugin, watcher: Watcher, console: Console
) -> None:
    """Write the page of a record where no step has been done, and say where it is.

    Raises:
        RecordMismatch: a step does not replay; nothing is written.
        TabletopError: it cannot be written.
    """
    from tabletop.drawing import picture_of
    from tabletop.film import film_of

    page = film_of(stepper, picture_of(plugin), plugin.text, watcher)
    try:
        write_text(str(output), page)
    except OSError as error:
        raise TabletopError(f"{output}: cannot be written: {error.strerror or error}") from error
    console.say(f"{printable(str(output))}: {counted(stepper.steps, 'step')}")
