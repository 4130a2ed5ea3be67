"""Matches played again by another Python, in which texts have other hashes.

Whoever goes through a set, or sorts by `hash`, gets another order there (PYTHONHASHSEED); within
one program nobody would ever notice. One child is started. It plays a part of the matches and says
of each ply who may act, what can be done, what was done, and what came of it.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.codec import to_json
from tabletop.errors import ContractError
from tabletop.events import Event
from tabletop.game import AnyGame
from tabletop.host.modules import game_file, load_file
from tabletop.match import Match
from tabletop.options import Options
from tabletop.rng import Streams
from tabletop.testing.clock import Clock
from tabletop.testing.laws import LawBroken
from tabletop.wording import cut

MATCHES: Final = 3
"""How many matches are played there."""

PLIES: Final = 400
"""How many actions of each are played."""

SECONDS: Final = 60
"""How many seconds the child process may take before it is given up."""

BEFORE: Final = 20
"""How many letters are shown before the first one that differs."""

PROGRAM: Final = "from tabletop.testing.elsewhere import answer; answer()"

_SORTED: Final = "it depends on the order of a set, or on hash(): go through sorted(...) instead"

Step: TypeAlias = dict[str, Any]
"""The compared values of one ply, by name."""


class Part(NamedTuple):
    """A match to be played: its seed, how many play, and the most actions."""

    seed: str
    seats: int
    plies: int


def check_elsewhere(
    game: AnyGame, parts: Sequence[Part], options: Options | None, clock: Clock
) -> str | None:
    """Have matches played under another PYTHONHASHSEED, and compare them ply by ply.

    Returns:
        Why it could not be done; None when it was.

    Raises:
        OutOfTime: the clock has run out.
        LawBroken: something is different there.
    """
    kind = type(game).__name__
    if type(game).__module__ == "__main__":
        return f"{kind} stands in the program itself, not in a module"
    if not sys.executable:
        return "there is no Python to start"
    try:
        sent = pickle.dumps((game, None if options is None else dict(options)))
    except Exception as error:
        return f"{kind} cannot be pickled: {error}"
    child = _start()
    try:
        asked = json.dumps(
            [game_file(type(game).__module__), base64.b64encode(sent).decode(), parts]
        )
        here = [list(_played(game, part, options)) for part in parts]
        said, complaints = child.communicate(asked, timeout=min(SECONDS, clock.left))
    except subprocess.TimeoutExpired:
        clock.spend("another PYTHONHASHSEED")
        return f"it took more than {SECONDS} seconds"
    finally:
        child.kill()
        child.wait()
    there = [json.loads(line) for line in said.splitlines()]
    if len(there) != len(parts):
        why = str(there[-1]) if there else (complaints.splitlines() or ["it said nothing"])[-1]
        return f"another Python cannot load {kind}: {why}"
    for part, ours, theirs in zip(parts, here, there, strict=True):
        _compare(game, part, ours, theirs)
    return None


def _start() -> subprocess.Popen[str]:
    """Another Python that finds the same modules."""
    hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    path = os.pathsep.join(place or os.curdir for place in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": path},
        encoding="utf-8",
    )


def answer() -> None:
    """What the child does: play what it is asked for on its input, and print a line a match.

    A line that is a text instead says why there are no more.
    """
    out, sys.stdout = sys.stdout, sys.stderr  # whatever a game prints is no answer
    file, sent, parts = json.loads(sys.stdin.read())
    try:
        if file:
            load_file(Path(file))
        game, options = pickle.loads(base64.b64decode(sent))
    except Exception as error:
        # Flushed here: when Python ends, it only does that for what is `sys.stdout` then.
        print(json.dumps(f"{type(error).__name__}: {error}"), file=out, flush=True)
        return
    for part in parts:
        steps: list[Step] = []
        try:
            steps.extend(_played(game, Part(*part), options))
        except Exception as error:
            steps.append({"raised": repr(error)})
        print(json.dumps(steps), file=out, flush=True)


def _played(game: AnyGame, part: Part, options: Options | None) -> Iterator[Step]:
    """Play a match at random; a description of each ply, to be compared."""
    match = Match(game, seed=part.seed, seats=part.seats, options=options)
    chance = Streams(part.seed).child("elsewhere")["choices"]
    heard: list[Event] = []
    match.observe(heard.append)
    every = game.all_actions(match.options, match.seats)
    yield {
        "setup": _text(match.state),
        "all_actions": None if every is None else [str(action) for action in every],
    }
    while match.to_act and match.ply < part.plies:
        legal = [(seat, action) for seat in match.to_act for action in match.legal_actions(seat)]
        step: Step = {
            "to_act": list(match.to_act),
            "legal_actions": [str(action) for _, action in legal],
            "view": _text(match.view(match.to_act[0])),
        }
        match.play(chance.choice(legal)[1])
        step["apply"] = _text(match.state)
        step["the events"] = [_said(event) for event in heard]
        step["outcome"] = repr(match.outcome)
        heard.clear()
        yield step


def _text(state: object) -> str:
    return to_json(state).decode()


def _said(event: Event) -> str:
    """An event as a text that does not depend on the order of sets."""
    try:
        return f"{type(event).__name__} {_text(event)}"
    except ContractError:
        return type(event).__name__


def _compare(game: AnyGame, part: Part, here: Sequence[Step], there: Sequence[Step]) -> None:
    """Raise an error for the first difference.

    Raises:
        LawBroken: there is one.
    """
    nothing: Step = {}
    for ply, (ours, theirs) in enumerate(zip_longest(here, there, fillvalue=nothing)):
        if ours == theirs:
            continue
        wrong = "raised" in theirs
        names = ["raised"] if wrong else [name for name in ours if ours[name] != theirs.get(name)]
        name = next(iter(names), "to_act")
        what = f"raised {theirs['raised']}" if wrong else _difference(ours, theirs, name)
        raise LawBroken(
            game.name,
            part.seed,
            max(0, ply - 1),
            "determinism",
            f"under another PYTHONHASHSEED {what}: {_SORTED}",
        )


def _difference(ours: Step, theirs: Step, name: str) -> str:
    """What is different, from the first item or letter on that is."""
    one, other = ours.get(name), theirs.get(name)
    if isinstance(one, str) and isinstance(other, str):
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
        start = max(0, sum(1 for _ in alike) - BEFORE)
        dots = "..." if start else ""
        one, other = f"{dots}{one[start:]}", f"{dots}{other[start:]}"
    verb = "are" if name == "the events" else "gives"
    return f"{name} {verb} {cut(str(other), 80)} instead of {cut(str(one), 80)}"
