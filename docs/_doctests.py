"""Show the examples in docstrings as code.

Griffe reads a docstring as Markdown, in which a line that starts with `>>>` is a nested quotation.
This extension puts a fence around each doctest.
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
    """Return `text` with a fence around each doctest that is not already in a code block."""
    return _DOCTEST.sub(lambda found: _fence(found[0], found[1]), text)


def _fence(example: str, indent: str) -> str:
    if len(indent) >= 4:
        return example
    return f"{indent}```pycon\n{example}\n{indent}```"
