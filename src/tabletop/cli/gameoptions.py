"""The options of a game, as the words of a command line set them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tabletop.errors import UsageError
from tabletop.game import AnyGame
from tabletop.options import Option, OptionValue
from tabletop.terminal.textfiles import TextFileError, read_text, reason
from tabletop.wording import shorten

MOST_BYTES: Final = 1 << 20
"""A file beyond this is no value of an option."""


def read_options(game: AnyGame, given: Sequence[str]) -> dict[str, OptionValue]:
    """The options that `NAME=VALUE` words set.

    Where an option takes a text, `NAME=@FILE` reads it from a file in UTF-8, and `NAME=@@TEXT` is a
    text that begins with one `@`. The match, and its record, only know what was read.

    Raises:
        UsageError: a word is not of that form, or a file cannot be read.
        OptionError: there is no such option, or it does not take that value.
    """
    known = {option.name: option for option in game.options}
    values: dict[str, OptionValue] = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"--option {word}: write NAME=VALUE (`--option help` lists them)")
        option = known.get(name)
        values[name] = text if option is None else option.parse(_spelled_out(option, text))
    return values


def _spelled_out(option: Option, text: str) -> str:
    """What is meant by the value of an option: itself, or the text in a file."""
    if option.type is not str or not text.startswith("@"):
        return text
    if text.startswith("@@"):
        return text[1:]
    path = text[1:]
    if not path:
        raise UsageError(f"--option {option.name}=@: give a file: {option.name}=@FILE")
    try:
        return read_text(path, MOST_BYTES)
    except TextFileError as error:
        raise UsageError(f"--option {option.name}: {path}: {error}") from error
    except OSError as error:
        message = f"--option {option.name}: {path} cannot be read: {reason(error)}"
        raise UsageError(f"{message} (@@ begins a text with @)") from error
    except ValueError as error:  # a name that no file can have
        message = f"--option {option.name}: {shorten(path)} is no name of a file: {error}"
        raise UsageError(message) from error


def describe_options(game: AnyGame) -> str:
    """A line for each option of the game."""
    if not game.options:
        return f"{game.name} has no options\n"
    lines = []
    for option in game.options:
        default = "" if option.default is None else f"; by default {option.default}"
        lines.append(f"{option.name}: {option.help} ({option.wanted}{default})\n")
    return "".join(lines)
