"""What a session does to its match: acting in words, taking back, and playing again."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.players import read_action


def act(match: AnyMatch, line: str, seat: Seat) -> None:
    """Play the action that a line means for a seat.

    Raises:
        CommandError: it does not mean any action.
        IllegalAction: it is not allowed now.
    """
    match.play(understood(match, line, seat))


def understood(match: AnyMatch, line: str, seat: Seat) -> Any:
    """The action that a line means for a seat.

    Raises:
        CommandError: it does not mean any action.
    """
    actions, texts = match.legal_actions(seat), match.action_texts
    return read_action(match.game, line, match.view(seat), seat, actions, texts=texts)


def undo(match: AnyMatch, actions: int | None, people: Container[Seat]) -> None:
    """Undo `actions` actions; without a number, the last one of a person and all after it.

    Raises:
        ValueError: there are not so many.
    """
    match.undo(_since_last_turn(match, people) if actions is None else actions)


def _since_last_turn(match: AnyMatch, people: Container[Seat]) -> int:
    """How many actions lie after the last time that a person was to act."""
    past, actions = match.clone(), match.actions
    count = 0
    while past.ply:
        past.undo()
        count += 1
        if past.actor(actions[past.ply]) in people:
            return count
    raise ValueError("nothing can be taken back: nobody has acted yet")


def redo(
    match: AnyMatch,
    actions: int | None,
    people: Container[Seat],
    changed: Callable[[], object],
) -> None:
    """Play undone actions again; when not told how many, until a person is to act.

    Args:
        match: what is played.
        actions: how many.
        people: the seats that people decide for.
        changed: called after each step, as long as the match stands there.

    Raises:
        ValueError: there are not so many.
    """
    if not match.undone:
        raise ValueError("nothing can be played again: nothing has been taken back")
    match.redo(actions or 1)
    changed()
    while actions is None and match.undone and _next_again(match) not in people:
        match.redo()
        changed()


def _next_again(match: AnyMatch) -> Seat:
    """Whose action would be played again next."""
    ahead = match.clone()
    ahead.redo()
    return match.actor(ahead.actions[-1])
