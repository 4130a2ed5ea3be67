"""What a session does to its match: acting in words, taking back, and playing again."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
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


def since_last_turn(match: AnyMatch, people: Container[Seat]) -> int:
    """How many actions lie after the last time that a person was to act.

    Raises:
        ValueError: none ever was.
    """
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
    """Play undone actions again: `actions` of them, by default until a person is to act.

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
    while actions is None and match.undone and next(seats_again(match, 1)) not in people:
        match.redo()
        changed()


def seats_again(match: AnyMatch, actions: int) -> Iterator[Seat]:
    """Whose actions would be played again next, so many at most."""
    ahead = match.clone()
    for _ in range(min(actions, match.undone)):
        before = ahead.clone()
        ahead.redo()
        yield before.actor(ahead.actions[-1])
