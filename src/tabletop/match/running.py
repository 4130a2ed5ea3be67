"""What simulations spend their time in: committing actions, and the loop of random players.

Both are parts of `Match`, and stand alone so that they can be compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tabletop.events import ActionPlayed
from tabletop.match.history import CHECKPOINT_PLIES

_new: Final[Callable[[type[Any]], Any]] = object.__new__


def run_unheard(match: Any, last: int) -> None:
    """Play on as long as blind players are to act, at most until `last` plies, and nobody is told.

    Only where no bot has a chance that goes back with the match: none of it is noted here. What
    they pick stands in the list of legal actions by construction, so nothing is left to check.

    Args:
        match: the `Match`, of which this is a part; without an audience.
        last: the ply after which to stop.
    """
    # Local names on purpose: attributes would be looked up again for every move.
    game, history, picks, table = match._game, match._history, match._picks, match._table
    who, legal, apply = game.to_act, game.legal_actions, game.apply
    log: list[Any] = history.log
    undone: list[Any] = history.undone
    state, seats, ply = match._state, match._to_act, len(log)
    while seats and ply < last and (pick := picks[seat := seats[0]]) is not None:
        # A single action draws nothing, as in `BlindPlayer.choose`: both ways, the same match.
        actions = legal(state, seat)
        action = actions[pick(number)] if (number := len(actions)) > 1 else actions[0]
        if match._audience is not None:  # a player has begun to watch while it chose
            commit(match, action)
            break
        try:
            apply(state, action, table)
            seats = match._to_act = who(state)
        # A KeyboardInterrupt, too, may come in mid-action; no state is ever left half changed.
        except BaseException as error:
            match._take_back(action, error)
        ply += 1
        try:
            log.append(action)
            if not ply % CHECKPOINT_PLIES:
                history.keep(state, table.rng)
        except BaseException:
            match._take_out(ply - 1)
            raise
        if undone:
            del undone[:]


def run_heard(match: Any, last: int) -> None:
    """As `run_unheard`, where there are observers or a recorder."""
    game, history, picks, table = match._game, match._history, match._picks, match._table
    who, legal, apply = game.to_act, game.legal_actions, game.apply
    audience = match._audience
    log: list[Any] = history.log
    undone: list[Any] = history.undone
    state, seats, ply = match._state, match._to_act, len(log)
    while seats and ply < last and (pick := picks[seat := seats[0]]) is not None:
        actions = legal(state, seat)
        action = actions[pick(number)] if (number := len(actions)) > 1 else actions[0]
        try:
            if audience.actions_observed:
                told: Any = _new(ActionPlayed)  # its fields are set here: `__init__` is a call more
                told.ply, told.seat, told.action = ply + 1, seat, action
                table.events.append(told)
            apply(state, action, table)
            seats = match._to_act = who(state)
        except BaseException as error:
            match._take_back(action, error)
        match._handed = ()  # a player may have listed them; who is told may play on
        ply += 1
        try:
            log.append(action)
            if not ply % CHECKPOINT_PLIES:
                history.keep(state, table.rng)
            if audience.recorder is not None:
                audience.recorder.played(match, seat, action)
        # Whatever breaks this off, nothing stays in the log that is not recorded.
        except BaseException:
            match._take_out(ply - 1)
            raise
        if undone:
            del undone[:]
        if not seats:
            match._end(audience)
        if table.events:  # a recorder alone is told by itself
            audience.notify(state)
        state, ply = match._state, len(log)  # observers may have gone back, or seated a bot
        seats = match._to_act if history.chances is None else ()


def commit(match: Any, action: Any, *, redone: bool = False) -> None:
    """Play an action that is legal: apply it, record it, tell of it.

    Args:
        match: the `Match`, of which this is a part.
        action: what is played.
        redone: whether it is the next of those that were undone.
    """
    history, audience = match._history, match._audience
    log: list[Any] = history.log
    ply, chances = len(log), history.chances
    # Whose action it is matters only to those who are told of it, and to the chance of bots.
    seat = 0 if audience is None and chances is None else match.actor(action)
    try:
        if audience is not None and audience.actions_observed:
            match._table.events.append(ActionPlayed(ply + 1, seat, action))
        match._game.apply(match._state, action, match._table)
        match._to_act = match._game.to_act(match._state)
    except BaseException as error:
        match._take_back(action, error)
    match._handed = ()
    try:
        log.append(action)
        if not len(log) % CHECKPOINT_PLIES:
            history.keep(match._state, match._table.rng)
        if chances is not None:
            chances.played(len(log), seat, redone=redone)
        # Recorded before anybody is told: no one has seen a move that the record does not have.
        if audience is not None and audience.recorder is not None:
            audience.recorder.played(match, seat, action)
    # Whatever breaks this off, nothing stays in the log that is not recorded.
    except BaseException:
        match._take_out(ply)
        raise
    if history.undone:  # from here on the move stands
        del history.undone[-1 if redone else 0 :]
        if chances is not None:
            chances.drop_undone(ply + 1, redone=redone)
    if audience is not None:
        match._end(audience)
        audience.notify(match._state)
