"""The shell command that starts a match with the same seed, seats and options."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tabletop.host.screen_text import printable
from tabletop.match.match import AnyMatch
from tabletop.rules.options import OptionValue

MOST_LETTERS: Final = 3000
"""Maximum length of a command. Terminals do not accept longer lines."""

LONGEST_OPTION: Final = 100
"""Maximum length of an option value in a command. For a longer value, the command names the
record instead.
"""


def command_to_play(match: AnyMatch, source: str, record: Path | None = None) -> str:
    """Return the shell command, on one line, that starts a match with the same setup as `match`.

    If there is no such command, return the reason. If an option has a long value, such as a deck,
    and there is a record, the command refers to the record with `--like`.

    Args:
        match: The match.
        source: Where the game was found, or an empty string if it was not loaded by name.
        record: The path of the record of the match, if there is one.
    """
    if match.first_state is not None:
        return "none: the match started from a given position"
    if not source:
        return "none: no installed game has these rules"
    longest = max((len(str(value)) for value in match.options.values()), default=0)
    if record is not None and longest > LONGEST_OPTION:
        return f"tabletop play {quoted(from_here(source))} --like {quoted(from_here(str(record)))}"
    command = " ".join(_words(match, source))
    if len(command) > MOST_LETTERS:
        return "none: the options are too long for a command, but they are in the record"
    return command


def _words(match: AnyMatch, source: str) -> Iterator[str]:
    yield f"tabletop play {quoted(from_here(source))}"
    yield _argument("--seed", match.seed.text)
    if match.salt is not None:
        yield f"--salt {match.salt.hex()}"
    yield f"--seats {match.seats}"
    for option in match.game.options:
        value = match.options[option.name]
        if value is not None and value != option.default:
            yield f"--option {quoted(f'{option.name}={spelled(value)}')}"


def spelled(value: OptionValue) -> str:
    """Return the value of an option in the form of `--option NAME=VALUE`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return f"@{text}" if text.startswith("@") else text


def _argument(name: str, text: str) -> str:
    """Format an argument so that argparse does not interpret its value as an option."""
    return f"{name}={quoted(text)}" if text.startswith("-") else f"{name} {quoted(text)}"


def quoted(text: str) -> str:
    """Quote `text` as one word for a shell, on one line and safe to print in a terminal."""
    if printable(text) == text:
        return shlex.quote(text)
    return f"$'{''.join(map(_escaped, text))}'"


_ESCAPES: Final = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t"}


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if printable(letter) == letter:
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"


def from_here(source: str) -> str:
    """Return the shortest source that finds a game from the working directory."""
    try:
        here = f"{Path.cwd()}{os.sep}"
    except OSError:  # the working directory was deleted
        return source
    near = source.removeprefix(here)
    return source if near == source else near if ".py" in near else f"./{near}"
