"""Sorcery in short: less life, more magic, and a card of your own.

Change the numbers of the edition, or the card, and play.
"""

from dataclasses import replace

from sorcery import (
    SPRING_2024,
    Draw,
    Sorcery,
    Trigger,
    When,
    minion,
    plugin_with,
)

LIBRARIAN = minion("Librarian", cost=2, attack=2, defence=2).having(
    Trigger(
        When.SPELL, Draw(), "Whenever a spell is played, draw a card."
    )
)

DECK = """
Librarian
Librarian
Air Elemental
Earth Elemental
Apprentice Summoner
Banish
Blizzard
Disenchant
Unsummon
Recharge
Raise Dead
Giant Strength
"""

EDITION = replace(
    SPRING_2024.with_cards([LIBRARIAN]),
    name="short",
    life_at_start=12,
    magic_at_start=5,
)
PLUGIN = plugin_with(Sorcery(EDITION, deck=DECK))
