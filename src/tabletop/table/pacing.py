"""The pacing of bots: pauses in which people see each move."""

from __future__ import annotations

from typing import Final

UNHURRIED: Final = 8
"""The number of bot moves in a row shown at full length. Three bots that trade make forty."""

HURRY: Final = 4
"""The factor by which later pauses are shorter, because a person waits for their turn."""


def pause_before(moves: int, pause: float) -> float:
    """Return the seconds before a bot's move, after the given number of moves in a row."""
    return pause if moves < UNHURRIED else pause / HURRY


class Pacing:
    """The time of the next move of a bot.

    Args:
        pause: The seconds before the first moves in a row.

    Attributes:
        deadline: The time of the next move, or None if no move is planned.
    """

    def __init__(self, pause: float) -> None:
        self.deadline: float | None = None
        self._pause = pause
        self._moves = 0  # in a row
        self._looks_until = 0.0

    def show(self, seconds: float, now: float) -> None:
        """Give people some seconds to look at the position before the next move is planned."""
        self._looks_until = max(self._looks_until, now + seconds)

    def is_time(self, now: float, *, hurries: bool, watched: bool, delay: float) -> bool:
        """Plan the next move if none is planned, and check whether its time has come.

        Args:
            now: The present time.
            hurries: Whether a person waits for their turn, so that later pauses are shorter.
            watched: Whether somebody looks at the position.
            delay: The shortest pause, in seconds.
        """
        if self.deadline is None:
            pause = max(delay, pause_before(self._moves if hurries else 0, self._pause))
            self.deadline = max(now + pause, self._looks_until if watched else now)
        return now >= self.deadline

    def hurry(self, *, watched: bool) -> None:
        """Plan the next move at once, or after the seconds given to `show`.

        Args:
            watched: Whether somebody looks at the position.
        """
        self.deadline = self._looks_until if watched else 0.0

    def asked(self) -> None:
        """End the pause, because a bot has been asked for its move."""
        self.deadline = None

    def moved(self) -> None:
        """Count a move."""
        self._moves += 1

    def rest(self) -> None:
        """End the row of moves, because no bot is to act."""
        self._moves, self.deadline = 0, None
