"""A line editor for real terminals, based on prompt_toolkit.

It has a history (Ctrl-P, the arrows, Ctrl-R), completion with Tab, and a grey suggestion after the
typed text, which the right arrow accepts. The suggestion is an earlier line with the same
beginning, or else a legal action. Ctrl-C, Ctrl-D and Ctrl-Z work as they do without a line editor.
While a line is edited, Ctrl-C still sends a signal, because a byte could wait unread in the
terminal until the program asks for the next line.

All output is sanitized by `tabletop.host.screen_text`. This module is imported only at a terminal,
because importing prompt_toolkit is slow.
"""

from __future__ import annotations

import os
import re
import sys
from asyncio import AbstractEventLoop, CancelledError, Future, Runner, Task, ensure_future
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TextIO, TypeAlias, cast

from tabletop.host.extras import require

require("editing lines", "terminal", "prompt_toolkit")

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.auto_suggest import AutoSuggest, AutoSuggestFromHistory, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offer
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.output.vt100 import Vt100_Output
from typing_extensions import override

from tabletop.host.screen_text import printable, sanitize
from tabletop.terminal.signals import deferred

_LAST_WORD: Final = re.compile(r"\S*$")

Helper: TypeAlias = Callable[[str], Iterable[tuple[str, str]]]
"""Function that returns the words that complete a line, each with a hint or an empty hint."""


class _GuardedOutput(Vt100_Output):
    """An output that passes only the editor's own control sequences to the terminal.

    The editor moves to the start of a line with a carriage return. Other text does not contain
    carriage returns, because prompts, completions and hints are sanitized and a typed carriage
    return is displayed as `^M`.
    """

    at_beginning = False  # of a line

    @override
    def write(self, data: str) -> None:
        self.at_beginning = data.endswith("\n")
        super().write("\r".join(map(sanitize, data.split("\r"))))


if sys.platform == "win32":
    _open_input = create_input
else:
    import termios
    import tty

    from prompt_toolkit.input.vt100 import Vt100Input, raw_mode

    class _RawMode(raw_mode):
        """Raw mode in which Ctrl-C sends a signal. Ctrl-Z and Ctrl-Backslash are read as keys."""

        @override
        def __enter__(self) -> None:
            super().__enter__()
            if self.attrs_before is None:  # the terminal was closed
                return
            attributes = termios.tcgetattr(self.fileno)
            disabled = bytes([os.fpathconf(self.fileno, "PC_VDISABLE")])
            attributes[tty.LFLAG] |= termios.ISIG
            attributes[tty.CC][termios.VSUSP] = disabled
            attributes[tty.CC][termios.VQUIT] = disabled
            termios.tcsetattr(self.fileno, termios.TCSANOW, attributes)

    class _Input(Vt100Input):
        """The keyboard of a terminal in `_RawMode`."""

        @override
        def raw_mode(self) -> _RawMode:
            return _RawMode(self.fileno())

    _open_input = _Input


class _CtrlC(Exception):
    """Ctrl-C was typed, or another signal was received."""


class _Offers(Completer):
    """Completes a line with the words of a helper."""

    def __init__(self, helper: Helper) -> None:
        self._helper = helper

    @override
    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Offer]:
        line = document.text_before_cursor
        begun = _LAST_WORD.search(line)
        length = len(begun[0]) if begun else 0
        if length == len(line) and line.startswith("/"):
            length -= 1  # the word starts after the slash
        for word, hint in self._helper(line):
            yield Offer(
                printable(word), start_position=-length, display_meta=printable(hint) or None
            )


class _Suggests(AutoSuggest):
    """Suggests an earlier line or, if there is none, the first completion."""

    def __init__(self, helper: Helper) -> None:
        self._helper = helper
        self._history = AutoSuggestFromHistory()

    @override
    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        if not document.text.strip() or not document.is_cursor_at_the_end:
            return None
        earlier = self._history.get_suggestion(buffer, document)
        if earlier is not None:
            return earlier
        begun = _LAST_WORD.search(document.text)
        typed = begun[0].removeprefix("/") if begun else ""
        for word, _ in self._helper(document.text):
            if word.casefold().startswith(typed.casefold()) and len(word) > len(typed):
                return Suggestion(printable(word[len(typed) :]))
        return None


class LineEditor:
    """Edits lines at a terminal, with a history that `forget` clears.

    `stdout` is the raw output, because the editor moves the cursor.
    """

    def __init__(self, stdin: TextIO, stdout: TextIO, loop: AbstractEventLoop | None) -> None:
        self._loop = loop
        self._printing: set[Future[None]] = set()
        self._begun: str  # the text that had been typed when a prompt was cancelled
        self._starting: Task[str] | None = None  # the task of a prompt that is not displayed yet
        self._cancelled = False
        self._reads = False
        output = cast("_GuardedOutput", _GuardedOutput.from_pty(stdout))
        # Do not ask the terminal for the cursor position: a late answer would be read as typed.
        output.enable_cpr = False
        self._input, self._output = _open_input(stdin), output
        self.forget()

    def forget(self) -> None:
        """Clear the history and the text of a cancelled prompt, for the next person."""
        self._begun = ""
        self._session: PromptSession[str] = PromptSession(
            input=self._input,
            output=self._output,
            history=InMemoryHistory(),
            enable_suspend=True,
            interrupt_exception=_CtrlC,
            complete_while_typing=False,
        )

    def read(self, prompt: str, helper: Helper | None) -> str | None:
        """Return the next line, or several lines joined by newlines if they were pasted.

        Return None after `cancel_prompt`. Ctrl-D on an empty line raises `EOFError`, Ctrl-C raises
        `KeyboardInterrupt`.
        """
        session = self._session
        session.completer = None if helper is None else _Offers(helper)
        session.auto_suggest = None if helper is None else _Suggests(helper)
        begun, self._begun = self._begun, ""
        session.app.erase_when_done = False
        self._output.at_beginning = False
        self._reads = True
        try:
            if self._loop is not None:
                line = self._run(self._loop, prompt, begun)
            else:
                with Runner() as runner:
                    line = self._run(runner.get_loop(), prompt, begun)
        except _CtrlC:
            raise KeyboardInterrupt from None
        except CancelledError:
            if not self._cancelled:
                raise KeyboardInterrupt from None
            line = begun
        finally:
            cancelled, self._cancelled = self._cancelled, False
            self._starting, self._reads = None, False
        if cancelled:
            self._begun = line
            return None
        return line

    @property
    def ended_line(self) -> bool:
        """True if the cursor is at the start of a line, which it may not be after a signal."""
        return self._output.at_beginning

    def _run(self, loop: AbstractEventLoop, prompt: str, begun: str) -> str:
        """Run a loop until a line is complete or a signal is received."""
        task = loop.create_task(
            self._session.prompt_async(
                prompt,
                default=begun,
                pre_run=self._has_started,
                handle_sigint=False,
                set_exception_handler=False,
            )
        )
        self._starting = task
        with deferred(loop, lambda: self._leave(task)):
            return loop.run_until_complete(task)

    def _has_started(self) -> None:
        self._starting = None

    def _leave(self, task: Task[str]) -> None:
        app = self._session.app
        if not app.is_running:
            task.cancel()
        elif not app.is_done:
            app.exit(exception=_CtrlC())

    @property
    def edits(self) -> bool:
        """True while a line is being typed."""
        return self._session.app.is_running

    @property
    def waits(self) -> bool:
        """True from the request for a line until the line is read, even before it can be typed."""
        return self._reads

    def above(self, show: Callable[[], None]) -> None:
        """Print above the line that is being typed, and draw the line again."""
        printing = ensure_future(run_in_terminal(show))
        self._printing.add(printing)  # the loop keeps only a weak reference
        printing.add_done_callback(self._printing.discard)

    def cancel_prompt(self) -> None:
        """Make `read` return None. The next prompt starts with the text typed so far."""
        app = self._session.app
        if app.is_running and not app.is_done:
            self._cancelled = True
            app.erase_when_done = True
            app.exit(result=self._session.default_buffer.text)
        elif self._reads:  # the prompt is not displayed yet, or the line is complete
            self._cancelled = True
            if self._starting is not None:
                self._starting.cancel()
