"""A harness: one kind of input, and what is promised whatever comes in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias
from unittest.mock import patch

from hypothesis.strategies import SearchStrategy

from tools.fuzz.inputs import edited

HERE: Final = Path(__file__).parent
CORPUS: Final = HERE / "corpus"

IN_MEMORY: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where there are folders without a disk: most targets run several times as fast there."""

Harness: TypeAlias = Callable[[bytes, Path], str]
"""Takes an input and an empty folder; says in a line what came of it.

It lets through what is no documented refusal, and raises `BrokenPromiseError` where another
promise is broken.
"""


class BrokenPromiseError(Exception):
    """A promise was broken that no exception tells of."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target of fuzzing: it takes input from outside.

    Attributes:
        run: the harness.
        examples: inputs that are made when they are asked for, beside the files of the corpus.
        words: words worth putting into an input.
        remade: inputs that are made of the corpus, and of the words.
    """

    run: Harness
    examples: Callable[[], Iterable[bytes]] = tuple
    words: tuple[bytes, ...] = ()
    remade: Callable[[list[bytes], tuple[bytes, ...]], SearchStrategy[bytes]] = edited

    def judge(self, data: bytes) -> str:
        """Run an input in an empty folder, with nothing of the user's in reach."""
        with _nowhere() as folder:
            return self.run(data, folder).replace(str(folder), "")


def names() -> list[str]:
    """Return the names of all targets: a module of `fuzz.targets` each."""
    return sorted(path.stem for path in (HERE / "targets").glob("[a-z]*.py"))


def find(name: str) -> Target:
    """Return the target called `name`."""
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


@contextmanager
def _nowhere() -> Iterator[Path]:
    """Make an empty folder the working directory, and the home of all that is kept."""
    with TemporaryDirectory(prefix="tabletop-fuzz-", dir=IN_MEMORY) as name:
        environment = {
            **dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), name),
            "TABLETOP_DEBUG": "1",  # a mistake of ours is raised, not told in a line
            "TABLETOP_NOW": "2026-11-21T12:00:00",
            "COLUMNS": "80",
        }
        with chdir(name), patch.dict(os.environ, environment):
            yield Path(name)
