"""An index of an edition's cards for the rules, worked out once.

Rules look here and not into the edition, whose cached properties take three times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from sorcery.cards.card import Card, CardType
from sorcery.cards.mechanics import Limits, Trigger, TriggerEvent

Triggers: TypeAlias = dict[str, tuple[Trigger, ...]]
"""Triggers that wait for one event, by the name of the card."""


class TriggerIndex:
    """The cards that wait for an event.

    Attributes:
        granted: whether enchantments grant triggers, so that minions are asked for theirs.
        minions: the triggers of minions and enchantments, by the name of the card.
        rituals: the triggers of rituals.
    """

    __slots__ = ("granted", "minions", "rituals")

    def __init__(
        self, triggers: Mapping[str, tuple[Trigger, ...]], cards: Mapping[str, Card]
    ) -> None:
        types = {name: cards[name].type for name in triggers}
        self.granted: Final = CardType.ENCHANTMENT in types.values()
        self.minions: Final = {
            name: found for name, found in triggers.items() if types[name] is not CardType.RITUAL
        }
        self.rituals: Final = {
            name: found for name, found in triggers.items() if types[name] is CardType.RITUAL
        }


class CardIndex:
    """The index of an edition's cards and limits, for the rules.

    Attributes:
        has_own_classes: whether anything on a card is of a class that does not come with the game.
        may_be_held: whether anything forbids a minion to attack.
        waiting: the cards that wait, by event; events without such cards are left out.
    """

    __slots__ = (
        "cards",
        "edition",
        "has_own_classes",
        "may_be_held",
        "most_cards",
        "most_minions",
        "waiting",
    )

    def __init__(
        self,
        edition: Limits,
        cards: Mapping[str, Card],
        triggers: Mapping[TriggerEvent, Mapping[str, tuple[Trigger, ...]]],
        *,
        has_own_classes: bool,
    ) -> None:
        self.edition: Final = edition
        self.most_cards: Final = edition.most_cards
        self.most_minions: Final = edition.most_minions
        self.cards: Final = dict(cards)
        self.has_own_classes: Final = has_own_classes
        self.may_be_held: Final = any(
            "attack_obstacle" in card.by_question for card in cards.values()
        )
        self.waiting: Final = {when: TriggerIndex(found, cards) for when, found in triggers.items()}
