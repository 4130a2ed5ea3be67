"""What an effect is, and whom it acts on; `sorcery.effects` has those that there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from typing_extensions import override

from sorcery.state import Minion, SorceryState
from sorcery.triggers import Aim, Moment
from tabletop import Seat


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


@dataclass(slots=True)
class Prospect:
    """What an effect would meet if a card were played or an ability used now.

    Attributes:
        state: what lies on the table.
        seat: who plays.
        aim: what is named, if anything.
        spent: how many cards will have left the player's hand by then.
    """

    state: SorceryState
    seat: Seat
    aim: Aim | None
    spent: int


class Effect(ABC):
    """Something that a card does. Derive a frozen dataclass and fill in `happen`.

    Attributes:
        is_conditional: whether there can be an `obstacle` to it; worked out by itself.
        takes_rituals: whether its target may be a ritual.
    """

    __slots__ = ()

    is_conditional: ClassVar[bool] = False
    takes_rituals: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        cls.is_conditional = cls.obstacle is not Effect.obstacle

    def parts(self) -> tuple[Effect, ...]:
        """The single effects it consists of."""
        return (self,)

    @abstractmethod
    def happen(self, moment: Moment) -> None:
        """Do it."""

    def is_possible(self, moment: Moment) -> bool:
        """Whether a trigger with this effect occurs: what it is aimed at must be there."""
        return True

    def obstacle(self, prospect: Prospect) -> str:
        """Why it cannot be played or used now, as a sentence; empty when it can."""
        return ""


@dataclass(frozen=True, slots=True)
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
    """The minions that `whom` means."""
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
    """What was named, with whose it is now; None when it has left the board."""
    aim, engine = moment.aim, moment.engine
    if aim is None or aim.minion is None:
        return aim if aim and engine.side(aim.seat).ritual else None
    seat = engine.seat_of(aim.minion)
    return None if seat is None else Aim(seat, aim.minion)
