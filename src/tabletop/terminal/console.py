"""Read and write lines for a person.

All output is sanitized (see `tabletop.host.screen_text`). At a terminal, lines that are too long
for the screen are broken at blanks.
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

from tabletop.display.console_text import Size
from tabletop.errors import MissingExtra
from tabletop.host.screen_text import raw_stream, sanitize, sanitized_stream
from tabletop.text_layout import fit

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from tabletop.terminal.async_lines import LoopReader
    from tabletop.terminal.editor import LineEditor

_CLOSED: Final = frozenset({errno.EIO, errno.ENXIO})
"""Error numbers raised by reading from or writing to a terminal that was closed."""

_LINES: Final = 1 << 12
"""Maximum number of bytes to read at once from a terminal."""

_WIPE: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Control sequence that clears the screen and the scrollback of a terminal."""

_ERASE: Final = "\r\x1b[K"
"""Control sequence that clears the current line."""

_DUMB: Final = ("", "dumb", "unknown")
"""Values of TERM for terminals that cannot edit a line in place."""


class Console:
    """Read lines from, and print lines for, a person or a pipe.

    A byte-order mark at the start of piped input is dropped.

    At a real terminal, prompt_toolkit edits lines if the extra `terminal` is installed. Otherwise
    readline does, if the platform has it. A closed terminal ends the input, and later output is
    dropped.

    Args:
        stdin: The input, by default the standard input of the process.
        stdout: The output, by default the standard output of the process.
        ends_lines: Whether to end the line of a prompt if input is not echoed, so that the next
            text starts a new line. The programs of the specifications continue on the line of the
            prompt instead.
        first: Lines to read before those of `stdin`. They are displayed as if they had been typed.
        loop: Event loop that runs while the console waits for a line. It serves the other clients
            of the table on the same thread, and their news is printed above the line.

    Attributes:
        interactive: Whether a person types the input.
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
        self._scripted = len(self._waiting)  # the number of lines in `_waiting` from `first`
        self._begins_line = False
        self._loop = loop
        self._forget: Callable[[], object] | None = None
        self._editor: LineEditor | None = None
        self._lines: LoopReader | None = None
        self._prompt = ""  # of the line that the console waits for
        self._has_ended = False  # whether Ctrl-D was typed while no line was requested
        self._is_at_start = True  # of `stdin`, where a byte-order mark may be
        self._helper: Helper | None = None
        if self.interactive and self._stdin is sys.stdin:
            self._edit_lines()
        if loop is not None and self._editor is None:
            from tabletop.terminal.async_lines import LoopReader

            self._lines = LoopReader(self._stdin, loop)

    def _edit_lines(self) -> None:
        """Set up line editing and history with the best library available."""
        if not _is_dumb():
            with suppress(MissingExtra):
                from tabletop.terminal.editor import LineEditor

                self._editor = LineEditor(self._stdin, raw_stream(self._stdout), self._loop)
                self._forget = self._editor.forget
                return
        if self._loop is not None:
            return  # readline would block the loop
        with suppress(ImportError):
            from readline import clear_history

            self._forget = clear_history

    def say(self, text: str = "") -> None:
        """Print `text` and a newline immediately, above the line that is being typed, if any."""
        self._above(lambda: self._say(text))

    def show_pages(self, text: str) -> None:
        """Print a text, page by page if it does not fit the terminal.

        If other clients are served, the whole text is printed at once, because they cannot wait for
        a person to read it.
        """
        if self.interactive and self._loop is None and self._stdin is sys.stdin:
            from tabletop.host.pager import show_pages  # needed only for rules

            show_pages(self._fit(text))
        else:
            self.say(text)

    def _above(self, show: Callable[[], None]) -> None:
        """Call `show`, above the line that is being typed, if any."""
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
            self._show(self._fit(self._paint(text)) + "\n", raw_stream(self._stdout))

    def _fit(self, text: str) -> str:
        """Return `text` broken into lines that fit the terminal, if there is one."""
        return fit(text, get_terminal_size().columns if self.interactive else 0)

    def paint_with(self, paint: Callable[[str], str]) -> None:
        """Colour later output with `paint`, if the terminal shows colours.

        `paint` returns text without other escape sequences than its own.
        """
        self._paint = paint if self.colours else None

    @property
    def colours(self) -> bool:
        """Whether a person sees the output in colours."""
        return self.interactive and shows_colours()

    @property
    def size(self) -> Size:
        """The size of the terminal, or zero if output is piped."""
        return Size(*get_terminal_size()) if self.interactive else Size()

    @property
    def is_scripted(self) -> bool:
        """True while lines of `first` have not been read yet."""
        return bool(self._scripted)

    @property
    def waits(self) -> bool:
        """True while the console waits for a person to type a line."""
        reader = self._editor if self._lines is None else self._lines
        return reader is not None and reader.waits

    def wait(self, seconds: float) -> None:
        """Run the loop for `seconds`. A call from within the loop returns immediately."""
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
        """End the current line if text was interrupted in the middle of it."""
        if self._begins_line:
            self._begins_line = False
        else:
            self.say()

    @contextmanager
    def meanwhile(self, text: str, *, after: float = 0.0) -> Iterator[None]:
        """Display a line at a terminal during work that takes longer than `after` seconds.

        The line is erased at the end, if the terminal can do that.
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
        # The reader may have closed the pipe (`| head`), which is not an error of this program.
        try:
            screen.write(text)
            screen.flush()
        except OSError as error:
            if error.errno not in _CLOSED:
                raise
            null = os.open(os.devnull, os.O_WRONLY)  # or flushing at exit would fail again
            os.dup2(null, screen.fileno())
            os.close(null)

    @contextmanager
    def helped(self, helper: Helper) -> Iterator[None]:
        """Offer the completions of `helper` while lines are typed."""
        former, self._helper = self._helper, helper
        try:
            yield
        finally:
            self._helper = former

    def read(self, prompt: str) -> str | None:
        """Return the next line without its newline, or None if the input has ended.

        Raises:
            PromptCancelled: The prompt was cancelled before a line was complete.
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
        """Drop and return the lines typed at a terminal since the last line was read.

        They were typed for an earlier position. Ctrl-D among them ends the input. The start of an
        incomplete line is kept.
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
        """Print all but the last line of a prompt that is too wide, and return the last line."""
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
            self.say()  # the input is not echoed, so end the line of the prompt
        return line.rstrip("\r\n") if line else None

    def _awaited(self, prompt: str) -> str:
        """Return the next unedited line, running the loop meanwhile."""
        lines = cast("LoopReader", self._lines)
        self._prompt = prompt
        try:
            line = lines.read()
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
            text = editor.read(sanitize(prompt), self._helper)
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
        """Clear the screen, the scrollback and the history of typed lines."""
        if self.interactive:
            self._show(_WIPE, raw_stream(self._stdout))
        self._waiting.clear()
        self._scripted = 0
        self.drop_typed()
        if self._forget is not None:
            self._forget()


def _is_dumb() -> bool:
    """Check whether the terminal cannot edit or erase a line."""
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
    """A completed word, with a hint on its meaning or an empty hint."""

    word: str
    hint: str = ""


Helper: TypeAlias = Callable[[str], Iterable[Completion]]
"""Function that returns completions for a line. Its last word counts as complete before a blank."""


class PromptCancelled(Exception):
    """A question was cancelled: another client has changed its subject."""
