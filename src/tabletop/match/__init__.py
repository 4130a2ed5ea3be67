"""One playing of a game: history, position, observers, undo, and who decides for a seat."""

from tabletop.match.history import CHECKPOINT_PLIES
from tabletop.match.match import AnyMatch
from tabletop.match.match_view import MatchView
from tabletop.match.observers import Recorder, Seen, Told
from tabletop.match.players import AnyPlayer, SamplingPlayer, ask, read_action
from tabletop.match.playouts import playout

__all__ = [
    "CHECKPOINT_PLIES",
    "AnyMatch",
    "AnyPlayer",
    "MatchView",
    "Recorder",
    "SamplingPlayer",
    "Seen",
    "Told",
    "ask",
    "playout",
    "read_action",
]
