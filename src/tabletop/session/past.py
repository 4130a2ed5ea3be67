"""Looking back: what somebody saw of a match at an earlier moment of its present line of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tabletop.match.match import AnyMatch
from tabletop.rules.events import Event
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.wording import plural

MAX_EVENTS: Final = 100
"""So many of the last events are told: a picture may show something of them."""


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier position, as a seat or a spectator saw it.

    Attributes:
        ply: the number of actions that had been played.
        view: what the watcher saw of the state.
        to_act: the seats that were to act.
        outcome: how the match ended; None where it went on.
        recent: the events of the last action, as the watcher was told of them.
        told: the last events up to then, `recent` and earlier ones.
    """

    ply: int
    view: Any
    to_act: Sequence[Seat]
    outcome: Outcome | None
    recent: Sequence[Event]
    told: Sequence[Event]


def look_back(match: AnyMatch, ply: int, watcher: Seat | None) -> Past:
    """Return the position of a match after `ply` actions, as a seat or a spectator (None) saw it.

    The last actions up to then are played again on a clone, so that nothing is in it that has been
    undone.

    Raises:
        ValueError: so many have not been played.
    """
    if not 0 <= ply <= match.ply:
        raise ValueError(f"{plural(ply, 'action')}: {match.ply} played so far")
    past = match.clone()
    first = max(0, ply - MAX_EVENTS)
    past.undo(past.ply - first)
    past.on_observer_failure(bool)  # it was reported when it happened
    told: list[tuple[int, Event]] = []
    past.observe(lambda event: told.append((past.ply, event)), seat=watcher)
    past.redo(ply - first)
    return Past(
        ply,
        past.view(watcher),
        past.to_act,
        past.outcome,
        tuple(event for played, event in told if played == ply),
        tuple(event for _, event in told[-MAX_EVENTS:]),
    )
