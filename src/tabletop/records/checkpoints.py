"""Validates checkpoints: could a match really have reached one?

A checkpoint is data that somebody wrote: what it holds is of the right types, and its digest fits,
and still no match may ever come there. Rules have no answer to such a state; they raise whatever
comes. Here they are asked everything they are asked in a match, before anybody relies on it.
"""

from __future__ import annotations

from typing import Final

from tabletop.errors import TabletopError
from tabletop.match import AnyMatch
from tabletop.players import Random
from tabletop.rng import Streams

# Both are bounds on the time that it takes to resume a match.
_TRIED: Final = 16
"""How many of the actions that a seat has are tried."""

_LOOKED_AHEAD: Final = 64
"""How many actions are played, at random, to see where they lead."""


def doubt_about(match: AnyMatch) -> str:
    """The reason why a match cannot have reached its position; empty when none is found.

    Finding none is no proof: only replaying the match from its start is.
    """
    try:
        return _doubt_about(match) or _doubt_ahead(match) or _doubt_further_on(match)
    # Rules may raise anything when they are given a state that no match leads to.
    except Exception as error:
        return describe_error(error)


def _doubt_about(match: AnyMatch) -> str:
    seats = list(range(match.seats))
    for seat in match.to_act:
        if seat not in seats:
            return f"seat {seat + 1} is to act, of {match.seats}"
    outcome = match.outcome
    if outcome is not None:
        ranked = sorted(seat for group in outcome.ranking for seat in group)
        if ranked != seats:
            return f"it has ended with the seats {ranked}, of {match.seats}"
    for watcher in (None, *seats):
        match.view(watcher)
    return ""


def _doubt_ahead(match: AnyMatch) -> str:
    # On a copy, one action at a time: the match itself must not move, whatever the rules do with
    # it.
    ahead = match.clone()
    for seat in match.to_act:
        for action in match.legal_actions(seat)[:_TRIED]:
            ahead.play(action)
            doubt = _doubt_about(ahead)
            if doubt:
                return f"after {action}: {doubt}"
            ahead.undo()
    return ""


def _doubt_further_on(match: AnyMatch) -> str:
    ahead = match.clone()
    # A fixed seed: the same record gets the same verdict every time.
    chance = Streams("ahead")["choices"]
    for seat in range(match.seats):
        ahead.set_player(seat, Random(chance))
    ahead.run(_LOOKED_AHEAD)
    return _doubt_about(ahead)


def describe_error(error: Exception) -> str:
    """An error as text; with its class, unless it is one of our own."""
    if isinstance(error, TabletopError):
        return str(error)
    return f"{type(error).__name__}: {error}"
