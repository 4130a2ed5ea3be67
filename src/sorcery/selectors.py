"""Selectors: whom an effect acts on.

Some have names; others are composed of them: `ALL.but(ITSELF)` are all other minions,
`SUBJECT | OPPONENT` a minion and a player, and `ENEMIES.random()` is one of the opponent's minions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NoReturn, TypeAlias

from typing_extensions import override

from sorcery.mechanics import Aim, Kind, Mechanic, Moment, Need
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


# Those with names.


class Named(Selector):
    """The base of the selectors that have a name of their own, and that there are once.

    Attributes:
        name: what it is called in this module.
    """

    __slots__ = ()

    name: ClassVar[str]

    @override
    def __repr__(self) -> str:
        return self.name

    @override
    def __reduce__(self) -> str:
        return self.name  # a copy, or what was pickled, is the same object


class _Target(Named):
    __slots__ = ()
    name = "TARGET"
    needs = frozenset({Need.TARGET})

    @override
    def found(self, moment: Moment) -> Found:
        aim = moment.aim
        return () if aim is None or aim.minion is None else (aim.minion,)


class _Subject(Named):
    __slots__ = ()
    name = "SUBJECT"
    needs = frozenset({Need.SUBJECT})

    @override
    def found(self, moment: Moment) -> Found:
        return () if moment.subject is None else (moment.subject,)

    @override
    def is_there(self, moment: Moment) -> bool:
        # One that is leaving is there for the triggers that this sets off.
        return moment.subject is not None and moment.engine.is_here(moment.subject)


class _Itself(Named):
    __slots__ = ()
    name = "ITSELF"
    needs = frozenset({Need.ITSELF})

    @override
    def found(self, moment: Moment) -> Found:
        return (moment.source,) if isinstance(moment.source, Minion) else ()


class _Own(Named):
    __slots__ = ()
    name = "OWN"

    @override
    def found(self, moment: Moment) -> Found:
        return moment.engine.side(moment.seat).minions.copy()


class _Enemies(Named):
    __slots__ = ()
    name = "ENEMIES"

    @override
    def found(self, moment: Moment) -> Found:
        return moment.engine.side(1 - moment.seat).minions.copy()


class _All(Named):
    __slots__ = ()
    name = "ALL"

    @override
    def found(self, moment: Moment) -> Found:
        return moment.engine.minions()


class _You(Named):
    __slots__ = ()
    name = "YOU"

    @override
    def found(self, moment: Moment) -> Found:
        return (moment.seat,)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return _PLAYERS


class _Opponent(_You):
    __slots__ = ()
    name = "OPPONENT"

    @override
    def found(self, moment: Moment) -> Found:
        return (1 - moment.seat,)


TARGET: Final[Selector] = _Target()
"""The minion that was named when the card was played or the ability used."""

SUBJECT: Final[Selector] = _Subject()
"""The minion that set the trigger off: the one that entered, leaves, died or attacks."""

ITSELF: Final[Selector] = _Itself()
"""The minion whose ability or trigger it is."""

OWN: Final[Selector] = _Own()
"""All your minions."""

ENEMIES: Final[Selector] = _Enemies()
"""All the opponent's minions."""

ALL: Final[Selector] = _All()
"""All minions."""

OTHERS: Final[Selector] = ALL.but(ITSELF)
"""All minions but the one whose ability or trigger it is."""

RANDOM_ENEMY: Final[Selector] = ENEMIES.random()
"""A random minion of the opponent."""

YOU: Final[Selector] = _You()
"""The player whose card it is."""

OPPONENT: Final[Selector] = _Opponent()
"""The other player."""

BOTH_PLAYERS: Final[Selector] = YOU | OPPONENT
"""Both players."""


def aim_now(moment: Moment) -> Aim | None:
    """The target with its present owner; None when it has left the board.

    A minion may have changed sides since it was named.
    """
    aim, engine = moment.aim, moment.engine
    if aim is None or aim.minion is None:
        return aim if aim and engine.side(aim.seat).ritual else None
    seat = engine.seat_of(aim.minion)
    return None if seat is None else Aim(seat, aim.minion)
