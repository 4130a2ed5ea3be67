"""Matches played by another Python, and compared ply by ply with those played here."""

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
from tabletop.states.codec import to_json
from tabletop.wording import truncate

_BEFORE: Final = 20  # how many letters are shown before the first one that differs
_PROGRAM: Final = "from tabletop.testing.elsewhere import answer; answer()"

Step: TypeAlias = dict[str, Any]
"""The compared values of one ply; each key describes its value in a message."""


class Part(NamedTuple):
    """A match to be played: its seed, how many play, and the most actions."""

    seed: str
    seats: int
    plies: int


def start_python(hashes: str | None = None, first: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """Start another Python that finds the same modules, for `answer_of`.

    Args:
        hashes: its PYTHONHASHSEED; the same as here when not given.
        first: folders in which it looks for modules before all others.
    """
    path = os.pathsep.join([*first, *(place or os.curdir for place in sys.path)])
    changed = {"PYTHONPATH": path} | ({} if hashes is None else {"PYTHONHASHSEED": hashes})
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **changed},
    )


def answer_of(
    child: subprocess.Popen[bytes], call: bytes, seconds: float | None, file: str = ""
) -> Any:
    """Have a Python that has been started call something; what that returns.

    Args:
        child: it ends then.
        call: a pickled function without arguments; it returns no text.
        seconds: its time; None when it may take as long as it wants.
        file: the game's, when it is none that `import` finds.

    Returns:
        A text says why it cannot be called.

    Raises:
        subprocess.TimeoutExpired: it takes longer.
    """
    said, complaints = child.communicate(pickle.dumps((file, call)), timeout=seconds)
    why = complaints.decode(errors="replace").splitlines() or ["it said nothing"]
    return pickle.loads(said) if said else why[-1]


def answer() -> None:
    """Run the child: call what is asked for on its input, and answer with what it returns.

    A text instead says why it cannot be called.
    """
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # whatever a game prints is no answer
    file, sent = pickle.load(sys.stdin.buffer)
    try:
        if file:
            load_file(Path(file))
        call = pickle.loads(sent)
    except Exception as error:
        pickle.dump(f"{type(error).__name__}: {error}", out)
    else:
        pickle.dump(call(), out)
    # Flushed here: when Python ends, it only does that for what is `sys.stdout` then.
    out.flush()


def courses_of(game: AnyGame, parts: Sequence[Part], options: Options | None) -> list[list[Step]]:
    """Return the steps of matches, each up to an error of the rules."""
    return [list(_steps_until_error(game, part, options)) for part in parts]


def _steps_until_error(game: AnyGame, part: Part, options: Options | None) -> Iterator[Step]:
    try:
        yield from steps_of(game, part, options)
    except Exception as error:
        yield {"the rules raise": repr(error)}


def steps_of(game: AnyGame, part: Part, options: Options | None) -> Iterator[Step]:
    """Play a match at random; a description of each ply, to be compared."""
    match = Match(game, seed=part.seed, seats=part.seats, options=options)
    chance = Streams(part.seed).child("elsewhere")["choices"]
    heard: list[Event] = []
    match.observe(heard.append)
    every = game.all_actions(match.options, match.seats)
    yield {
        "setup gives": _text(match.state),
        "all_actions gives": None if every is None else [str(action) for action in every],
    }
    while match.to_act and match.ply < part.plies:
        legal = [(seat, action) for seat in match.to_act for action in match.legal_actions(seat)]
        step: Step = {
            "to_act gives": list(match.to_act),
            "legal_actions gives": [str(action) for _, action in legal],
            "view gives": _text(match.view(match.to_act[0])),
        }
        match.play(chance.choice(legal)[1])
        step["apply gives"] = _text(match.state)
        step["the events are"] = [_say_event(event) for event in heard]
        step["outcome gives"] = repr(match.outcome)
        heard.clear()
        yield step


def _text(state: object) -> str:
    return to_json(state).decode()


def _say_event(event: Event) -> str:
    """An event as a text that does not depend on the order of sets."""
    try:
        return f"{type(event).__name__} {_text(event)}"
    except ContractError:
        return type(event).__name__


def first_difference(here: Sequence[Step], there: Sequence[Step]) -> tuple[int, str] | None:
    """Return where a match went another way elsewhere: the ply, and what was what instead."""
    nothing: Step = {}
    for ply, (ours, theirs) in enumerate(zip_longest(here, there, fillvalue=nothing)):
        for name in (*theirs, *ours):
            one, other = str(ours.get(name, "nothing")), str(theirs.get(name, "nothing"))
            if one != other:
                pairs = enumerate(zip(one, other, strict=False))
                first = next((at for at, (own, new) in pairs if own != new), 0)
                start = max(0, first - _BEFORE)
                one, other = (truncate(text[start:], 80) for text in (one, other))
                return max(0, ply - 1), f"{name} {other} instead of {one}"
    return None
