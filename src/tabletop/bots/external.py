"""A bot that is a program of its own, in any language: JSON lines over its input and output.

The guide's page on such bots describes the messages. The program is told what its seat may know:
its view, the events that the seat was told, and the legal actions. Whole states are drawn for it on
request, by the `Sampler`, and are never the real one.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Sequence
from functools import partial
from shutil import which
from time import monotonic
from typing import Any, Final, NamedTuple

from tabletop.bots.program import Program, ProgramFault
from tabletop.codec import to_builtins
from tabletop.errors import CommandError, ContractError, IllegalAction, TabletopError
from tabletop.events import ActionPlayed, Event
from tabletop.game import AnyGame
from tabletop.host.files import reason
from tabletop.match import AnyMatch
from tabletop.outcome import Outcome, Seat
from tabletop.players import Sampler, read_action
from tabletop.registry import PROGRAM
from tabletop.rng import Stream, Streams
from tabletop.wording import number, quote, truncate

PROTOCOL: Final = 1
"""The version of the messages, which the first one tells."""

SECONDS: Final = 10.0
"""The time for an answer, in seconds, unless the name of the bot gives another one."""

MOST_SECONDS: Final = 3600.0
"""The longest time that a name can give."""

MOST_SAMPLES: Final = 1000
"""The most states that are drawn for one request."""

_TIMED: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s:", re.ASCII)


class ExternalBot:
    """A player that asks a program; `join` starts it, `close` ends it.

    Args:
        chance: the stream that samples are drawn from.
        game: the rules.
        seat: its seat.
        words: the command: the program and its arguments.
        seconds: the time for an answer.

    A session starts and ends it. A program that runs matches itself does so:

        bot = plugin.bot("exec:./mybot", match.chance_of(1), 1)  # plugin: with_programs(...)
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
        self._events: list[Event] = []
        self._asked = 0  # the number of the last request

    def join(self, match: AnyMatch) -> None:
        """Start the program, for the seat of a match; one that cannot be started says so later."""
        self._match = match
        self._stop = match.observe(self._events.append, seat=self._seat)
        try:
            self._program = Program(self._words)
        except (OSError, ValueError) as error:  # the latter of words that no system knows
            why = reason(error) if isinstance(error, OSError) else error
            self._lost = f"it cannot be started: {why}"
            return
        hello = _line(
            "hello",
            protocol=PROTOCOL,
            game=self._game.name,
            version=self._game.version,
            options=dict(match.options),
            seats=match.seats,
            names=match.names,
            seat=self._seat,
        )
        self._program.send(hello)

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
            fault = f"it gave no answer within {number(self._seconds)} seconds"
        except (ProgramFault, ContractError) as error:
            fault = str(error)
        self._lost, self._program = self._program.end(fault), None
        raise TabletopError(self._lost)

    def close(self, outcome: Outcome | None) -> None:
        """End the program; it is told how the match has ended, None for a match that was left."""
        self._stop()
        program, self._program = self._program, None
        if program is not None:
            how = None if outcome is None else to_builtins(outcome)
            program.send(_line("goodbye", outcome=how))
            program.close()

    def _ask(
        self, program: Program, view: Any, actions: Sequence[Any], sampler: Sampler[Any]
    ) -> Any:
        self._asked += 1
        until = monotonic() + self._seconds
        request = _line(
            "choose",
            id=self._asked,
            deadline=self._seconds,
            view=to_builtins(view),
            events=[_told(event) for event in self._events],
            actions=[_described(action) for action in actions],
        )
        program.ask(request)
        self._events.clear()
        chance: Stream | None = None
        while isinstance(answer := self._read(program, until), _Sample):
            # One draw seeds all of them: undo takes it back, however many there were.
            chance = chance or Streams(self._chance.below(1 << 62))["samples"]
            states = [to_builtins(sampler.sample(chance)) for _ in range(answer.number)]
            program.ask(_line("samples", id=self._asked, states=states))
        if isinstance(answer, str):
            return self._meant(answer, view, actions)
        if not 0 <= answer < len(actions):
            what = f"the legal actions have the numbers 0 to {len(actions) - 1}"
            raise ProgramFault(f"it answered {truncate(str(answer), 20)}: {what}")
        return actions[answer]

    def _meant(self, text: str, view: Any, actions: Sequence[Any]) -> Any:
        texts = self._match.action_texts
        try:
            action = read_action(self._game, text, view, self._seat, actions, texts=texts)
            if action not in actions:
                self._match.check(action)
        except (CommandError, IllegalAction) as error:
            raise ProgramFault(f"it answered {quote(text)}: {error}") from None
        return action

    def _read(self, program: Program, until: float) -> str | int | _Sample:
        """Return the action that the program answers, or what it asks for."""
        line = program.read(until)
        said = f"it wrote {quote(line.decode('utf-8', 'replace'))}"
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise ProgramFault(f"{said}, which is no JSON") from None
        match answer:
            case {"id": int(asked)} if asked != self._asked:
                raise ProgramFault(f"{said}; the request has the id {self._asked}")
            case {"id": int(), "action": bool()} | {"id": int(), "sample": bool()}:
                pass
            case {"id": int(), "action": str() | int() as action}:
                return action
            case {"id": int(), "sample": int(wanted)} if 0 < wanted <= MOST_SAMPLES:
                return _Sample(wanted)
        raise ProgramFault(f"{said}, which is no answer")


class _Sample(NamedTuple):
    """A request of a program for so many sampled states."""

    number: int


def external_bot(name: str) -> partial[ExternalBot]:
    """Return what makes the bot of a name such as `exec:./mybot` or `exec:30s:python3 mybot.py`.

    It runs whatever the name says: take one from nobody but the person who starts the program.

    Raises:
        ValueError: it names no program that can be started.
    """
    seconds, command = SECONDS, name.removeprefix(PROGRAM)
    if found := _TIMED.match(command):
        seconds, command = float(found[1]), command[found.end() :]
        if not 0 < seconds <= MOST_SECONDS:
            raise ValueError(f"{found[1]} is not a time of up to {number(MOST_SECONDS)} seconds")
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


def _line(kind: str, **fields: object) -> bytes:
    return json.dumps({"type": kind, **fields}).encode()


def _described(thing: object) -> dict[str, Any]:
    return {"text": str(thing), "type": type(thing).__name__, "value": to_builtins(thing)}


def _told(event: Event) -> dict[str, Any]:
    if isinstance(event, ActionPlayed):
        action = None if event.action is None else _described(event.action)
        value = {"ply": event.ply, "seat": event.seat, "action": action}
    else:
        value = to_builtins(event)
    return {"type": type(event).__name__, "value": value}
