"""The commands `tabletop replay`, `picture` and `replay-page`, which show a record."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from time import sleep
from typing import Final, NamedTuple

from tabletop.cli.match_args import number_in
from tabletop.display.text_view import headline
from tabletop.errors import RecordMismatch, TabletopError, UsageError
from tabletop.host.screen_text import printable, printable_names
from tabletop.host.user_files import file_exists, user_path, write_bytes
from tabletop.records.file import Record, read
from tabletop.records.find_game import plugin_of
from tabletop.records.replaying import Stepper, versions
from tabletop.registry import Plugin
from tabletop.rng.seeds import commitment
from tabletop.rules.events import ALL, Event, MatchEnded, Watcher
from tabletop.terminal.console import Console, flush_lines
from tabletop.terminal.programs import Interrupted
from tabletop.terminal.recording import warn_dropped
from tabletop.wording import plural

KEYS: Final = "Enter or n: next step, b: back, a number: go to that step, q: quit"

KINDS: Final = (".svg", ".png")
WIDEST: Final = 8192
"""Maximum width of a PNG in pixels. Larger pictures use too much memory."""


class OpenedRecord(NamedTuple):
    """A record with its game, before its first step."""

    record: Record
    plugin: Plugin
    stepper: Stepper
    watcher: Watcher
    console: Console


def add_record_argument(parser: argparse.ArgumentParser, called: str = "RECORD") -> None:
    """Add the arguments for the record and for its game."""
    parser.add_argument("file", metavar=called, type=user_path, help="a record")
    parser.add_argument(
        "--game", metavar="GAME", help="the game: a name, module:NAME, or the path of a .py file"
    )


def add_view_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the view, and for records of other versions of the rules."""
    parser.add_argument(
        "--seat",
        metavar="N",
        help="show the view of seat 1, 2, ..., or `all` for everything (default: the view of"
        " spectators)",
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="replay a record of a different version of the rules, up to the first difference",
    )


def open_record(
    arguments: argparse.Namespace, command: str, *, until: int | None = None
) -> OpenedRecord:
    """Open the record that the arguments name, up to step `until` or to its last step."""
    record = read_record(arguments.file, pipes=True)
    watcher = _watcher(arguments.seat, record)
    plugin = plugin_of(record, arguments.game, command, record.path)
    console = Console()
    warn_dropped(record, console)
    stepper = Stepper(record, plugin.game, until=until, anyway=arguments.anyway)
    return OpenedRecord(record, plugin, stepper, watcher, console)


def _write(path: Path, data: bytes) -> None:
    """Write a file, or raise `TabletopError` and leave no partial file."""
    try:
        write_bytes(str(path), data)
    except OSError as error:
        raise TabletopError(f"{path}: cannot be written: {error.strerror or error}") from error


def _watcher(word: str | None, record: Record) -> Watcher:
    """Return the watcher given by `--seat`. Raise `UsageError` if there is no such seat."""
    if word is None:
        return None
    seats = len(record.header.seats)
    if word.casefold() == "all":
        return ALL
    if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= seats:
        return int(word) - 1
    raise UsageError(f"--seat {word}: seats are 1 to {seats}, or all")


def read_record(path: Path, *, pipes: bool = False) -> Record:
    """Read the record in a file. Raise `UsageError` if the file does not exist.

    With `pipes`, the file may be a pipe, such as `/dev/stdin`.
    """
    if not file_exists(path):
        raise UsageError(f"{path}: there is no such file")
    return read(path, pipes=pipes)


def add_replay_arguments(parser: argparse.ArgumentParser) -> None:
    add_record_argument(parser, "FILE")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--verify",
        action="store_true",
        help="only check that the record replays exactly (exit code 1 if it does not)",
    )
    how.add_argument(
        "--step",
        action="store_true",
        help="wait for input after each step: Enter or n (next), b (back), a number (go to that"
        " step), q (quit)",
    )
    how.add_argument(
        "--speed",
        metavar="X",
        type=number_in(0.01, 1000, float),
        help="steps per second (default: no delay)",
    )
    how.add_argument(
        "--page",
        metavar="FILE.html",
        type=user_path,
        help="write the match as a web page, as `tabletop replay-page` does",
    )
    parser.add_argument("--from", metavar="N", type=number_in(0), help="start after N steps")
    parser.add_argument("--until", metavar="N", type=number_in(0), help="stop after N steps")
    add_view_arguments(parser)


def run_replay(arguments: argparse.Namespace) -> int:
    """Show a recorded match, or verify that it replays exactly.

    A step is an action, or an undo of one or more actions.
    """
    given, until = vars(arguments), arguments.until
    for way, other in (("verify", "seat"), ("verify", "from"), ("page", "from")):
        if given[way] and given[other] is not None:
            raise UsageError(f"--{way} cannot be combined with --{other}")
    first = given["from"] or 0
    if until is not None and first > until:
        raise UsageError(f"--from must be at most {until} (--until), not {first}")
    opened = open_record(arguments, "replay", until=until)
    if arguments.page:
        return _write_replay_page(arguments.page, opened)
    record, plugin, stepper, _, console = opened
    if record.header.version != plugin.game.version:
        console.say(f"{printable(record.path)}: {versions(plugin.game, record.header)}")
    if arguments.verify:
        _verify(record, stepper, console)
        return 0
    viewer = _Viewer(opened, first)
    try:
        viewer.step() if arguments.step else viewer.run(arguments.speed)
    except KeyboardInterrupt as error:
        console.say()  # the next output starts on a new line
        if not arguments.step:  # with --step, Ctrl-C is a normal way to quit
            at, steps = stepper.at, plural(stepper.steps, "step")
            raise Interrupted(f"{record.path}: interrupted after {at} of {steps}") from error
    return 0


class _Viewer:
    """Shows an opened record, starting at step `first`."""

    def __init__(self, opened: OpenedRecord, first: int) -> None:
        self._stepper, self._console = opened.stepper, opened.console
        self._match = self._stepper.match
        self._names = printable_names(self._match.names)
        self._text, self._watcher = opened.plugin.text, opened.watcher
        self._pending: list[str] = []
        self._console.say(headline(self._match))
        self._stepper.go(min(first, self._stepper.steps))
        self._show_position()
        # Subscribe only now, because events before the first position are not shown.
        self._match.observe(self._show_event, seat=self._watcher)

    def run(self, speed: float | None = None) -> None:
        """Show the record to its end.

        If a step does not replay, its position with the current rules is shown before the error.

        Args:
            speed: Steps per second. The position is shown after each step. With None, there is no
                delay, and only the last position is shown.
        """
        stepper = self._stepper
        began = stepper.at
        while stepper.at < stepper.steps:
            if speed is not None:
                sleep(1 / speed)
            self._go(stepper.at + 1)
            if speed is not None:
                self._show_position()
        if speed is None and stepper.at > began:
            self._show_position()
        self._show_outcome()

    def step(self) -> None:
        """Read commands from the user and execute them, until the user quits."""
        self._console.say(KEYS)
        while True:
            line = self._console.read(self._prompt())
            if line is None or not self._execute(line.strip().casefold()):
                return

    def _prompt(self) -> str:
        at, steps = self._stepper.at, self._stepper.steps
        return f"-- {at} of {steps}, Enter {'for the next' if at < steps else 'to quit'} "

    def _execute(self, word: str) -> bool:
        """Execute a command. Return False if it ends the viewer."""
        at, steps = self._stepper.at, self._stepper.steps
        if word in ("q", "quit", "exit") or (at == steps and word in ("", "n")):
            return False
        if word in ("", "n", "b"):
            step = at - 1 if word == "b" else at + 1
        elif word.isascii() and word.isdecimal():
            # Nine digits exceed the length of any record. Python refuses to read thousands.
            step = int(word[:9])
        else:
            self._console.say(KEYS)
            return True
        if step < 0:
            self._console.say("This is the beginning.")
        elif step > steps:
            self._console.say(f"There is no step {word}. Steps are numbered from 0 to {steps}.")
        else:
            self._go(step)
            self._show_position()
            if step == steps:
                self._show_outcome()
        return True

    def _go(self, step: int) -> None:
        """Go to a step. If it is the next step, show its events."""
        is_next = step == self._stepper.at + 1
        try:
            self._stepper.go(step)
        except RecordMismatch:
            flush_lines(self._pending, self._console)
            self._show_position()
            raise
        if not is_next:
            self._pending.clear()
        flush_lines(self._pending, self._console)

    def _show_position(self) -> None:
        match, watcher = self._match, self._watcher
        # A copy, because the text view of a game must not be able to change the match.
        view = match.state.clone() if watcher == ALL else match.view(watcher)
        self._console.say(self._text.position(view, self._names, watcher))

    def _show_outcome(self) -> None:
        match = self._match
        ended = match.outcome
        plies = f"({plural(match.ply, 'action')})"
        self._console.say(self._text.outcome(ended, self._names) if ended else plies)

    def _show_event(self, event: Event) -> None:
        """Queue the line of an event, except the outcome, which follows the last position."""
        if not isinstance(event, MatchEnded):
            self._pending.append(self._text.event(event, self._names, self._watcher))


def _verify(record: Record, stepper: Stepper, console: Console) -> None:
    """Print that a record replays exactly, or raise the error of the first difference."""
    try:
        stepper.go(stepper.steps)
    except KeyboardInterrupt as error:
        raise Interrupted(f"{record.path}: interrupted before it was verified") from error
    ending = "" if record.ended else ", but the match has not ended"
    plies = stepper.match.ply
    replays = "replays" if plies == 1 else "replay"
    begins = "" if stepper.match.first_state is None else " from a given position"
    path = printable(record.path)
    console.say(f"{path}: {plural(plies, 'action')}{begins} {replays} exactly{ending}")
    salt = record.header.salt_bytes
    if salt is not None:
        console.say(f"commitment of its seed and salt: {commitment(record.header.seed, salt)}")


def add_picture_arguments(parser: argparse.ArgumentParser) -> None:
    add_record_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=user_path,
        required=True,
        help="the file to write: FILE.svg or FILE.png",
    )
    parser.add_argument(
        "--at",
        metavar="N",
        type=number_in(0),
        help="draw the position after N steps (default: the last position)",
    )
    parser.add_argument(
        "--narrow", action="store_true", help="use the layout for narrow screens, such as phones"
    )
    parser.add_argument(
        "--live", action="store_true", help="highlight the parts that the seat of --seat can click"
    )
    parser.add_argument(
        "--dark",
        action="store_true",
        help="use dark colours in a PNG (an SVG contains light and dark colours)",
    )
    parser.add_argument(
        "--width",
        metavar="PIXELS",
        type=number_in(1, WIDEST),
        help="width of a PNG (default: the size of the drawing)",
    )
    add_view_arguments(parser)


def run_picture(arguments: argparse.Namespace) -> int:
    """Draw a position of a recorded match as an SVG or PNG file."""
    output: Path = arguments.output
    kind = output.suffix.casefold()
    if kind not in KINDS:
        raise UsageError(f"-o {output}: the name must end in .svg or .png")
    if kind == ".svg" and (arguments.dark or arguments.width):
        raise UsageError(
            "--dark and --width are only for PNG files, because an SVG scales and contains light"
            " and dark colours"
        )
    opened = open_record(arguments, "picture")
    if arguments.live and not isinstance(opened.watcher, int):
        raise UsageError("--live highlights the actions of a seat, so it needs --seat 1, 2, ...")
    steps = opened.stepper.steps
    at: int = steps if arguments.at is None else arguments.at
    if at > steps:
        raise UsageError(f"--at {at}: {opened.record.path} has {plural(steps, 'step')}")
    from tabletop.display.replay_page import picture_after

    plugin = opened.plugin
    draw = partial(picture_after, narrow=arguments.narrow, live=arguments.live)
    picture = draw(opened.stepper, at, plugin.make_picture(), plugin.text, opened.watcher)
    is_png = kind == ".png"
    data = _png(picture, arguments.width, dark=arguments.dark) if is_png else picture.encode()
    _write(output, data)
    opened.console.say(f"{printable(str(output))}: after {at} of {plural(steps, 'step')}")
    return 0


def _png(picture: str, width: int | None, *, dark: bool) -> bytes:
    """Convert an SVG to a PNG. Raise `TabletopError` if resvg is not installed."""
    from tabletop.display.svg import flattened

    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        message = (
            "PNG files need resvg: pip install 'tabletop-rules[pictures]', or write an SVG file"
        )
        raise TabletopError(message) from error
    return bytes(svg_to_bytes(svg_string=flattened(picture, dark=dark), width=width))


def add_replay_page_arguments(parser: argparse.ArgumentParser) -> None:
    add_record_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.html",
        type=user_path,
        help="the file to write (default: next to the record)",
    )
    parser.add_argument("--until", metavar="N", type=number_in(0), help="stop after N steps")
    add_view_arguments(parser)


def run_replay_page(arguments: argparse.Namespace) -> int:
    """Write a recorded match as a web page that steps through its pictures.

    The page is a single file that any browser opens without a server.
    """
    opened = open_record(arguments, "replay-page", until=arguments.until)
    if arguments.output is None and not arguments.file.is_file():
        raise UsageError("the record is a pipe, so name the page with -o FILE.html")
    return _write_replay_page(arguments.output or arguments.file.with_suffix(".html"), opened)


def _write_replay_page(output: Path, opened: OpenedRecord) -> int:
    """Write the page of a record and return the exit code."""
    from tabletop.display.replay_page import replay_page
    from tabletop.table.language_models import answers_for

    record, plugin, stepper, watcher, console = opened
    answers = answers_for(watcher, Path(record.path), plugin.game)
    page = replay_page(stepper, plugin.make_picture(), plugin.text, watcher, answers)
    _write(output, page.encode())
    console.say(f"{printable(str(output))}: {plural(stepper.steps, 'step')}")
    return 0
