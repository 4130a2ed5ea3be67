"""Report a function of the rules that does not return, for example because of an endless loop."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Event, Thread, get_ident
from time import process_time
from types import FrameType, FunctionType
from typing import Final

SECONDS: Final = 5.0
"""Seconds of processor time after which a function of the rules is reported."""

_PAUSE: Final = 1.0
"""Seconds between two checks of the running function."""


def start_watching_rules(report: Callable[[str], object]) -> Callable[[], None]:
    """Call `report` once for each function of the rules that does not return in this thread.

    Only the processor time of this process counts, so a busy machine or a function that waits does
    not cause a report. The function is not interrupted.

    Args:
        report: Called in another thread with a message that contains the game, the function and
            the current line.

    Returns:
        A function that ends the watch.
    """
    stopped = Event()
    thread = Thread(target=_watch, args=(get_ident(), stopped, report), daemon=True)
    thread.start()

    def stop() -> None:
        stopped.set()
        thread.join()

    return stop


def _watch(thread: int, stopped: Event, report: Callable[[str], object]) -> None:
    if hasattr(signal, "pthread_sigmask"):  # leave signals to the main thread, to wake it
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    last: FrameType | None = None
    since, is_reported = 0.0, False
    while not stopped.wait(_PAUSE):
        frame, place = _rule_of(sys._current_frames().get(thread))
        if frame is not last:
            last, since, is_reported = frame, process_time(), False
        elif frame and not is_reported and process_time() - since >= SECONDS:
            from tabletop.rules.game import Game  # most programs never get here

            is_reported = True
            if isinstance(game := frame.f_locals.get("self"), Game):
                report(
                    f"{game.name}: {frame.f_code.co_name} has not returned after {SECONDS:.0f} s"
                    f" of processor time and is at {place}. Press Ctrl-C to stop"
                )


def _rule_of(frame: FrameType | None) -> tuple[FrameType | None, str]:
    """Return the outermost running function of the rules, and its current line."""
    place, rule = "", None
    while frame is not None:
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package != "tabletop" and package not in sys.stdlib_module_names:
            place = place or f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"
            rule = frame if frame.f_code.co_name in _names_of_rules() else rule
        frame = frame.f_back
    return rule, place


@cache
def _names_of_rules() -> frozenset[str]:
    from tabletop.rules.game import Game  # most programs never get here

    return frozenset(name for name, item in vars(Game).items() if type(item) is FunctionType)
