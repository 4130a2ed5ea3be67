"""The law of chance: what is drawn late in a match depends on the seed.

Whole matches with different seeds say little: once the first draws differ, everything after looks
different, though all later draws may be the same. So matches are also stopped in the middle and
played on, from one and the same state, with the streams of other seeds.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from tabletop.codec import to_json
from tabletop.game import AnyGame
from tabletop.match import AnyMatch, Match
from tabletop.options import Options
from tabletop.players import Random
from tabletop.rng import Streams
from tabletop.table import Table
from tabletop.testing.clock import Clock
from tabletop.testing.laws import LawBroken
from tabletop.testing.redealing import streams_like

MATCHES: Final = 4
SEEDS: Final = 8

CHANCE: Final = "the law 'chance'"
"""What is being done while it is tested."""


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

    Args:
        game: the rules.
        seed: another one plays other matches.
        seats, options: of the matches.
        plies: the most actions that a match may take.
        clock: how long it may take.

    Raises:
        OutOfTime: it takes longer.
        LawBroken: what is drawn is the same for every seed.
    """
    for part in (0, 1):
        drawn = False
        for number in range(MATCHES):
            name = f"{seed} chance {number}"
            match = _played(game, name, seats, options, plies)
            match.undo(match.ply - part * (match.ply // 2))
            courses = [_course(match, f"{name} {other}", plies, clock) for other in range(SEEDS)]
            if len({course for course, _ in courses}) > 1:
                break
            drawn = drawn or any(moved for _, moved in courses)
        else:
            if drawn:
                what = (
                    f"{SEEDS} seeds draw the same from here on, in each of {MATCHES} matches (where"
                    " an option is meant to do that: seeded=False, or --unseeded)"
                )
                raise LawBroken(game.name, name, match.ply, "chance", what)


def _played(game: AnyGame, seed: str, seats: int, options: Options | None, plies: int) -> AnyMatch:
    """A match played at random."""
    players = [Random(f"{seed} {seat}") for seat in range(seats)]
    match = Match(game, seed=seed, seats=seats, options=options, players=players)
    match.run(plies)
    return match


def _course(match: AnyMatch, seed: str, plies: int, clock: Clock) -> tuple[bytes, bool]:
    """How `match` goes on with the streams of another seed: a digest, and whether they are drawn.

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
