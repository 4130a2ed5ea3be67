"""Completions for a line that is typed, and the exception that ends the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias


class Completion(NamedTuple):
    """One way to go on.

    Attributes:
        word: takes the place of the word that has been begun.
        hint: what it means, in a few words; may be empty.
    """

    word: str
    hint: str = ""


Helper: TypeAlias = Callable[[str], Iterable[Completion]]
"""Completes a line; its last word counts as begun, unless a blank follows it."""


class Withdrawn(Exception):
    """A question was cancelled: another front has changed what it was about."""
