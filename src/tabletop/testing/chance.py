"""The laws of seeds: draws depend on the seed, and on nothing else that differs.

`check_chance`: whole matches with different seeds say little. Once the first draws differ,
everything after looks different, though all later draws may be the same. So matches are also
stopped in the middle and played on, from one and the same state, with the streams of other seeds.

`check_hash_seed`: whoever goes through a set, or sorts by `hash`, gets another order under another
PYTHONHASHSEED; within one process nobody would ever notice. One child process plays parts of the
matches, and says of each ply who may act, what can be done, what was done, and what came of it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.errors import ContractError
from tabletop.host.modules import game_file, load_file
from tabletop.match.match import AnyMatch, Match
from tabletop.match.players import Random
from tabletop.rng.streams import Streams
from tabletop.rules.events import Event
from tabletop.rules.game import AnyGame, Table
from tabletop.rules.options import Options
from tabletop.states.codec import to_json
from tabletop.testing.laws import Clock, LawBroken
from tabletop.testing.probe import streams_like
from tabletop.wording import truncate

_MATCHES: Final = 4
_SEEDS: Final = 8
_SOON: Final = 100  # after how many actions most games differ that are going to

CHANCE: Final = "the law 'chance'"  # what is being done while it is tested
HASH_MATCHES: Final = 3  # how many matches are played under another PYTHONHASHSEED
HASH_PLIES: Final = 400  # how many actions of each
_SECONDS: Final = 60  # how many seconds the child process may take before it is given up
_BEFORE: Final = 20  # how many letters are shown before the first one that differs
_PROGRAM: Final = "from tabletop.testing.chance import answer; answer()"


def check_chance(
    game: AnyGame,
    *,
    seed: str,
    seats: int,
    options: Options | None,
    plies: int,
    clock: Clock,
) -> None:
    """Play the same choices with different seeds, from the start and from the middle of matches.

    `OutOfTime` ends it.
    """
    for part in (0, 1):
        drawn = False
        for number in range(_MATCHES):
            name = f"{seed} chance {number}"
            players = [Random(f"{name} {seat}") for seat in range(seats)]
            match = Match(game, seed=name, seats=seats, options=options, players=players)
            match.run(plies)
            match.undo(match.ply - part * (match.ply // 2))
            seeds = [f"{name} {other}" for other in range(_SEEDS)]
            if _differ(match, seeds, min(plies, _SOON), clock)[0]:
                break
            differ, moved = _differ(match, seeds, plies, clock)
            if differ:
                break
            drawn = drawn or moved
        else:
            if drawn:
                what = (
                    f"{_SEEDS} seeds draw the same from here on, in each of {_MATCHES} matches"
                    " (where an option is meant to do that: seeded=False, or --unseeded)"
                )
                raise LawBroken(game.name, name, match.ply, "chance", what)


def _differ(match: AnyMatch, seeds: Sequence[str], plies: int, clock: Clock) -> tuple[bool, bool]:
    """Return whether `match` goes on differently with these seeds, and whether it draws."""
    courses = [_course(match, seed, plies, clock) for seed in seeds]
    return len({course for course, _ in courses}) > 1, any(moved for _, moved in courses)


def _course(match: AnyMatch, seed: str, plies: int, clock: Clock) -> tuple[bytes, bool]:
    """Play `match` on with the streams of another seed; return a digest, and whether it draws.

    At its start the state is made anew; later it goes on from the state it has.
    """
    game = match.game
    streams = streams_like(match, seed)
    state = match.state.clone()
    before = match.streams()
    if not match.ply:
        before = {}
        streams = Streams(seed)
        state = game.setup(match.options, match.seats, streams)
    choices = Streams("chance")["choices"]
    table = Table(streams)
    course = blake2b(to_json(state))
    for _ in range(plies):
        clock.spend(CHANCE)
        seats = game.to_act(state)
        if not seats:
            break
        action = choices.choice(game.legal_actions(state, seats[0]))
        game.apply(state, action, table)
        course.update(to_json(state))
    return course.digest(), streams.state() != before


# Under another PYTHONHASHSEED.

Step: TypeAlias = dict[str, Any]
"""The compared values of one ply; each key describes its value in a message."""


class Part(NamedTuple):
    """A match to be played: its seed, how many play, and the most actions."""

    seed: str
    seats: int
    plies: int


def check_hash_seed(
    game: AnyGame, parts: Sequence[Part], options: Options | None, clock: Clock
) -> str | None:
    """Have matches played under another PYTHONHASHSEED, and compare them ply by ply.

    What is returned says why it could not be done. `OutOfTime` ends it.
    """
    kind = type(game).__name__
    try:
        sent = pickle.dumps((game, None if options is None else dict(options)))
    except Exception as error:
        return f"{kind} cannot be pickled: {error}"
    try:
        started = _start()
    except OSError:  # as in a browser
        return "it cannot be checked here, where no other Python can be started"
    with started as child:
        try:
            here = [list(_steps(game, part, options)) for part in parts]
            asked = pickle.dumps((game_file(type(game).__module__), sent, parts))
            said, complaints = child.communicate(asked, timeout=min(_SECONDS, clock.left))
        except subprocess.TimeoutExpired:
            clock.spend("another PYTHONHASHSEED")
            return f"it took more than {_SECONDS} seconds"
        finally:
            child.kill()
    why = complaints.decode(errors="replace").splitlines() or ["it said nothing"]
    there = pickle.loads(said) if said else why[-1]
    if isinstance(there, str):
        return f"another Python cannot load {kind}: {there}"
    for part, ours, theirs in zip(parts, here, there, strict=True):
        _compare(game, part.seed, ours, theirs)
    return None


def _start() -> subprocess.Popen[bytes]:
    """Another Python that finds the same modules."""
    hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    path = os.pathsep.join(place or os.curdir for place in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": path},
    )


def answer() -> None:
    """Run the child: play the matches asked for on its input, and answer with the steps.

    A text instead says why the game cannot be loaded.
    """
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # whatever a game prints is no answer
    file, sent, parts = pickle.load(sys.stdin.buffer)
    try:
        if file:
            load_file(Path(file))
        game, options = pickle.loads(sent)
    except Exception as error:
        pickle.dump(f"{type(error).__name__}: {error}", out)
    else:
        pickle.dump([list(_steps_until_error(game, part, options)) for part in parts], out)
    # Flushed here: when Python ends, it only does that for what is `sys.stdout` then.
    out.flush()


def _steps_until_error(game: AnyGame, part: Part, options: Options | None) -> Iterator[Step]:
    try:
        yield from _steps(game, part, options)
    except Exception as error:
        yield {"the rules raise": repr(error)}


def _steps(game: AnyGame, part: Part, options: Options | None) -> Iterator[Step]:
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


def _compare(game: AnyGame, seed: str, here: Sequence[Step], there: Sequence[Step]) -> None:
    """Break the law of determinism at the first difference."""
    nothing: Step = {}
    for ply, (ours, theirs) in enumerate(zip_longest(here, there, fillvalue=nothing)):
        for name in (*theirs, *ours):
            one, other = str(ours.get(name, "nothing")), str(theirs.get(name, "nothing"))
            if one != other:
                pairs = enumerate(zip(one, other, strict=False))
                first = next((at for at, (own, new) in pairs if own != new), 0)
                start = max(0, first - _BEFORE)
                one, other = (truncate(text[start:], 80) for text in (one, other))
                what = (
                    f"under another PYTHONHASHSEED {name} {other} instead of {one}: it depends on"
                    " the order of a set, or on hash(): go through sorted(...) instead"
                )
                raise LawBroken(game.name, seed, max(0, ply - 1), "determinism", what)
