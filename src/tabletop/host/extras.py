"""Optional libraries, which are installed with an extra of the distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec

from tabletop.errors import MissingExtra
from tabletop.wording import join_words


def require(feature: str, extra: str, *modules: str) -> None:
    """Raise an error if an optional library is not installed. Imports nothing.

    Args:
        feature: The feature that needs the libraries, for the message.
        extra: The extra that installs them.
        modules: The names of the libraries.

    Raises:
        MissingExtra: A library is missing. The message contains the command that installs it.

    >>> require("serving", "web", "no_such_library")
    Traceback (most recent call last):
        ...
    tabletop.errors.MissingExtra: serving needs no_such_library: pip install 'tabletop-rules[web]'
    """
    if missing := [name for name in modules if find_spec(name) is None]:
        names = join_words(missing, "and")
        raise MissingExtra(f"{feature} needs {names}: pip install 'tabletop-rules[{extra}]'")


def lazy_attributes(
    package: str, places: Mapping[str, str], feature: str, extra: str, *modules: str
) -> Callable[[str], object]:
    """Return a module `__getattr__` for a package in which some names need an extra.

    The module that defines such a name is imported when the name is first used.

    Args:
        package: The name of the package.
        places: For each module of the package, the names that it defines, separated by spaces.
        feature: The feature that needs the extra; see `require`.
        extra: The name of the extra.
        modules: The names of the libraries that must be installed.
    """
    homes = {name: module for module, names in places.items() for name in names.split()}

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        require(feature, extra, *modules)
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find
