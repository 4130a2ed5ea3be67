"""Importing what somebody else wrote: whatever goes wrong becomes an error that says where.

Such a module is code: importing it runs it. So nobody imports one whose name stands in a file.
"""

from __future__ import annotations

import importlib
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


_OURS = (str(Path(__file__).parent.parent), "<frozen", "<tabletop")
"""How files begin that are left out when the line with a game's mistake is sought."""


def _describe_error(error: BaseException) -> str:
    """An error of a module, with the file and the line that raised it."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({Path(error.filename or '').name}, line {error.lineno})"
    where = place_of(error)
    shown = f" ({where})" if where else ""
    return f"{type(error).__name__}: {in_plain_words(str(error))}{shown}"


def place_of(error: BaseException) -> str:
    """The file and the line of a game that raised an error: `mygame.py, line 11`; or nothing."""
    from traceback import extract_tb  # only needed when something went wrong

    where = ""
    for frame in extract_tb(error.__traceback__):
        if not frame.filename.startswith(_OURS):
            where = f"{Path(frame.filename).name}, line {frame.lineno}"
    return where


def made(source: str, maker: Callable[[], object]) -> object:
    """What `maker`, which stands in the module found by `source`, makes.

    Raises:
        RegistryError: it raised something; says what and where.
    """
    try:
        return maker()
    except Exception as error:
        raise RegistryError(f"{source}: {_describe_error(error)}") from error
