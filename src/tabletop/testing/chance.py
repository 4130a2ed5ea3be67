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
from tabletop.testing.elsewhere import (
    Part,
    answer_of,
    courses_of,
    first_difference,
    start_python,
    steps_of,
)
from tabletop.testing.laws import Clock, LawBroken
from tabletop.testing.probe import streams_like

_MATCHES: Final = 4
_SEEDS: Final = 8
_SOON: Final = 100  # after how many actions most games differ that are going to

CHANCE: Final = "the law 'chance'"  # what is being done while it is tested
HASH_MATCHES: Final = 3  # how many matches are played under another PYTHONHASHSEED
HASH_PLIES: Final = 400  # how many actions of each
_SECONDS: Final = 60  # how many seconds the child process may take before it is given up


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


def check_hash_seed(
    game: AnyGame, parts: Sequence[Part], options: Options | None, clock: Clock
) -> str | None:
    """Have matches played under another PYTHONHASHSEED, and compare them ply by ply.

    What is returned says why it could not be done. `OutOfTime` ends it.
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
        return "it cannot be checked here, where no other Python can be started"
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
            why = "it depends on the order of a set, or on hash(): go through sorted(...) instead"
            what = f"under another PYTHONHASHSEED {what}: {why}"
            raise LawBroken(game.name, part.seed, ply, "determinism", what)
    return None
