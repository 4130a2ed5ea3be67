"""Amounts that are computed when an effect happens, and conditions on them.

Effects accept an amount wherever they accept a number, as in `Damage(TARGET, Count(FRIENDLY))`.
Amounts can be added and multiplied, with numbers and with each other: `2 * AttackOf(SELF) + 1`.
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
    """A number that is computed when an effect needs it.

    To define your own, derive a frozen dataclass and implement `value`.
    """

    @abstractmethod
    def value(self, context: EffectContext) -> int:
        """Return the current number."""

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
        """Return an amount that equals this one, but is at most `most`."""
        return Least(self, most)

    def __bool__(self) -> NoReturn:
        raise TypeError("an amount has no value outside a match; for a condition, use sorcery.If")


Number: TypeAlias = int | Amount
"""A number for an effect: a constant, or an amount computed when the effect happens."""


def value_of(number: Number, context: EffectContext) -> int:
    """Return the value of `number` in `context`, limited to -9,999 to 9,999.

    Raises:
        TypeError: A custom amount returned a value that is not an integer.
    """
    if isinstance(number, int):
        return number
    value = number.value(context)
    if type(value) is not int:
        raise TypeError(f"{type(number).__name__} is {value!r}, not a whole number")
    return clamp(value)


@dataclass(frozen=True, slots=True)
class OfTwo(Amount):
    """Base class of amounts that combine two other amounts."""

    first: Number
    second: Number


class Sum(OfTwo):
    """The sum of two amounts: `Count(FRIENDLY) + 1`."""

    @override
    def value(self, context: EffectContext) -> int:
        return value_of(self.first, context) + value_of(self.second, context)


class Product(OfTwo):
    """The product of two amounts: `2 * Count(FRIENDLY)`."""

    @override
    def value(self, context: EffectContext) -> int:
        return value_of(self.first, context) * value_of(self.second, context)


class Least(OfTwo):
    """The smaller of two amounts: `Count(FRIENDLY).up_to(3)`."""

    @override
    def value(self, context: EffectContext) -> int:
        return min(value_of(self.first, context), value_of(self.second, context))


@dataclass(frozen=True, slots=True)
class OfMinions(Amount):
    """Base class of amounts that depend on minions."""

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.MINIONS})

    targets: Selector

    def minions(self, context: EffectContext) -> list[Minion]:
        """Return the selected minions."""
        return [item for item in self.targets.select(context) if isinstance(item, Minion)]


class Count(OfMinions):
    """The number of selected minions: `Count(FRIENDLY)`."""

    @override
    def value(self, context: EffectContext) -> int:
        return len(self.targets.select(context))


class AttackOf(OfMinions):
    """The total attack of the selected minions. Negative values reduce the total."""

    @override
    def value(self, context: EffectContext) -> int:
        return sum(minion.attack for minion in self.minions(context))


class DefenceOf(OfMinions):
    """The total defence of the selected minions."""

    @override
    def value(self, context: EffectContext) -> int:
        return sum(minion.defence for minion in self.minions(context))


@dataclass(frozen=True, slots=True)
class OfPlayers(Amount):
    """Base class of amounts that depend on players. Implement `of`.

    Attributes:
        players: The players. By default, the owner of the card. The values of two players are
            added.
    """

    takes: ClassVar[frozenset[Kind]] = frozenset({Kind.PLAYERS})

    players: Selector = YOU

    @override
    def value(self, context: EffectContext) -> int:
        sides = context.engine.state.sides
        seats = self.players.select(context)
        return sum(self.of(sides[seat]) for seat in seats if isinstance(seat, int))

    @abstractmethod
    def of(self, side: Side) -> int:
        """Return the number for one player."""


class CardsInHand(OfPlayers):
    """The number of cards in a player's hand."""

    @override
    def of(self, side: Side) -> int:
        return len(side.hand)


class CardsInGraveyard(OfPlayers):
    """The number of minions in a player's graveyard."""

    @override
    def of(self, side: Side) -> int:
        return len(side.graveyard)


class LifeOf(OfPlayers):
    """A player's life."""

    @override
    def of(self, side: Side) -> int:
        return side.life


class MagicOf(OfPlayers):
    """A player's magic."""

    @override
    def of(self, side: Side) -> int:
        return side.magic


class Condition(Mechanic, ABC):
    """A condition that is tested when an effect happens.

    To define your own, derive a frozen dataclass and implement `holds`.
    """

    @abstractmethod
    def holds(self, context: EffectContext) -> bool:
        """Return whether the condition is true now."""


@dataclass(frozen=True, slots=True)
class AtLeast(Condition):
    """The condition that `amount` is at least `least`: `AtLeast(Count(FRIENDLY), 3)`."""

    amount: Number
    least: Number

    @override
    def holds(self, context: EffectContext) -> bool:
        return value_of(self.amount, context) >= value_of(self.least, context)
