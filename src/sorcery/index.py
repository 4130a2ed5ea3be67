"""What rules ask of an edition's cards at every decision, sorted once.

Rules look here and not into the edition: what an edition has is worked out when it is first asked
for, and Python takes three times as long to look up what may still have to be worked out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from sorcery.card import Card, CardType, Target, Trigger
from sorcery.effect import Limits
from sorcery.triggers import When, Whose

Triggers: TypeAlias = dict[str, tuple[Trigger, ...]]
"""Triggers that wait for one moment, by the name of the card."""

Place: TypeAlias = tuple[int, Triggers | None, Triggers | None]
"""A side of the table by its seat, with the triggers there of minions (and those that enchantments
grant), and of rituals; None where there are none."""


class Waiting:
    """Which cards wait for a moment, and where to look for them.

    Attributes:
        granted: whether enchantments grant some, so that minions are asked for theirs; then none
            is left out, for a granted trigger is known by its place among all of a minion's.
        minions: those of all minions and enchantments.
        places: where some may be, in APNAP order: by whose turn it is, then by whose moment.
    """

    __slots__ = ("granted", "minions", "places")

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
        self.places: Final = tuple(
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


class Row:
    """What is asked of one card when it is listed what can be done; see `sorcery.card.Card`.

    Attributes:
        card: the card itself.
        cost: in magic.
        is_minion: whether it is one.
        is_plain: whether it has neither abilities nor modifiers.
        has_modifiers: whether it has modifiers.
        is_unaimed: whether it is played without a target, and no effect has an obstacle.
        target: what it has to be aimed at; None for nothing.
        obstructed: its effect, if there can be an obstacle to it.
    """

    __slots__ = (
        "card",
        "cost",
        "has_modifiers",
        "is_minion",
        "is_plain",
        "is_unaimed",
        "obstructed",
        "target",
    )

    def __init__(self, card: Card) -> None:
        effect = card.effect
        self.card: Final = card
        self.cost: Final = card.cost
        self.is_minion: Final = card.type is CardType.MINION
        self.is_plain: Final = card.is_plain
        self.has_modifiers: Final = bool(card.modifiers)
        self.is_unaimed: Final = card.is_unaimed
        self.target: Final = None if card.target is Target.NOTHING else card.target
        self.obstructed: Final = effect if effect is not None and effect.is_conditional else None


class Index:
    """The cards of an edition, sorted by what is asked of them.

    Args:
        cards: every card by name.
        triggers: those of all cards, by what sets them off, then by the name of the card.
        limits: the edition, as effects ask it.
        magic_each_turn: what a player gains at the start of a turn.
        has_own_classes: whether anything on them is of a class that does not come with the game.

    Attributes:
        limits, magic_each_turn, has_own_classes: as given.
        most_cards, most_minions: the limits themselves.
        cards: every card by name.
        rows: what is asked of each when it is listed what can be done, by name.
        waiting: which cards wait for a moment, for each that any card waits for.
        may_be_held: whether anything forbids a minion to attack.
    """

    __slots__ = (
        "cards",
        "has_own_classes",
        "limits",
        "magic_each_turn",
        "may_be_held",
        "most_cards",
        "most_minions",
        "rows",
        "waiting",
    )

    def __init__(
        self,
        cards: Mapping[str, Card],
        triggers: Mapping[When, Mapping[str, tuple[Trigger, ...]]],
        limits: Limits,
        *,
        magic_each_turn: int,
        has_own_classes: bool,
    ) -> None:
        self.limits: Final = limits
        self.most_cards: Final = limits.most_cards
        self.most_minions: Final = limits.most_minions
        self.magic_each_turn: Final = magic_each_turn
        self.cards: Final = dict(cards)
        self.rows: Final = {name: Row(card) for name, card in cards.items()}
        self.has_own_classes: Final = has_own_classes
        self.may_be_held: Final = any(
            "attack_obstacle" in card.by_question for card in cards.values()
        )
        self.waiting: Final = {when: Waiting(found, cards) for when, found in triggers.items()}
