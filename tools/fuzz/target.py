"""A harness: one kind of input, and what is promised whatever comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

HERE: Final = Path(__file__).parent
CORPUS: Final = HERE / "corpus"

Harness: TypeAlias = Callable[[bytes, Path], str]
"""Takes an input and an empty folder; says in a line what came of it.

It lets through what is no documented refusal, and raises `BrokenPromiseError` where another
promise is broken.
"""

Mutator: TypeAlias = Callable[[bytes, Random], bytes]
"""Another input, which knows the format of one."""


class BrokenPromiseError(Exception):
    """A promise was broken that no exception tells of."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target of fuzzing: it takes input from outside.

    Attributes:
        run: the harness.
        examples: inputs that are made when they are asked for, beside the files of the corpus.
        words: words worth putting into an input.
        mutate: changes an input in ways that bytes alone would seldom find.
    """

    run: Harness
    examples: Callable[[], Iterable[bytes]] = tuple
    words: tuple[bytes, ...] = ()
    mutate: Mutator | None = None


def names() -> list[str]:
    """Return the names of all targets: a module of `fuzz.targets` each."""
    return sorted(path.stem for path in (HERE / "targets").glob("[a-z]*.py"))


def find(name: str) -> Target:
    """Return the target called `name`.

    Raises:
        KeyError: there is none.
    """
    if name not in names():
        raise KeyError(name)
    target: Target = import_module(f"tools.fuzz.targets.{name}").TARGET
    return target


def corpus(name: str) -> list[bytes]:
    """Return the first inputs of a target: files, in the order of their names, and examples."""
    files = sorted((CORPUS / name).glob("*"))
    return [*(path.read_bytes() for path in files), *find(name).examples()]


def require(promise: object, what: str) -> None:
    """Raise `BrokenPromiseError` unless a promise holds."""
    if not promise:
        raise BrokenPromiseError(what)
