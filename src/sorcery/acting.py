"""The bases of effects that act on minions or players; an effect of one's own derives from one."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from sorcery.effect import Effect, Kind, Moment
from sorcery.selector import Selector
from sorcery.state import Minion
from sorcery.whom import TARGET
from tabletop import Seat


@dataclass(frozen=True, slots=True)
class OnSome(Effect):
    """The base of effects that act on what a selector finds: fill in `happen`.

    Attributes:
        whom: what it acts on.
    """

    whom: Selector = TARGET

    @override
    def is_possible(self, moment: Moment) -> bool:
        return self.whom.is_there(moment)


class OnMinions(OnSome):
    """The base of effects that act on minions, one after the other: fill in `act`."""

    __slots__ = ()

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    @override
    def happen(self, moment: Moment) -> None:
        for one in self.whom.found(moment):
            if moment.engine.goes_on() and isinstance(one, Minion):
                self.act(moment, one)

    @abstractmethod
    def act(self, moment: Moment, minion: Minion) -> None:
        """Do it to one minion."""


def players(who: Selector, moment: Moment) -> list[Seat]:
    """The players that a selector means."""
    return [one for one in who.found(moment) if isinstance(one, int)]


class OnPlayers(Effect):
    """The base of effects on players alone."""

    __slots__ = ()

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.PLAYERS})
