"""What a selector is, and how one is composed of others.

`ALL.but(ITSELF)` are all other minions, `SUBJECT | OPPONENT` a minion and a player, and
`ENEMIES.random()` is one of the opponent's minions. Those with names are in `sorcery.whom`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NoReturn, TypeAlias

from typing_extensions import override

from sorcery.effect import Kind, Mechanic, Moment
from sorcery.state import Minion
from tabletop import Seat

Found: TypeAlias = Sequence[Minion | Seat]
"""Minions and players that a selector has found."""

_MINIONS: Final = frozenset({Kind.MINIONS})
_PLAYERS: Final = frozenset({Kind.PLAYERS})


class Selector(Mechanic, ABC):
    """Minions or players, as a card names them. Derive a frozen dataclass and fill in `found`."""

    __slots__ = ()

    takes: ClassVar[frozenset[Kind]] = _MINIONS | _PLAYERS

    @abstractmethod
    def found(self, moment: Moment) -> Found:
        """Those it means at a moment, each once: minions in APNAP order, then players."""

    def possible(self, moment: Moment) -> Found:
        """Those it could mean: where chance decides, all among which it would choose."""
        return self.found(moment)

    def is_there(self, moment: Moment) -> bool:
        """Whether a trigger that acts on these occurs at all.

        One on a kind of minions does, and costs a ritual its charges, even if there are none.
        """
        return True

    @property
    def finds(self) -> frozenset[Kind]:
        """Whether it finds minions, players or both; minions, unless it says more."""
        return _MINIONS

    def __or__(self, other: Selector) -> Selector:
        """Those that either means."""
        return AnyOf((self, other))

    def but(self, other: Selector) -> Selector:
        """Those it means, without those that `other` means."""
        return But(self, other)

    def random(self) -> Selector:
        """One of those it means, by chance."""
        return RandomOf(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("whom a selector means is known in a match alone; join two with |")


@dataclass(frozen=True, slots=True)
class AnyOf(Selector):
    """Those that any of several selectors mean: `SUBJECT | OPPONENT`."""

    selectors: tuple[Selector, ...]

    @override
    def found(self, moment: Moment) -> Found:
        return _in_order(moment, [one for each in self.selectors for one in each.found(moment)])

    @override
    def possible(self, moment: Moment) -> Found:
        every = [one for each in self.selectors for one in each.possible(moment)]
        return _in_order(moment, every)

    @override
    def is_there(self, moment: Moment) -> bool:
        return any(each.is_there(moment) for each in self.selectors)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return frozenset[Kind]().union(*(each.finds for each in self.selectors))


@dataclass(frozen=True, slots=True)
class But(Selector):
    """Those that one selector means and another does not: `ALL.but(ITSELF)`."""

    whom: Selector
    without: Selector

    @override
    def found(self, moment: Moment) -> Found:
        out = self.without.found(moment)
        return [one for one in self.whom.found(moment) if not _is_among(one, out)]

    @override
    def possible(self, moment: Moment) -> Found:
        out = self.without.found(moment)
        return [one for one in self.whom.possible(moment) if not _is_among(one, out)]

    @override
    def is_there(self, moment: Moment) -> bool:
        return self.whom.is_there(moment)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return self.whom.finds


@dataclass(frozen=True, slots=True)
class RandomOf(Selector):
    """One of those that another selector means, by chance: `ENEMIES.random()`."""

    whom: Selector

    @override
    def found(self, moment: Moment) -> Found:
        among = self.whom.found(moment)
        if len(among) < 2:
            return among  # chance has nothing to decide
        return (moment.engine.table.rng["chance", moment.seat].choice(among),)

    @override
    def possible(self, moment: Moment) -> Found:
        return self.whom.possible(moment)

    @override
    def is_there(self, moment: Moment) -> bool:
        return bool(self.possible(moment))

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return self.whom.finds


def _is_among(one: Minion | Seat, others: Found) -> bool:
    """Whether `one` is among `others`: minions by identity, since some may be equal."""
    return any(one is other or (isinstance(one, int) and one == other) for other in others)


def _in_order(moment: Moment, found: Found) -> Found:
    """Each of `found` once: minions in APNAP order, then players."""
    turn = moment.engine.state.turn
    every: Found = [*moment.engine.minions(), turn, 1 - turn]
    return [one for one in every if _is_among(one, found)]
