"""A match of a game: its history, its position, its observers, and undo."""

from tabletop.match.history import CHECKPOINT_PLIES
from tabletop.match.match import AnyMatch, Match
from tabletop.match.match_view import MatchView
from tabletop.match.observers import Recorder, Seen, Told

__all__ = ["CHECKPOINT_PLIES", "AnyMatch", "Match", "MatchView", "Recorder", "Seen", "Told"]
