"""Functions made of source that a program has written, which a debugger can show."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from itertools import count
from types import FunctionType
from typing import Any


def made_functions(title: str, lines: Sequence[str], names: Mapping[str, Any]) -> dict[str, Any]:
    """The functions that `lines` define, by name; they find each other.

    Tracebacks, `inspect.getsource` and debuggers show their lines as if they stood in a file.

    Args:
        title: what they are for.
        lines: their definitions.
        names: what their lines mean by the names that are not their own.
    """
    source = "\n".join([*lines, ""])
    place = _kept(f"tabletop {title}", source)
    space = {**names}
    # What is run was written here, from the annotations of a class: no text of a stranger.
    exec(compile(source, place, "exec"), space)  # noqa: S102
    return {name: it for name, it in space.items() if isinstance(it, FunctionType)}


def made_method(owner: type[Any], lines: Sequence[str], names: Mapping[str, Any]) -> Any:
    """The method of a class that `lines` define; as `made_functions`."""
    name = lines[0].removeprefix("def ").partition("(")[0]
    title = f"{name} of {owner.__module__}.{owner.__qualname__}"
    method = made_functions(title, lines, {"__name__": owner.__module__, **names})[name]
    method.__qualname__ = f"{owner.__qualname__}.{name}"
    return method


def _kept(title: str, source: str) -> str:
    """The name of a file that does not exist, under which the lines of `source` are found."""
    for number in count(1):
        place = f"<{title}>" if number == 1 else f"<{title}, {number}>"
        # A class may be made anew under its name, in a notebook: each keeps the lines it runs.
        if place not in linecache.cache:
            break
    # Without a time of change, it is never looked for on a disk.
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    return place
