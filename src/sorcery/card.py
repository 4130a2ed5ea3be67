"""What a card is: a value of a few lines, composed of mechanics (Sorcery 2024 §2).

A card says what it costs and how it reads, and names the effects, targets and triggers it is made
of. It knows nothing of a match: what lies on the table refers to cards by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from typing_extensions import override

from sorcery.effect import Effect
from tabletop import TabletopError
from tabletop.classes import frozen


class CardType(StrEnum):
    """The four types of cards (Sorcery 2024 §1.1)."""

    MINION = "Minion"
    SPELL = "Spell"
    ENCHANTMENT = "Enchantment"
    RITUAL = "Ritual"


class Target(StrEnum):
    """The kind of target that is named when a card is played or an ability used."""

    NOTHING = "no target"
    MINION = "a minion"
    RITUAL = "a ritual"
    MINION_OR_RITUAL = "a minion or a ritual"


class When(StrEnum):
    """What sets a trigger off (Sorcery 2024 §3)."""

    TURN_STARTS = "at the start of the turn"
    TURN_ENDS = "at the end of the turn"
    ENTERS = "whenever a minion enters play"
    LEAVES = "whenever a minion leaves play"
    ATTACKS = "whenever a minion attacks"
    SPELL = "whenever a spell is played"


class Whose(StrEnum):
    """Whose turn, minion or spell sets a trigger off, as the trigger's owner sees it."""

    ANY = "anybody's"
    OWN = "your"
    OPPONENTS = "an opponent's"


class CardsError(TabletopError, ValueError):
    """A card, or a set of cards, makes no sense. The message names the card and the reason."""


@frozen
class Ability:
    """An activated ability: costs magic and an action, and works like a spell (Sorcery 2024 §2.2).

    Attributes:
        cost: in magic, at least 0.
        effect: what it does.
        text: how it reads; what is on a line of its own stays there.
        target: what has to be named.
    """

    cost: int
    effect: Effect
    text: str
    target: Target = Target.NOTHING


@frozen
class Trigger:
    """A triggered ability: happens by itself, for free (Sorcery 2024 §2.2, §3).

    Attributes:
        when: what sets it off.
        effect: what it does.
        text: how it reads; what is on a line of its own stays there.
        whose: whose minion, spell or turn it takes.
    """

    when: When
    effect: Effect
    text: str
    whose: Whose = Whose.ANY


@frozen
class Change:
    """A change of attack or defence: `Change("+", 2)` or `Change("*", 2)`."""

    sign: str
    amount: int

    def __post_init__(self) -> None:
        if self.sign not in ("+", "-", "*"):
            raise CardsError(f"{self.sign!r} is no sign of a change; signs are +, - and *")

    def apply(self, value: int) -> int:
        """`value` after the change."""
        if self.sign == "*":
            return value * self.amount
        return value + (self.amount if self.sign == "+" else -self.amount)

    @override
    def __str__(self) -> str:
        return f"{self.sign}{self.amount}"


@frozen
class Card:
    """A card of any type; the functions below make one.

    Attributes:
        name: what it is called; unique in its set, letter case aside.
        type: one of the four.
        cost: in magic, at least 0.
        text: how a spell or an enchantment reads; abilities and triggers have texts of their own.
        attack, defence: of a minion, as printed.
        abilities: the activated abilities of a minion, or those an enchantment grants.
        triggers: the triggered abilities of a minion or ritual, or those an enchantment grants.
        effect: what a spell does.
        target: what a spell has to be aimed at.
        attack_change, defence_change: what an enchantment does to a minion's numbers.
        silences: whether an enchantment forbids activated abilities.
        ability_cost: how much more activated abilities cost under an enchantment.
        actions: how many actions more a minion has each turn under an enchantment.
        charges: what a ritual comes with.
        activation: how many charges a ritual's trigger takes.
    """

    name: str
    type: CardType
    cost: int
    text: str = ""
    attack: int = 0
    defence: int = 0
    abilities: tuple[Ability, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    effect: Effect | None = None
    target: Target = Target.NOTHING
    attack_change: Change | None = None
    defence_change: Change | None = None
    silences: bool = False
    ability_cost: int = 0
    actions: int = 0
    charges: int = 0
    activation: int = 0
    by_when: Mapping[When, tuple[Trigger, ...]] = field(
        init=False, repr=False, compare=False, hash=False
    )

    def __post_init__(self) -> None:
        if not self.name.strip() or self.name != " ".join(self.name.split()):
            raise CardsError(f"{self.name!r} is no name of a card")
        prices = [ability.cost for ability in self.abilities]
        if min(self.cost, self.charges, self.activation, *prices) < 0:
            raise CardsError(f"{self.name}: costs and charges are at least 0")
        if self.type is CardType.MINION and (self.attack < 0 or self.defence < 1):
            raise CardsError(f"{self.name}: attack is at least 0, and defence at least 1")
        # Looked up for every card at every moment of a match, so it is sorted once.
        by_when: dict[When, tuple[Trigger, ...]] = {}
        for trigger in self.triggers:
            by_when[trigger.when] = (*by_when.get(trigger.when, ()), trigger)
        object.__setattr__(self, "by_when", by_when)


def minion(name: str, cost: int, attack: int, defence: int, *traits: Ability | Trigger) -> Card:
    """A minion with any number of abilities and triggers, in the order in which they read."""
    return Card(
        name,
        CardType.MINION,
        cost,
        attack=attack,
        defence=defence,
        abilities=tuple(trait for trait in traits if isinstance(trait, Ability)),
        triggers=tuple(trait for trait in traits if isinstance(trait, Trigger)),
    )


def spell(name: str, cost: int, effect: Effect, text: str, target: Target = Target.NOTHING) -> Card:
    """A spell: it does one thing and is gone (Sorcery 2024 §2.1)."""
    return Card(name, CardType.SPELL, cost, text, effect=effect, target=target)


def enchantment(
    name: str,
    cost: int,
    text: str = "",
    *grants: Ability | Trigger,
    attack: Change | None = None,
    defence: Change | None = None,
    silences: bool = False,
    ability_cost: int = 0,
    actions: int = 0,
) -> Card:
    """An enchantment: it modifies the minion it is played on (Sorcery 2024 §2.3)."""
    return Card(
        name,
        CardType.ENCHANTMENT,
        cost,
        text,
        abilities=tuple(grant for grant in grants if isinstance(grant, Ability)),
        triggers=tuple(grant for grant in grants if isinstance(grant, Trigger)),
        target=Target.MINION,
        attack_change=attack,
        defence_change=defence,
        silences=silences,
        ability_cost=ability_cost,
        actions=actions,
    )


def ritual(name: str, cost: int, charges: int, activation: int, *triggers: Trigger) -> Card:
    """A ritual: its triggers take `activation` of its charges each time (Sorcery 2024 §2.4)."""
    return Card(
        name,
        CardType.RITUAL,
        cost,
        triggers=triggers,
        charges=charges,
        activation=activation,
    )


def plain(text: str) -> str:
    """The text of a card on one line: line breaks in it are the document's, for its pictures."""
    return " ".join(text.split())
