"""The outcome of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite
from operator import index
from typing import SupportsFloat, SupportsIndex, TypeAlias

from tabletop.states.bounds import Seat
from tabletop.wording import no_seat

Points: TypeAlias = tuple[int | float, ...]
"""The points of each seat, in order; empty in a game without points."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match.

    `win`, `draw`, `by_score` and `together` make most of them; several winners are a group:
    `Outcome(((0, 2), (1,)), "the tower stands")`.

    Attributes:
        ranking: groups of seats from best to worst; seats in one group are tied. Every seat of the
            match stands in exactly one group: `check_game` tests that, not the class.
        reason: the cause of the end, for people; may be empty.
        abandoned: True when the match was broken off and nobody won.
        points: the points of each seat, in order; empty in a game without points. The ranking says
            whether more or fewer are better.
        best: the best points there are, where all seats win or lose together; None elsewhere.

    Raises:
        ValueError: there are points, but not a finite number for each seat; or there is a `best`,
            and not one group of seats with the same points from 0 to it.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str = ""
    abandoned: bool = False
    points: Points = ()
    best: int | float | None = None

    def __post_init__(self) -> None:
        if self.best is not None:
            _check_together(self.ranking, self.points, self.best)
        if not self.points:
            return
        seats = sum(map(len, self.ranking))
        if len(self.points) != seats:
            number = len(self.points)
            raise ValueError(f"points: one number for each seat, not {number} for {seats}")
        _check_finite(self.points)

    def __repr__(self) -> str:
        points = f", points={self.points!r}" if self.points else ""
        best = "" if self.best is None else f", best={self.best!r}"
        return f"{str(self)[:-1]}{points}{best})"

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
            TypeError: `winner` or `seats` is not a whole number.
            ValueError: The match has no such seat, or the points are not a finite number for each
                seat.

        >>> Outcome.win(1, seats=3, reason="no cards left").ranking
        ((1,), (0, 2))
        """
        won = _win(index(winner), index(seats), reason)
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

    @classmethod
    def together(
        cls, score: SupportsFloat, seats: int, *, best: SupportsFloat = 1, reason: str = ""
    ) -> Outcome:
        """Make an outcome of a match that all seats win or lose together.

        Args:
            score: what they reached, from 0: the points of each seat.
            seats: the number of seats of the match.
            best: the best score there is; who reaches it has won. By default 1, for games that are
                won or lost and no more: then `score` is 1 or 0.
            reason: the cause of the end, for people.

        Raises:
            ValueError: `score` is not a number from 0 to `best`, or `best` is not above 0.

        >>> Outcome.together(18, seats=3, best=25).winners
        ()
        >>> Outcome.together(1, seats=3).winners
        (0, 1, 2)
        """
        points = _plain([score] * seats)
        return cls((tuple(range(seats)),), reason, points=points, best=_number(best))

    @property
    def share(self) -> float | None:
        """The part of the best score that all reached together, from 0.0 to 1.0; else None."""
        return None if self.best is None else self.points[0] / self.best

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of the first group; none after a draw of all or when abandoned.

        Who plays together wins with the best score alone.
        """
        is_won = self.points[0] == self.best if self.best is not None else not self.is_draw
        return self.ranking[0] if is_won and not self.abandoned else ()

    @property
    def is_draw(self) -> bool:
        """True when all seats, at least two, are tied; False together, and when abandoned."""
        is_tied = len(self.ranking) == 1 and len(self.ranking[0]) > 1
        return is_tied and not self.abandoned and self.best is None

    @property
    def returns(self) -> tuple[float, ...]:
        """The worth of the match to each seat, from -1 to 1: for learning and for ratings.

        The first place is worth 1 and the last -1; the places between lie evenly. Tied seats share
        the mean of their places. So two players get 1 and -1, three get 1, 0 and -1, and one winner
        before two who are tied gets 1, they -0.5 each. The sum is 0, but for rounding. After a draw
        of all, when abandoned, and for who plays alone, all are 0.

        Only the ranking counts, not the points; but who plays together has the same: -1 for a score
        of 0, 1 for the best one.

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
        if self.share is not None and not self.abandoned:
            return (2 * self.share - 1,) * seats
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

    def standing(self, seat: Seat) -> float:
        """Return the place of a seat from 0.0 (the last) to 1.0 (the first, or alone).

        Places lie evenly, and tied seats share the mean of theirs.

        Raises:
            ValueError: the outcome does not rank `seat`.
        """
        others = sum(map(len, self.ranking)) - 1
        before = 0
        for group in self.ranking:
            if seat in group:
                return 1.0 - (before + (len(group) - 1) / 2) / others if others else 1.0
            before += len(group)
        raise ValueError(f"the outcome does not rank seat {seat + 1} (index {seat})")

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
    # Without points: the cache would confuse 1 and 1.0.
    if not 0 <= winner < seats:
        raise ValueError(no_seat(winner, seats))
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


def _check_together(ranking: tuple[tuple[Seat, ...], ...], points: Points, best: float) -> None:
    """Check that a score of all seats together lies from 0 to the best one."""
    if not (isfinite(best) and best > 0):
        raise ValueError(f"the best score is a number above 0, not {best}")
    if len(ranking) != 1 or len(set(points)) != 1 or not 0 <= points[0] <= best:
        raise ValueError(f"together all seats have one score from 0 to {best}, not {points}")


def _check_finite(points: Points) -> None:
    """Check that every point is a finite number."""
    for seat, point in enumerate(points):
        if isinstance(point, float) and not isfinite(point):
            raise ValueError(f"points are finite numbers: seat {seat} has {point}")
