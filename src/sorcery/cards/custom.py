"""The four custom cards of the 2017 edition (Sorcery 2017 §6.5).

- Thornback, the minion, brings a fourth kind of trigger: whenever a minion attacks.
- Scholar's Robe, the enchantment, grants a new activated ability.
- Seduction, the spell, brings a change of control: a minion changes sides, with all that is on it.
- Echo Cave, the ritual, brings spells that happen twice, at the same target if it is still there.
"""

from __future__ import annotations

from typing import Final

from sorcery.card import Ability, Card, Target, enchantment, minion, ritual, spell
from sorcery.effects import Damage, Draw, RepeatSpell, TakeControl
from sorcery.selectors import SUBJECT
from sorcery.triggers import Trigger, When, Whose

THORNBACK: Final = minion("Thornback", cost=2, attack=1, defence=4).having(
    Trigger(
        When.ATTACKS,
        Damage(SUBJECT, 1),
        "Whenever an opponent's minion attacks, deal 1 damage to it.",
        Whose.OPPONENTS,
    )
)

SCHOLARS_ROBE: Final = enchantment(
    "Scholar's Robe", cost=1, text="Enchanted minion can draw a card"
).having(Ability(1, Draw(), "Draw a card"))

SEDUCTION: Final = spell(
    "Seduction",
    TakeControl(),
    "Take control of target minion of your opponent",
    Target.MINION,
    cost=4,
)

ECHO_CAVE: Final = ritual("Echo Cave", cost=2, charges=3, activation=1).having(
    Trigger(When.SPELL, RepeatSpell(), "Whenever you play a spell, it happens again", Whose.OWN)
)

CUSTOM: Final[tuple[Card, ...]] = (THORNBACK, SCHOLARS_ROBE, SEDUCTION, ECHO_CAVE)
