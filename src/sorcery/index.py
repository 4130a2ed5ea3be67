"""What rules look up in an edition's cards at every decision, worked out once.

Rules look here and not into the edition, whose cached properties take three times as long.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from sorcery.card import Card, CardType
from sorcery.mechanics import Trigger, TriggerEvent, Whose

if TYPE_CHECKING:
    from sorcery.editions import Edition

Triggers: TypeAlias = dict[str, tuple[Trigger, ...]]
"""Triggers that wait for one event, by the name of the card."""


class TriggerIndex:
    """Which cards wait for an event, and where to look for them.

    Attributes:
        granted: whether enchantments grant some, so that minions are asked for theirs; then none
            is left out, for a granted trigger is known by its place among all of a minion's.
        minions: those of all minions and enchantments.
        areas: where some may be, in APNAP order: by whose turn it is, then by whose event. Each is
            a side of the table by its seat, with the triggers there of minions (and those that
            enchantments grant), and of rituals; None where there are none.
    """

    __slots__ = ("areas", "granted", "minions")

    def __init__(
        self, triggers: Mapping[str, tuple[Trigger, ...]], cards: Mapping[str, Card]
    ) -> None:
        types = {name: cards[name].type for name in triggers}
        self.granted: Final = CardType.ENCHANTMENT in types.values()
        self.minions: Final = {
            name: found for name, found in triggers.items() if types[name] is not CardType.RITUAL
        }
        rituals = {name: found for name, found in triggers.items() if name not in self.minions}
        # A trigger that takes the minion itself is on the side of that minion's owner.
        own, other = [
            (
                self.minions if self.granted else _concerned(self.minions, whose),
                _concerned(rituals, whose),
            )
            for whose in ((Whose.ANY, Whose.OWN, Whose.THIS), (Whose.ANY, Whose.OPPONENTS))
        ]
        self.areas: Final = tuple(
            tuple(
                tuple(
                    (owner, on_board or None, beside or None)
                    for owner in (turn, 1 - turn)
                    for on_board, beside in [own if owner == seat else other]
                    if on_board or beside
                )
                for seat in (0, 1)
            )
            for turn in (0, 1)
        )


def _concerned(triggers: Triggers, whose: Collection[Whose]) -> Triggers:
    """The cards of which a trigger is for somebody among `whose`."""
    return {
        name: found
        for name, found in triggers.items()
        if any(trigger.whose in whose for trigger in found)
    }


class CardIndex:
    """What rules look up in the cards and limits of an edition.

    Attributes:
        edition: whose they are.
        most_cards, most_minions, magic_each_turn: as the edition says.
        cards: every card by name.
        has_own_classes: whether anything on them is of a class that does not come with the game.
        may_be_held: whether anything forbids a minion to attack.
        waiting: which cards wait for an event, for each that any card waits for.
    """

    __slots__ = (
        "cards",
        "edition",
        "has_own_classes",
        "magic_each_turn",
        "may_be_held",
        "most_cards",
        "most_minions",
        "waiting",
    )

    def __init__(
        self,
        edition: Edition,
        cards: Mapping[str, Card],
        triggers: Mapping[TriggerEvent, Mapping[str, tuple[Trigger, ...]]],
        *,
        has_own_classes: bool,
    ) -> None:
        self.edition: Final = edition
        self.most_cards: Final = edition.most_cards
        self.most_minions: Final = edition.most_minions
        self.magic_each_turn: Final = edition.magic_each_turn
        self.cards: Final = dict(cards)
        self.has_own_classes: Final = has_own_classes
        self.may_be_held: Final = any(
            "attack_obstacle" in card.by_question for card in cards.values()
        )
        self.waiting: Final = {when: TriggerIndex(found, cards) for when, found in triggers.items()}
