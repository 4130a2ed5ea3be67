"""One playing of a game: what has been played, where it stands, who is told, and the way back."""

from tabletop.match.audience import Recorder
from tabletop.match.history import CHECKPOINT_PLIES
from tabletop.match.match import Match
from tabletop.match.position import Position

__all__ = ["CHECKPOINT_PLIES", "Match", "Position", "Recorder"]
