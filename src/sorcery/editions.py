"""Editions: the numbers, cards and texts that are played with, as data.

Rules ask the edition; they do not compare the names of editions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

from sorcery.card import Card, CardType, Trigger, When
from sorcery.cards import custom, enchantments, minions, rituals, spells
from sorcery.soundness import check_cards
from sorcery.state import HIDDEN, Held

DEFAULT: Final = "2024"
"""The name of the edition that is played when nobody says which."""


@dataclass(frozen=True)
class Edition:
    """An edition of the game: its cards, and the numbers in which editions differ.

    Attributes:
        name: the year, as the option `-edition` takes it.
        card_set: every card that decks can name.
        cards_at_start: how many cards a hand begins with.
        first_turn_gains: whether player 1 gains magic and a card on the very first turn.
        actions_on_entering: how many actions a minion has when it enters play.
        keeps_numbers: whether minions keep their attack and defence when they leave the board.
        default_deck: the file in the package that a deck is made of when nobody names one.
        rules: the file in the package with the rules for people to read.
    """

    name: str
    card_set: tuple[Card, ...]
    cards_at_start: int
    first_turn_gains: bool
    actions_on_entering: int
    keeps_numbers: bool
    default_deck: str = "default.deck"
    rules: str = "rules-2024.md"

    @property
    def title(self) -> str:
        """What people call it: `Spring 2024`; editions that are no years go by their names."""
        return f"Spring {self.name}" if self.name.isdecimal() else self.name

    @property
    def game(self) -> str:
        """The name of the game that plays this edition, in the registry and in records."""
        return "sorcery" if self.name == DEFAULT else f"sorcery-{self.name}"

    def __getstate__(self) -> dict[str, object]:
        """What is pickled or copied: the fields, without what is cached beside them."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """Every card by name.

        Raises:
            CardsError: the cards do not go together; see `sorcery.soundness`.
        """
        check_cards(self.card_set)
        return MappingProxyType({card.name: card for card in self.card_set})

    @cached_property
    def triggers(self) -> Mapping[When, Mapping[str, tuple[Trigger, ...]]]:
        """The triggers of all cards: by what sets them off, then by the name of the card."""
        found: dict[When, dict[str, tuple[Trigger, ...]]] = {}
        for card in self.card_set:
            for when, triggers in card.by_when.items():
                found.setdefault(when, {})[card.name] = triggers
        return found

    @cached_property
    def granted(self) -> frozenset[When]:
        """The moments for which enchantments grant triggers."""
        return frozenset(
            when for card in self.of_type(CardType.ENCHANTMENT) for when in card.by_when
        )

    @cached_property
    def _held(self) -> Mapping[str, Held]:
        held = {card.name: Held(card.name, card.attack, card.defence) for card in self.card_set}
        return held | {HIDDEN: Held(HIDDEN)}

    def held(self, name: str) -> Held:
        """The card called `name` as it is printed, in a hand or a deck."""
        return self._held[name]

    def with_cards(self, cards: Iterable[Card]) -> Edition:
        """This edition with more cards.

        Raises:
            CardsError: a name is taken already, or a card makes no sense.
        """
        more = replace(self, card_set=(*self.card_set, *cards))
        _ = more.cards
        return more

    def of_type(self, kind: CardType) -> list[Card]:
        """The cards of one type, in the order of the set."""
        return [card for card in self.card_set if card.type is kind]


SPRING_2024: Final = Edition(
    name=DEFAULT,
    card_set=(
        *minions.STANDARD[:2],
        minions.BONE_GOLEM,
        *minions.STANDARD[2:],
        *spells.STANDARD_2024,
        enchantments.GIANT_STRENGTH,
        enchantments.ENRAGE,
        enchantments.HASTE,
        enchantments.MAGIC_FATIGUE,
        enchantments.SILENCE,
        *rituals.STANDARD,
    ),
    cards_at_start=5,
    first_turn_gains=True,
    actions_on_entering=0,
    keeps_numbers=True,
)
"""Spring 2024, the default (Sorcery 2024 §1.2, §2.2)."""

SPRING_2017: Final = Edition(
    name="2017",
    card_set=(
        *minions.STANDARD,
        *spells.STANDARD_2017,
        *enchantments.STANDARD,
        *rituals.STANDARD,
        *custom.CUSTOM,
    ),
    cards_at_start=4,
    first_turn_gains=False,
    actions_on_entering=1,
    keeps_numbers=False,
    rules="rules-2017.md",
)
"""Spring 2017, with its four custom cards (Sorcery 2017 §1.2, §2.2, §6.5)."""

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {edition.name: edition for edition in (SPRING_2024, SPRING_2017)}
)
"""Every edition by name."""
