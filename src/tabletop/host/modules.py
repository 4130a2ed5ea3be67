"""Import the modules of games. Every failure becomes an error with the file and line.

Importing a module runs its code, so never import a module that is named by an untrusted file.

The folder of a game's file is appended to `sys.path`, so that the file can import modules next to
it. Installed modules take precedence, so a folder cannot replace the standard library or a package.
If two folders contain modules of the same name, the folder that was added first takes precedence.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.machinery import SOURCE_SUFFIXES, SourceFileLoader
from operator import attrgetter
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tabletop.errors import RegistryError
from tabletop.wording import join_words

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def entry_points_of(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of installed packages in a group, sorted by name.

    A search of all packages takes about 17 ms, so the result is cached for each `sys.path`.
    """
    points = _entry_points(tuple(sys.path)).select(group=group)
    return tuple(sorted(points, key=attrgetter("name")))


@cache
def _entry_points(_path: tuple[str, ...]) -> Any:  # the class differs on Python 3.11
    from importlib.metadata import entry_points  # slow to import, and not needed for a file

    return entry_points()


def clash_of(point: EntryPoint) -> str:
    """Return a message if another distribution also installs the package of an entry point.

    Such distributions overwrite each other's files, and pip does not warn about this. The message
    names the distributions and the remedy. The result is empty if there is no other distribution.
    """
    from importlib.metadata import distributions  # slow to import

    package = point.module.partition(".")[0]
    own = point.dist.name if point.dist else ""
    files = (f"{package}/__init__.py", f"{package}.py")
    # Reading the files of all distributions is slow, so ignore folders without the package.
    folders = [
        folder
        for folder in sys.path
        if any(os.path.isfile(os.path.join(folder, file)) for file in files)
    ]
    names = {
        it.name
        for it in distributions(path=folders)
        if any(f"\n{file}," in f"\n{it.read_text('RECORD')}" for file in files)
    }
    others = sorted(names - {own})
    if not others:
        return ""
    return (
        f"{join_words([own, *others], 'and')} both install a package {package!r}, so one overwrites"
        f" the other; run `pip uninstall {' '.join(others)}` and install {own} again, or use an"
        " environment for each"
    )


def import_named(module: str, name: str) -> ModuleType:
    """Import a module. Errors contain `name`, the name as typed by the user."""
    try:
        return importlib.import_module(module)
    # A module may call `sys.exit` when it is imported, which must not end this program.
    except (Exception, SystemExit) as error:
        raise RegistryError(
            f"{name}: cannot import {module!r}: {_describe_error(error)}"
        ) from error


def import_from_folder(directory: Path, module: str, source: str) -> ModuleType:
    """Import `module` from `directory`. Errors contain `source`, the name as typed by the user."""
    file = directory / f"{module}.py"
    if file.is_file():
        return load_file(file)
    _add_to_path(Path(os.path.realpath(directory)))
    return import_named(module, source)


def load_file(path: Path) -> ModuleType:
    """Import a Python file, or the package of an `__init__.py`.

    Repeated calls return the same module.

    Raises:
        RegistryError: The file is missing, is not a Python file, or fails. The message contains
            the file and line.
    """
    if path.is_dir() or not path.exists():
        raise RegistryError(f"{path}: there is no such file")
    if not path.is_file() or path.suffix not in SOURCE_SUFFIXES:
        raise RegistryError(f"{path}: this is not a Python file; its name must end in .py")
    try:
        return _import_file(path.resolve())
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise RegistryError(f"{path}: {_describe_error(error)}") from error


def _import_file(path: Path) -> ModuleType:
    name, folder = path.stem, path.parent
    if name == "__init__":
        name, folder = folder.name, folder.parent
    _add_to_path(folder)
    if _finds(name, path):
        return importlib.import_module(name)
    # Another module has this name. Use a unique name that is the same in every process.
    name = f"{name}_{_digest(path)}"
    if name not in sys.modules:
        loader = SourceFileLoader(name, str(path))
        module = sys.modules[name] = ModuleType(name)
        module.__file__, module.__loader__ = str(path), loader
        if path.stem == "__init__":
            module.__path__, module.__package__ = [str(path.parent)], name
        try:
            loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _digest(path: Path) -> str:
    return blake2b(bytes(path), digest_size=8).hexdigest()


def _add_to_path(folder: Path) -> None:
    if str(folder) not in sys.path:
        # At the end, so that files next to a game cannot hide installed modules.
        sys.path.append(str(folder))
    importlib.invalidate_caches()  # the file may have been created after the folder was cached


def _finds(name: str, path: Path) -> bool:
    """Return whether `import name` imports the file at `path`."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # a dot in the name, or a module without a spec
        return False
    return spec is not None and spec.origin is not None and Path(spec.origin).resolve() == path


def game_file(module: str) -> str:
    """Return the path of a module that `import` alone does not find, or an empty string.

    Another process must load this file before it unpickles objects of its classes.
    """
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return file if module == f"{Path(file).stem}_{_digest(Path(file))}" else ""


_PACKAGE = Path(__file__).parent.parent
_IMPORTING = Path(importlib.__file__).parent
_OURS = (f"{_PACKAGE}{os.sep}", f"{_IMPORTING}{os.sep}", "<frozen", "<tabletop", "<string>")
"""Path prefixes to skip when looking for the line of a game that raised an error."""
_GAMES = tuple(f"{_PACKAGE.with_name(name)}{os.sep}" for name in ("constructor", "lcr", "sorcery"))
"""Path prefixes of the bundled games.

A line in them is reported only if no other line belongs to a game.
"""


def _describe_error(error: BaseException) -> str:
    """Describe an error in third-party code, with the file and line that raised it."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({Path(error.filename or '').name}, line {error.lineno})"
    where = place_of(error)
    shown = f" ({where})" if where else ""
    return f"{type(error).__name__}: {error}{shown}"


def place_of(error: BaseException) -> str:
    """Return the file and line of a game that raised an error, such as `mygame.py, line 11`.

    If the error passed through code that extends a bundled game, such as a card, return the line in
    this code. The result is empty if no line belongs to a game.
    """
    from traceback import extract_tb  # only needed when something went wrong

    frames = [
        frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith(_OURS)
    ]
    others = [frame for frame in frames if not frame.filename.startswith(_GAMES)]
    last = (others or frames)[-1:]
    return "".join(f"{Path(frame.filename).name}, line {frame.lineno}" for frame in last)


def bad_text_in(error: BaseException) -> str:
    """If a `__str__` has caused an error because it did not return a string, describe its class.

    Python's own message contains neither the class nor the line.
    """
    if not isinstance(error, TypeError) or "__str__ returned non-string" not in str(error):
        return ""
    from traceback import walk_tb  # only needed when something went wrong

    frame = [frame for frame, _ in walk_tb(error.__traceback__)][-1]
    for value in frame.f_locals.values():
        action = getattr(value, "action", None)  # if the value is an event
        for item in value if isinstance(value, list | tuple) else (value, action):
            method = getattr(type(item), "__str__", None)
            if isinstance(method, FunctionType) and not isinstance(method(item), str):
                code = method.__code__
                where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
                return f"{method.__qualname__} returns {method(item)!r}, not a string ({where})"
    return ""


def call(source: str, maker: Callable[[], object]) -> object:
    """Call `maker`, a function of the module found by `source`. Errors become a `RegistryError`."""
    try:
        return maker()
    except (Exception, SystemExit) as error:
        raise RegistryError(f"{source}: {_describe_error(error)}") from error
