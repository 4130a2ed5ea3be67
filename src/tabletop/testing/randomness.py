"""The laws of seeds: draws depend on the seed, and only on the seed.

`check_randomness` compares matches with different seeds. Once the first draws differ, all later
states differ, even if no later draw depends on the seed. Therefore, the check also continues
matches from one state in the middle with the streams of other seeds.

`check_hash_seed` finds rules that iterate over a set or sort by `hash`. Their order depends on
PYTHONHASHSEED, which cannot change within a process. Therefore, a child process plays parts of the
matches again, and returns a description of each ply for comparison.
"""

from __future__ import annotations

import os
import pickle
import subprocess
from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Final

from tabletop.host.modules import game_file
from tabletop.match.match import AnyMatch, Match
from tabletop.match.players import Random
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame, Table
from tabletop.rules.options import Options
from tabletop.states.codec import to_json
from tabletop.testing.laws import Clock, LawBroken
from tabletop.testing.other_process import (
    Part,
    answer_of,
    courses_of,
    first_difference,
    start_python,
    steps_of,
)
from tabletop.testing.probe import streams_like

_MATCHES: Final = 4
_SEEDS: Final = 8
_SOON: Final = 100  # actions within which the matches of most games differ

RANDOMNESS: Final = "the law 'randomness'"  # the name of the step in progress reports
HASH_MATCHES: Final = 3  # matches that are played under a different PYTHONHASHSEED
HASH_PLIES: Final = 400  # maximum number of actions of each
_SECONDS: Final = 60  # time limit of the child process in seconds


def check_randomness(
    game: AnyGame,
    *,
    seed: str,
    seats: int,
    options: Options | None,
    plies: int,
    clock: Clock,
) -> None:
    """Play the same choices with different seeds, from the start and from the middle of matches."""
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
                    f"{_SEEDS} seeds make the same draws from here on, in each of {_MATCHES}"
                    " matches (if an option does that on purpose: seeded=False, or --unseeded)"
                )
                raise LawBroken(game.name, name, match.ply, "randomness", what)


def _differ(match: AnyMatch, seeds: Sequence[str], plies: int, clock: Clock) -> tuple[bool, bool]:
    """Return whether `match` continues differently with these seeds, and whether it draws."""
    courses = [_course(match, seed, plies, clock) for seed in seeds]
    return len({course for course, _ in courses}) > 1, any(moved for _, moved in courses)


def _course(match: AnyMatch, seed: str, plies: int, clock: Clock) -> tuple[bytes, bool]:
    """Continue `match` with the streams of a different seed. Return a digest, and whether it draws.

    At the start of the match, the setup is repeated. Later, the match continues from its current
    state.
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
        clock.spend(RANDOMNESS)
        seats = game.to_act(state)
        if not seats:
            break
        action = choices.choice(game.legal_actions(state, seats[0]))
        game.apply(state, action, table)
        course.update(to_json(state))
    return course.digest(), streams.state() != before


# Under a different PYTHONHASHSEED.


def check_hash_seed(
    game: AnyGame, parts: Sequence[Part], options: Options | None, clock: Clock
) -> str | None:
    """Play matches under a different PYTHONHASHSEED, and compare them ply by ply.

    Return None, or the reason why the comparison is not possible.
    """
    kind = type(game).__name__
    chosen = None if options is None else dict(options)
    try:
        call = pickle.dumps(partial(courses_of, game, parts, chosen))
    except Exception as error:
        return f"{kind} cannot be pickled: {error}"
    hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    try:
        started = start_python(hashes)
    except OSError:  # as in a browser
        return "another Python process cannot be started here"
    with started as child:
        try:
            here = [list(steps_of(game, part, options)) for part in parts]
            seconds = min(_SECONDS, clock.left)
            there = answer_of(child, call, seconds, file=game_file(type(game).__module__))
        except subprocess.TimeoutExpired:
            clock.spend("another PYTHONHASHSEED")
            return f"it took more than {_SECONDS} seconds"
        finally:
            child.kill()
    if isinstance(there, str):
        return f"another Python cannot load {kind}: {there}"
    for part, ours, theirs in zip(parts, here, there, strict=True):
        if differs := first_difference(ours, theirs):
            ply, what = differs
            why = "the rules depend on the order of a set, or on hash(): iterate over sorted(...)"
            what = f"under another PYTHONHASHSEED, {what}: {why}"
            raise LawBroken(game.name, part.seed, ply, "determinism", what)
    return None
