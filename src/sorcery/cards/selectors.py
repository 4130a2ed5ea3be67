"""Selectors: whom an effect acts on.

Some have names; others are composed of them: `ALL.but(SELF)` are all other minions,
`EVENT_MINION | OPPONENT` a minion and a player, `ENEMIES.random()` one minion of the opponent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NoReturn, TypeAlias

from typing_extensions import override

from sorcery.cards.mechanics import EffectContext, Kind, Mechanic, Need, TargetRef
from sorcery.cards.state import Minion
from tabletop import Seat

Found: TypeAlias = Sequence[Minion | Seat]
"""Minions and players that a selector has found."""

_MINIONS: Final = frozenset({Kind.MINIONS})
_PLAYERS: Final = frozenset({Kind.PLAYERS})


class Selector(Mechanic, ABC):
    """Minions or players, as a card names them. Derive a frozen dataclass and fill in `found`."""

    takes: ClassVar[frozenset[Kind]] = _MINIONS | _PLAYERS

    @abstractmethod
    def found(self, context: EffectContext) -> Found:
        """Return the selected minions in APNAP order, then players, each once."""

    def is_there(self, context: EffectContext) -> bool:
        """Return whether a trigger that acts on these occurs at all.

        One on a kind of minions does, and costs a ritual its charges, even if there are none.
        """
        return True

    @property
    def finds(self) -> frozenset[Kind]:
        """The kinds found: minions, players or both; minions, unless it says more."""
        return _MINIONS

    def __or__(self, other: Selector) -> Selector:
        """Select what either selector does."""
        return AnyOf((self, other))

    def but(self, other: Selector) -> Selector:
        """Select what this selector does, without what `other` does."""
        return But(self, other)

    def random(self) -> Selector:
        """Select one of the found things, by chance."""
        return RandomOf(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("whom a selector means is known in a match alone; join two with |")


@dataclass(frozen=True, slots=True)
class AnyOf(Selector):
    """A selector of all that any of several select: `EVENT_MINION | OPPONENT`."""

    selectors: tuple[Selector, ...]

    @override
    def found(self, context: EffectContext) -> Found:
        return _in_order(context, [one for each in self.selectors for one in each.found(context)])

    @override
    def is_there(self, context: EffectContext) -> bool:
        return any(each.is_there(context) for each in self.selectors)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return frozenset[Kind]().union(*(each.finds for each in self.selectors))


@dataclass(frozen=True, slots=True)
class But(Selector):
    """A selector of all that one selects and another does not: `ALL.but(SELF)`."""

    whom: Selector
    without: Selector

    @override
    def found(self, context: EffectContext) -> Found:
        out = self.without.found(context)
        return [one for one in self.whom.found(context) if not _is_among(one, out)]

    @override
    def is_there(self, context: EffectContext) -> bool:
        return self.whom.is_there(context)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return self.whom.finds


@dataclass(frozen=True, slots=True)
class RandomOf(Selector):
    """A selector of one thing that another selects, by chance: `ENEMIES.random()`."""

    whom: Selector

    @override
    def found(self, context: EffectContext) -> Found:
        among = self.whom.found(context)
        if len(among) < 2:
            return among  # chance has nothing to decide
        return (context.engine.table.rng["chance", context.seat].choice(among),)

    @override
    def is_there(self, context: EffectContext) -> bool:
        return bool(self.whom.found(context))

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return self.whom.finds


def _is_among(one: Minion | Seat, others: Found) -> bool:
    """Return whether `one` is among `others`: minions by identity, since some may be equal."""
    return any(one is other or (isinstance(one, int) and one == other) for other in others)


def _in_order(context: EffectContext, found: Found) -> Found:
    """Return each of `found` once: minions in APNAP order, then players."""
    turn = context.engine.state.turn
    every: Found = [*context.engine.minions(), turn, 1 - turn]
    return [one for one in every if _is_among(one, found)]


# Named selectors.


class Named(Selector):
    """A selector that has a name of its own, and that there is once.

    Args:
        name: its name in this module.
        find: those it means at a moment.
        kinds: whether these are minions or players.
    """

    __slots__ = ("_find", "_kinds", "_name")

    def __init__(
        self,
        name: str,
        find: Callable[[EffectContext], Found],
        kinds: frozenset[Kind] = _MINIONS,
    ) -> None:
        self._name = name
        self._find = find
        self._kinds = kinds

    @override
    def found(self, context: EffectContext) -> Found:
        return self._find(context)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return self._kinds

    @override
    def __repr__(self) -> str:
        return self._name

    @override
    def __reduce__(self) -> str:
        return self._name  # a copy, pickled or not, is the same object


class _Target(Named):
    needs = frozenset({Need.TARGET})


class _Self(Named):
    needs = frozenset({Need.SELF})


class _EventMinion(Named):
    needs = frozenset({Need.EVENT_MINION})

    @override
    def is_there(self, context: EffectContext) -> bool:
        # One that is leaving is there for the triggers that this sets off.
        return context.subject is not None and context.engine.is_here(context.subject)


TARGET: Final[Selector] = _Target(
    "TARGET", lambda it: (it.aim.minion,) if it.aim and it.aim.minion else ()
)
"""The minion that was named when the card was played or the ability used."""

EVENT_MINION: Final[Selector] = _EventMinion(
    "EVENT_MINION", lambda it: (it.subject,) if it.subject else ()
)
"""The minion that set the trigger off: the one that entered, leaves, died or attacks."""

SELF: Final[Selector] = _Self(
    "SELF", lambda it: (it.source,) if isinstance(it.source, Minion) else ()
)
"""The minion whose ability or trigger it is."""

FRIENDLY: Final[Selector] = Named("FRIENDLY", lambda it: it.engine.side(it.seat).minions.copy())
"""All your minions."""

ENEMIES: Final[Selector] = Named("ENEMIES", lambda it: it.engine.side(1 - it.seat).minions.copy())
"""All the opponent's minions."""

ALL: Final[Selector] = Named("ALL", lambda it: it.engine.minions())
"""All minions."""

YOU: Final[Selector] = Named("YOU", lambda it: (it.seat,), _PLAYERS)
"""The player whose card it is."""

OPPONENT: Final[Selector] = Named("OPPONENT", lambda it: (1 - it.seat,), _PLAYERS)
"""The other player."""

OTHERS: Final[Selector] = ALL.but(SELF)
"""All minions but the one whose ability or trigger it is."""

RANDOM_ENEMY: Final[Selector] = ENEMIES.random()
"""A random minion of the opponent."""

BOTH_PLAYERS: Final[Selector] = YOU | OPPONENT
"""Both players."""


def aim_now(context: EffectContext) -> TargetRef | None:
    """Return the target with its present owner; None when it has left the board.

    A minion may have changed sides since it was named.
    """
    aim, engine = context.aim, context.engine
    if aim is None or aim.minion is None:
        return aim if aim and engine.side(aim.seat).ritual else None
    seat = engine.seat_of(aim.minion)
    return None if seat is None else TargetRef(seat, aim.minion)
