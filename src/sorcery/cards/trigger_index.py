"""Lookup tables for the cards of an edition, built once for the rules.

The rules use these tables because cached properties of the edition take three times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from sorcery.cards.card import Card, CardType
from sorcery.cards.mechanics import Limits, Trigger, TriggerEvent

Triggers: TypeAlias = dict[str, tuple[Trigger, ...]]
"""The triggers that one event sets off, by card name."""


class TriggerIndex:
    """The triggers that one event can set off.

    Attributes:
        granted: Whether any of them is granted by an enchantment. If so, the rules also look
            through the enchantments of each minion.
        minions: The triggers of minions and enchantments, by card name.
        rituals: The triggers of rituals, by card name.
    """

    __slots__ = ("granted", "minions", "rituals")

    def __init__(
        self, triggers: Mapping[str, tuple[Trigger, ...]], cards: Mapping[str, Card]
    ) -> None:
        types = {name: cards[name].type for name in triggers}
        self.granted: Final = CardType.ENCHANTMENT in types.values()
        self.minions: Final = {
            name: group for name, group in triggers.items() if types[name] is not CardType.RITUAL
        }
        self.rituals: Final = {
            name: group for name, group in triggers.items() if types[name] is CardType.RITUAL
        }


class CardIndex:
    """The cards and limits of an edition, prepared for the rules.

    Attributes:
        has_custom_classes: Whether any card contains an object of a class from outside the game.
        may_forbid_attacks: Whether any modifier can forbid a minion to attack.
        waiting: The triggers for each event. Events without triggers have no entry.
    """

    __slots__ = (
        "cards",
        "edition",
        "has_custom_classes",
        "may_forbid_attacks",
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
        has_custom_classes: bool,
    ) -> None:
        self.edition: Final = edition
        self.most_cards: Final = edition.most_cards
        self.most_minions: Final = edition.most_minions
        self.cards: Final = dict(cards)
        self.has_custom_classes: Final = has_custom_classes
        self.may_forbid_attacks: Final = any(
            "attack_obstacle" in card.by_question for card in cards.values()
        )
        self.waiting: Final = {when: TriggerIndex(group, cards) for when, group in triggers.items()}
