"""Matches: play, undo, observers, players and random playouts."""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "CHECKPOINT_PLIES",
    "AnyMatch",
    "AnyPlayer",
    "DeliveredEvent",
    "MatchView",
    "Recorder",
    "SamplingPlayer",
    "SeatHistory",
    "ask",
    "playout",
]

if TYPE_CHECKING:
    from tabletop.match.history import CHECKPOINT_PLIES
    from tabletop.match.match import AnyMatch
    from tabletop.match.match_view import MatchView
    from tabletop.match.observers import DeliveredEvent, Recorder, SeatHistory
    from tabletop.match.players import AnyPlayer, SamplingPlayer, ask
    from tabletop.match.playouts import playout
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
