"""What installed packages offer: their entry points, read without `importlib.metadata`.

That takes longer to import than a short command runs, for most of it is about mail headers. Here
the files `entry_points.txt` are read where Python looks for packages: in `*.dist-info` and
`*.egg-info` of each directory on `sys.path`. Where there is anything else (a zip file, an egg, a
finder with packages of its own), `importlib.metadata` is asked.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from typing import Any, NamedTuple


class EntryPoint(NamedTuple):
    """What a package offers under a name.

    Attributes:
        name: what it is asked for by.
        value: where it is, as the package says it: `module`, or `module:NAME`.
    """

    name: str
    value: str

    @property
    def module(self) -> str:
        """The module that it stands in."""
        return self._parts[0].strip()

    @property
    def attr(self) -> str:
        """The name in the module; empty when it is the module itself."""
        return self._parts[2].strip()

    @property
    def _parts(self) -> tuple[str, str, str]:
        place, _, _ = self.value.partition("[")  # what follows are extras of the package
        return place.partition(":")

    def load(self) -> Any:
        """Import the module, and take the name from it.

        Raises whatever the module raises, and AttributeError if it has no such name.
        """
        found: Any = import_module(self.module)
        for name in filter(None, self.attr.split(".")):
            found = getattr(found, name)
        return found


def entry_points(group: str) -> list[EntryPoint]:
    """What packages offer in a group, those found first in front; nothing is imported.

    Of two packages with the same name the first counts, as when they are imported.
    """
    if not _are_plain():
        from importlib.metadata import entry_points as all_points

        return [EntryPoint(point.name, point.value) for point in all_points(group=group)]
    return [point for text in _texts() if f"[{group}]" in text for point in _points_in(text, group)]


def _are_plain() -> bool:
    """Whether packages lie in directories, and nowhere else."""
    finders = [it for it in sys.meta_path if getattr(it, "find_distributions", None)]
    return finders == [PathFinder] and not any(map(_is_odd, map(str, sys.path)))


def _is_odd(place: str) -> bool:
    return place.endswith(".egg") or os.path.isfile(place)


def _texts() -> Iterator[str]:
    """The `entry_points.txt` of all packages."""
    seen: set[str] = set()
    for place in map(str, sys.path):
        try:
            changed, whole = os.stat(place or ".").st_mtime_ns, os.path.abspath(place)
        except OSError:  # not everything on the path needs to be there, nor where we are
            continue
        found = _texts_in(whole, changed)
        yield from (text for package, text in found.items() if package not in seen)
        seen.update(found)


@lru_cache(maxsize=64)  # a program may ask for several groups, one after the other
def _texts_in(place: str, changed: int) -> dict[str, str]:
    """The `entry_points.txt` of each package in a directory, which was last changed then."""
    found: dict[str, str] = {}
    for entry in _entries(place):
        if entry.lower().endswith((".dist-info", ".egg-info")):
            package = _package(entry)
            if package not in found:
                found[package] = _read(os.path.join(place, entry, "entry_points.txt"))
    return found


def _entries(place: str) -> list[str]:
    try:
        return os.listdir(place)
    except OSError:  # a file, or nothing that we may read
        return []


def _package(entry: str) -> str:
    """The name of the package that a folder is about, as names are compared."""
    name = entry.rpartition(".")[0].partition("-")[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def _read(path: str) -> str:
    """The text of a file; empty when there is none, or none that can be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:  # no file, or none that opens: one broken package hides no other
        return ""


def _points_in(text: str, group: str) -> Iterator[EntryPoint]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif section == group:
            name, _, value = line.partition("=")
            yield EntryPoint(name.strip(), value.strip())
