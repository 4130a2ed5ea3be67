"""Shows a recorded match at a terminal."""

from __future__ import annotations

from time import sleep
from typing import Any, Final

from tabletop.errors import RecordMismatch
from tabletop.events import ALL, Event, MatchEnded, Watcher
from tabletop.host.sanitize import printable_names
from tabletop.records.replay import Stepper
from tabletop.terminal.console import Console, flush_lines
from tabletop.text import TextView, headline
from tabletop.wording import plural

KEYS: Final = "Enter or n: the next step; b: a step back; a number: go there; q: leave"


class ReplayViewer:
    """Shows a match as it was played.

    Args:
        stepper: the record.
        text: how the game reads.
        console: where it is told.
        watcher: to whom: what that one cannot see stays hidden.
        first: the step to begin at.
    """

    def __init__(
        self,
        stepper: Stepper,
        text: TextView[Any],
        console: Console,
        watcher: Watcher = None,
        first: int = 0,
    ) -> None:
        self._stepper = stepper
        self._match = stepper.match
        self._names = printable_names(self._match.names)
        self._text = text
        self._console = console
        self._watcher = watcher
        self._pending: list[str] = []
        console.say(headline(self._match))
        stepper.go(min(first, stepper.steps))
        self._show_position()
        self._match.observe(self._show_event, seat=watcher)

    def run(self, speed: float | None = None) -> None:
        """Show it to the end, without waiting or at so many steps a second.

        At a speed the position is shown after each step, else only at the end.

        Raises:
            RecordMismatch: a step does not replay; what it leads to now is shown first.
        """
        stepper = self._stepper
        began = stepper.at
        while stepper.at < stepper.steps:
            if speed is not None:
                sleep(1 / speed)
            self._forward()
            if speed is not None:
                self._show_position()
        if speed is None and stepper.at > began:
            self._show_position()
        self._show_outcome()

    def step(self) -> None:
        """Let a person go forward and back, a line at a time, until they leave.

        Raises:
            RecordMismatch: a step does not replay; what it leads to now is shown first.
        """
        self._console.say(KEYS)
        while True:
            line = self._console.read(self._prompt())
            if line is None or not self._obey(line.strip().casefold()):
                return

    def _prompt(self) -> str:
        at, steps = self._stepper.at, self._stepper.steps
        return f"-- {at} of {steps}, Enter {'for the next' if at < steps else 'to leave'} "

    def _obey(self, word: str) -> bool:
        """Obey a line that a person has typed; False to leave."""
        at, steps = self._stepper.at, self._stepper.steps
        if word in ("q", "quit", "exit") or (at == steps and word in ("", "n")):
            return False
        if word in ("", "n"):
            self._forward()
            self._show_step()
        elif word == "b" and at == 0:
            self._console.say("This is the beginning.")
        elif word == "b":
            self._go(at - 1)
        elif word.isascii() and word.isdecimal() and int(word[:9]) <= steps:
            self._go(int(word))
        elif word.isdecimal():
            self._console.say(f"There is no step {word}: steps are 0 to {steps}.")
        else:
            self._console.say(KEYS)
        return True

    def _go(self, step: int) -> None:
        try:
            self._stepper.go(step)
        except RecordMismatch:
            self._show_position()
            raise
        self._pending.clear()
        self._show_step()

    def _forward(self) -> None:
        try:
            self._stepper.forward()
        except RecordMismatch:
            flush_lines(self._pending, self._console)
            self._show_position()
            raise
        flush_lines(self._pending, self._console)

    def _show_step(self) -> None:
        self._show_position()
        if self._stepper.at == self._stepper.steps:
            self._show_outcome()

    def _show_position(self) -> None:
        match, watcher = self._match, self._watcher
        view = match.state.clone() if watcher == ALL else match.view(watcher)
        self._console.say(self._text.position(view, self._names, watcher))

    def _show_outcome(self) -> None:
        match = self._match
        ended = match.outcome
        plies = f"({plural(match.ply, 'action')})"
        self._console.say(self._text.outcome(ended, self._names) if ended else plies)

    def _show_event(self, event: Event) -> None:
        """Queue the line of an event; the outcome is shown after the last position."""
        if not isinstance(event, MatchEnded):
            self._pending.append(self._text.event(event, self._names, self._watcher))
