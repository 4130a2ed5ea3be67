"""Matches: play, undo, observers, players and random playouts."""

from tabletop.match.history import CHECKPOINT_PLIES
from tabletop.match.match import AnyMatch
from tabletop.match.match_view import MatchView
from tabletop.match.observers import DeliveredEvent, Recorder, SeatHistory
from tabletop.match.players import AnyPlayer, SamplingPlayer, ask, read_action
from tabletop.match.playouts import playout

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
    "read_action",
]
