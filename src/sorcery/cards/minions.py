"""The minions of both editions (Sorcery 2024 §6.2, Sorcery 2017 §6.1)."""

from __future__ import annotations

from typing import Final

from sorcery.card import Ability, Card, Target, Trigger, When, Whose, minion
from sorcery.effects import Damage, Strengthen, Summon
from sorcery.whom import Whom

AIR_ELEMENTAL: Final = minion("Air Elemental", 0, 1, 1)

EARTH_ELEMENTAL: Final = minion("Earth Elemental", 3, 4, 4)

FIRE_ELEMENTAL: Final = minion(
    "Fire Elemental",
    2,
    2,
    2,
    Trigger(
        When.ENTERS,
        Damage(Whom.SUBJECT, 1),
        "Whenever an opponent's minion enters play, deal 1 damage to it.",
        Whose.OPPONENTS,
    ),
)

POTION_SELLER: Final = minion(
    "Potion Seller",
    2,
    1,
    3,
    Trigger(
        When.TURN_ENDS,
        Strengthen(Whom.OWN, 0, 1),
        "At the end of your turn, all your minions gain +0/+1.",
        Whose.OWN,
    ),
)

NOVICE_PYROMANCER: Final = minion(
    "Novice Pyromancer",
    1,
    0,
    1,
    Ability(1, Damage(Whom.TARGET, 1), "Deal 1 damage to target\n minion", Target.MINION),
)

APPRENTICE_SUMMONER: Final = minion(
    "Apprentice Summoner",
    1,
    1,
    1,
    Ability(1, Summon("Air Elemental"), "Summon a 1/1 air elemental"),
)

MASTER_SUMMONER: Final = minion(
    "Master Summoner",
    3,
    2,
    3,
    Ability(2, Summon("Air Elemental", 3), "Summon up to three 1/1 air elementals"),
)

BONE_GOLEM: Final = minion(
    "Bone Golem",
    2,
    1,
    3,
    Trigger(
        When.LEAVES,
        Strengthen(Whom.ITSELF, 1, 1),
        "Gain +1/+1 whenever a minion leaves play.",
    ),
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
