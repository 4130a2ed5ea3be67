"""One playing of a game: its history, its position, its observers, and undo."""

from tabletop.match.audience import Recorder
from tabletop.match.history import CHECKPOINT_PLIES
from tabletop.match.match import AnyMatch, Match
from tabletop.match.position import Position

__all__ = ["CHECKPOINT_PLIES", "AnyMatch", "Match", "Position", "Recorder"]
