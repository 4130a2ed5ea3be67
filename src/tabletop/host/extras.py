"""Modules that are imported when they are used, and libraries that an extra installs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, cast

from tabletop.errors import MissingExtra
from tabletop.wording import join_words

_IMPORT: Final = re.compile(r"^    from (\S+) import (\([^)]*\)|.*)$", re.MULTILINE)
"""An indented import, with the module and the names."""


def require(feature: str, extra: str, *modules: str) -> None:
    """Raise an error if an optional library is not installed. The library is not imported.

    Args:
        feature: The feature that needs the libraries, for the message.

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
    package: str,
    feature: str = "",
    extra: str = "",
    *libraries: str,
    other: Callable[[str], object] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package that imports its modules when they are used.

    The `__init__.py` of the package imports its names with `from MODULE import ...` below `if
    TYPE_CHECKING:`, for type checkers. This function reads these lines, so that the names are not
    listed twice.

    Args:
        package: The name of the package.
        feature: The feature that needs an extra, if one is needed; see `require`.
        extra: The name of the extra.
        libraries: The names of the libraries that must be installed.
        other: A function that is called for any other name, instead of raising an error.
    """
    module = sys.modules[package]
    source: str = cast("Any", module.__loader__).get_source(package)
    lines = source.partition("\nif TYPE_CHECKING:\n")[2]
    homes = {
        name: home for home, names in _IMPORT.findall(lines) for name in re.findall(r"\w+", names)
    }

    def find(name: str) -> object:
        if name not in homes:
            if other is not None:
                return other(name)
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        require(feature, extra, *libraries)
        value = getattr(import_module(homes[name]), name)
        setattr(module, name, value)
        return value

    return find, lambda: [*module.__all__]
