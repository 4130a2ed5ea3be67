"""Cards: values of a few lines, composed of mechanics (Sorcery 2024 §2).

A card has a cost and a text, and names its effects, targets and triggers. It knows nothing of a
match: the state refers to cards by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeAlias

from sorcery.cards.errors import CardsError
from sorcery.cards.mechanics import Effect, Trigger, TriggerEvent
from sorcery.cards.modifiers import Modifier
from sorcery.cards.state import MOST


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


@dataclass(frozen=True, slots=True)
class Ability:
    """An activated ability: costs magic and an action, and works like a spell (Sorcery 2024 §2.2).

    Attributes:
        cost: in magic, at least 0.
        effect: its effect.
        text: its text; line breaks in it stay.
        target: the target to name.
    """

    cost: int
    effect: Effect
    text: str
    target: Target = Target.NOTHING


Trait: TypeAlias = Ability | Trigger | Modifier
"""A property of a minion, or one that an enchantment grants."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of any type; the functions below make one.

    Attributes:
        name: its name; unique in its set, letter case aside.
        type: one of the four.
        cost: in magic, at least 0.
        text: how it reads beside its abilities and triggers, which have texts of their own.
        attack, defence: of a minion, as printed.
        abilities: the activated abilities of a minion, or those an enchantment grants.
        triggers: the triggered abilities of a minion or ritual, or those an enchantment grants.
        effect: the effect of a spell.
        target: the target of a spell.
        modifiers: the changes of an enchantment to its minion, or peculiarities of a minion.
        charges: the charges a ritual enters play with.
        activation: how many charges a ritual's trigger takes.
        by_when: the triggers by the events that set them off.
        by_question: the modifiers by their questions (`sorcery.cards.modifiers.QUESTIONS`).
        is_plain: whether it has neither abilities nor modifiers.
        is_unaimed: whether it is played without a target, and no effect has an obstacle.
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
    by_when: Mapping[TriggerEvent, tuple[Trigger, ...]] = field(
        init=False, repr=False, compare=False, hash=False
    )
    by_question: Mapping[str, tuple[Modifier, ...]] = field(
        init=False, repr=False, compare=False, hash=False
    )
    is_plain: bool = field(init=False, repr=False, compare=False, hash=False)
    is_unaimed: bool = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        if not self.name.isprintable() or not self.name or self.name != " ".join(self.name.split()):
            raise CardsError(f"{self.name!r} is no name of a card")
        costs = (self.cost, self.charges, self.activation, *(one.cost for one in self.abilities))
        if min(costs) < 0:
            raise CardsError(f"{self.name}: costs and charges are at least 0")
        if self.type is CardType.MINION and (self.attack < 0 or self.defence < 1):
            raise CardsError(f"{self.name}: attack is at least 0, and defence at least 1")
        if max(*costs, self.attack, self.defence) > MOST:
            raise CardsError(f"{self.name}: numbers go up to {MOST:,}")
        # Looked up for every card at every moment of a match, so it is sorted once.
        by_when: dict[TriggerEvent, tuple[Trigger, ...]] = {}
        for trigger in self.triggers:
            by_when[trigger.when] = (*by_when.get(trigger.when, ()), trigger)
        object.__setattr__(self, "by_when", by_when)
        by_question: dict[str, tuple[Modifier, ...]] = {}
        for modifier in self.modifiers:
            for question in sorted(modifier.questions):
                by_question[question] = (*by_question.get(question, ()), modifier)
        object.__setattr__(self, "by_question", by_question)
        object.__setattr__(self, "is_plain", not self.abilities and not self.modifiers)
        object.__setattr__(self, "is_unaimed", self._is_unaimed())

    def _is_unaimed(self) -> bool:
        if self.type in (CardType.MINION, CardType.RITUAL):
            return True  # mechanics in their other fields are not asked when they are played
        is_conditional = self.effect is not None and self.effect.is_conditional
        return self.target is Target.NOTHING and not is_conditional

    def having(self, *traits: Trait) -> Card:
        """Return this card with abilities, triggers and modifiers more, in the order of its text.

        A ritual has triggers alone, and a spell none of these.

        Raises:
            CardsError: something is none of them, or none that such a card has.
        """
        for trait in traits:
            if not isinstance(trait, HAS[self.type]):
                raise CardsError(f"{self.name}: a {self.type.lower()} cannot have {trait!r}")
        return replace(
            self,
            abilities=(*self.abilities, *(it for it in traits if isinstance(it, Ability))),
            triggers=(*self.triggers, *(it for it in traits if isinstance(it, Trigger))),
            modifiers=(*self.modifiers, *(it for it in traits if isinstance(it, Modifier))),
        )


HAS: Final[Mapping[CardType, tuple[type[Trait], ...]]] = {
    CardType.MINION: (Ability, Trigger, Modifier),
    CardType.ENCHANTMENT: (Ability, Trigger, Modifier),
    CardType.RITUAL: (Trigger,),
    CardType.SPELL: (),
}
"""The classes of traits that each type of card can have."""


def minion(name: str, *, cost: int, attack: int, defence: int, text: str = "") -> Card:
    """Make a minion; `having` are abilities, triggers, and modifiers, which read as `text` says."""
    return Card(name, CardType.MINION, cost, text, attack=attack, defence=defence)


def spell(
    name: str, effect: Effect, text: str, target: Target = Target.NOTHING, *, cost: int
) -> Card:
    """Make a spell: it does one thing and is gone (Sorcery 2024 §2.1)."""
    return Card(name, CardType.SPELL, cost, text, effect=effect, target=target)


def enchantment(name: str, *, cost: int, text: str = "") -> Card:
    """Make an enchantment: it modifies the minion it is played on (Sorcery 2024 §2.3).

    `having` are the modifiers of the minion, and the traits that it grants.
    """
    return Card(name, CardType.ENCHANTMENT, cost, text, target=Target.MINION)


def ritual(name: str, *, cost: int, charges: int, activation: int) -> Card:
    """Make a ritual: its triggers take `activation` charges each time (Sorcery 2024 §2.4).

    `having` gives it its triggers.
    """
    return Card(name, CardType.RITUAL, cost, charges=charges, activation=activation)


def plain(text: str) -> str:
    """Return a card's text on one line: line breaks in it are for the document's pictures."""
    return " ".join(text.split())
