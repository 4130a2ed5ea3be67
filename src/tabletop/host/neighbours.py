"""Python files that a person names, and the files beside them.

Such a file can import its neighbours, when it is run and at any time later: `import helper` finds
the `helper.py`, or the folder `helper`, that lies beside it. What is installed comes first, so a
folder can put nothing in the place of the standard library or of a package; and only files of a
folder find what lies in it, under names of its own: two folders may both have a `helper.py`.

It is the statement `import` that finds neighbours. `importlib.import_module("helper")` looks at
what is installed alone; inside a package, `import_module(".cards", __package__)` works as ever.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Mapping, Sequence
from functools import cache, partial
from hashlib import blake2b
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from typing_extensions import override

from tabletop.errors import RegistryError
from tabletop.host.sending import make_sendable

_PREFIX = "tabletop_game_"
_INIT = "__init__"

_PLACES: dict[str, tuple[Folder, str, Path]] = {}
"""The modules that were found in folders, by their names in `sys.modules`: folder, name, place."""


def import_file(path: Path) -> ModuleType:
    """The module in a Python file, which may import its neighbours; the same one when asked again.

    An `__init__.py` is the package that it stands for.

    Raises:
        Exception: whatever running it raises.
    """
    return importlib.import_module(_name_at(path.resolve()))


def _name_at(place: Path) -> str:
    """The name in `sys.modules` of what lies at a place: a file, or a folder that holds modules."""
    if place.stem == _INIT:
        return _known(place.parent.parent, place.parent.name, place)
    return _known(place.parent, place.stem, place)


def _import_again(place: Path, inside: str) -> ModuleType:
    """The module that lies at a place, or one inside of that package; in whatever process.

    Raises:
        RegistryError: there is nothing at that place.
    """
    top = _name_at(place)
    if top not in sys.modules and not place.exists():
        raise RegistryError(f"{place}: there is no such file")
    return importlib.import_module(f"{top}.{inside}" if inside else top)


def is_there(directory: Path, name: str) -> bool:
    """Whether a directory has a module or package called `name`, which has no dots."""
    try:
        return _look(str(directory.absolute()), name) is not None
    except OSError:  # there is no working directory any more
        return False


def import_from(directory: Path, name: str) -> ModuleType:
    """The module called `name` in a directory, where it may have neighbours.

    Raises:
        ModuleNotFoundError: it is not there.
        Exception: whatever importing it raises.
    """
    top, dot, rest = name.partition(".")
    found = _folder(directory.resolve()).find(top)
    if found is None:
        raise ModuleNotFoundError(f"No module named {top!r} in {directory.resolve()}", name=top)
    return importlib.import_module(found + dot + rest)


def in_plain_words(message: str) -> str:
    """`message` with the names that modules have in their folders, not in `sys.modules`."""
    if _PREFIX in message:
        for name, (_, plain, _) in _PLACES.items():
            message = message.replace(name, plain)
    return message


def _known(directory: Path, plain: str, place: Path) -> str:
    """The name in `sys.modules` of the module that lies at `place`, in a folder."""
    # A hash of the place: two folders may both have a `helper`, and each must stay itself.
    name = _PREFIX + blake2b(bytes(place), digest_size=8).hexdigest()
    if name not in _PLACES:
        _PLACES[name] = (_folder(directory), plain, place)
        if _Finder not in sys.meta_path:
            # In front: names with our prefix are nobody else's, and no other finder need be asked
            # for them.
            sys.meta_path.insert(0, _Finder)
    return name


@cache
def _folder(directory: Path) -> Folder:
    return Folder(directory)


class Folder:
    """A directory whose Python files can import each other.

    Args:
        directory: where it is.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._found: dict[str, str] = {}
        # A statement `import` calls the `__import__` of the module that it stands in.
        self.builtins = {**vars(builtins), "__import__": self._import}

    def find(self, plain: str) -> str | None:
        """The name in `sys.modules` of what is called `plain` here; None when nothing is."""
        spec = _look(str(self.directory), plain)
        if spec is None:
            return None
        place = Path(spec.origin) if spec.loader and spec.origin else self.directory / plain
        return _known(self.directory, plain, place)

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """The `__import__` of the files of this folder."""
        ordinary = partial(builtins.__import__, globals=globals, locals=locals, fromlist=fromlist)
        top, dot, rest = name.partition(".")
        if level:
            return ordinary(name, level=level)
        # What is installed is asked first: a folder puts nothing in the place of a package.
        if top not in self._found:
            try:
                return ordinary(name)
            except ModuleNotFoundError as error:
                found = self.find(top) if error.name == top else None
                if found is None:
                    raise
            self._found[top] = found
        return ordinary(self._found[top] + dot + rest)


class _Loader(SourceFileLoader):
    """Runs a file of a folder, which then finds its neighbours."""

    def __init__(self, folder: Folder, name: str, path: str) -> None:
        super().__init__(name, path)
        self._folder = folder

    @override
    def exec_module(self, module: ModuleType) -> None:
        # This is how only files of the folder see their neighbours: nothing is put on `sys.path`.
        vars(module)["__builtins__"] = self._folder.builtins
        super().exec_module(module)
        top, _, inside = module.__name__.partition(".")
        make_sendable(module, partial(_import_again, inside=inside), _PLACES[top][-1])


class _Finder:
    """Finds the modules of folders, and what is in their packages, for the import system."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module of ours, by its name in `sys.modules`; None for any other."""
        top = name.partition(".")[0]
        if top not in _PLACES:
            return None
        folder, _, place = _PLACES[top]
        if name != top:
            return _in_package(name, path or (), folder)
        if place.suffix in SOURCE_SUFFIXES:
            inside = [str(place.parent)] if place.stem == _INIT else None
            return _spec(folder, name, str(place), inside)
        spec = ModuleSpec(name, None, is_package=True)  # a folder that holds modules, and no more
        spec.submodule_search_locations = [str(place)]
        return spec


def _in_package(name: str, path: Sequence[str], folder: Folder) -> ModuleSpec | None:
    for place in path:
        spec = _look(place, name)
        if spec is not None and spec.loader is not None and spec.origin is not None:
            return _spec(folder, name, spec.origin, spec.submodule_search_locations)
    return None  # what else may lie there, Python finds


def _look(directory: str, name: str) -> ModuleSpec | None:
    """Find a Python file or a folder of that name in a directory.

    Not asked of the finder that Python keeps for a directory: it may not have seen a new file yet.
    """
    return FileFinder(directory, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)


def _spec(folder: Folder, name: str, file: str, inside: list[str] | None) -> ModuleSpec | None:
    loader = _Loader(folder, name, file)
    return spec_from_file_location(name, file, loader=loader, submodule_search_locations=inside)
