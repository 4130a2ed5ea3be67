"""The rituals of both editions (Sorcery 2024 §6.4, Sorcery 2017 §6.4)."""

from __future__ import annotations

from typing import Final

from sorcery.card import Card, ritual
from sorcery.effects import Destroy, GainMagic, Strengthen
from sorcery.selectors import SUBJECT
from sorcery.triggers import Trigger, When, Whose

DARK_RITUAL: Final = ritual("Dark Ritual", cost=0, charges=5, activation=1).having(
    Trigger(When.TURN_STARTS, GainMagic(1), "At the start of your turn, gain 1 magic", Whose.OWN)
)

AURA_OF_POWER: Final = ritual("Aura of Power", cost=1, charges=4, activation=1).having(
    Trigger(
        When.ENTERS,
        Strengthen(SUBJECT, 1, 1),
        "Whenever a minion enters\nplay under your control,\nit gains +1/+1",
        Whose.OWN,
    )
)

STANDSTILL: Final = ritual("Standstill", cost=3, charges=4, activation=2).having(
    Trigger(When.ENTERS, Destroy(SUBJECT), "Whenever a minion enters play, destroy it")
)

STANDARD: Final[tuple[Card, ...]] = (DARK_RITUAL, AURA_OF_POWER, STANDSTILL)
"""Those that both editions have."""
