"""Concessions: the end of a match, or of a seat's part in it, by other means than the rules.

A seat loses by resigning or by running out of time, or the players agree to a draw. The rules of
the game are not involved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple, TypeAlias

from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat

ConcessionReason: TypeAlias = Literal["resigned", "time", "draw"]
"""Why a match ends or a seat loses: it resigned, it ran out of time, or all agreed to a draw."""

LossReason: TypeAlias = Literal["resigned", "time"]
"""Why a seat loses."""

_LOSSES: Final = {"resigned": "{} resigned", "time": "{} ran out of time"}


class Concession(NamedTuple):
    """A seat has lost, or the players have agreed to a draw.

    Attributes:
        ply: The number of actions played before.
        seat: The seat that has lost, or None for a draw.
        reason: "resigned", "time" or "draw".
    """

    ply: int
    seat: Seat | None
    reason: ConcessionReason


def loss_in_words(name: str, reason: ConcessionReason) -> str:
    """Describe the loss of a seat, such as `Ann resigned`."""
    return _LOSSES[reason].format(name)


def seats_lost(concessions: Sequence[Concession]) -> tuple[Seat, ...]:
    """Return the seats that have lost, in the order of their losses."""
    return tuple(it.seat for it in concessions if it.seat is not None)


def end_match(concessions: Sequence[Concession], seats: int) -> bool:
    """Return whether a draw was agreed, or at most one of `seats` seats has not lost."""
    lost = seats_lost(concessions)
    return len(lost) < len(concessions) or len(lost) >= seats - 1


def outcome_after(
    concessions: Sequence[Concession], names: Sequence[str], outcome: Outcome | None
) -> Outcome | None:
    """Return the outcome of a match with concessions, or None if it is not over.

    The seats that have lost are ranked last, and earlier losses are worse. The reason names them.

    Args:
        outcome: The outcome by the rules, or None if the rules have not ended the match.

    >>> outcome_after([Concession(3, 0, "resigned")], ["Ann", "Bo"], None)
    Outcome(ranking=((1,), (0,)), reason='Ann resigned', abandoned=False)
    """
    lost = seats_lost(concessions)
    is_draw = len(lost) < len(concessions)
    if outcome is None:
        if not end_match(concessions, len(names)):
            return None
        outcome = Outcome.draw(len(names), "by agreement" if is_draw else "")
    losses = [loss_in_words(names[it.seat], it.reason) for it in concessions if it.seat is not None]
    others = (tuple(seat for seat in group if seat not in lost) for group in outcome.ranking)
    ranking = (*filter(None, others), *((seat,) for seat in reversed(lost)))
    reason = ", ".join(filter(None, [outcome.reason, *losses]))
    return replace(outcome, ranking=ranking, reason=reason)
