"""The rituals of both editions (Sorcery 2024 §6.4, Sorcery 2017 §6.4)."""

from __future__ import annotations

from typing import Final

from sorcery.card import Card, Trigger, When, Whose, ritual
from sorcery.effects import Destroy, GainMagic, Strengthen
from sorcery.whom import Whom

DARK_RITUAL: Final = ritual(
    "Dark Ritual",
    0,
    5,
    1,
    Trigger(When.TURN_STARTS, GainMagic(1), "At the start of your turn, gain 1 magic", Whose.OWN),
)

AURA_OF_POWER: Final = ritual(
    "Aura of Power",
    1,
    4,
    1,
    Trigger(
        When.ENTERS,
        Strengthen(Whom.SUBJECT, 1, 1),
        "Whenever a minion enters\nplay under your control,\nit gains +1/+1",
        Whose.OWN,
    ),
)

STANDSTILL: Final = ritual(
    "Standstill",
    3,
    4,
    2,
    Trigger(When.ENTERS, Destroy(Whom.SUBJECT), "Whenever a minion enters play, destroy it"),
)

STANDARD: Final[tuple[Card, ...]] = (DARK_RITUAL, AURA_OF_POWER, STANDSTILL)
"""Those that both editions have."""
