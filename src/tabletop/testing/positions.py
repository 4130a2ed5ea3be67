"""Start a match in a given position, and play lines in it, for tests."""

from __future__ import annotations

from typing import Any, TypeVar

from tabletop.match.match import Match
from tabletop.registry import plugin_of
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
    """Start a match from the initial state with different values for some fields.

    Args:
        game: The rules.
        seats: The number of seats. By default, the smallest number that the game allows.
        seed: The seed.
        options: The options that differ from their defaults.
        fields: The values of fields of the state.

    Raises:
        TypeError: The state has no such field.

    >>> from tabletop.registry import load
    >>> match = begin(load("lcr").game, seats=3, chips=[0, 3, 2], seat=1)
    >>> match.state.chips, match.to_act
    ([0, 3, 2], (1,))
    """
    state = Match(game, seed=seed, seats=seats, options=options).state.clone()
    for name, value in fields.items():
        if not hasattr(state, name):
            known = [field for field in dir(state) if not field.startswith("_")]
            hint = did_you_mean(name, known)
            raise TypeError(f"{type(state).__name__} has no field {name!r}{hint}")
        setattr(state, name, value)
    return Match(game, seed=seed, seats=seats, options=options, state=state)


def play(match: Match[S, A], *lines: str) -> Match[S, A]:
    """Play lines as typed by players, and return the match.

    A line such as `2: pass` is for player 2. A line without a player is for the first seat to act.
    Lines may contain the labels of `TextView.label`.

    Raises:
        CommandError: A line cannot be parsed.
        IllegalAction: An action is not allowed. The message is the reason.

    >>> from tabletop.registry import load
    >>> play(begin(load("lcr").game, seats=3), "roll", "2: roll").ply
    2
    """
    text = plugin_of(match.game).text
    for line in lines:
        player, colon, words = line.partition(": ")
        if colon and player.isdecimal():
            match.play(text.parse(match, words, int(player) - 1))
        else:
            match.play(text.parse(match, line))
    return match
