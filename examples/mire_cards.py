"""Cards for Sorcery with a new mechanic: minions that devour.

A minion that devours another minion of its side gains its attack and
defence, and the other minion dies. Some minions devour the weakest
minion, and others benefit when they are devoured. The mechanic is an
effect, the weakest minion a selector, and being devoured a trigger
condition. No file of the game is changed. `sorcery -cards` adds the
cards to a game.

    tabletop play examples/mire_cards.py --bot 2
    sorcery -cards examples/mire_cards.py -deck1 DECK
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sorcery import (
    EVENT_MINION,
    FRIENDLY,
    OPPONENT,
    SELF,
    SPRING_2024,
    Ability,
    AttackOf,
    Damage,
    Draw,
    EffectContext,
    HurtOpponent,
    Minion,
    Need,
    OnMinions,
    PlayContext,
    Selector,
    Sorcery,
    Strengthen,
    Summon,
    Trigger,
    When,
    Whose,
    minion,
    plugin_with,
    ritual,
    spell,
)

DEVOURED = When("whenever a minion is devoured", Need.EVENT_MINION)


@dataclass(frozen=True, slots=True)
class Devour(OnMinions):
    """Devour other minions of the same side."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.SELF})

    def act(self, context: EffectContext, minion: Minion) -> None:
        eater, engine = context.source, context.engine
        if isinstance(eater, Minion) and eater is not minion:
            engine.gain(eater, minion.attack, minion.defence)
            engine.fire(DEVOURED, context.seat, minion)
            engine.destroy(minion)

    def obstacle(self, context: PlayContext) -> str:
        alone = len(context.side.minions) < 2
        return "There is no other minion to devour." if alone else ""


@dataclass(frozen=True, slots=True)
class Weakest(Selector):
    """Select the minion with the least defence."""

    among: Selector

    def select(self, context: EffectContext) -> list[Minion]:
        targets = self.among.select(context)
        minions = [
            target for target in targets if isinstance(target, Minion)
        ]
        return sorted(minions, key=lambda minion: minion.defence)[:1]


COMPANION = Weakest(FRIENDLY.but(SELF))

BOG_MAW = minion("Bog Maw", cost=2, attack=1, defence=2).having(
    Ability(1, Devour(COMPANION), "Devour your weakest other minion")
)

OLD_HUNGER = minion("Old Hunger", cost=3, attack=3, defence=6).having(
    Trigger(
        When.TURN_ENDS,
        Devour(COMPANION),
        "At the end of your turn, devour your weakest other minion",
        Whose.OWN,
    )
)

TADPOLE = minion("Tadpole", cost=0, attack=1, defence=1).having(
    Trigger(DEVOURED, Draw(), "When devoured, draw a card", Whose.THIS)
)

TOAD = minion("Poison Toad", cost=1, attack=1, defence=2).having(
    Trigger(
        DEVOURED,
        Damage(OPPONENT, AttackOf(EVENT_MINION)),
        "Whenever yours is devoured, it strikes your opponent",
        Whose.OWN,
    )
)

SPAWN = spell(
    "Spawn", Summon("Tadpole", 2), "Summon 2 tadpoles", cost=1
)

MARSH_FEAST = ritual(
    "Marsh Feast", cost=1, charges=6, activation=1
).having(
    Trigger(
        DEVOURED,
        HurtOpponent(1),
        "Whenever yours is devoured, your opponent loses 1 life",
        Whose.OWN,
    )
)

GORGE = spell(
    "Gorge",
    Strengthen(FRIENDLY, 1, 1),
    "All your minions gain +1/+1: something to bite into",
    cost=2,
)

CARDS = (
    BOG_MAW,
    OLD_HUNGER,
    TADPOLE,
    TOAD,
    SPAWN,
    MARSH_FEAST,
    GORGE,
)

DECK = "\n".join([card.name for card in CARDS] * 2)

GAME = Sorcery(
    SPRING_2024.with_cards(CARDS), name="sorcery-mire", deck=DECK
)
PLUGIN = plugin_with(GAME)
