"""What rules ask of an edition's cards at every decision, sorted once.

Rules look here and not into the edition: what an edition has is worked out when it is first asked
for, and Python takes three times as long to look up what may still have to be worked out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from sorcery.card import Card, CardType, Trigger
from sorcery.triggers import When, Whose

Triggers: TypeAlias = dict[str, tuple[Trigger, ...]]
"""Triggers that wait for one moment, by the name of the card."""

Place: TypeAlias = tuple[bool, Triggers, Triggers]
"""Whether it is the side of the player who is not active; the triggers there of minions (and those
that enchantments grant), and of rituals."""


class Waiting:
    """Which cards wait for a moment, and where to look for them.

    Attributes:
        granted: whether enchantments grant some, so that minions are asked for theirs; then none
            is left out, for a granted trigger is known by its place among all of a minion's.
        minions: those of all minions and enchantments.
        active: the sides where some may be, in APNAP order, if it is the active player's moment.
        other: the same if it is the other player's.
    """

    __slots__ = ("active", "granted", "minions", "other")

    def __init__(self, triggers: Triggers, cards: Mapping[str, Card]) -> None:
        types = {name: cards[name].type for name in triggers}
        self.granted: Final = CardType.ENCHANTMENT in types.values()
        self.minions: Final = {
            name: found for name, found in triggers.items() if types[name] is not CardType.RITUAL
        }
        rituals = {name: found for name, found in triggers.items() if name not in self.minions}
        # A trigger that takes the minion itself is on the side of that minion's owner.
        sides = [
            (
                self.minions if self.granted else _concerned(self.minions, whose),
                _concerned(rituals, whose),
            )
            for whose in ((Whose.ANY, Whose.OWN, Whose.THIS), (Whose.ANY, Whose.OPPONENTS))
        ]
        self.active: Final = _some((False, *sides[0]), (True, *sides[1]))
        self.other: Final = _some((False, *sides[1]), (True, *sides[0]))


def _concerned(triggers: Triggers, whose: Collection[Whose]) -> Triggers:
    """The cards of which a trigger is for somebody among `whose`."""
    return {
        name: found
        for name, found in triggers.items()
        if any(trigger.whose in whose for trigger in found)
    }


def _some(*places: Place) -> tuple[Place, ...]:
    """The places where anything may wait."""
    return tuple(place for place in places if place[1] or place[2])


class Index:
    """The cards of an edition, sorted by what is asked of them.

    Attributes:
        cards: every card by name.
        waiting: which cards wait for a moment, for each that any card waits for.
        may_be_held: whether anything forbids a minion to attack.
        has_own_classes: whether anything on them is of a class that does not come with the game.
    """

    __slots__ = ("cards", "has_own_classes", "may_be_held", "waiting")

    def __init__(self, cards: Mapping[str, Card], *, has_own_classes: bool) -> None:
        self.cards: Final = dict(cards)
        self.has_own_classes: Final = has_own_classes
        self.may_be_held: Final = any(
            "attack_obstacle" in card.by_question for card in cards.values()
        )
        triggers: dict[When, Triggers] = {}
        for card in cards.values():
            for when, found in card.by_when.items():
                triggers.setdefault(when, {})[card.name] = found
        self.waiting: Final = {when: Waiting(found, cards) for when, found in triggers.items()}
