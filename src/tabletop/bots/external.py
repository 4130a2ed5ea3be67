"""Bots that are external programs in any language, connected by standard input and output.

The messages are those of the protocol between a client and a table. The documentation has a page
about such bots. A program receives only the information of its seat: the view, the visible events,
and the legal actions. On request it receives complete states, which a `Sampler` draws at random.
These samples are never the true state.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from shutil import which
from threading import Thread
from time import monotonic
from typing import IO, Any, Final, cast
from weakref import finalize

from tabletop.errors import CommandError, ContractError, IllegalAction, TabletopError
from tabletop.host.screen_text import printable
from tabletop.host.user_files import reason
from tabletop.match.match import AnyMatch, Match
from tabletop.match.players import Sampler
from tabletop.protocol.data import as_data, event_data, outcome_data, seat_of, several_out
from tabletop.protocol.incoming import ActIn, InvalidMessage, SampleIn, decode
from tabletop.protocol.outgoing import (
    ChoiceOut,
    DoneOut,
    LineOut,
    LogOut,
    MessageOut,
    SamplesOut,
    StateOut,
    TableOut,
    encode,
)
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import Event
from tabletop.rules.game import AnyGame
from tabletop.rules.outcome import Outcome
from tabletop.rules.selections import split
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins
from tabletop.wording import number, quote, truncate

SECONDS: Final = 10.0
"""Default time limit for an answer, in seconds. The bot's name can set a different limit."""

MOST_SECONDS: Final = 3600.0
"""Maximum time limit in a bot's name, in seconds."""

MOST_BYTES: Final = 1 << 20
"""Maximum length of a line from a program, in bytes."""

_TIMED: Final = re.compile(r"(\d[\w.]*):", re.ASCII)
_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,9})?s", re.ASCII)

_PARSE: Final = partial(Match.parse, numbered=True)
_NO_INPUT: Final = "it closed its input"
_NO_OUTPUT: Final = "it closed its output"
_GRACE: Final = 1.0  # seconds for a program to exit after its input has ended


class ExternalBot:
    """A player that asks a program for its actions.

    Tables call `join` to start the program and `close` to end it. Code that runs matches
    without a table must do the same:

        plugin = with_programs(plugin, ["2=exec:./mybot"])
        bot = plugin.bot("exec:./mybot", match.bot_stream(1), 1)
        bot.join(match)
        match.set_player(1, bot)
        match.run()
        bot.close(match.outcome)

    Args:
        stream: The random stream that samples are drawn from.
        game: The rules.
        seat: The seat of the bot.
        words: The command: the program and its arguments.
        seconds: The time limit for an answer, in seconds.
        parse: Returns the action that a line means in a match for a seat, such as `TextView.parse`.
            By default `Match.parse`, which does not know the labels of actions.
    """

    def __init__(
        self,
        stream: Stream,
        *,
        game: AnyGame,
        seat: Seat,
        words: Sequence[str],
        seconds: float = SECONDS,
        parse: Callable[[AnyMatch, str, Seat], Any] = _PARSE,
    ) -> None:
        self._stream, self._game, self._seat = stream, game, seat
        self._parse = parse
        self._words, self._seconds = words, seconds
        self._program: Program | None = None
        self._lost = "the program has not been started"
        self._lines: list[LineOut] = []  # lines of the log that have not been sent
        self._line = 0  # the number of the last line

    def join(self, match: AnyMatch, players: Sequence[str] = ()) -> None:
        """Start the program for the seat of a match.

        If the program cannot be started, `choose` raises the error.

        Args:
            match: The match.
            players: The player of each seat, "human" or the name of a bot. Empty if unknown.
        """
        self._match = match
        self._stop = match.observe(self._observe, seat=self._seat)
        try:
            self._program = Program(self._words)
        except ProgramFault as fault:
            self._lost = str(fault)
            return
        table = TableOut(
            game=self._game.name,
            title=self._game.title or self._game.name,
            version=self._game.version,
            names=match.names,
            seat_titles=match.names,
            players=tuple(players),
            your_seats=(self._seat,),
            options=dict(match.options),
        )
        with suppress(ProgramFault, TimeoutError):  # `choose` will find the fault
            self._program.send(table, monotonic() + self._seconds)

    def choose(self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]) -> Any:
        """Return the action that the program chooses.

        Raises:
            TabletopError: The program has failed and is no longer running. The message contains the
                reason.
        """
        if self._program is None:
            raise TabletopError(self._lost)
        try:
            return self._ask(self._program, view, actions, sampler)
        except TimeoutError:
            fault = late(self._seconds)
        except (ProgramFault, ContractError) as error:
            fault = str(error)
        self._lost, self._program = self._program.end(fault), None
        raise TabletopError(self._lost)

    def close(self, outcome: Outcome | None) -> None:
        """End the program. If the match is over, the program first receives the outcome."""
        self._stop()
        program, self._program = self._program, None
        if program is None:
            return
        if outcome is not None:
            with suppress(ProgramFault, TimeoutError, ContractError):
                over = outcome_data(outcome, outcome.reason)
                self._send_state(program, monotonic() + _GRACE, over=over)
        program.close()

    def _observe(self, event: Event) -> None:
        self._line += 1
        seat, ply = seat_of(event, self._match.seats), self._match.ply
        self._lines.append(LineOut(self._line, "", seat, ply=ply, event=event_data(event)))

    def _send_state(self, program: Program, until: float, **fields: Any) -> None:
        """Send the program the events since the last message, and the current state."""
        if self._lines:
            program.send(LogOut(tuple(self._lines)), until)
            self._lines.clear()
        match, seat = self._match, self._seat
        fields = {"view": to_builtins(match.view(seat)), **fields}
        program.send(StateOut(match.ply, seat, match.to_act, log_line=self._line, **fields), until)

    def _ask(
        self, program: Program, view: Any, actions: Sequence[Any], sampler: Sampler[Any]
    ) -> Any:
        until, seat = monotonic() + self._seconds, self._seat
        listed, selections = split(actions)
        choices = [ChoiceOut(str(it), str(it), (), seat, as_data(it)) for it in listed]
        choices += [several_out(it, seat) for it in selections]
        self._send_state(
            program,
            until,
            view=to_builtins(view),
            your_turn=(seat,),
            choices=tuple(choices),
            deadline=self._seconds,
        )
        stream: Stream | None = None
        while isinstance(answer := self._read(program, until), SampleIn):
            # One draw seeds all samples, so an undo restores the stream regardless of their number.
            stream = stream or Streams(self._stream.below(1 << 62))["samples"]
            states = tuple(to_builtins(sampler.sample(stream)) for _ in range(answer.count))
            program.send(SamplesOut(answer.id, seat, states), until)
        action = self._understand(answer.line, actions)
        if answer.id:
            with suppress(ProgramFault, TimeoutError):  # the next choice will find the fault
                program.send(DoneOut(answer.id), until)
        return action

    def _read(self, program: Program, until: float) -> ActIn | SampleIn:
        """Return the program's answer to the last state."""
        answer = program.answer(until)
        if answer.seat not in {None, self._seat}:
            raise ProgramFault(f"it answered for seat {answer.seat} instead of seat {self._seat}")
        check_ply(answer, self._match.ply)
        return answer

    def _understand(self, text: str, actions: Sequence[Any]) -> Any:
        try:
            action = self._parse(self._match, text, self._seat)
            if action not in actions:
                self._match.check(action)
        except (CommandError, IllegalAction) as error:
            raise ProgramFault(f"it answered {quote(text)}: {error}") from None
        return action


def check_ply(answer: ActIn | SampleIn, ply: int) -> None:
    """Raise `ProgramFault` for an action that answers a state from before `ply`."""
    if isinstance(answer, ActIn) and answer.ply not in {None, ply}:
        raise ProgramFault(f"it answered ply {answer.ply} instead of ply {ply}")


def late(seconds: float) -> str:
    """Return the message for a program that has not answered in time."""
    return f"it did not answer within {number(seconds)} seconds"


def external_bot(command: str) -> partial[ExternalBot]:
    """Return a bot factory for a command such as `./mybot` or `30s:python3 mybot.py`.

    The command runs with the permissions of this process, so accept it only from the user who
    started this process.

    Raises:
        ValueError: The command is malformed, or its program does not exist.
    """
    seconds = SECONDS
    if time := _TIMED.match(command):
        seconds, command = 0, command[time.end() :]
        if _SECONDS.fullmatch(time[1]):
            seconds = float(time[1][:-1])
        if not 0 < seconds <= MOST_SECONDS:
            limit = f"up to {number(MOST_SECONDS)}s, such as 30s"
            raise ValueError(f"{time[1]} is not a valid time limit (write a limit {limit})")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{error} in the command") from None
    if not words:
        raise ValueError("the command is empty (write one, such as exec:./mybot)")
    if os.name != "posix":
        raise ValueError("external programs work on Linux and macOS only")
    if which(words[0]) is None:
        hint = "" if os.sep in words[0] else " (write ./ before the name of a local program)"
        raise ValueError(f"program {quote(words[0])} not found or not executable{hint}")
    return partial(ExternalBot, words=words, seconds=seconds)


class ProgramFault(Exception):
    """A program that runs as a bot has failed. The message contains the reason."""


class Program:
    """A running program that exchanges lines with this process. Every wait has a time limit.

    The program has its own process group, which is killed as a whole, so no child process remains.
    Ctrl-C at the terminal does not reach the program. If `close` is never called, the program is
    killed, too.

    Raises:
        ProgramFault: The program cannot be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                list(words), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:  # ValueError for a null character
            why = reason(error) if isinstance(error, OSError) else error
            raise ProgramFault(f"it cannot be started: {why}") from None
        self._kill = finalize(self, _kill, self._process)
        self._stdin, self._stdout, stderr = (
            cast("IO[bytes]", pipe)
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._unread = bytearray()
        self._errors: deque[bytes] = deque(maxlen=3)  # the last lines of its standard error
        # Read continuously, because a program blocks when its error messages fill the pipe.
        self._listener = Thread(target=_listen, args=(stderr, self._errors), daemon=True)
        self._listener.start()

    def send(self, message: MessageOut, until: float) -> None:
        """Send a message to the program.

        Args:
            until: The deadline, as a value of `time.monotonic`.

        Raises:
            ProgramFault: The program has closed its input, or has already written an answer.
            TimeoutError: The program has not read the message in time.
        """
        if self._unread:
            raise ProgramFault("it answered before it was asked")
        left = memoryview(encode(message).encode() + b"\n")
        while left:
            _wait([], [self._stdin], until)
            try:  # a pipe that is ready accepts PIPE_BUF bytes without blocking
                left = left[os.write(self._stdin.fileno(), left[: select.PIPE_BUF]) :]
            except BrokenPipeError:
                raise ProgramFault(_NO_INPUT) from None

    def answer(self, until: float) -> ActIn | SampleIn:
        """Wait for the program's next answer and return it.

        Args:
            until: The deadline, as a value of `time.monotonic`.

        Raises:
            ProgramFault: The output has ended, or the line is not a valid answer.
            TimeoutError: The program has not answered in time.
        """
        line = self.read(until)
        wrote = f"it wrote {quote(line.decode('utf-8', 'replace'))}"
        try:
            answer = decode(line)
        except InvalidMessage as error:
            raise ProgramFault(f"{wrote}: {error}") from None
        if not isinstance(answer, ActIn | SampleIn):
            raise ProgramFault(f"{wrote}, but a bot can only send act and sample")
        return answer

    def read(self, until: float) -> bytes:
        """Wait for the program's next line and return it.

        Args:
            until: The deadline, as a value of `time.monotonic`.

        Raises:
            ProgramFault: The output has ended, or the line is too long.
            TimeoutError: The program has not written a line in time.
        """
        while (end := self._unread.find(b"\n")) < 0:
            if len(self._unread) > MOST_BYTES:
                raise ProgramFault(f"it wrote a line of more than {MOST_BYTES} bytes")
            _wait([self._stdout], [], until)
            if not (data := os.read(self._stdout.fileno(), 1 << 16)):
                raise ProgramFault(_NO_OUTPUT)
            self._unread += data
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return line

    def end(self, fault: str) -> str:
        """Kill the program. Return the fault, followed by the last lines of its standard error."""
        self._kill()
        self._stdout.close()
        self._listener.join(_GRACE)
        status = self._process.returncode
        if fault in {_NO_INPUT, _NO_OUTPUT} and status not in {None, -signal.SIGKILL}:
            how = f"with status {status}" if status >= 0 else f"by signal {-status}"
            fault = f"it ended {how}"  # not killed above
        lines = [printable(line.decode("utf-8", "replace").expandtabs()) for line in self._errors]
        return "\n".join([fault, *(f"  | {truncate(line, 200)}" for line in lines)])

    def close(self) -> None:
        """Close the input of the program, and kill it if it does not end soon."""
        until = monotonic() + _GRACE
        self._stdin.close()
        with suppress(ProgramFault, TimeoutError):
            while monotonic() < until:  # discard its remaining output
                self.read(until)
        self.end("")


def _wait(reading: list[IO[bytes]], writing: list[IO[bytes]], until: float) -> None:
    """Wait until a pipe is ready, or raise `TimeoutError`."""
    if not any(select.select(reading, writing, [], max(0.0, until - monotonic()))):
        raise TimeoutError


def _listen(file: IO[bytes], lines: deque[bytes]) -> None:
    """Read lines, and keep the last few that are not blank."""
    with file:
        while line := file.readline(4096):
            if line := line.rstrip():
                lines.append(line)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group of a program, and wait for the program to end."""
    # Nobody has waited for the process yet, so its id and group id are not reused.
    with suppress(
        ProcessLookupError, PermissionError
    ):  # macOS raises PermissionError for an ended group
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):  # a program of another user ends with its input
        process.wait(_GRACE)
