"""Selectors: choose the minions and players that an effect acts on.

Some selectors have names. Other selectors are composed of these: `ALL.but(SELF)` selects all other
minions, `EVENT_MINION | OPPONENT` a minion and a player, `ENEMIES.random()` one minion of the
opponent.
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

Selection: TypeAlias = Sequence[Minion | Seat]  # the selected minions and players

_MINIONS: Final = frozenset({Kind.MINIONS})
_PLAYERS: Final = frozenset({Kind.PLAYERS})


class Selector(Mechanic, ABC):
    """A choice of minions or players on a card.

    To define your own, derive a frozen dataclass and implement `select`.
    """

    takes: ClassVar[frozenset[Kind]] = _MINIONS | _PLAYERS

    @abstractmethod
    def select(self, context: EffectContext) -> Selection:
        """Return the selected minions in APNAP order, then the players, without duplicates."""

    def is_there(self, context: EffectContext) -> bool:
        """Return whether a trigger that acts on this selection happens.

        A trigger on a group of minions happens, and costs a ritual its charges, even if the group
        is empty.
        """
        return True

    @property
    def finds(self) -> frozenset[Kind]:
        """Kinds of things that can be selected, by default minions."""
        return _MINIONS

    def __or__(self, other: Selector) -> Selector:
        """Return a selector of everything that either of the two selectors selects."""
        return AnyOf((self, other))

    def but(self, other: Selector) -> Selector:
        """Return a selector of everything that this selector selects, except for `other`."""
        return But(self, other)

    def random(self) -> Selector:
        """Return a selector of one random item of this selection."""
        return RandomOf(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("a selector has no value outside a match; to combine selectors, use |")


@dataclass(frozen=True, slots=True)
class AnyOf(Selector):
    """The union of several selectors: `EVENT_MINION | OPPONENT`."""

    selectors: tuple[Selector, ...]

    @override
    def select(self, context: EffectContext) -> Selection:
        items = [item for selector in self.selectors for item in selector.select(context)]
        return _in_order(context, items)

    @override
    def is_there(self, context: EffectContext) -> bool:
        return any(selector.is_there(context) for selector in self.selectors)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return frozenset[Kind]().union(*(selector.finds for selector in self.selectors))


@dataclass(frozen=True, slots=True)
class But(Selector):
    """The items of one selector without those of another: `ALL.but(SELF)`."""

    targets: Selector
    without: Selector

    @override
    def select(self, context: EffectContext) -> Selection:
        excluded = self.without.select(context)
        return [item for item in self.targets.select(context) if not _is_among(item, excluded)]

    @override
    def is_there(self, context: EffectContext) -> bool:
        return self.targets.is_there(context)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return self.targets.finds


@dataclass(frozen=True, slots=True)
class RandomOf(Selector):
    """A random item of another selector's selection: `ENEMIES.random()`."""

    targets: Selector

    @override
    def select(self, context: EffectContext) -> Selection:
        candidates = self.targets.select(context)
        if len(candidates) < 2:
            return candidates  # nothing to draw
        return (context.engine.table.rng["chance", context.seat].choice(candidates),)

    @override
    def is_there(self, context: EffectContext) -> bool:
        return bool(self.targets.select(context))

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return self.targets.finds


def _is_among(item: Minion | Seat, others: Selection) -> bool:
    """Return whether `item` is among `others`. Minions are compared by identity."""
    return any(item is other or (isinstance(item, int) and item == other) for other in others)


def _in_order(context: EffectContext, items: Selection) -> Selection:
    """Return each of `items` once: minions in APNAP order, then players."""
    turn = context.engine.state.turn
    every: Selection = [*context.engine.minions(), turn, 1 - turn]
    return [item for item in every if _is_among(item, items)]


# Named selectors.


class Named(Selector):
    """A selector with a name. There is only one object for each name.

    Args:
        name: Name of the selector in this module.
        find: Function that returns the selection.
        kinds: Whether the selector selects minions or players.
    """

    __slots__ = ("_find", "_kinds", "_name")

    def __init__(
        self,
        name: str,
        find: Callable[[EffectContext], Selection],
        kinds: frozenset[Kind] = _MINIONS,
    ) -> None:
        self._name = name
        self._find = find
        self._kinds = kinds

    @override
    def select(self, context: EffectContext) -> Selection:
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
        return self._name  # copies and unpickled objects are the same object


class _Target(Named):
    needs = frozenset({Need.TARGET})


class _Self(Named):
    needs = frozenset({Need.SELF})


class _EventMinion(Named):
    needs = frozenset({Need.EVENT_MINION})

    @override
    def is_there(self, context: EffectContext) -> bool:
        # A minion that is leaving still counts for the triggers that its leaving sets off.
        return context.subject is not None and context.engine.is_here(context.subject)


TARGET: Final[Selector] = _Target(
    "TARGET",
    lambda context: (context.aim.minion,) if context.aim and context.aim.minion else (),
)
"""The minion that the player named when playing the card or using the ability."""

EVENT_MINION: Final[Selector] = _EventMinion(
    "EVENT_MINION", lambda context: (context.subject,) if context.subject else ()
)
"""The minion that set the trigger off by entering, leaving, dying or attacking."""

SELF: Final[Selector] = _Self(
    "SELF", lambda context: (context.source,) if isinstance(context.source, Minion) else ()
)
"""The minion that has the ability or trigger."""

FRIENDLY: Final[Selector] = Named(
    "FRIENDLY", lambda context: context.engine.side(context.seat).minions.copy()
)
"""All minions of the card's owner."""

ENEMIES: Final[Selector] = Named(
    "ENEMIES", lambda context: context.engine.side(1 - context.seat).minions.copy()
)
"""All minions of the opponent."""

ALL: Final[Selector] = Named("ALL", lambda context: context.engine.minions())
"""All minions."""

YOU: Final[Selector] = Named("YOU", lambda context: (context.seat,), _PLAYERS)
"""The owner of the card."""

OPPONENT: Final[Selector] = Named("OPPONENT", lambda context: (1 - context.seat,), _PLAYERS)
"""The other player."""

OTHERS: Final[Selector] = ALL.but(SELF)
"""All minions except the one that has the ability or trigger."""

RANDOM_ENEMY: Final[Selector] = ENEMIES.random()
"""A random minion of the opponent."""

BOTH_PLAYERS: Final[Selector] = YOU | OPPONENT
"""Both players."""


def aim_now(context: EffectContext) -> TargetRef | None:
    """Return the named target with its current owner, or None if it has left the board.

    A minion may have changed sides since the player named it.
    """
    aim, engine = context.aim, context.engine
    if aim is None or aim.minion is None:
        return aim if aim and engine.side(aim.seat).ritual else None
    seat = engine.seat_of(aim.minion)
    return None if seat is None else TargetRef(seat, aim.minion)
