"""Positions that a test sets up, and lines that it plays in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self, TypeVar

import pytest

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    Ability,
    Card,
    Draw,
    Edition,
    Effect,
    Minion,
    Side,
    Sorcery,
    SorceryState,
    Target,
    Trigger,
    TriggerEvent,
    Whose,
    add_enchantment,
    add_gain,
    minion,
    spell,
)
from sorcery.cards.state import CardInstance, Ritual
from tabletop import Event, IllegalAction, Streams, Table

BOTH = pytest.mark.parametrize("edition", [SPRING_2024, SPRING_2017], ids=lambda one: one.name)
"""Marks a test of a rule that both editions share."""

TWICE = minion("Twice", cost=1, attack=1, defence=1).having(
    Ability(1, Draw(), "Draw a card"), Ability(4, Draw(), "Draw more")
)
"""A minion with two abilities."""

E = TypeVar("E", bound=Event)


class Scene:
    """A position in the middle of player 1's turn with plenty of magic. Every minion can act.

    Args:
        edition: The edition.
        cards: Additional cards of the test.
        testing: Whether testing mode is on.
        magic: Magic of each player.
        life: Life of each player.

    Attributes:
        events: The events so far.
    """

    def __init__(
        self,
        edition: Edition = SPRING_2024,
        *,
        cards: Iterable[Card] = (),
        testing: bool = False,
        magic: int = 20,
        life: int = 20,
    ) -> None:
        self.edition = edition.with_cards(cards) if cards else edition
        self.game = Sorcery(self.edition)
        sides = [Side(life, magic, [], [], [], None, []) for _ in range(2)]
        self.state = SorceryState(sides, testing=testing)
        self._table = Table(Streams("a scene"))
        self._table.watch(True)
        self.events = self._table.events

    # Setup. Players are numbered 1 and 2 here, as in the commands.

    def side(self, player: int) -> Side:
        return self.state.sides[player - 1]

    def hand(self, player: int, *names: str) -> Self:
        self.side(player).hand.extend(self._held(name) for name in names)
        return self

    def deck(self, player: int, *names: str) -> Self:
        """Put cards into a deck, starting with the first card to draw."""
        self.side(player).deck.extend(self._held(name) for name in reversed(names))
        return self

    def graveyard(self, player: int, *names: str) -> Self:
        """Put minions into a graveyard. The last one is on top."""
        self.side(player).graveyard.extend(self._held(name) for name in names)
        return self

    def board(self, player: int, *names: str) -> Self:
        """Put minions on a board: "Bone Golem", or "Bone Golem 1/2" for a damaged one."""
        for name in names:
            held = self._held(name)
            printed = self.edition.cards[held.card]
            one = Minion(held.card, printed.attack, printed.defence, *_numbers(printed))
            if (held.attack, held.defence) != (printed.attack, printed.defence):
                add_gain(one, held.attack - printed.attack, held.defence - printed.defence)
            one.actions = 1
            self.side(player).minions.append(one)
        return self

    def enchant(self, player: int, place: int, *names: str) -> Self:
        for name in names:
            add_enchantment(self.side(player).minions[place - 1], name, self.edition.cards)
        return self

    def ritual(self, player: int, name: str, charges: int | None = None) -> Self:
        printed = self.edition.cards[name].charges
        self.side(player).ritual = Ritual(name, printed if charges is None else charges)
        return self

    def _held(self, text: str) -> CardInstance:
        name, _, numbers = text.rpartition(" ")
        if "/" not in numbers:
            return self.edition.printed(text)
        attack, defence = numbers.split("/")
        return CardInstance(name, int(attack), int(defence))

    # Playing.

    def play(self, *lines: str) -> Self:
        """Play lines as typed by the active player."""
        for line in lines:
            action = self.game.parse(line, self.state, self.state.turn)
            self.game.check(self.state, action)
            self.game.apply(self.state, action, self._table)
        return self

    def refusal(self, line: str) -> str:
        """Return the reason for refusing a line, and check that the state has not changed."""
        before = self.state.clone()
        action = self.game.parse(line, self.state, self.state.turn)
        with pytest.raises(IllegalAction) as caught:
            self.game.check(self.state, action)
        assert self.state == before
        assert action not in self.game.legal_actions(self.state, self.state.turn)
        return str(caught.value)

    # Queries.

    def minions(self, player: int) -> list[str]:
        """Return a board as texts such as `Bone Golem 1/3`, from left to right."""
        return [f"{one.card} {one.attack}/{one.defence}" for one in self.side(player).minions]

    def buried(self, player: int) -> list[str]:
        """Return a graveyard as texts such as `Bone Golem 1/3`, the top last."""
        return [f"{one.card} {one.attack}/{one.defence}" for one in self.side(player).graveyard]

    def held(self, player: int) -> list[str]:
        """Return the names of the cards in a hand."""
        return [one.card for one in self.side(player).hand]

    def charges(self, player: int) -> int | None:
        ritual = self.side(player).ritual
        return None if ritual is None else ritual.charges

    def told(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


def cast(effect: Effect, target: Target = Target.NOTHING) -> Card:
    """Return a spell named Odd that costs nothing."""
    return spell("Odd", effect, "odd", target, cost=0)


def on(when: TriggerEvent, effect: Effect, whose: Whose = Whose.ANY) -> Trigger:
    """Return a trigger with an arbitrary text."""
    return Trigger(when, effect, str(effect), whose)


def scene(effect: Effect, target: Target = Target.NOTHING) -> Scene:
    """Return a position with a spell of this effect in the hand, and two minions on each side."""
    made = Scene(cards=[cast(effect, target)]).hand(1, "Odd")
    made.board(1, "Potion Seller", "Air Elemental")
    return made.board(2, "Earth Elemental", "Fire Elemental")


def _numbers(card: Card) -> tuple[int, int]:
    return card.attack, card.defence
