"""Score sheets of finished matches, their ranking, and the score book that stores them."""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "DAILY",
    "FRESH",
    "GIVEN",
    "WEEKLY",
    "MemoryRecorder",
    "ScoreBook",
    "ScoreSheet",
    "keep_score",
    "newcomers_hint",
    "ranked",
    "verified",
]

if TYPE_CHECKING:
    from tabletop.scores.book import ScoreBook
    from tabletop.scores.save_score import keep_score, newcomers_hint
    from tabletop.scores.sheets import DAILY, FRESH, GIVEN, WEEKLY, ScoreSheet, ranked
    from tabletop.scores.verify import MemoryRecorder, verified
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
