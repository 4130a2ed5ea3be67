"""The outcome of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite
from operator import index
from typing import SupportsFloat, SupportsIndex, TypeAlias

from tabletop.states.bounds import Seat

Points: TypeAlias = tuple[int | float, ...]
"""The points of each seat, in order; empty in a game without points."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match.

    `win`, `draw` and `by_score` make most of them; several winners are a group:
    `Outcome(((0, 2), (1,)), "the tower stands")`.

    Attributes:
        ranking: groups of seats from best to worst; seats in one group are tied. Every seat of the
            match stands in exactly one group: `check_game` tests that, not the class.
        reason: the cause of the end, for people; may be empty.
        abandoned: True when the match was broken off and nobody won.
        points: the points of each seat, in order; empty in a game without points. The ranking says
            whether more or fewer are better.

    Raises:
        ValueError: there are points, but not a finite number for each seat.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str = ""
    abandoned: bool = False
    points: Points = ()

    def __post_init__(self) -> None:
        if not self.points:
            return
        seats = sum(map(len, self.ranking))
        if len(self.points) != seats:
            number = len(self.points)
            raise ValueError(f"points: one number for each seat, not {number} for {seats}")
        _check_finite(self.points)

    def __repr__(self) -> str:
        points = f", points={self.points!r}" if self.points else ""
        return f"{str(self)[:-1]}{points})"

    def __str__(self) -> str:
        """Format as `repr` does, without the points."""
        fields = f"ranking={self.ranking!r}, reason={self.reason!r}, abandoned={self.abandoned!r}"
        return f"Outcome({fields})"

    @classmethod
    def win(
        cls, winner: Seat, seats: int, reason: str = "", *, points: Sequence[float] = ()
    ) -> Outcome:
        """Make an outcome with `winner` before all others, who are tied.

        Args:
            winner: a seat of the match.
            seats: the number of seats of the match.
            reason: the cause of the end, for people.
            points: the points of each seat, in order; none by default.

        Raises:
            ValueError: there are points, but not a finite number for each seat.

        >>> Outcome.win(1, seats=3, reason="no cards left").ranking
        ((1,), (0, 2))
        """
        won = _win(winner, seats, reason)
        return replace(won, points=_plain(points)) if len(points) else won

    @classmethod
    def draw(cls, seats: int, reason: str = "", *, points: Sequence[float] = ()) -> Outcome:
        """Make an outcome with all seats tied; its other arguments and errors are as of `win`."""
        drawn = _draw(seats, reason)
        return replace(drawn, points=_plain(points)) if len(points) else drawn

    @classmethod
    def abandon(cls, seats: int, reason: str = "", *, points: Sequence[float] = ()) -> Outcome:
        """Make an outcome of a match broken off: all seats tied, no winner.

        Its other arguments and errors are those of `win`.
        """
        return cls((tuple(range(seats)),), reason, abandoned=True, points=_plain(points))

    @classmethod
    def by_score(
        cls, scores: Sequence[float], reason: str = "", *, lowest_wins: bool = False
    ) -> Outcome:
        """Rank the highest score first, or the lowest; tie equal ones. Scores become points.

        Args:
            scores: one for each seat, in order, of any number type.
            reason: the cause of the end, for people.
            lowest_wins: whether fewer are better, as strokes in golf.

        Raises:
            ValueError: a score is infinite, or not a number.

        >>> Outcome.by_score([12, 30, 12], "the deck is empty").ranking
        ((1,), (0, 2))
        >>> Outcome.by_score([12, 30, 12], lowest_wins=True).ranking
        ((0, 2), (1,))
        """
        points = _plain(scores)
        _check_finite(points)
        ranking = tuple(
            tuple(seat for seat, own in enumerate(scores) if own == score)
            for score in sorted(set(scores), reverse=not lowest_wins)
        )
        return cls(ranking, reason, points=points)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of the first group; none after a draw of all or when abandoned."""
        return () if self.abandoned or self.is_draw else self.ranking[0]

    @property
    def is_draw(self) -> bool:
        """True when all seats, at least two, are tied; False when abandoned."""
        return not self.abandoned and len(self.ranking) == 1 and len(self.ranking[0]) > 1

    @property
    def returns(self) -> tuple[float, ...]:
        """The worth of the match to each seat, from -1 to 1: for learning and for ratings.

        The first place is worth 1 and the last -1; the places between lie evenly. Tied seats share
        the mean of their places. So two players get 1 and -1, three get 1, 0 and -1, and one winner
        before two who are tied gets 1, they -0.5 each. The sum is 0, but for rounding. After a draw
        of all, when abandoned, and for who plays alone, all are 0.

        Only the ranking counts, not the points.

        Raises:
            ValueError: the ranking does not rank every seat from 0 on once.

        >>> Outcome.by_score([12, 30, 12]).returns
        (-0.5, 1.0, -0.5)
        """
        ranked = [seat for group in self.ranking for seat in group]
        seats = len(ranked)
        if sorted(ranked) != list(range(seats)):
            raise ValueError(f"{self.ranking} does not rank each seat from 0 to {seats - 1} once")
        worth = [0.0] * seats
        if self.abandoned or seats < 2:
            return tuple(worth)
        # A group shares the mean of its places: worse seats minus better ones, scaled to one.
        better = 0
        for group in self.ranking:
            worse = seats - better - len(group)
            for seat in group:
                worth[seat] = (worse - better) / (seats - 1)
            better += len(group)
        return tuple(worth)

    def rank(self, seat: Seat) -> int:
        """Return the index of the group of `seat`, 0 for the best.

        Raises:
            ValueError: the outcome does not rank `seat`.
        """
        for rank, group in enumerate(self.ranking):
            if seat in group:
                return rank
        raise ValueError(f"the outcome does not rank seat {seat + 1} (index {seat})")


@lru_cache(maxsize=256)  # a simulation of very many matches ends in few ways
def _win(winner: Seat, seats: int, reason: str) -> Outcome:
    # Without points: 1 and 1.0 are one key, and must not be taken for each other.
    others = tuple(seat for seat in range(seats) if seat != winner)
    return Outcome(((winner,), others) if others else ((winner,),), reason)


@lru_cache(maxsize=256)
def _draw(seats: int, reason: str) -> Outcome:
    return Outcome((tuple(range(seats)),), reason)


def _plain(points: Sequence[SupportsFloat]) -> Points:
    """Convert points to plain ints and floats, whatever number type a game uses."""
    return tuple(map(_number, points))


def _number(point: SupportsFloat) -> int | float:
    return index(point) if isinstance(point, SupportsIndex) else float(point)


def _check_finite(points: Points) -> None:
    """Check that every point is a finite number."""
    for seat, point in enumerate(points):
        if isinstance(point, float) and not isfinite(point):
            raise ValueError(f"points are finite numbers: seat {seat} has {point}")
