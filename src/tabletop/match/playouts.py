"""Playouts: random play from a state to the end of the match; for bots that search.

A playout needs only a state. It has no log, emits to nobody and checks nothing, because every
choice is legal by construction.
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
    chance: Stream,
    rng: Streams,
    *,
    plies: int | None = None,
    policy: Callable[[S, Sequence[A]], Sequence[A]] | None = None,
) -> S:
    """Play a copy of `state` on, at random, and return the final state.

    Args:
        game: the rules.
        state: the first state: a player's view, or any state; it does not change.
        chance: the stream that decides for all seats, uniformly.
        rng: the streams of the rules. Take streams of your own, as `Streams("a guess")`: those of
            the match would reveal the future.
        plies: the number of actions to play, 0 or more; up to the end of the match when not given.
        policy: given the state and its legal actions, gives those to choose among, at least one.
            One that leaves out most of what seldom matters, as offers of trades, makes playouts
            shorter. It gives a list or a tuple, must not change the state, and is trusted: an
            action that is not legal is played like any other.

    Raises:
        ValueError: `plies` is below 0.
        ContractError: The rules list no action for a seat that is to act, or the policy returns
            none.

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
        raise ValueError(f"{game.name}: a playout of {plies} plies; write 0 or more")
    state = state.clone()
    play_on(game, state, chance, Table(rng), plies=left, policy=policy)
    return state


def play_on(
    game: AnyGame,
    state: Any,
    chance: Stream,
    table: Table,
    *,
    plies: int,
    policy: Callable[[Any, Sequence[Any]], Sequence[Any]] | None,
) -> None:
    """Play `state` itself on, at random; see `playout`."""
    # Local names on purpose: a bot that searches spends its time in this loop.
    who, legal, apply, below = game.to_act, game.legal_actions, game.apply, chance.below
    for _ in repeat(None, plies):
        if not (seats := who(state)):
            break
        actions = legal(state, seats[0])
        if policy is not None:
            actions = policy(state, actions)
        number = len(actions)
        if not number:
            raise no_action_to_try(game, state, seats[0])
        apply(state, actions[below(number)] if number > 1 else actions[0], table)
