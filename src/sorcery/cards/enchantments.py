"""The enchantments of both editions (Sorcery 2024 §6.3, Sorcery 2017 §6.3)."""

from __future__ import annotations

from typing import Final

from sorcery.card import Card, Change, enchantment

GIANT_STRENGTH: Final = enchantment(
    "Giant Strength", 1, attack=Change("+", 2), defence=Change("+", 2)
)

ENRAGE: Final = enchantment("Enrage", 2, attack=Change("*", 2), defence=Change("*", 2))

HASTE: Final = enchantment("Haste", 1, "Enchanted minion gains +1 action each turn", actions=1)

MAGIC_FATIGUE: Final = enchantment(
    "Magic Fatigue", 0, "Enchanted minion's activated ability costs 2 more", ability_cost=2
)

SILENCE: Final = enchantment("Silence", 1, "Enchanted minion cannot use abilities", silences=True)

STANDARD: Final[tuple[Card, ...]] = (GIANT_STRENGTH, MAGIC_FATIGUE, SILENCE)
"""Those that both editions have."""
