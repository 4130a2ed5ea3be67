"""Has the examples in docstrings shown as code.

Griffe reads a docstring as Markdown, in which lines that begin with `>>>` are quotations of
quotations. Here every doctest in it is put into a fence.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

# From the first prompt to the next blank line, or to the end.
_DOCTEST = re.compile(r"^( *)>>> .*(?:\n\1\S.*|\n\1 +\S.*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fences the doctests of every docstring."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """`text` with a fence around each doctest, unless it stands in a block of code already."""
    return _DOCTEST.sub(lambda found: _fence(found[0], found[1]), text)


def _fence(example: str, indent: str) -> str:
    if len(indent) >= 4:
        return example
    return f"{indent}```pycon\n{example}\n{indent}```"
