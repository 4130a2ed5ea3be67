"""Libraries that an extra of the distribution brings, and what is said where they are missing."""

from __future__ import annotations

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
