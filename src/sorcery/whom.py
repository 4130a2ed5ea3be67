"""Whom an effect acts on: the target, a minion that set a trigger off, or all of some kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from typing_extensions import override

from sorcery.effect import Aim, Effect, Moment
from sorcery.state import Minion
from tabletop.classes import frozen


class Whom(StrEnum):
    """Which minions an effect acts on."""

    TARGET = "the target"
    SUBJECT = "the minion that set the trigger off"
    ITSELF = "the minion itself"
    OWN = "all your minions"
    ENEMIES = "all the opponent's minions"
    ALL = "all minions"
    RANDOM_ENEMY = "a random minion of the opponent"


# Asked for often, and slow to look up in an enumeration.
_SUBJECT, _ALL, _OWN, _RANDOM_ENEMY = Whom.SUBJECT, Whom.ALL, Whom.OWN, Whom.RANDOM_ENEMY


@frozen
class OnMinions(Effect):
    """The base of effects that act on minions, one after the other in APNAP order.

    Attributes:
        whom: which minions.
    """

    whom: Whom = Whom.TARGET

    @override
    def happen(self, moment: Moment) -> None:
        for minion in affected(self.whom, moment):
            if moment.engine.goes_on():
                self.act(moment, minion)

    @override
    def is_possible(self, moment: Moment) -> bool:
        whom = self.whom
        if whom is _SUBJECT:
            subject = moment.subject
            return subject is not None and moment.engine.seat_of(subject) is not None
        if whom is _RANDOM_ENEMY:
            return bool(moment.engine.side(1 - moment.seat).minions)
        return True

    @abstractmethod
    def act(self, moment: Moment, minion: Minion) -> None:
        """Do it to one minion."""


def affected(whom: Whom, moment: Moment) -> list[Minion]:
    """The minions that `whom` means at a moment, in APNAP order; empty when there are none."""
    single = _SINGLE.get(whom)
    if single is not None:
        minion = single(moment)
        return [minion] if isinstance(minion, Minion) else []
    engine = moment.engine
    if whom is _ALL:
        return engine.minions()
    seat = moment.seat if whom is _OWN else 1 - moment.seat
    minions = list(engine.side(seat).minions)
    if whom is _RANDOM_ENEMY and minions:
        return [engine.table.rng["chance", moment.seat].choice(minions)]
    return minions


_SINGLE: Final[Mapping[Whom, Callable[[Moment], object]]] = {
    Whom.TARGET: lambda moment: moment.aim and moment.aim.minion,
    Whom.SUBJECT: lambda moment: moment.subject,
    Whom.ITSELF: lambda moment: moment.source,
}
"""Where a single minion is found."""


def aim_now(moment: Moment) -> Aim | None:
    """The target with its present owner; None when it has left the board.

    A minion may have changed sides since it was named.
    """
    aim, engine = moment.aim, moment.engine
    if aim is None or aim.minion is None:
        return aim if aim and engine.side(aim.seat).ritual else None
    seat = engine.seat_of(aim.minion)
    return None if seat is None else Aim(seat, aim.minion)
