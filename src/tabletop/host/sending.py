"""Sending what is defined in a game's file to another process.

The module of such a file has a name that no other process knows, and pickle names modules. So what
is made of its classes is sent with the path of the file, which is loaded there first.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


class _File:
    """Stands in front of what needs the file; where it arrives, the file has been loaded."""

    def __init__(self, load: Callable[[Path], ModuleType], path: Path) -> None:
        self._load = load
        self._path = path

    def __reduce__(self) -> tuple[Callable[[Path], ModuleType], tuple[Path]]:
        return self._load, (self._path,)

    def module(self) -> ModuleType:
        """What the file holds."""
        return self._load(self._path)


def make_sendable(module: ModuleType, load: Callable[[Path], ModuleType], path: Path) -> None:
    """Have instances of the module's classes pickled with the file that they come from.

    Args:
        module: what the file holds.
        load: loads the file in another process; a function of a module that is installed there.
        path: the file.
    """
    file = _File(load, path.resolve())

    def reduced(value: object) -> Any:
        # Whatever the class itself has to say on pickling holds; only the file is put in front.
        how = value.__reduce_ex__(2)
        if isinstance(how, str):  # the name of something in the module
            return _found, (file, how)
        make, arguments, *rest = how
        return _made, (file, make, arguments), *rest

    for kind in _classes(module, module.__name__):
        # Not a method of the class: its author may have written one, and nothing of theirs is
        # changed.
        copyreg.pickle(kind, reduced)


def _classes(holder: object, module: str) -> Iterator[type[Any]]:
    """The classes of a module, and those inside of them."""
    for value in list(vars(holder).values()):
        if isinstance(value, type) and value.__module__ == module and value is not holder:
            yield value
            yield from _classes(value, module)


def _found(file: _File | ModuleType, name: str) -> Any:
    """The object with that name in the file, which is loaded first unless its module is at hand."""
    return getattr(file.module() if isinstance(file, _File) else file, name)


def _made(file: object, make: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What was sent; by now its file has been loaded."""
    return make(*arguments)
