"""Bots that are programs of their own, in any language: the protocol over their input and output.

The guide's page on such bots describes the conversation; its messages are those between a client
and a table. The program is told what its seat may know: its view, the events that the seat was
told, and the legal actions. Whole states are drawn for it on request, by the `Sampler`, and are
never the real one.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
from collections import deque
from collections.abc import Sequence
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
from tabletop.match.match import AnyMatch
from tabletop.match.players import Sampler, read_action
from tabletop.protocol.data import as_data, event_data, outcome_data, seat_of
from tabletop.protocol.messages import (
    ActIn,
    ChoiceOut,
    DoneOut,
    InvalidMessage,
    LineOut,
    LogOut,
    MessageOut,
    SampleIn,
    SamplesOut,
    StateOut,
    TableOut,
    decode,
    encode,
)
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import Event
from tabletop.rules.game import AnyGame
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins
from tabletop.wording import number, quote, truncate

SECONDS: Final = 10.0
"""The time for an answer, in seconds, unless the name of the bot gives another one."""

MOST_SECONDS: Final = 3600.0
"""The longest time that a name can give."""

MOST_BYTES: Final = 1 << 20
"""The longest line that a program may write."""

_TIMED: Final = re.compile(r"(\d[\w.]*):", re.ASCII)
_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,9})?s", re.ASCII)

_NO_INPUT: Final = "it closed its input"
_NO_OUTPUT: Final = "it closed its output"
_GRACE: Final = 1.0  # seconds in which a program may end by itself, once its input has ended


class ExternalBot:
    """A player that asks a program; `join` starts it, `close` ends it.

    Args:
        chance: the stream that samples are drawn from.
        game: the rules.
        seat: its seat.
        words: the command: the program and its arguments.
        seconds: the time for an answer.

    A session starts and ends it. A program that runs matches itself does so:

        plugin = with_programs(plugin, ["2=exec:./mybot"])
        bot = plugin.bot("exec:./mybot", match.bot_stream(1), 1)
        bot.join(match)
        match.set_player(1, bot)
        match.run()
        bot.close(match.outcome)
    """

    def __init__(
        self,
        chance: Stream,
        *,
        game: AnyGame,
        seat: Seat,
        words: Sequence[str],
        seconds: float = SECONDS,
    ) -> None:
        self._chance, self._game, self._seat = chance, game, seat
        self._words, self._seconds = words, seconds
        self._program: Program | None = None
        self._lost = "it has not been started"
        self._lines: list[LineOut] = []  # of the log, not told yet
        self._line = 0  # the number of the last one

    def join(self, match: AnyMatch, players: Sequence[str] = ()) -> None:
        """Start the program, for the seat of a match; one that cannot be started says so later.

        Args:
            match: the match.
            players: the player of each seat, "human" or the name of a bot, where that is known.
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
            called=match.names,
            players=tuple(players),
            you=(self._seat,),
            options=dict(match.options),
        )
        with suppress(ProgramFault, TimeoutError):  # it is found out when it is to choose
            self._program.tell(table, monotonic() + self._seconds)

    def choose(self, view: Any, actions: Sequence[Any], sampler: Sampler[Any]) -> Any:
        """Return the answer of the program.

        Raises:
            TabletopError: there is none, and there will be none any more; says why.
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
        """End the program; it is told how the match has ended, but not of a match that was left."""
        self._stop()
        program, self._program = self._program, None
        if program is None:
            return
        if outcome is not None:
            with suppress(ProgramFault, TimeoutError, ContractError):
                over = outcome_data(outcome, outcome.reason)
                self._tell_state(program, monotonic() + _GRACE, over=over)
        program.close()

    def _observe(self, event: Event) -> None:
        self._line += 1
        seat, ply = seat_of(event, self._match.seats), self._match.ply
        self._lines.append(LineOut(self._line, "", seat, ply=ply, event=event_data(event)))

    def _tell_state(self, program: Program, until: float, **fields: Any) -> None:
        """Tell a program what has happened since it was told last, and where that has led."""
        if self._lines:
            program.tell(LogOut(tuple(self._lines)), until)
            self._lines.clear()
        match, seat = self._match, self._seat
        fields = {"view": to_builtins(match.view(seat)), **fields}
        program.tell(StateOut(match.ply, seat, match.to_act, line=self._line, **fields), until)

    def _ask(
        self, program: Program, view: Any, actions: Sequence[Any], sampler: Sampler[Any]
    ) -> Any:
        until, seat = monotonic() + self._seconds, self._seat
        texts = map(str, actions)
        choices = [
            ChoiceOut(text, text, (), seat, as_data(action))
            for text, action in zip(texts, actions, strict=True)
        ]
        self._tell_state(
            program,
            until,
            view=to_builtins(view),
            asked=(seat,),
            choices=tuple(choices),
            deadline=self._seconds,
        )
        chance: Stream | None = None
        while isinstance(answer := self._read(program, until), SampleIn):
            # One draw seeds all of them: undo takes it back, however many there were.
            chance = chance or Streams(self._chance.below(1 << 62))["samples"]
            states = tuple(to_builtins(sampler.sample(chance)) for _ in range(answer.count))
            program.tell(SamplesOut(answer.id, seat, states), until)
        action = self._understand(answer.line, view, actions)
        if answer.id:
            with suppress(ProgramFault, TimeoutError):  # it has acted: the next choice finds it out
                program.tell(DoneOut(answer.id), until)
        return action

    def _read(self, program: Program, until: float) -> ActIn | SampleIn:
        """Return what the program answers to the last state."""
        answer = program.answer(until)
        if answer.seat not in {None, self._seat}:
            raise ProgramFault(f"it answered for seat {answer.seat}: it has seat {self._seat}")
        check_ply(answer, self._match.ply)
        return answer

    def _understand(self, text: str, view: Any, actions: Sequence[Any]) -> Any:
        texts = self._match.action_texts
        try:
            action = read_action(self._game, text, view, self._seat, actions, texts=texts)
            if action not in actions:
                self._match.check(action)
        except (CommandError, IllegalAction) as error:
            raise ProgramFault(f"it answered {quote(text)}: {error}") from None
        return action


def check_ply(answer: ActIn | SampleIn, ply: int) -> None:
    """Raise `ProgramFault` for an answer to an earlier state than that after so many actions."""
    if isinstance(answer, ActIn) and answer.ply not in {None, ply}:
        raise ProgramFault(f"it answered the state of ply {answer.ply}: this is ply {ply}")


def late(seconds: float) -> str:
    """Say that a program has not answered in time."""
    return f"it gave no answer within {number(seconds)} seconds"


def external_bot(command: str) -> partial[ExternalBot]:
    """Return what makes the bot of a command such as `./mybot` or `30s:python3 mybot.py`.

    It runs whatever that says: take one from nobody but the person who starts the program.

    Raises:
        ValueError: it is no program that can be started.
    """
    seconds = SECONDS
    if found := _TIMED.match(command):
        seconds, command = 0, command[found.end() :]
        if _SECONDS.fullmatch(found[1]):
            seconds = float(found[1][:-1])
        if not 0 < seconds <= MOST_SECONDS:
            limit = f"as 30s, up to {number(MOST_SECONDS)}s"
            raise ValueError(f"{found[1]} is no time for an answer: write one {limit}")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{error} in the command") from None
    if not words:
        raise ValueError("write a command, as in exec:./mybot")
    if os.name != "posix":
        raise ValueError("programs can be started on Linux and macOS alone")
    if which(words[0]) is None:
        hint = "" if os.sep in words[0] else " (write ./ before one in this directory)"
        raise ValueError(f"there is no executable program {quote(words[0])}{hint}")
    return partial(ExternalBot, words=words, seconds=seconds)


class ProgramFault(Exception):
    """A program does not do what it is for; the message says what is wrong."""


class Program:
    """A running program that is talked to in lines: nothing waits for it without a limit.

    It has a process group of its own, which is ended as a whole: no child of it remains, and a
    Ctrl-C at the terminal is not for it. It is ended also when nobody closes it.

    Args:
        words: the command: the program and its arguments.

    Raises:
        ProgramFault: it cannot be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                list(words), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:  # the latter of words that no system knows
            why = reason(error) if isinstance(error, OSError) else error
            raise ProgramFault(f"it cannot be started: {why}") from None
        self._kill = finalize(self, _kill, self._process)
        self._stdin, self._stdout, stderr = (
            cast("IO[bytes]", it)
            for it in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._unread = bytearray()
        self._said: deque[bytes] = deque(maxlen=3)  # on its standard error, last of all
        # Read all the time: a program whose error messages fill the pipe would wait, and not
        # answer.
        self._listener = Thread(target=_listen, args=(stderr, self._said), daemon=True)
        self._listener.start()

    def tell(self, message: MessageOut, until: float) -> None:
        """Send it a message, until a moment (`time.monotonic`).

        Raises:
            ProgramFault: it does not read, or has answered already.
            TimeoutError: it has not read all of it.
        """
        if self._unread:
            raise ProgramFault("it answered before it had read the question")
        left = memoryview(encode(message).encode() + b"\n")
        while left:
            _wait([], [self._stdin], until)
            try:  # so much can be written at once
                left = left[os.write(self._stdin.fileno(), left[: select.PIPE_BUF]) :]
            except BrokenPipeError:
                raise ProgramFault(_NO_INPUT) from None

    def answer(self, until: float) -> ActIn | SampleIn:
        """Return its next answer, until a moment (`time.monotonic`).

        Raises:
            ProgramFault: there will be none, or it is none.
            TimeoutError: there is none yet.
        """
        line = self.read(until)
        said = f"it wrote {quote(line.decode('utf-8', 'replace'))}"
        try:
            answer = decode(line)
        except InvalidMessage as error:
            raise ProgramFault(f"{said}: {error}") from None
        if not isinstance(answer, ActIn | SampleIn):
            raise ProgramFault(f"{said}: a bot may act and sample")
        return answer

    def read(self, until: float) -> bytes:
        """Return the next line that it writes, until a moment (`time.monotonic`).

        Raises:
            ProgramFault: there will be none.
            TimeoutError: there is none yet.
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
        """End it at once for a fault; return what to say of it, with its last words in lines."""
        self._kill()
        self._stdout.close()
        self._listener.join(_GRACE)
        status = self._process.returncode
        if fault in {_NO_INPUT, _NO_OUTPUT} and status not in {None, -signal.SIGKILL}:
            how = f"with status {status}" if status >= 0 else f"by signal {-status}"
            fault = f"it ended {how}"  # by itself
        lines = [printable(line.decode("utf-8", "replace").expandtabs()) for line in self._said]
        return "\n".join([fault, *(f"  | {truncate(line, 200)}" for line in lines)])

    def close(self) -> None:
        """Close its input, and end it if it does not end by itself soon."""
        until = monotonic() + _GRACE
        self._stdin.close()
        with suppress(ProgramFault, TimeoutError):
            while monotonic() < until:  # it may write on and on
                self.read(until)
        self.end("")


def _wait(reading: list[IO[bytes]], writing: list[IO[bytes]], until: float) -> None:
    """Wait until a pipe can be read or written, or raise `TimeoutError`."""
    if not any(select.select(reading, writing, [], max(0.0, until - monotonic()))):
        raise TimeoutError


def _listen(file: IO[bytes], said: deque[bytes]) -> None:
    """Keep the last lines that are not blank."""
    with file:
        while line := file.readline(4096):
            if line := line.rstrip():
                said.append(line)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started, in its group, and wait for it."""
    # It has not been waited for before: its number, and its group's, are nobody else's.
    with suppress(ProcessLookupError, PermissionError):  # the latter on macOS: it has just ended
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):  # another user's: it sees the end of its input
        process.wait(_GRACE)
