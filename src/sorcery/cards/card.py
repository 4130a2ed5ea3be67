"""Cards: small values composed of mechanics (Sorcery 2024 §2).

A card has a cost, a text, effects, targets and triggers. Cards contain no data of a match. The
state of a match refers to cards by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from sorcery.cards.errors import CardsError
from sorcery.cards.mechanics import Effect, Trigger
from sorcery.cards.modifiers import Modifier
from sorcery.cards.state import MOST


class CardType(StrEnum):
    """The four types of cards (Sorcery 2024 §1.1)."""

    MINION = "Minion"
    SPELL = "Spell"
    ENCHANTMENT = "Enchantment"
    RITUAL = "Ritual"


class Target(StrEnum):
    """The kind of target that a player names when playing a card or using an ability."""

    NOTHING = "no target"
    MINION = "a minion"
    RITUAL = "a ritual"
    MINION_OR_RITUAL = "a minion or a ritual"


@dataclass(frozen=True, slots=True)
class Ability:
    """An activated ability, which costs magic and an action (Sorcery 2024 §2.2).

    Attributes:
        cost: Magic to pay, at least 0.
        effect: The effect of the ability.
        text: The printed text. Line breaks are kept.
        target: The kind of target that the player names.
    """

    cost: int
    effect: Effect
    text: str
    target: Target = Target.NOTHING


Trait: TypeAlias = Ability | Trigger | Modifier  # of a minion, or granted by an enchantment


@dataclass(frozen=True, slots=True)
class Card:
    """A card of any type. Create cards with `minion`, `spell`, `enchantment` and `ritual`.

    Attributes:
        name: Name of the card, unique in its set, ignoring letter case.
        type: Minion, spell, enchantment or ritual.
        cost: Magic to pay, at least 0.
        text: Printed text. Abilities and triggers have separate texts.
        attack, defence: Printed attack and defence of a minion.
        abilities: Activated abilities of a minion, or those that an enchantment grants.
        triggers: Triggered abilities of a minion or ritual, or those that an enchantment grants.
        effect: The effect of a spell.
        target: The kind of target of a spell or an enchantment.
        modifiers: Changes that an enchantment makes to its minion, or permanent traits of a minion.
        charges: Number of charges of a ritual when it enters play.
        activation: Number of charges that each trigger of a ritual uses up.
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
    modifiers: tuple[Modifier, ...] = ()
    charges: int = 0
    activation: int = 0

    def __post_init__(self) -> None:
        if not self.name.isprintable() or not self.name or self.name != " ".join(self.name.split()):
            raise CardsError(f"{self.name!r} is not a valid name for a card")
        costs = (
            self.cost,
            self.charges,
            self.activation,
            *(ability.cost for ability in self.abilities),
        )
        if min(costs) < 0:
            raise CardsError(f"{self.name}: costs and charges must be at least 0")
        if self.type is CardType.MINION and (self.attack < 0 or self.defence < 1):
            raise CardsError(f"{self.name}: attack must be at least 0, and defence at least 1")
        if max(*costs, self.attack, self.defence) > MOST:
            raise CardsError(f"{self.name}: numbers must be at most {MOST:,}")

    def having(self, *traits: Trait) -> Card:
        """Return a copy of this card with additional abilities, triggers and modifiers.

        List them in the order of the card's text. Rituals accept only triggers, and spells accept
        none.

        Raises:
            CardsError: An argument is not a trait, or this type of card cannot have it.
        """
        for trait in traits:
            if not isinstance(trait, ALLOWED_TRAITS[self.type]):
                raise CardsError(f"{self.name}: a {self.type.lower()} cannot have {trait!r}")
        return replace(
            self,
            abilities=(*self.abilities, *(trait for trait in traits if isinstance(trait, Ability))),
            triggers=(*self.triggers, *(trait for trait in traits if isinstance(trait, Trigger))),
            modifiers=(
                *self.modifiers,
                *(trait for trait in traits if isinstance(trait, Modifier)),
            ),
        )


ALLOWED_TRAITS: Final[Mapping[CardType, tuple[type[Trait], ...]]] = {
    CardType.MINION: (Ability, Trigger, Modifier),
    CardType.ENCHANTMENT: (Ability, Trigger, Modifier),
    CardType.RITUAL: (Trigger,),
    CardType.SPELL: (),
}
"""The classes of traits that each type of card accepts."""


def minion(name: str, *, cost: int, attack: int, defence: int, text: str = "") -> Card:
    """Create a minion. Add its abilities, triggers and modifiers with `having`."""
    return Card(name, CardType.MINION, cost, text, attack=attack, defence=defence)


def spell(
    name: str, effect: Effect, text: str, target: Target = Target.NOTHING, *, cost: int
) -> Card:
    """Create a spell, which takes effect once and then leaves the game (Sorcery 2024 §2.1)."""
    return Card(name, CardType.SPELL, cost, text, effect=effect, target=target)


def enchantment(name: str, *, cost: int, text: str = "") -> Card:
    """Create an enchantment, which modifies the minion it is played on (Sorcery 2024 §2.3).

    Add the modifiers for the minion, and the abilities and triggers that it grants, with `having`.
    """
    return Card(name, CardType.ENCHANTMENT, cost, text, target=Target.MINION)


def ritual(name: str, *, cost: int, charges: int, activation: int) -> Card:
    """Create a ritual, whose triggers use up `activation` charges each time (Sorcery 2024 §2.4).

    Add the triggers with `having`.
    """
    return Card(name, CardType.RITUAL, cost, charges=charges, activation=activation)


def plain(text: str) -> str:
    """Return a card's text on one line. Its line breaks are only for boards drawn as text."""
    return " ".join(text.split())
