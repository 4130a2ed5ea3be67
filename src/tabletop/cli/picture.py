"""Draw a picture of a recorded match, as it stood after some of its steps."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from tabletop.cli.records import (
    add_record_argument,
    add_view_arguments,
    check_steps,
    open_record,
    write_output,
)
from tabletop.errors import TabletopError, UsageError
from tabletop.host.files import user_path
from tabletop.host.printable import printable
from tabletop.wording import counted

KINDS: Final = (".svg", ".png")
WIDEST: Final = 8192
"""Pixels; a wider PNG helps nobody, and takes all memory."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_record_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=user_path,
        required=True,
        help="where the picture goes: FILE.svg or FILE.png",
    )
    parser.add_argument("--at", metavar="N", type=int, help="after N steps; at the end by default")
    parser.add_argument("--narrow", action="store_true", help="for a screen as narrow as a phone's")
    parser.add_argument(
        "--dark", action="store_true", help="in dark colours (an SVG has both, and shows either)"
    )
    parser.add_argument(
        "--width", metavar="PIXELS", type=int, help="how wide a PNG is; as drawn by default"
    )
    add_view_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw the picture."""
    _check(arguments)
    opened = open_record(arguments, "picture")
    steps = opened.stepper.steps
    at: int = steps if arguments.at is None else arguments.at
    if at > steps:
        raise UsageError(f"--at {at}: {opened.record.path} has {counted(steps, 'step')}")
    from tabletop.picture import picture_of
    from tabletop.replay_page import picture_after

    look = picture_of(opened.plugin)
    picture = picture_after(opened.stepper, at, look, opened.watcher, narrow=arguments.narrow)
    output: Path = arguments.output
    is_png = output.suffix.casefold() == ".png"
    data = _png(picture, arguments.width, dark=arguments.dark) if is_png else picture.encode()
    write_output(output, data)
    opened.console.say(f"{printable(str(output))}: after {at} of {counted(steps, 'step')}")
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Accept the arguments.

    Raises:
        UsageError: one is out of its range, or of no use with the others.
    """
    kind = arguments.output.suffix.casefold()
    if kind not in KINDS:
        raise UsageError(f"-o {arguments.output}: give FILE.svg or FILE.png")
    for name, value in (("--width", arguments.width), ("--dark", arguments.dark or None)):
        if kind == ".svg" and value is not None:
            raise UsageError(f"{name} is for a PNG: an SVG has every size, light and dark")
    check_steps(at=arguments.at)
    if arguments.width is not None and not 1 <= arguments.width <= WIDEST:
        raise UsageError(f"--width {arguments.width}: give 1 to {WIDEST} pixels")


def _png(picture: str, width: int | None, *, dark: bool) -> bytes:
    """A picture as a PNG.

    Raises:
        TabletopError: what draws it is not installed.
    """
    from tabletop.svg import flattened

    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        message = "a PNG needs resvg: pip install 'tabletop-rules[pictures]' (an SVG needs nothing)"
        raise TabletopError(message) from error
    return bytes(svg_to_bytes(svg_string=flattened(picture, dark=dark), width=width))
