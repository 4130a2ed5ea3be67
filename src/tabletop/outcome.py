"""How a match can end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

Seat: TypeAlias = int
"""A place at the table, counted from 0 in clockwise order."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    Attributes:
        ranking: groups of seats from best to worst; seats in one group are tied. Every seat of the
            match stands in exactly one group.
        reason: what ended the match, for people; may be empty.
        abandoned: True when the match was broken off and nobody won.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str = ""
    abandoned: bool = False

    @classmethod
    def win(cls, winner: Seat, seats: int, reason: str = "") -> Outcome:
        """`winner` before all others, who are tied."""
        return _win(winner, seats, reason)

    @classmethod
    def draw(cls, seats: int, reason: str = "") -> Outcome:
        """All seats tied."""
        return cls((tuple(range(seats)),), reason)

    @classmethod
    def abandon(cls, seats: int, reason: str = "") -> Outcome:
        """Broken off: all seats tied, and nobody won."""
        return cls((tuple(range(seats)),), reason, abandoned=True)

    @classmethod
    def by_score(cls, scores: Sequence[float], reason: str = "") -> Outcome:
        """The highest score first; equal scores are tied. One score a seat."""
        ranking = tuple(
            tuple(seat for seat, own in enumerate(scores) if own == score)
            for score in sorted(set(scores), reverse=True)
        )
        return cls(ranking, reason)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of the first group; none after a draw of all or when abandoned."""
        return () if self.abandoned or self.is_draw else self.ranking[0]

    @property
    def is_draw(self) -> bool:
        """Whether several seats are all tied."""
        return not self.abandoned and len(self.ranking) == 1 and len(self.ranking[0]) > 1

    def rank(self, seat: Seat) -> int:
        """The group that `seat` stands in, from 0 for the best.

        Raises:
            ValueError: the outcome does not rank `seat`.
        """
        for rank, group in enumerate(self.ranking):
            if seat in group:
                return rank
        raise ValueError(f"the outcome does not rank seat {seat + 1} (index {seat})")


@lru_cache(maxsize=256)  # a simulation of very many matches ends in few ways
def _win(winner: Seat, seats: int, reason: str) -> Outcome:
    others = tuple(seat for seat in range(seats) if seat != winner)
    return Outcome(((winner,), others) if others else ((winner,),), reason)
