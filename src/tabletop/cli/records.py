"""Commands that show a record: replayed, as a picture, or as a page with pictures."""

from __future__ import annotations

import argparse
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
from tabletop.terminal.play import warn_dropped
from tabletop.terminal.programs import Interrupted
from tabletop.wording import plural

KEYS: Final = "Enter or n: the next step; b: a step back; a number: go there; q: leave"

KINDS: Final = (".svg", ".png")
WIDEST: Final = 8192
"""Pixels; a wider PNG helps nobody, and takes all memory."""


class OpenedRecord(NamedTuple):
    """A record that is to be shown, with its game, before its first step."""

    record: Record
    plugin: Plugin
    stepper: Stepper
    watcher: Watcher
    console: Console


def add_record_argument(parser: argparse.ArgumentParser, called: str = "RECORD") -> None:
    """Declare which record is meant, and how its game is found."""
    parser.add_argument("file", metavar=called, type=user_path, help="a record")
    parser.add_argument("--game", metavar="GAME", help="the game: a name, module:NAME, or a path")


def add_view_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options for the view shown, and for records of other rules."""
    parser.add_argument(
        "--seat",
        metavar="N",
        help="show what seat 1, 2, ... sees; or `all`: everything (by default what all can see)",
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="also with other rules than it was made with, up to the first difference",
    )


def open_record(
    arguments: argparse.Namespace, command: str, *, until: int | None = None
) -> OpenedRecord:
    """Open the record that the arguments of a command name; `until` is the last step shown."""
    record = read_record(arguments.file, pipes=True)
    watcher = _watcher(arguments.seat, record)
    plugin = plugin_of(record, arguments.game, command, record.path)
    console = Console()
    warn_dropped(record, console)
    stepper = Stepper(record, plugin.game, until=until, anyway=arguments.anyway)
    return OpenedRecord(record, plugin, stepper, watcher, console)


def _write(path: Path, data: bytes) -> None:
    """Write a file as a whole, or raise `TabletopError`."""
    try:
        write_bytes(str(path), data)
    except OSError as error:
        raise TabletopError(f"{path}: cannot be written: {error.strerror or error}") from error


def _watcher(word: str | None, record: Record) -> Watcher:
    """Return the watcher whose view is shown; `UsageError` when there is no such seat."""
    if word is None:
        return None
    seats = len(record.header.seats)
    if word.casefold() == "all":
        return ALL
    if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= seats:
        return int(word) - 1
    raise UsageError(f"--seat {word}: seats are 1 to {seats}, or all")


def read_record(path: Path, *, pipes: bool = False) -> Record:
    """Read a record that a person has named, or raise `UsageError` if there is no such file.

    With `pipes`, the file may be a pipe, such as `/dev/stdin`.
    """
    if not file_exists(path):
        raise UsageError(f"{path}: there is no such file")
    return read(path, pipes=pipes)


def add_replay_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop replay`."""
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
        "--speed",
        metavar="X",
        type=number_in(0.01, 1000, float),
        help="steps a second; without waiting by default",
    )
    how.add_argument(
        "--film",
        metavar="FILE.html",
        type=user_path,
        help="show nothing; write the match as one page, as `tabletop film` does",
    )
    parser.add_argument("--from", metavar="N", type=number_in(0), help="begin after N steps")
    parser.add_argument("--until", metavar="N", type=number_in(0), help="stop after N steps")
    add_view_arguments(parser)


def run_replay(arguments: argparse.Namespace) -> int:
    """Show a recorded match as it was played, or verify that it replays exactly.

    A step is an action, or the taking back of some.
    """
    given, until = vars(arguments), arguments.until
    for way, other in (("verify", "seat"), ("verify", "from"), ("film", "from")):
        if given[way] and given[other] is not None:
            raise UsageError(f"--{way} shows nothing: --{other} makes no sense with it")
    first = given["from"] or 0
    if until is not None and first > until:
        raise UsageError(f"--from {first} --until {until}: that ends before it begins")
    opened = open_record(arguments, "replay", until=until)
    if arguments.film:
        return _write_film(arguments.film, opened)
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
        console.say()  # what follows begins a line
        if not arguments.step:  # there one may leave at any time
            at, steps = stepper.at, plural(stepper.steps, "step")
            raise Interrupted(f"{record.path}: interrupted after {at} of {steps}") from error
    return 0


class _Viewer:
    """Shows an opened record as it was played, from the step `first` on."""

    def __init__(self, opened: OpenedRecord, first: int) -> None:
        self._stepper, self._console = opened.stepper, opened.console
        self._match = self._stepper.match
        self._names = printable_names(self._match.names)
        self._text, self._watcher = opened.plugin.text, opened.watcher
        self._pending: list[str] = []
        self._console.say(headline(self._match))
        self._stepper.go(min(first, self._stepper.steps))
        self._show_position()
        # Only now: what led to the first position that is shown is not told.
        self._match.observe(self._show_event, seat=self._watcher)

    def run(self, speed: float | None = None) -> None:
        """Show it to the end, without waiting or at so many steps a second.

        At a speed the position is shown after each step, else only at the end. Where a step does
        not replay, what it leads to now is shown before the error is raised.
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
        """Let a person go forward and back, a line at a time, until they leave."""
        self._console.say(KEYS)
        while True:
            line = self._console.read(self._prompt())
            if line is None or not self._execute(line.strip().casefold()):
                return

    def _prompt(self) -> str:
        at, steps = self._stepper.at, self._stepper.steps
        return f"-- {at} of {steps}, Enter {'for the next' if at < steps else 'to leave'} "

    def _execute(self, word: str) -> bool:
        """Execute a line that a person has typed; False to leave."""
        at, steps = self._stepper.at, self._stepper.steps
        if word in ("q", "quit", "exit") or (at == steps and word in ("", "n")):
            return False
        if word in ("", "n", "b"):
            step = at - 1 if word == "b" else at + 1
        elif word.isascii() and word.isdecimal():
            # So many digits are beyond every record; Python refuses to read thousands of them.
            step = int(word[:9])
        else:
            self._console.say(KEYS)
            return True
        if step < 0:
            self._console.say("This is the beginning.")
        elif step > steps:
            self._console.say(f"There is no step {word}: steps are 0 to {steps}.")
        else:
            self._go(step)
            self._show_position()
            if step == steps:
                self._show_outcome()
        return True

    def _go(self, step: int) -> None:
        """Go to a step; on the way to the next one, tell what happens."""
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
        # A copy: what the text of a game does to it is not to change the match.
        view = match.state.clone() if watcher == ALL else match.view(watcher)
        self._console.say(self._text.position(view, self._names, watcher))

    def _show_outcome(self) -> None:
        match = self._match
        ended = match.outcome
        plies = f"({plural(match.ply, 'action')})"
        self._console.say(self._text.outcome(ended, self._names) if ended else plies)

    def _show_event(self, event: Event) -> None:
        """Queue the line of an event; the outcome is shown after the last position."""
        if not isinstance(event, MatchEnded):
            self._pending.append(self._text.event(event, self._names, self._watcher))


def _verify(record: Record, stepper: Stepper, console: Console) -> None:
    """Say that a record replays exactly, or raise the error that it does not."""
    try:
        stepper.go(stepper.steps)
    except KeyboardInterrupt as error:
        raise Interrupted(f"{record.path}: interrupted, and not verified") from error
    ending = "" if record.ended else "; the match has not ended"
    plies = stepper.match.ply
    replays = "replays" if plies == 1 else "replay"
    begins = "" if stepper.match.first_state is None else " from a given position"
    path = printable(record.path)
    console.say(f"{path}: {plural(plies, 'action')}{begins} {replays} exactly{ending}")
    salt = record.header.salt_bytes
    if salt is not None:
        console.say(f"commitment of its seed and salt: {commitment(record.header.seed, salt)}")


def add_picture_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop picture`."""
    add_record_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=user_path,
        required=True,
        help="where the picture goes: FILE.svg or FILE.png",
    )
    parser.add_argument(
        "--at", metavar="N", type=number_in(0), help="after N steps; at the end by default"
    )
    parser.add_argument("--narrow", action="store_true", help="for a screen as narrow as a phone's")
    parser.add_argument(
        "--live", action="store_true", help="what the seat of --seat could click is lit"
    )
    parser.add_argument(
        "--dark",
        action="store_true",
        help="a PNG in dark colours (an SVG has both)",
    )
    parser.add_argument(
        "--width",
        metavar="PIXELS",
        type=number_in(1, WIDEST),
        help="how wide a PNG is; as drawn by default",
    )
    add_view_arguments(parser)


def run_picture(arguments: argparse.Namespace) -> int:
    """Draw a picture of a recorded match, as it stood after some of its steps."""
    output: Path = arguments.output
    kind = output.suffix.casefold()
    if kind not in KINDS:
        raise UsageError(f"-o {output}: give FILE.svg or FILE.png")
    if kind == ".svg" and (arguments.dark or arguments.width):
        raise UsageError("--dark and --width are for a PNG: an SVG has every size, light and dark")
    opened = open_record(arguments, "picture")
    if arguments.live and not isinstance(opened.watcher, int):
        raise UsageError("--live: say with --seat 1, 2, ... for whom what can be clicked is lit")
    steps = opened.stepper.steps
    at: int = steps if arguments.at is None else arguments.at
    if at > steps:
        raise UsageError(f"--at {at}: {opened.record.path} has {plural(steps, 'step')}")
    from tabletop.display.replay_page import picture_after

    look = opened.plugin.make_picture()
    looks = {"narrow": arguments.narrow, "live": arguments.live}
    picture = picture_after(opened.stepper, at, look, opened.watcher, **looks)
    is_png = kind == ".png"
    data = _png(picture, arguments.width, dark=arguments.dark) if is_png else picture.encode()
    _write(output, data)
    opened.console.say(f"{printable(str(output))}: after {at} of {plural(steps, 'step')}")
    return 0


def _png(picture: str, width: int | None, *, dark: bool) -> bytes:
    """A picture as a PNG, if resvg is installed."""
    from tabletop.display.svg import flattened

    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        message = "a PNG needs resvg: pip install 'tabletop-rules[pictures]' (an SVG needs nothing)"
        raise TabletopError(message) from error
    return bytes(svg_to_bytes(svg_string=flattened(picture, dark=dark), width=width))


def add_film_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop film`."""
    add_record_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.html",
        type=user_path,
        help="where the page goes; beside the record by default",
    )
    parser.add_argument("--until", metavar="N", type=number_in(0), help="stop after N steps")
    add_view_arguments(parser)


def run_film(arguments: argparse.Namespace) -> int:
    """Write a recorded match as one page that steps through it with pictures, for any browser."""
    opened = open_record(arguments, "film", until=arguments.until)
    if arguments.output is None and not arguments.file.is_file():
        raise UsageError("the record is a pipe; name the page with -o FILE.html")
    return _write_film(arguments.output or arguments.file.with_suffix(".html"), opened)


def _write_film(output: Path, opened: OpenedRecord) -> int:
    """Write the page of a record; the exit status."""
    from tabletop.display.replay_page import replay_page

    _, plugin, stepper, watcher, console = opened
    page = replay_page(stepper, plugin.make_picture(), plugin.text, watcher)
    _write(output, page.encode())
    console.say(f"{printable(str(output))}: {plural(stepper.steps, 'step')}")
    return 0
