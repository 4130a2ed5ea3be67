"""Libraries that an extra of the distribution brings, and what is said where they are missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec

from tabletop.errors import MissingExtra
from tabletop.wording import join_words


def require(what: str, extra: str, *modules: str) -> None:
    """Check that the libraries that something needs can be found. None of them is imported.

    Raises:
        MissingExtra: one cannot; says how it is installed.

    >>> require("it", "web", "no_such_library")
    Traceback (most recent call last):
        ...
    tabletop.errors.MissingExtra: it needs no_such_library: pip install 'tabletop-rules[web]'
    """
    if missing := [name for name in modules if find_spec(name) is None]:
        names = join_words(missing, "and")
        raise MissingExtra(f"{what} needs {names}: pip install 'tabletop-rules[{extra}]'")


def lazy_attributes(
    door: str, places: Mapping[str, str], what: str, extra: str, *modules: str
) -> Callable[[str], object]:
    """Return the `__getattr__` of a package some of whose names need an extra.

    The module that holds such a name is imported when the name is first used.

    Args:
        door: the package.
        places: by module in it, the names that it holds, separated by blanks.
        what: as of `require`, which is called first.
        extra: as of `require`.
        modules: as of `require`.
    """
    homes = {name: module for module, names in places.items() for name in names.split()}

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {door!r} has no attribute {name!r}")
        require(what, extra, *modules)
        return getattr(import_module(f"{door}.{homes[name]}"), name)

    return find
