"""What may be said of an action to those who look on: not what it was, as long as it is secret."""

from __future__ import annotations

from typing import Any, Final

from tabletop.events import ActionPlayed
from tabletop.game import Game, Seat
from tabletop.match import Match
from tabletop.text import TextView

SECRET_TRIES: Final = 12
"""How many other actions are tried to find out whether one was secret."""


def say_action(
    text: TextView[Any], match: Match[Any, Any], event: ActionPlayed, watcher: Seat | None = None
) -> str:
    """What a game says of an action; only that a choice was made where more would tell a secret.

    A choice is secret as long as everything looks as if another had been made. A game that has
    words of its own for it knows what it says.

    Args:
        text: how the game reads.
        match: at the action, or some actions after it.
        event: the action.
        watcher: who is told; None for everybody at the table.
    """
    said = text.event(event, match.names)
    plain: str = TextView.event(text, event, match.names)
    if said != plain or event.seat == watcher or type(match.game).view is Game.view:
        return said
    past = match.clone()
    past.undo(past.ply - event.ply + 1)
    others = [other for other in past.legal_actions(event.seat) if other != event.action]
    seen = _seen_after(past, event.action, watcher)
    if any(_seen_after(past, other, watcher) == seen for other in others[:SECRET_TRIES]):
        return f"{match.names[event.seat]} has chosen."
    return said


def _seen_after(match: Match[Any, Any], action: Any, watcher: Seat | None) -> object:
    """What the watcher would see if `action` were played."""
    after = match.clone()
    after.play(action)
    return after.view(watcher)
