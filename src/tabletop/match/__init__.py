"""One playing of a game: its history, its position, its observers, and undo."""

from tabletop.match.history import CHECKPOINT_PLIES
from tabletop.match.match import AnyMatch, Match
from tabletop.match.observers import Recorder
from tabletop.match.view import MatchView

__all__ = ["CHECKPOINT_PLIES", "AnyMatch", "Match", "MatchView", "Recorder"]
