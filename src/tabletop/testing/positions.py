"""Matches that begin where a test needs them, and lines played in them."""

from __future__ import annotations

from typing import Any, TypeVar

from tabletop.match.match import Match
from tabletop.rules.game import Game
from tabletop.rules.options import Options
from tabletop.states.states import State
from tabletop.wording import did_you_mean

S = TypeVar("S", bound=State)
A = TypeVar("A")


def begin(
    game: Game[S, A],
    *,
    seats: int | None = None,
    seed: str | int = "old oak",
    options: Options | None = None,
    **fields: Any,
) -> Match[S, A]:
    """Begin a match from the state that the rules set up, with other values of some fields.

    Args:
        game: the rules.
        seats: the number of seats; the fewest the game allows when not given.
        seed: the seed.
        options: the options that differ from their defaults.
        fields: the values of these fields of the state.

    Raises:
        TypeError: the state has no such field.

    >>> from tabletop.registry import load
    >>> match = begin(load("lcr").game, seats=3, chips=[0, 3, 2], seat=1)
    >>> match.state.chips, match.to_act
    ([0, 3, 2], (1,))
    """
    state = Match(game, seed=seed, seats=seats, options=options).state.clone()
    for name, value in fields.items():
        if not hasattr(state, name):
            known = [it for it in dir(state) if not it.startswith("_")]
            hint = did_you_mean(name, known)
            raise TypeError(f"{type(state).__name__} has no field {name!r}{hint}")
        setattr(state, name, value)
    return Match(game, seed=seed, seats=seats, options=options, state=state)


def play(match: Match[S, A], *lines: str) -> Match[S, A]:
    """Play lines as people type them, and return the match; `2: pass` is the line of player 2.

    Where several are to act and none is named, it is the first of them.

    Raises:
        CommandError: a line is not understood.
        IllegalAction: it is not allowed; its text is the reason.

    >>> from tabletop.registry import load
    >>> play(begin(load("lcr").game, seats=3), "roll", "2: roll").ply
    2
    """
    for line in lines:
        player, colon, words = line.partition(": ")
        if colon and player.isdecimal():
            match.play(match.parse(words, seat=int(player) - 1))
        else:
            match.play(match.parse(line))
    return match
