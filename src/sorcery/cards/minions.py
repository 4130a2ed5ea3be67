"""The minions of both editions (Sorcery 2024 §6.2, Sorcery 2017 §6.1)."""

from __future__ import annotations

from typing import Final

from sorcery.card import Ability, Card, Target, minion
from sorcery.effects import Damage, Strengthen, Summon
from sorcery.selectors import ITSELF, OWN, SUBJECT, TARGET
from sorcery.triggers import Trigger, When, Whose

AIR_ELEMENTAL: Final = minion("Air Elemental", cost=0, attack=1, defence=1)

EARTH_ELEMENTAL: Final = minion("Earth Elemental", cost=3, attack=4, defence=4)

FIRE_ELEMENTAL: Final = minion("Fire Elemental", cost=2, attack=2, defence=2).having(
    Trigger(
        When.ENTERS,
        Damage(SUBJECT, 1),
        "Whenever an opponent's minion enters play, deal 1 damage to it.",
        Whose.OPPONENTS,
    )
)

POTION_SELLER: Final = minion("Potion Seller", cost=2, attack=1, defence=3).having(
    Trigger(
        When.TURN_ENDS,
        Strengthen(OWN, 0, 1),
        "At the end of your turn, all your minions gain +0/+1.",
        Whose.OWN,
    )
)

NOVICE_PYROMANCER: Final = minion("Novice Pyromancer", cost=1, attack=0, defence=1).having(
    Ability(1, Damage(TARGET, 1), "Deal 1 damage to target\n minion", Target.MINION)
)

APPRENTICE_SUMMONER: Final = minion("Apprentice Summoner", cost=1, attack=1, defence=1).having(
    Ability(1, Summon("Air Elemental"), "Summon a 1/1 air elemental")
)

MASTER_SUMMONER: Final = minion("Master Summoner", cost=3, attack=2, defence=3).having(
    Ability(2, Summon("Air Elemental", 3), "Summon up to three 1/1 air elementals")
)

BONE_GOLEM: Final = minion("Bone Golem", cost=2, attack=1, defence=3).having(
    Trigger(When.LEAVES, Strengthen(ITSELF, 1, 1), "Gain +1/+1 whenever a minion leaves play.")
)

STANDARD: Final[tuple[Card, ...]] = (
    AIR_ELEMENTAL,
    EARTH_ELEMENTAL,
    FIRE_ELEMENTAL,
    POTION_SELLER,
    NOVICE_PYROMANCER,
    APPRENTICE_SUMMONER,
    MASTER_SUMMONER,
)
"""Those that both editions have."""
