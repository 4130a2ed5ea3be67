"""Running one input, and telling whether what came of it is a finding."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import extract_tb, format_exception
from typing import Final
from unittest.mock import patch

from tools.fuzz.target import HERE, BrokenPromiseError, Target

PROJECT: Final = HERE.parents[1]
OURS: Final = (str(PROJECT / "src"), str(HERE))
_DETAIL: Final = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+|[^\x20-\x7e]+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an input.

    Attributes:
        sign: the same for inputs with the same result, as far as can be told.
        trace: the traceback of an error; empty when all is well.
    """

    sign: str
    trace: str = ""

    @property
    def is_finding(self) -> bool:
        """True if a promise was broken."""
        return bool(self.trace)


def judge(target: Target, data: bytes) -> Verdict:
    """Run an input in an empty folder, with nothing of the user's in reach."""
    try:
        with _nowhere() as folder:
            said = target.run(data, folder).replace(str(folder), "")
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except (Exception, SystemExit) as error:
        return Verdict(_place(error), "".join(format_exception(error)))
    return Verdict(_DETAIL.sub("_", said)[:200])


def _place(error: BaseException) -> str:
    """Return the kind of an error, and the innermost of our functions that it came through."""
    kind = type(error).__name__
    if isinstance(error, BrokenPromiseError):  # which is always raised at the same place
        return f"{kind}: {_DETAIL.sub('_', str(error))[:100]}"
    for frame in reversed(extract_tb(error.__traceback__)):
        if frame.filename.startswith(OURS):
            return f"{kind} in {Path(frame.filename).name}, {frame.name}"
    return kind


@contextmanager
def _nowhere() -> Iterator[Path]:
    """Make an empty folder the working directory, and the home of all that is kept."""
    with TemporaryDirectory(prefix="tabletop-fuzz-") as name:
        environment = {
            **dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), name),
            "TABLETOP_DEBUG": "1",  # a mistake of ours is raised, not told in a line
            "TABLETOP_NOW": "2026-11-21T12:00:00",
            "COLUMNS": "80",
        }
        with chdir(name), patch.dict(os.environ, environment):
            yield Path(name)
