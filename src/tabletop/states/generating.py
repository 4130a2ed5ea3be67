"""Functions made of source that a program has written, which a debugger can show."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any


def made_function(owner: type[Any], lines: Sequence[str], names: Mapping[str, Any]) -> Any:
    """The function that `lines` define.

    Tracebacks, `inspect.getsource` and debuggers show its lines as if they stood in a file.

    Args:
        owner: the class that it is a method of.
        lines: its definition, which begins with `def NAME(`.
        names: what its lines mean by the names that are not its own.
    """
    name = lines[0].removeprefix("def ").partition("(")[0]
    source = "\n".join([*lines, ""])
    place = _kept(f"tabletop {name} of {owner.__module__}.{owner.__qualname__}", source)
    space = {"__name__": owner.__module__, **names}
    # What is run was written here, from the annotations of a class: no text of a stranger.
    exec(compile(source, place, "exec"), space)  # noqa: S102
    function: Any = space[name]
    function.__qualname__ = f"{owner.__qualname__}.{name}"
    return function


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
