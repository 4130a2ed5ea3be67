"""Score sheets of finished matches, their ranking, and the score book that stores them."""

from tabletop.scores.book import ScoreBook
from tabletop.scores.save_score import keep_score
from tabletop.scores.sheets import DAILY, FRESH, GIVEN, WEEKLY, ScoreSheet, ranked
from tabletop.scores.verify import MemoryRecorder, verified

__all__ = [
    "DAILY",
    "FRESH",
    "GIVEN",
    "WEEKLY",
    "MemoryRecorder",
    "ScoreBook",
    "ScoreSheet",
    "keep_score",
    "ranked",
    "verified",
]
