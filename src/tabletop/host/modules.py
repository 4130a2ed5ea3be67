"""Importing games: whatever goes wrong becomes an error that says where.

Such a module is code: importing it runs it. So nobody imports one whose name stands in a file.

The folder of a game's file goes to the end of `sys.path`, so that the file can import the files
beside it. What is installed comes first: a folder can put nothing in the place of the standard
library or of a package. Of two neighbours with the same name in two folders the first one counts.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
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
    """Return the entry points of installed packages in a group, by name. Nothing is imported.

    A search of all packages takes a sixtieth of a second: it is done once for each `sys.path`.
    """
    found = _entry_points(tuple(sys.path)).select(group=group)
    return tuple(sorted(found, key=attrgetter("name")))


@cache
def _entry_points(_path: tuple[str, ...]) -> Any:  # of another class on Python 3.11
    from importlib.metadata import entry_points  # slow to import, and a game in a file needs none

    return entry_points()


def clash_of(point: EntryPoint) -> str:
    """Return a message if another distribution installs the package of an entry point as well.

    Two such distributions write the same files, and pip does not warn about it. The message names
    the distributions and the remedy. It is empty if there is no other distribution.
    """
    from importlib.metadata import distribution  # slow to import

    package = point.module.partition(".")[0]
    own = point.dist.name if point.dist else ""
    files = {f"{package}/__init__.py", f"{package}.py"}
    others = [
        name
        for name in sorted(set(_distributions(tuple(sys.path)).get(package, ())))
        if name != own and files.intersection(map(str, distribution(name).files or ()))
    ]
    if not others:
        return ""
    return (
        f"{join_words([own, *others], 'and')} both install a package {package!r}, so one overwrites"
        f" the other; run `pip uninstall {' '.join(others)}` and install {own} again, or use an"
        " environment for each"
    )


@cache
def _distributions(_path: tuple[str, ...]) -> Mapping[str, list[str]]:
    """Return the names of the distributions of each package that can be imported."""
    from importlib.metadata import packages_distributions

    return packages_distributions()


def import_named(module: str, name: str) -> ModuleType:
    """Import the module called `module`, which a person has asked for as `name`."""
    try:
        return importlib.import_module(module)
    # A module may call `sys.exit` when it is imported: that must not end this program.
    except (Exception, SystemExit) as error:
        raise RegistryError(
            f"{name}: cannot import {module!r}: {_describe_error(error)}"
        ) from error


def import_from_folder(directory: Path, module: str, source: str) -> ModuleType:
    """Import `module` in `directory`, which a person has asked for as `source`."""
    file = directory / f"{module}.py"
    if file.is_file():
        return load_file(file)
    _add_to_path(Path(os.path.realpath(directory)))
    return import_named(module, source)


def load_file(path: Path) -> ModuleType:
    """Import a Python file (or the package of an `__init__.py`) once.

    Raises:
        RegistryError: The file is missing, is not a Python file, or fails. Names the place.
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
    # Another module has this name: this one gets a name of its own, the same in every process.
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
        # At the end: no file that lies beside a game hides a module that is installed.
        sys.path.append(str(folder))
    importlib.invalidate_caches()  # the file may be newer than the last look at its folder


def _finds(name: str, path: Path) -> bool:
    """Check whether `import name` finds the file at `path`."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # a dot in the name, or a module without a spec
        return False
    return spec is not None and spec.origin is not None and Path(spec.origin).resolve() == path


def game_file(module: str) -> str:
    """Return the file of a module that `import` alone does not find; empty when it does.

    Another process loads this file first: then what is pickled finds its classes there.
    """
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return file if module == f"{Path(file).stem}_{_digest(Path(file))}" else ""


_PACKAGE = Path(__file__).parent.parent
_IMPORTING = Path(importlib.__file__).parent
_OURS = (f"{_PACKAGE}{os.sep}", f"{_IMPORTING}{os.sep}", "<frozen", "<tabletop", "<string>")
"""The first parts of paths to skip in the search for the line with a game's mistake."""
_GAMES = tuple(f"{_PACKAGE.with_name(name)}{os.sep}" for name in ("constructor", "lcr", "sorcery"))
"""The first parts of paths of the bundled games: blamed when there is no other."""


def _describe_error(error: BaseException) -> str:
    """An error of a module that somebody else wrote, with the file and the line that raised it."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({Path(error.filename or '').name}, line {error.lineno})"
    where = place_of(error)
    shown = f" ({where})" if where else ""
    return f"{type(error).__name__}: {error}{shown}"


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


def bad_text_in(error: BaseException) -> str:
    """Describe the class whose `__str__` caused an error by returning no text, if one did.

    Python names neither the class nor its line in this error.
    """
    if not isinstance(error, TypeError) or "__str__ returned non-string" not in str(error):
        return ""
    from traceback import walk_tb  # only needed when something went wrong

    frame = [frame for frame, _ in walk_tb(error.__traceback__)][-1]
    for value in frame.f_locals.values():
        played = getattr(value, "action", None)  # of an event
        for item in value if isinstance(value, list | tuple) else (value, played):
            method = getattr(type(item), "__str__", None)
            if isinstance(method, FunctionType) and not isinstance(method(item), str):
                code = method.__code__
                where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
                return f"{method.__qualname__} returns {method(item)!r}, not a text ({where})"
    return ""


def call(source: str, maker: Callable[[], object]) -> object:
    """Call `maker`, of the module found by `source`; its errors become a `RegistryError`."""
    try:
        return maker()
    except (Exception, SystemExit) as error:
        raise RegistryError(f"{source}: {_describe_error(error)}") from error
