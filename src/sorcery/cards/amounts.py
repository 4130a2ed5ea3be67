"""Amounts that are worked out when an effect happens, and conditions on them.

Where an effect takes a number it takes an amount as well: `Damage(TARGET, Count(FRIENDLY))`.
Amounts are added and multiplied, with each other and with numbers: `2 * AttackOf(SELF) + 1`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NoReturn, TypeAlias

from typing_extensions import override

from sorcery.cards.mechanics import EffectContext, Kind, Mechanic
from sorcery.cards.selectors import YOU, Selector
from sorcery.cards.state import Minion, Side, clamp


class Amount(Mechanic, ABC):
    """A number that is worked out when it is needed. Derive a frozen dataclass; fill in `value`."""

    @abstractmethod
    def value(self, context: EffectContext) -> int:
        """Return the number now."""

    def __add__(self, other: int | Amount) -> Amount:
        return Sum(self, other)

    def __radd__(self, other: int) -> Amount:
        return Sum(other, self)

    def __sub__(self, other: int | Amount) -> Amount:
        return Sum(self, Product(-1, other))

    def __rsub__(self, other: int) -> Amount:
        return Sum(other, Product(-1, self))

    def __mul__(self, other: int | Amount) -> Amount:
        return Product(self, other)

    def __rmul__(self, other: int) -> Amount:
        return Product(other, self)

    def __neg__(self) -> Amount:
        return Product(-1, self)

    def up_to(self, most: int | Amount) -> Amount:
        """Return this amount, or `most` where it would be more."""
        return Least(self, most)

    def __bool__(self) -> NoReturn:
        raise TypeError("an amount is known in a match alone; to ask for it, see sorcery.If")


Number: TypeAlias = int | Amount
"""A number for an effect: fixed, or worked out when the effect happens."""


def worked_out(number: Number, context: EffectContext) -> int:
    """`number` at a context, within the numbers of the game (`sorcery.cards.state.MOST`).

    Raises:
        TypeError: an amount of one's own is no whole number.
    """
    if isinstance(number, int):
        return number
    value = number.value(context)
    if type(value) is not int:
        raise TypeError(f"{type(number).__name__} is {value!r}, which is no whole number")
    return clamp(value)


@dataclass(frozen=True, slots=True)
class OfTwo(Amount):
    """The base of amounts that are worked out of two others."""

    first: Number
    second: Number


class Sum(OfTwo):
    """Two amounts together: `Count(FRIENDLY) + 1`."""

    @override
    def value(self, context: EffectContext) -> int:
        return worked_out(self.first, context) + worked_out(self.second, context)


class Product(OfTwo):
    """An amount times another: `2 * Count(FRIENDLY)`."""

    @override
    def value(self, context: EffectContext) -> int:
        return worked_out(self.first, context) * worked_out(self.second, context)


class Least(OfTwo):
    """The smaller of two amounts: `Count(FRIENDLY).up_to(3)`."""

    @override
    def value(self, context: EffectContext) -> int:
        return min(worked_out(self.first, context), worked_out(self.second, context))


@dataclass(frozen=True, slots=True)
class OfMinions(Amount):
    """The base of amounts that look at minions."""

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    whom: Selector


class Count(OfMinions):
    """The number of minions: `Count(FRIENDLY)`."""

    @override
    def value(self, context: EffectContext) -> int:
        return len(self.whom.found(context))


class AttackOf(OfMinions):
    """The attack of a minion, or of several together; a negative one counts as it is."""

    @override
    def value(self, context: EffectContext) -> int:
        return sum(one.attack for one in self.whom.found(context) if isinstance(one, Minion))


class DefenceOf(OfMinions):
    """The defence of a minion, or of several together."""

    @override
    def value(self, context: EffectContext) -> int:
        return sum(one.defence for one in self.whom.found(context) if isinstance(one, Minion))


@dataclass(frozen=True, slots=True)
class OfPlayers(Amount):
    """The base of amounts that look at players: fill in `of`.

    Attributes:
        who: whose; of both players it is the sum.
    """

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.PLAYERS})

    who: Selector = YOU

    @override
    def value(self, context: EffectContext) -> int:
        sides = context.engine.state.sides
        return sum(self.of(sides[one]) for one in self.who.found(context) if isinstance(one, int))

    @abstractmethod
    def of(self, side: Side) -> int:
        """Return the number of one player."""


class CardsInHand(OfPlayers):
    """The number of cards a player holds."""

    @override
    def of(self, side: Side) -> int:
        return len(side.hand)


class CardsInGraveyard(OfPlayers):
    """The number of minions in a graveyard."""

    @override
    def of(self, side: Side) -> int:
        return len(side.graveyard)


class LifeOf(OfPlayers):
    """The life of a player."""

    @override
    def of(self, side: Side) -> int:
        return side.life


class MagicOf(OfPlayers):
    """The magic of a player."""

    @override
    def of(self, side: Side) -> int:
        return side.magic


class Condition(Mechanic, ABC):
    """A condition, true or not when an effect happens. Derive a frozen dataclass."""

    @abstractmethod
    def holds(self, context: EffectContext) -> bool:
        """Return whether the condition is true now."""


@dataclass(frozen=True, slots=True)
class AtLeast(Condition):
    """The condition that an amount is no smaller than another: `AtLeast(Count(FRIENDLY), 3)`."""

    amount: Number
    least: Number

    @override
    def holds(self, context: EffectContext) -> bool:
        return worked_out(self.amount, context) >= worked_out(self.least, context)
