"""Importing what somebody else wrote: whatever goes wrong becomes an error that says where.

Such a module is code: importing it runs it. So nobody imports one whose name stands in a file.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from importlib.machinery import SOURCE_SUFFIXES
from pathlib import Path
from types import ModuleType

from tabletop.errors import RegistryError
from tabletop.host.neighbours import import_file, import_from, in_plain_words


def import_named(module: str, name: str) -> ModuleType:
    """The module called `module`, which a person has asked for as `name`.

    Raises:
        RegistryError: it cannot be imported; its cause is what was raised.
    """
    try:
        return importlib.import_module(module)
    # A module may call `sys.exit` when it is imported: that must not end this program.
    except (Exception, SystemExit) as error:
        raise RegistryError(
            f"{name}: cannot import {module!r}: {_describe_error(error)}"
        ) from error


def import_beside(directory: Path, module: str, source: str) -> ModuleType:
    """The module called `module` that lies in `directory`, which was asked for as `source`.

    Raises:
        RegistryError: it cannot be imported; its cause is what was raised.
    """
    try:
        return import_from(directory, module)
    except (Exception, SystemExit) as error:
        raise RegistryError(
            f"{source}: cannot import {module!r}: {_describe_error(error)}"
        ) from error


def load_file(path: Path) -> ModuleType:
    """The module in a Python file; the same one when asked again. It can import its neighbours.

    Raises:
        RegistryError: there is no such file, or running it failed; its cause is what was raised.
    """
    if not path.is_file():
        raise RegistryError(f"{path}: there is no such file")
    if path.suffix not in SOURCE_SUFFIXES:
        raise RegistryError(f"{path}: this is no Python file; its name must end in .py")
    try:
        return import_file(path)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise RegistryError(f"{path}: {_describe_error(error)}") from error


_HOUSE = Path(__file__).parent.parent
_IMPORTING = Path(importlib.__file__).parent
_OURS = (f"{_HOUSE}{os.sep}", f"{_IMPORTING}{os.sep}", "<frozen", "<tabletop", "<string>")
"""How files begin that are left out when the line with a game's mistake is sought."""
_PROGRAMS = ("constructor", "lcr", "sorcery")
_GAMES = tuple(
    f"{_HOUSE.with_name(program)}{os.sep}" for program in ("constructor", "lcr", "sorcery")
)
"""How files of the games begin that come with the framework: blamed when there is no other."""


def _describe_error(error: BaseException) -> str:
    """An error of a module that somebody else wrote, with the file and the line that raised it."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({Path(error.filename or '').name}, line {error.lineno})"
    where = place_of(error)
    shown = f" ({where})" if where else ""
    return f"{type(error).__name__}: {in_plain_words(str(error))}{shown}"


def place_of(error: BaseException) -> str:
    """The file and the line of a game that raised an error: `mygame.py, line 11`; or nothing.

    Of a card, or whatever else builds on a game that comes with the framework, it is the card's.
    """
    from traceback import extract_tb  # only needed when something went wrong

    frames = [
        frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith(_OURS)
    ]
    others = [frame for frame in frames if not frame.filename.startswith(_GAMES)]
    found = (others or frames)[-1:]
    return "".join(f"{Path(frame.filename).name}, line {frame.lineno}" for frame in found)


def made(source: str, maker: Callable[[], object]) -> object:
    """What `maker`, which stands in the module found by `source`, makes.

    Raises:
        RegistryError: it raised something; says what and where.
    """
    try:
        return maker()
    except Exception as error:
        raise RegistryError(f"{source}: {_describe_error(error)}") from error
