"""Looking back: the view of an earlier position of a match."""

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
"""Maximum number of events before an earlier position, for pictures that show them."""


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier position, as seen by a seat or a spectator.

    Attributes:
        ply: The number of actions played before.
        view: The view of the watcher.
        to_act: The seats to act at that position.
        outcome: The outcome of the match, or None if it was not over.
        recent: The events of the last action, as the watcher has received them.
        told: The last events up to the position, including `recent`.
    """

    ply: int
    view: Any
    to_act: Sequence[Seat]
    outcome: Outcome | None
    recent: Sequence[Event]
    told: Sequence[Event]


def look_back(match: AnyMatch, ply: int, watcher: Seat | None) -> Past:
    """Return the position after `ply` actions, as seen by a seat or a spectator (None).

    The actions are repeated on a clone, so that the result does not contain undone actions.

    Raises:
        ValueError: The match has fewer actions.
    """
    if not 0 <= ply <= match.ply:
        raise ValueError(f"{plural(ply, 'action')}: {match.ply} played so far")
    past = match.clone()
    first = max(0, ply - MAX_EVENTS)
    past.undo(past.ply - first)
    past.on_observer_failure(bool)  # failures were reported the first time
    events: list[tuple[int, Event]] = []
    past.observe(lambda event: events.append((past.ply, event)), seat=watcher)
    past.redo(ply - first)
    return Past(
        ply,
        past.view(watcher),
        past.to_act,
        past.outcome,
        tuple(event for played, event in events if played == ply),
        tuple(event for _, event in events[-MAX_EVENTS:]),
    )
