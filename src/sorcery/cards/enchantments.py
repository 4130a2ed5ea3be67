"""The enchantments of both editions (Sorcery 2024 §6.3, Sorcery 2017 §6.3)."""

from __future__ import annotations

from typing import Final

from sorcery.card import Card, enchantment
from sorcery.modifiers import Dearer, MoreActions, Numbers, Silenced

GIANT_STRENGTH: Final = enchantment("Giant Strength", cost=1).having(Numbers("+2", "+2"))

ENRAGE: Final = enchantment("Enrage", cost=2).having(Numbers("*2", "*2"))

HASTE: Final = enchantment(
    "Haste", cost=1, text="Enchanted minion gains +1 action each turn"
).having(MoreActions(1))

MAGIC_FATIGUE: Final = enchantment(
    "Magic Fatigue", cost=0, text="Enchanted minion's activated ability costs 2 more"
).having(Dearer(2))

SILENCE: Final = enchantment(
    "Silence", cost=1, text="Enchanted minion cannot use abilities"
).having(Silenced())

STANDARD: Final[tuple[Card, ...]] = (GIANT_STRENGTH, MAGIC_FATIGUE, SILENCE)
"""Those that both editions have."""
