"""A fuzz target: a function that reads one kind of external input."""

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
"""A file system in memory, if there is one. Most targets run several times as fast there."""

Harness: TypeAlias = Callable[[bytes, Path], str]
"""A function that gets an input and an empty folder, and returns a line about the result.

It catches only the documented exceptions, and raises `BrokenPromiseError` if another promise is
broken.
"""


class BrokenPromiseError(Exception):
    """A promise was broken without an exception."""


@dataclass(frozen=True, slots=True)
class Target:
    """A fuzz target.

    Attributes:
        run: The harness.
        examples: Returns generated inputs, in addition to the files of the corpus.
        words: Words that inputs often contain.
        remade: Returns a strategy for inputs, given the corpus and the words.
    """

    run: Harness
    examples: Callable[[], Iterable[bytes]] = tuple
    words: tuple[bytes, ...] = ()
    remade: Callable[[list[bytes], tuple[bytes, ...]], SearchStrategy[bytes]] = edited

    def judge(self, data: bytes) -> str:
        """Run an input in an empty folder, without access to files of the user."""
        with _nowhere() as folder:
            return self.run(data, folder).replace(str(folder), "")


def names() -> list[str]:
    """Return the names of all targets. Each is a module of `fuzz.targets`."""
    return sorted(path.stem for path in (HERE / "targets").glob("[a-z]*.py"))


def find(name: str) -> Target:
    """Return the target called `name`."""
    target: Target = import_module(f"tools.fuzz.targets.{name}").TARGET
    return target


def corpus(name: str) -> list[bytes]:
    """Return the initial inputs of a target: files, sorted by name, and examples."""
    files = sorted((CORPUS / name).glob("*"))
    return [*(path.read_bytes() for path in files), *find(name).examples()]


def require(promise: object, what: str) -> None:
    """Raise `BrokenPromiseError` unless a promise holds."""
    if not promise:
        raise BrokenPromiseError(what)


@contextmanager
def _nowhere() -> Iterator[Path]:
    """Use an empty folder as the working directory and for all data of the user."""
    with TemporaryDirectory(prefix="tabletop-fuzz-", dir=IN_MEMORY) as name:
        environment = {
            **dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), name),
            "TABLETOP_DEBUG": "1",  # raise internal errors instead of printing a line
            "TABLETOP_NOW": "2026-11-21T12:00:00",
            "COLUMNS": "80",
        }
        with chdir(name), patch.dict(os.environ, environment):
            yield Path(name)
