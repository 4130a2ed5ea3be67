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
from sorcery.selectors import ALL

BANISH: Final = spell(
    "Banish", Destroy(), "Destroy target minion or ritual", Target.MINION_OR_RITUAL, cost=2
)

UNSUMMON_2024: Final = spell(
    "Unsummon", ReturnToHand(), "Return target minion to its owner's hand", Target.MINION, cost=1
)

UNSUMMON_2017: Final = spell(
    "Unsummon",
    PutUnderDeck(),
    "Put target minion on the bottom of its owner's deck",
    Target.MINION,
    cost=1,
)

RECHARGE: Final = spell("Recharge", Recharge(3), "Your ritual gains 3 charges", cost=1)

DISENCHANT: Final = spell(
    "Disenchant",
    Disenchant(),
    "Destroy the top enchantment on target minion",
    Target.MINION,
    cost=1,
)

RAISE_DEAD_2024: Final = spell(
    "Raise Dead",
    Resurrect(defence=1),
    "Resurrect the top minion in your graveyard and set its. defence to 1",
    cost=1,
)

RAISE_DEAD_2017: Final = spell(
    "Raise Dead", Resurrect(), "Resurrect the top minion in your graveyard", cost=1
)

BLIZZARD: Final = spell("Blizzard", Damage(ALL, 2), "Deal 2 damage to all minions", cost=3)

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
