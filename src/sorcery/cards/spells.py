"""The spells of both editions (Sorcery 2024 §6.1, Sorcery 2017 §6.2)."""

from __future__ import annotations

from typing import Final

from sorcery.card import Card, Target, spell
from sorcery.effects import (
    Damage,
    Destroy,
    Disenchant,
    PutUnderDeck,
    Recharge,
    Resurrect,
    ReturnToHand,
)
from sorcery.whom import Whom

BANISH: Final = spell(
    "Banish", 2, Destroy(), "Destroy target minion or ritual", Target.MINION_OR_RITUAL
)

UNSUMMON_2024: Final = spell(
    "Unsummon", 1, ReturnToHand(), "Return target minion to its owner's hand", Target.MINION
)

UNSUMMON_2017: Final = spell(
    "Unsummon",
    1,
    PutUnderDeck(),
    "Put target minion on the bottom of its owner's deck",
    Target.MINION,
)

RECHARGE: Final = spell("Recharge", 1, Recharge(3), "Your ritual gains 3 charges")

DISENCHANT: Final = spell(
    "Disenchant",
    1,
    Disenchant(),
    "Destroy the top enchantment on target minion",
    Target.MINION,
)

RAISE_DEAD_2024: Final = spell(
    "Raise Dead",
    1,
    Resurrect(defence=1),
    "Resurrect the top minion in your graveyard and set its. defence to 1",
)

RAISE_DEAD_2017: Final = spell(
    "Raise Dead", 1, Resurrect(), "Resurrect the top minion in your graveyard"
)

BLIZZARD: Final = spell("Blizzard", 3, Damage(Whom.ALL, 2), "Deal 2 damage to all minions")

STANDARD_2024: Final[tuple[Card, ...]] = (
    BANISH,
    UNSUMMON_2024,
    RECHARGE,
    DISENCHANT,
    RAISE_DEAD_2024,
    BLIZZARD,
)

STANDARD_2017: Final[tuple[Card, ...]] = (
    BANISH,
    UNSUMMON_2017,
    RECHARGE,
    DISENCHANT,
    RAISE_DEAD_2017,
    BLIZZARD,
)
