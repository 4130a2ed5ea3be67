"""Randomness from outside the streams: which code draws it, and where.

The module `random` has one generator for the whole program, and its state tells whether somebody
has drawn. That says nothing of who did; so what broke a law is done once more, this time watching
every call of a function that gives something else each time.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from pathlib import Path
from types import FrameType
from typing import Any, Final

from typing_extensions import override

from tabletop.game import AnyGame

_GLOBAL: Final = attrgetter("__self__")(random.random)
"""The generator behind the functions of the module `random`."""

_CLOCKS: Final = {
    function: f"time.{function.__name__}"
    for function in (
        time.time,
        time.time_ns,
        time.monotonic,
        time.monotonic_ns,
        time.perf_counter,
        time.perf_counter_ns,
        time.process_time,
    )
}

_LIBRARY: Final = ("random", "secrets", "uuid", "datetime", "_pydatetime")
"""Modules that only pass on what was asked for."""

_HANDED: Final = {"setup": 'rng["{}"]', "apply": 'table.rng["{}"]', "redeal": "rng"}
"""The streams of the methods that may draw."""

_INSTEAD: Final = {
    "shuffle": ("cards", "shuffle(cards)"),
    "sample": ("cards", "sample(cards, 3)"),
    "choice": ("cards", "choice(cards)"),
    "choices": ("cards", "weighted(cards, weights)"),
    "randrange": ("numbers", "below(10)"),
}
"""A stream's name, and what is written with it in place of a function of the module `random`."""

_ROLL: Final = ("dice", "roll(6)")
"""The same for any other source: a whole number."""

_ONLY: Final = (
    "only setup, apply and redeal may draw, from the streams that they are handed; what was drawn"
    " is kept in the state"
)
"""What the others are to do."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where something came from that no seed governs.

    Attributes:
        what: `the module random`, for instance.
        method: of the game, in which it was asked for; or another function.
        where: the file and the line.
        function: that was called there: `shuffle`, for instance.
    """

    what: str
    method: str
    where: str
    function: str

    @override
    def __str__(self) -> str:
        instead = _ONLY
        if self.method in _HANDED:
            name, call = _INSTEAD.get(self.function, _ROLL)
            instead = f"write {_HANDED[self.method].format(name)}.{call}"
        return f"{self.method} uses {self.what} ({self.where}), which no seed governs: {instead}"


class _Found(BaseException):
    """Breaks off what is watched; no `except Exception` of anybody's stops it."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.source = source


def fingerprint() -> object:
    """Changes when somebody draws from the module `random`, or seeds it."""
    return random.getstate()


def find_source(game: AnyGame, act: Callable[[], object]) -> Source | None:
    """The first thing from outside the streams that the rules use while `act` runs; None if none.

    Whatever `act` raises is of no account.
    """

    def watch(frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and (what := _named(called)) is not None:
            source = _source(game, what, frame, called.__name__)
            if source is not None:
                raise _Found(source)

    before, collects = sys.getprofile(), gc.isenabled()
    gc.disable()  # what others have called when it collects would look like the rules' own
    sys.setprofile(watch)
    try:
        with suppress(Exception):
            act()
    except _Found as found:
        return found.source
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()
    return None


def _named(called: Any) -> str | None:
    """The name of a function that no seed governs; None for other functions."""
    owner = getattr(called, "__self__", None)
    if isinstance(owner, random.Random):
        return "the module random" if owner is _GLOBAL else "a random.Random of its own"
    if called is os.urandom:
        return "os.urandom"
    if isinstance(owner, type) and issubclass(owner, date):
        name = called.__name__
        return f"{owner.__name__}.{name}" if name in ("now", "utcnow", "today") else None
    try:
        return _CLOCKS.get(called)
    except TypeError:  # what cannot be looked up is no clock
        return None


def _source(game: AnyGame, what: str, frame: FrameType, called: str) -> Source | None:
    """The line of the rules that asked for it, by a function that has `called` at last."""
    outwards = list(_outwards(frame))
    frames = [it for it in outwards if it.f_globals.get("__name__") not in _LIBRARY]
    library = outwards[: outwards.index(frames[0])] if frames else []
    inside = [it for it in frames if it.f_locals.get("self") is game]
    if not inside:
        return None
    line = f"{Path(frames[0].f_code.co_filename).name}, line {frames[0].f_lineno}"
    function = library[-1].f_code.co_name if library else called
    return Source(what, inside[-1].f_code.co_name, line, function)


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
