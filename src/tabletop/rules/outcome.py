"""The outcome of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from math import isfinite
from operator import index, itemgetter
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

from tabletop.states.bounds import Seat
from tabletop.wording import no_seat

Points: TypeAlias = tuple[int | float, ...]
"""The points of each seat in order. Empty in a game without points."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match.

    Use `win`, `draw`, `by_score`, `teams` or `together` to create one.

    Attributes:
        ranking: Groups of seats from best to worst. Seats in the same group are tied. Every seat of
            the match must be in exactly one group, which `check_game` tests.
        reason: The reason for the end, for display. May be empty.
        abandoned: Whether the match was abandoned. Nobody wins an abandoned match.
        points: The points of each seat in order. Empty in a game without points. The ranking
            determines whether more or fewer points are better.
        best: The best possible score in a cooperative game, or None.
        factions: The name of each seat's team in order. Empty in a game without named teams.
        roles: The name of each seat's role in order. Empty in a game without roles.

    Raises:
        ValueError: `points` is not empty but does not contain a finite number for each seat,
            `factions` or `roles` is not empty but does not contain a name for each seat, or `best`
            is given but the seats are not a single group with the same points from 0 to `best`.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str = ""
    abandoned: bool = False
    points: Points = ()
    best: int | float | None = None
    factions: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field, names in (("factions", self.factions), ("roles", self.roles)):
            if names and len(names) != (seats := sum(map(len, self.ranking))):
                number = len(names)
                raise ValueError(
                    f"{field} must have a name for each of {seats} seats, not {number}"
                )
        if self.best is not None:
            _check_together(self.ranking, self.points, self.best)
        if not self.points:
            return
        seats = sum(map(len, self.ranking))
        if len(self.points) != seats:
            number = len(self.points)
            raise ValueError(f"points must have a number for each of {seats} seats, not {number}")
        _check_finite(self.points)

    def __repr__(self) -> str:
        points = f", points={self.points!r}" if self.points else ""
        best = "" if self.best is None else f", best={self.best!r}"
        factions = f", factions={self.factions!r}" if self.factions else ""
        roles = f", roles={self.roles!r}" if self.roles else ""
        return f"{str(self)[:-1]}{points}{best}{factions}{roles})"

    def __str__(self) -> str:
        """Return the same text as `repr`, but without the points."""
        fields = f"ranking={self.ranking!r}, reason={self.reason!r}, abandoned={self.abandoned!r}"
        return f"Outcome({fields})"

    @classmethod
    def win(
        cls, winner: Seat, seats: int, reason: str = "", *, points: Sequence[float] = ()
    ) -> Outcome:
        """Return an outcome in which `winner` wins and all other seats are tied.

        Args:
            winner: The winning seat.
            seats: The number of seats of the match.
            reason: The reason for the end, for display.
            points: The points of each seat in order. By default, there are no points.

        Raises:
            TypeError: `winner` or `seats` is not an integer.
            ValueError: The match does not have this seat, or the points are not a finite number for
                each seat.

        >>> Outcome.win(1, seats=3, reason="no cards left").ranking
        ((1,), (0, 2))
        """
        won = _win(index(winner), index(seats), reason)
        return replace(won, points=_plain(points)) if len(points) else won

    @classmethod
    def draw(cls, seats: int, reason: str = "", *, points: Sequence[float] = ()) -> Outcome:
        """Return an outcome in which all seats are tied. See `win` for arguments and errors."""
        drawn = _draw(seats, reason)
        return replace(drawn, points=_plain(points)) if len(points) else drawn

    @classmethod
    def abandon(cls, seats: int, reason: str = "", *, points: Sequence[float] = ()) -> Outcome:
        """Return the outcome of an abandoned match: all seats tied, and no winner.

        See `win` for the other arguments and errors.
        """
        return cls((tuple(range(seats)),), reason, abandoned=True, points=_plain(points))

    @classmethod
    def by_score(
        cls,
        scores: Sequence[float],
        reason: str = "",
        *,
        lowest_wins: bool = False,
        tie_break: Sequence[Any] | None = None,
    ) -> Outcome:
        """Return an outcome ranked by score.

        Equal scores are tied, and the scores become the points.

        Args:
            scores: The score of each seat in order, of any number type.
            reason: The reason for the end, for display.
            lowest_wins: Whether a lower score is better, as with strokes in golf.
            tie_break: A value for each seat in order, such as a number or a list of numbers. Seats
                with equal scores are ranked by it, the highest first. By default, they are tied.

        Raises:
            ValueError: A score is infinite or NaN, or a value of `tie_break` is missing.

        >>> Outcome.by_score([12, 30, 12], "the deck is empty").ranking
        ((1,), (0, 2))
        >>> Outcome.by_score([12, 30, 12], lowest_wins=True).ranking
        ((0, 2), (1,))
        """
        points = _plain(scores)
        _check_finite(points)
        breaks = [0] * len(points) if tie_break is None else tie_break
        values = [tuple(it) if isinstance(it, list) else it for it in breaks]
        if len(values) != len(points):
            seats, number = len(points), len(values)
            raise ValueError(f"tie_break must have a value for each of {seats} seats, not {number}")
        keys = [*zip(scores, values, strict=True)]
        order = sorted(sorted(set(keys), reverse=True), key=itemgetter(0), reverse=not lowest_wins)
        ranking = tuple(tuple(seat for seat, own in enumerate(keys) if own == key) for key in order)
        return cls(ranking, reason, points=points)

    @classmethod
    def teams(
        cls,
        *teams: Sequence[Seat],
        names: Sequence[str] = (),
        roles: Sequence[str] = (),
        reason: str = "",
        points: Sequence[float] = (),
        drawn: bool = False,
    ) -> Outcome:
        """Return an outcome in which teams win or lose.

        Args:
            teams: The seats of each team, from the best team to the worst.
            names: The name of each team, in the order of `teams`. They become `factions`. If the
                game declares `Game.factions`, studies report the win rate of each name.
            roles: The name of the role of each seat, in the order of seats, such as `"seer"`.
            reason: The reason for the end, for display.
            points: The points of each seat in order. By default, there are no points.
            drawn: Whether all teams are tied.

        Raises:
            ValueError: The teams do not contain every seat exactly once, or the number of names,
                roles or points is wrong.

        >>> Outcome.teams((0, 2), (1,), names=("spies", "loyal")).factions
        ('spies', 'loyal', 'spies')
        """
        ranking = tuple(map(tuple, teams))
        seats = sorted(seat for team in ranking for seat in team)
        if seats != list(range(len(seats))) or not all(ranking):
            raise ValueError(f"{ranking} does not contain each seat exactly once")
        if names and len(names) != len(ranking):
            raise ValueError(f"there are {len(ranking)} teams, but {len(names)} names")
        of_seat = {seat: name for team, name in zip(ranking, names, strict=False) for seat in team}
        return cls(
            (tuple(seats),) if drawn else ranking,
            reason,
            points=_plain(points),
            factions=tuple(of_seat[seat] for seat in seats) if names else (),
            roles=tuple(roles),
        )

    @classmethod
    def together(
        cls, score: SupportsFloat, seats: int, *, best: SupportsFloat = 1, reason: str = ""
    ) -> Outcome:
        """Return the outcome of a cooperative match, which all seats win or lose together.

        Args:
            score: The score of the team, at least 0. Each seat gets this number of points.
            seats: The number of seats of the match.
            best: The best possible score. The team wins if it reaches this score. By default, 1,
                for games without a score, which are either won (`score` 1) or lost (`score` 0).
            reason: The reason for the end, for display.

        Raises:
            ValueError: `score` is not between 0 and `best`, or `best` is not greater than 0.


        >>> Outcome.together(18, seats=3, best=25).winners
        ()
        >>> Outcome.together(1, seats=3).winners
        (0, 1, 2)
        """
        points = _plain([score] * seats)
        return cls((tuple(range(seats)),), reason, points=points, best=_number(best))

    @property
    def share(self) -> float | None:
        """The score of a cooperative match divided by the best possible score, or None."""
        return None if self.best is None else self.points[0] / self.best

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of the first group. Empty after a draw of all seats or an abandoned match.

        A team wins only with the best possible score.
        """
        is_won = self.points[0] == self.best if self.best is not None else not self.is_draw
        return self.ranking[0] if is_won and not self.abandoned else ()

    @property
    def is_draw(self) -> bool:
        """Whether all seats (at least two) are tied. False in cooperative and abandoned matches."""
        is_tied = len(self.ranking) == 1 and len(self.ranking[0]) > 1
        return is_tied and not self.abandoned and self.best is None

    @property
    def returns(self) -> tuple[float, ...]:
        """The result of each seat as a number from -1 to 1, for learning and for ratings.

        The first place is worth 1 and the last -1, with equal steps in between. Tied seats get the
        mean of their places. For example, two players get 1 and -1, three players get 1, 0 and -1,
        and if two players tie behind a winner, the winner gets 1 and the others -0.5 each. The sum
        is 0, apart from rounding. All values are 0 after a draw of all seats, an abandoned match,
        and for a single player.

        Points are ignored, except in a cooperative match, where each seat gets a value from -1 (a
        score of 0) to 1 (the best possible score).

        Raises:
            ValueError: `ranking` does not contain every seat exactly once.

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
        # A group gets the mean of its places: (worse seats - better seats), scaled to 1.
        better = 0
        for group in self.ranking:
            worse = seats - better - len(group)
            for seat in group:
                worth[seat] = (worse - better) / (seats - 1)
            better += len(group)
        return tuple(worth)

    def standing(self, seat: Seat) -> float:
        """Return the rank of a seat as a number from 0.0 (last) to 1.0 (first, or the only seat).

        Ranks are equally spaced, and tied seats get the mean of their ranks.

        Raises:
            ValueError: The outcome does not rank `seat`.
        """
        others = sum(map(len, self.ranking)) - 1
        before = 0
        for group in self.ranking:
            if seat in group:
                return 1.0 - (before + (len(group) - 1) / 2) / others if others else 1.0
            before += len(group)
        raise ValueError(f"the outcome does not rank seat {seat + 1} (index {seat})")

    def rank(self, seat: Seat) -> int:
        """Return the index of the group that contains `seat`, 0 for the best.

        Raises:
            ValueError: The outcome does not rank `seat`.
        """
        for rank, group in enumerate(self.ranking):
            if seat in group:
                return rank
        raise ValueError(f"the outcome does not rank seat {seat + 1} (index {seat})")


def fields_of(outcome: Outcome) -> dict[str, Any]:
    """Return the fields of an outcome by name, without `factions` and `roles` if they are empty."""
    data = {item.name: getattr(outcome, item.name) for item in fields(outcome)}
    return {name: it for name, it in data.items() if it or name not in {"factions", "roles"}}


@lru_cache(maxsize=256)  # the matches of a simulation have few different outcomes
def _win(winner: Seat, seats: int, reason: str) -> Outcome:
    # Points are not an argument, because the cache would confuse 1 and 1.0.
    if not 0 <= winner < seats:
        raise ValueError(no_seat(winner, seats))
    others = tuple(seat for seat in range(seats) if seat != winner)
    return Outcome(((winner,), others) if others else ((winner,),), reason)


@lru_cache(maxsize=256)
def _draw(seats: int, reason: str) -> Outcome:
    return Outcome((tuple(range(seats)),), reason)


def _plain(points: Sequence[SupportsFloat]) -> Points:
    """Convert points of any number type to ints and floats."""
    return tuple(map(_number, points))


def _number(point: SupportsFloat) -> int | float:
    return index(point) if isinstance(point, SupportsIndex) else float(point)


def _check_together(ranking: tuple[tuple[Seat, ...], ...], points: Points, best: float) -> None:
    """Check that all seats have the same score, from 0 to the best."""
    if not (isfinite(best) and best > 0):
        raise ValueError(f"the best score must be greater than 0, not {best}")
    if len(ranking) != 1 or len(set(points)) != 1 or not 0 <= points[0] <= best:
        raise ValueError(f"all seats must have the same score from 0 to {best}, not {points}")


def _check_finite(points: Points) -> None:
    for seat, point in enumerate(points):
        if isinstance(point, float) and not isfinite(point):
            raise ValueError(f"points must be finite, but seat {seat} has {point}")
