"""What the programs of games share: options with one dash or two, files of text, bots for seats."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from typing_extensions import override

from tabletop.cli import UsageError
from tabletop.cli.parsing import PlainParser
from tabletop.errors import RegistryError, TabletopError
from tabletop.files import expanded
from tabletop.game import Seat
from tabletop.registry import Plugin
from tabletop.rng import Streams
from tabletop.wording import nearest, shorten

_BYTE_ORDER_MARK = "\ufeff"


class ProgramParser(PlainParser):
    """A parser that takes one dash for two, and whose complaints are one line.

    Args:
        prog: what the program is called.
        usage: how it is called; spelled out, because options are shown with one dash.
        description: what it does.
        epilog: what else there is to know.
    """

    def __init__(self, prog: str, usage: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog, usage=usage, description=description, epilog=epilog, allow_abbrev=False
        )
        self.add_argument("--version", action=_Version, nargs=0, help="say the version and leave")

    @override
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{' '.join(message.split())} ({self.prog} -h tells the options)")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """What the words of a command line say.

        Raises:
            UsageError: an option is unknown, or lacks its value.
        """
        known = {option for action in self._actions for option in action.option_strings}
        spelled = [
            f"-{word}" if f"-{word}".partition("=")[0] in known and word[:2] != "--" else word
            for word in words
        ]
        arguments, unknown = self.parse_known_args(spelled)
        if unknown:
            word = unknown[0]
            meant = nearest(f"--{word.lstrip('-')}", known) if word[:1] == "-" else None
            hint = f"; did you mean {meant[1:]}?" if meant else ""
            self.error(f"there is no option {shorten(word)}{hint}")
        return arguments


class _Version(argparse.Action):
    """Says the version; looked up only when somebody asks."""

    @override
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        sys.stdout.write(f"{parser.prog} {version('tabletop-rules')}\n")
        parser.exit()


class TextFileError(TabletopError, ValueError):
    """A file is no text, or far too long.

    Attributes:
        line: the line at fault, counted from 1; 0 when it is the file as a whole.
    """

    def __init__(self, message: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


def read_text(path: str, most_bytes: int) -> str:
    """The text in a file, with a newline alone at the end of a line, whatever it ended with.

    Args:
        path: where it is; `~` is the home of the user.
        most_bytes: what is longer is something else.

    Raises:
        OSError: it cannot be read.
        TextFileError: it is no text in UTF-8, or too long.
    """
    with open(expanded(path), "rb") as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise TextFileError(f"more than {most_bytes} bytes: this is something else")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _with_newlines(data[: error.start].decode("utf-8")).count("\n") + 1
        message = f"byte 0x{data[error.start]:02x} is no text in UTF-8"
        raise TextFileError(message, line=line) from error
    return _with_newlines(text.removeprefix(_BYTE_ORDER_MARK))


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str, most_bytes: int) -> tuple[str, ...]:
    """The lines of a file; the last one may lack its newline.

    Raises:
        OSError, TextFileError: as in `read_text`.
    """
    lines = read_text(path, most_bytes).split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


def reason(error: OSError) -> str:
    """Why something could not be read or written, without the name of the file."""
    return error.strerror or str(error)


def read_bots(
    words: Sequence[str], seats: Mapping[str, Sequence[Seat]], best: str, plugin: Plugin
) -> dict[Seat, str]:
    """The seats that bots play for, from words like `2`, `red=random` or `all`.

    Args:
        words: the values of an option `-bot`.
        seats: what each name means, as people see it; letter case does not matter.
        best: the bot that plays when none is named.
        plugin: knows which bots there are.

    Raises:
        UsageError: there is no such seat, or no such bot.
    """
    known = {name.casefold(): numbers for name, numbers in seats.items()}
    bots: dict[Seat, str] = {}
    for word in words:
        seat, equals, name = word.partition("=")
        name = name.casefold() if equals else best
        if seat.casefold() not in known:
            *others, last = seats
            raise UsageError(f"-bot {shorten(seat)}: give {', '.join(others)}, or {last}")
        try:
            plugin.bot(name, Streams(name)["unused"])  # only to know that there is one
        except RegistryError as error:
            raise UsageError(f"-bot {shorten(word)}: {error}") from error
        bots.update(dict.fromkeys(known[seat.casefold()], name))
    return bots
