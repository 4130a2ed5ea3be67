"""The console: lines in and out, for a person.

All output is harmless; see `tabletop.host.screen_text`. At a terminal, lines that are too long for
it are broken at blanks.
"""

from __future__ import annotations

import errno
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from select import select
from shutil import get_terminal_size
from threading import Timer
from time import sleep
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO, TypeAlias, cast

from tabletop.errors import MissingExtra
from tabletop.host.screen_text import raw_stream, sanitize, sanitized_stream
from tabletop.text_layout import fit

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from tabletop.terminal.async_lines import LoopReader
    from tabletop.terminal.editor import LineEditor

_CLOSED: Final = frozenset({errno.EIO, errno.ENXIO})
"""Error numbers of reading and writing at a terminal that was closed."""

_LINES: Final = 1 << 12
"""Bytes of a line that can be typed at a terminal, at most."""

_WIPE: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Clears a terminal's screen and its scrollback."""

_ERASE: Final = "\r\x1b[K"
"""Clears the line that the cursor is in."""

_DUMB: Final = ("", "dumb", "unknown")
"""The values of TERM for terminals on which no line can be edited in place."""


class Console:
    """Lines in, lines out.

    A byte-order mark at the start of piped input is dropped.

    At a real terminal a line is edited with prompt_toolkit, where that is installed (the extra
    `terminal`); else with readline, where the platform has it. A closed terminal is the end of
    input, and later output is dropped.

    Args:
        stdin: the input; that of the process when not given.
        stdout: the output; that of the process when not given.
        ends_lines: whether the line of a prompt is ended where input is not echoed, so that the
            next text begins a line. The programs of courses do not: they go on behind it.
        first: lines to read before those of `stdin`, and to show as if typed.
        loop: an event loop that runs while a line is awaited: other fronts of the session live
            there, on the same thread. Their news appears above the line.

    Attributes:
        interactive: whether a person types the input.
    """

    def __init__(
        self,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        *,
        ends_lines: bool = True,
        first: Iterable[str] = (),
        loop: AbstractEventLoop | None = None,
    ) -> None:
        self._stdin = stdin if stdin is not None else sys.stdin
        self._stdout = sanitized_stream(stdout if stdout is not None else sys.stdout)
        self.interactive: bool = self._stdin.isatty() and self._stdout.isatty()
        self._ends_lines = ends_lines
        self._paint: Callable[[str], str] | None = None
        self._waiting = deque(first)
        self._scripted = len(self._waiting)  # how many of them nobody has typed
        self._begins_line = False
        self._loop = loop
        self._is_alone = False  # the loop stands still while a line is awaited
        self._forget: Callable[[], object] | None = None
        self._editor: LineEditor | None = None
        self._lines: LoopReader | None = None
        self._prompt = ""  # of the line that is awaited
        self._has_ended = False  # by Ctrl-D while nobody was asked for a line
        self._is_at_start = True  # of `stdin`, where a byte-order mark may be
        self._helper: Helper | None = None
        if self.interactive and self._stdin is sys.stdin:
            self._edit_lines()
        if loop is not None and self._editor is None:
            from tabletop.terminal.async_lines import LoopReader

            self._lines = LoopReader(self._stdin, loop)

    def _edit_lines(self) -> None:
        """Set up line editing and history, as well as this platform can."""
        if not _is_dumb():
            with suppress(MissingExtra):
                from tabletop.terminal.editor import LineEditor

                self._editor = LineEditor(self._stdin, raw_stream(self._stdout), self._loop)
                self._forget = self._editor.forget
                return
        if self._loop is not None:
            return  # readline would let no loop run
        with suppress(ImportError):
            from readline import clear_history

            self._forget = clear_history

    def say(self, text: str = "") -> None:
        """Print `text` and a newline, at once; above the line that is being typed, if one is."""
        self._above(lambda: self._say(text))

    def say_painted(self, text: str) -> None:
        """Print a text with colours of our own, as `say` does; the rest is harmless already."""
        self._above(lambda: self._show(self._fit(text) + "\n", raw_stream(self._stdout)))

    def show_pages(self, text: str) -> None:
        """Print a text; one that does not fit a terminal a screen at a time.

        Where other fronts are served it is printed at once: they do not wait for a reader.
        """
        if self.interactive and self._loop is None and self._stdin is sys.stdin:
            from tabletop.host.pager import show_pages  # only who asks for rules needs it

            show_pages(self._fit(text))
        else:
            self.say(text)

    def _above(self, show: Callable[[], None]) -> None:
        """Show something; above the line that is typed, if one is."""
        if self._editor is not None and self._editor.edits:
            self._editor.above(show)
        elif self._prompt and self.waits:
            self._show("\n", self._stdout)
            show()
            self._show(self._prompt, self._stdout)
        else:
            show()

    def _say(self, text: str) -> None:
        if self._paint is None:
            self._show(self._fit(text) + "\n", self._stdout)
        else:
            self._show(self._paint(self._fit(sanitize(text))) + "\n", raw_stream(self._stdout))

    def _fit(self, text: str) -> str:
        """At a terminal, `text` in lines that fit it; else as it is."""
        return fit(text, get_terminal_size().columns if self.interactive else 0)

    def paint_with(self, paint: Callable[[str], str]) -> None:
        """Colour the output from now on, at a terminal that has colours.

        `paint` receives text that is harmless already.
        """
        self._paint = paint if self.interactive and shows_colours() else None

    @property
    def is_scripted(self) -> bool:
        """True while lines given with the console wait to be read."""
        return bool(self._scripted)

    @property
    def waits(self) -> bool:
        """True while a person is asked for a line."""
        reader = self._editor if self._lines is None else self._lines
        return reader is not None and reader.waits

    @property
    def can_wait_for_others(self) -> bool:
        """True if news of other fronts can be shown while a line is typed."""
        return self._loop is not None

    @property
    def is_busy(self) -> bool:
        """True while other fronts are served, so that no question can be asked."""
        return self.waits or (self._loop is not None and self._loop.is_running())

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass while the loop runs; called from within it, wait no time."""
        if self._loop is None:
            sleep(seconds)
        elif not self._loop.is_running():
            import asyncio

            from tabletop.terminal.signals import run

            run(self._loop, asyncio.sleep(seconds))

    def cancel_prompt(self) -> None:
        """Cancel the line that is being typed: `read` raises `PromptCancelled`."""
        if self._editor is not None:
            self._editor.cancel_prompt()
        elif self._lines is not None:
            self._lines.cancel_prompt()

    def begin_line(self) -> None:
        """End the current line, if something was broken off in its middle."""
        if self._begins_line:
            self._begins_line = False
        else:
            self.say()

    @contextmanager
    def meanwhile(self, text: str, *, after: float = 0.0) -> Iterator[None]:
        """Show a line at a terminal while something goes on that takes longer than `after` seconds.

        It is erased at the end, where the terminal can do that.
        """
        if not self.interactive:
            yield
            return
        is_dumb = _is_dumb()
        row = text if is_dumb else sanitize(text)[: get_terminal_size().columns - 1]
        shown: list[None] = []

        def show() -> None:
            shown.append(None)
            self._show(f"{row}\n" if is_dumb else row, self._stdout)

        timer = Timer(after, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if shown and not is_dumb:
                self._show(_ERASE, raw_stream(self._stdout))
                self._begins_line = True

    def _show(self, text: str, screen: TextIO) -> None:
        self._begins_line = False
        # Whoever read the output may have left (`| head`): that is no failure of the program.
        try:
            screen.write(text)
            screen.flush()
        except OSError as error:
            if error.errno not in _CLOSED:
                raise
            nowhere = os.open(os.devnull, os.O_WRONLY)  # else the rest would fail at exit again
            os.dup2(nowhere, screen.fileno())
            os.close(nowhere)

    @contextmanager
    def helped(self, helper: Helper) -> Iterator[None]:
        """Offer the completions of a helper while lines are typed."""
        former, self._helper = self._helper, helper
        try:
            yield
        finally:
            self._helper = former

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Serve no other front while lines are read: for questions in the middle of something."""
        self._is_alone = True
        try:
            yield
        finally:
            self._is_alone = False

    def read(self, prompt: str) -> str | None:
        """The next line without its newline; None when input has ended.

        Raises:
            PromptCancelled: it is not asked for any more.
        """
        if self._has_ended:
            return None
        if self._waiting:
            line = self._waiting.popleft()
            self._scripted = max(0, self._scripted - 1)
            if self.interactive:
                self.say(prompt + line)
            return line
        try:
            return self._read(self._last_line_of(prompt))
        except OSError as error:
            if error.errno not in _CLOSED:
                raise
            return None

    def drop_typed(self) -> list[str]:
        """Drop and return the lines typed at a terminal since a line was read.

        They were typed for a position that is no more. Ctrl-D among them ends input, and what is
        begun of a line stays.
        """
        lines: list[str] = []
        if not self.interactive or self._stdin is not sys.stdin or os.name != "posix":
            return lines
        fd = self._stdin.fileno()
        while not self._has_ended and select([fd], [], [], 0)[0]:
            typed = os.read(fd, _LINES)
            self._has_ended = not typed
            lines += typed.decode(self._stdin.encoding, "replace").split("\n")
        return [line for line in map(str.strip, lines) if line]

    def _last_line_of(self, prompt: str) -> str:
        """Print all but the last line of a prompt that does not fit a terminal; return that."""
        text = self._fit(prompt)
        if text == prompt:
            return prompt
        *above, last = text.split("\n")
        if above:
            self.say("\n".join(above))
        return last + prompt[len(prompt.rstrip()) :]

    def _read(self, prompt: str) -> str | None:
        if self._editor is not None:
            return self._read_edited(self._editor, prompt)
        if self._forget is not None:
            try:
                return input(sanitize(prompt))
            except EOFError:
                self.say()
                return None
        self._show(prompt, self._stdout)
        line = self._stdin.readline() if self._lines is None else self._awaited(prompt)
        if self._is_at_start:
            line = line.removeprefix("\ufeff")
            self._is_at_start = False
        if self._ends_lines and not (self.interactive and line):
            self.say()  # what was typed is not seen: the next text begins a line
        return line.rstrip("\r\n") if line else None

    def _awaited(self, prompt: str) -> str:
        """The next line of those that are not edited, while the loop runs."""
        lines = cast("LoopReader", self._lines)
        self._prompt = prompt
        try:
            line = lines.read(alone=self._is_alone)
            if line is None:
                if prompt:
                    self.say()
                raise PromptCancelled
            return line
        finally:
            self._prompt = ""

    def _read_edited(self, editor: LineEditor, prompt: str) -> str | None:
        self._stdout.flush()
        try:
            text = editor.read(sanitize(prompt), self._helper, alone=self._is_alone)
        except EOFError:
            return None
        except KeyboardInterrupt:
            self._begins_line = editor.ended_line
            raise
        if text is None:
            raise PromptCancelled
        line, *pasted = text.split("\n")  # several lines may be pasted at once
        self._waiting.extend(pasted if not pasted or pasted[-1] else pasted[:-1])
        return line

    def wipe(self) -> None:
        """Clear the screen, its scrollback, and the history of typed lines."""
        if self.interactive:
            self._show(_WIPE, raw_stream(self._stdout))
        self._waiting.clear()
        self._scripted = 0
        self.drop_typed()
        if self._forget is not None:
            self._forget()


def _is_dumb() -> bool:
    """Check whether no line can be edited or erased at the terminal."""
    return os.environ.get("TERM", "" if os.name == "posix" else "windows") in _DUMB


def shows_colours() -> bool:
    """Check whether the terminal has colours and NO_COLOR (no-color.org) is not set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def flush_lines(lines: list[str], console: Console) -> None:
    """Print the non-empty lines, and clear the list."""
    for line in filter(None, lines):
        console.say(line)
    lines.clear()


class Completion(NamedTuple):
    """A word to complete the one begun, and a hint on its meaning, or none."""

    word: str
    hint: str = ""


Helper: TypeAlias = Callable[[str], Iterable[Completion]]
"""Completes a line; its last word counts as begun, unless a blank follows it."""


class PromptCancelled(Exception):
    """A question was cancelled: another front has changed its subject."""
