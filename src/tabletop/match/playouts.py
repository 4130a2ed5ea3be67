"""Playouts: random play from a state to the end of the match, for search bots.

A playout needs only a state. It keeps no log, emits no events, and does not check the choices,
because all of them are legal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any, TypeVar

from tabletop.match.contract_errors import no_action_to_try
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame, Game, Table
from tabletop.states.states import State

S = TypeVar("S", bound=State)
A = TypeVar("A")


def playout(
    game: Game[S, A],
    state: S,
    stream: Stream,
    rng: Streams,
    *,
    plies: int | None = None,
    policy: Callable[[S, Sequence[A]], Sequence[A]] | None = None,
) -> S:
    """Play a copy of `state` with random actions, and return the final state.

    Args:
        game: The rules.
        state: The initial state: a player's view or any other state. It is not changed.
        stream: The random stream for the choices, which are uniform among all seats' actions.
        rng: The streams of the rules. Use separate streams, such as `Streams("a guess")`, because
            the streams of the match would reveal future draws.
        plies: The number of actions to play, 0 or more. By default, the playout continues to the
            end of the match.
        policy: A function that takes the state and its legal actions, and returns a list or tuple
            of at least one action to choose from. Omit actions that seldom matter, such as trade
            offers, to make playouts shorter. The function must not change the state. Its result is
            not checked.

    Raises:
        ValueError: `plies` is negative.
        ContractError: The rules list no action for a seat to act, or the policy returns none.

    >>> from tabletop.registry import load
    >>> from tabletop import Match
    >>> match = Match(load("lcr").game, seed="brave old world")
    >>> guess = Streams("a guess")
    >>> end = playout(match.game, match.state, guess["choices"], guess)
    >>> match.game.outcome(end).winners
    (1,)
    """
    left = sys.maxsize if plies is None else plies
    if left < 0:
        raise ValueError(f"{game.name}: plies must be at least 0, not {plies}")
    state = state.clone()
    play_on(game, state, stream, Table(rng), plies=left, policy=policy)
    return state


def play_on(
    game: AnyGame,
    state: Any,
    stream: Stream,
    table: Table,
    *,
    plies: int,
    policy: Callable[[Any, Sequence[Any]], Sequence[Any]] | None,
) -> None:
    """Like `playout`, but change `state` itself."""
    # Local names for speed: search bots spend most of their time in this loop.
    to_act, legal, apply, below = game.to_act, game.legal_actions, game.apply, stream.below
    for _ in repeat(None, plies):
        if not (seats := to_act(state)):
            break
        actions = legal(state, seats[0])
        if policy is not None:
            actions = policy(state, actions)
        number = len(actions)
        if not number:
            raise no_action_to_try(game, state, seats[0])
        apply(state, actions[below(number)] if number > 1 else actions[0], table)
