"""Matches that another Python process plays, to compare them ply by ply."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import ContractError
from tabletop.host.modules import load_file
from tabletop.match.match import Match
from tabletop.rng.streams import Streams
from tabletop.rules.events import Event
from tabletop.rules.game import AnyGame
from tabletop.rules.options import Options
from tabletop.rules.selections import spread
from tabletop.states.codec import to_json
from tabletop.wording import truncate

_BEFORE: Final = 20  # number of characters to show before the first different one
_PROGRAM: Final = "from tabletop.testing.other_process import answer; answer()"

Step: TypeAlias = dict[str, Any]
"""The values of a ply to compare. Each key is the beginning of the message if the value differs."""


class Part(NamedTuple):
    """A match to play: its seed, the number of seats and the maximum number of actions."""

    seed: str
    seats: int
    plies: int


def start_python(hashes: str) -> subprocess.Popen[bytes]:
    """Start another Python process with a PYTHONHASHSEED (`hashes`), for `answer_of`."""
    path = os.pathsep.join(place or os.curdir for place in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": hashes},
    )


def answer_of(
    child: subprocess.Popen[bytes], call: bytes, seconds: float | None, file: str = ""
) -> Any:
    """Call a function in a process of `start_python`. The process ends afterwards.

    Args:
        call: A pickled function without arguments that does not return a string.
        seconds: The time limit, or None for no limit.
        file: The path of the game's file, if `import` does not find it.

    Returns:
        The result of the function, or a string with the reason why it could not be called.

    Raises:
        subprocess.TimeoutExpired: The call takes longer than `seconds`.
    """
    output, errors = child.communicate(pickle.dumps((file, call)), timeout=seconds)
    lines = errors.decode(errors="replace").splitlines() or ["no error message"]
    return pickle.loads(output) if output else lines[-1]


def answer() -> None:
    """Run the child process: call the function from its input, and write the result.

    If the function cannot be called, write a string with the reason.
    """
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # output of a game must not mix with the result
    file, sent = pickle.load(sys.stdin.buffer)
    try:
        if file:
            load_file(Path(file))
        call = pickle.loads(sent)
    except Exception as error:
        pickle.dump(f"{type(error).__name__}: {error}", out)
    else:
        pickle.dump(call(), out)
    # At exit, Python flushes only the present `sys.stdout`, which is a different stream.
    out.flush()


def courses_of(game: AnyGame, parts: Sequence[Part], options: Options | None) -> list[list[Step]]:
    """Return the steps of each match. A match ends at an error of the rules."""
    return [list(_steps_until_error(game, part, options)) for part in parts]


def _steps_until_error(game: AnyGame, part: Part, options: Options | None) -> Iterator[Step]:
    try:
        yield from steps_of(game, part, options)
    except Exception as error:
        yield {"the rules raise": repr(error)}


def steps_of(game: AnyGame, part: Part, options: Options | None) -> Iterator[Step]:
    """Play a random match, and yield a description of each ply for comparison."""
    match = Match(game, seed=part.seed, seats=part.seats, options=options)
    stream = Streams(part.seed).child("elsewhere")["choices"]
    events: list[Event] = []
    match.observe(events.append)
    every = game.all_actions(match.options, match.seats)
    yield {
        "setup returns": _text(match.state),
        "all_actions returns": None if every is None else [str(action) for action in every],
    }
    while match.to_act and match.ply < part.plies:
        legal = [(seat, it) for seat in match.to_act for it in spread(match.legal_actions(seat))]
        step: Step = {
            "to_act returns": list(match.to_act),
            "legal_actions returns": [str(action) for _, action in legal],
            "view returns": _text(match.view(match.to_act[0])),
        }
        match.play(stream.choice(legal)[1])
        step["apply leads to"] = _text(match.state)
        step["the events are"] = [_event_text(event) for event in events]
        step["outcome returns"] = repr(match.outcome)
        events.clear()
        yield step


def _text(state: object) -> str:
    return to_json(state).decode()


def _event_text(event: Event) -> str:
    """Describe an event in a text that does not depend on the order of sets."""
    try:
        return f"{type(event).__name__} {_text(event)}"
    except ContractError:
        return type(event).__name__


def first_difference(here: Sequence[Step], there: Sequence[Step]) -> tuple[int, str] | None:
    """Return the ply and a description of the first difference of two matches, or None."""
    nothing: Step = {}
    for ply, (ours, theirs) in enumerate(zip_longest(here, there, fillvalue=nothing)):
        for name in (*theirs, *ours):
            value, other = str(ours.get(name, "nothing")), str(theirs.get(name, "nothing"))
            if value != other:
                pairs = enumerate(zip(value, other, strict=False))
                first = next((at for at, (letter, its) in pairs if letter != its), 0)
                start = max(0, first - _BEFORE)
                value, other = (truncate(text[start:], 80) for text in (value, other))
                return max(0, ply - 1), f"{name} {other} instead of {value}"
    return None
