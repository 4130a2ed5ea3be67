"""Sorcery: a card game for two, in both editions of the course document that describes it.

`GAME` is Spring 2024, `GAME_2017` Spring 2017, and `TEXT` how they read. The program `sorcery` is
`sorcery.cli`. Sections are those of "CS246 Spring 2024 Project - Sorcery" (`Sorcery 2024 §2.2`) and
"CS 246 - Assignment 5, Spring 2017: Sorcery" (`Sorcery 2017 §6.5`).
"""

from tabletop.host import startup as startup  # before all else

# isort: split
from sorcery.bots import BOTS
from sorcery.card import (
    Ability,
    Card,
    CardsError,
    CardType,
    Change,
    Target,
    Trigger,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.editions import EDITIONS, SPRING_2017, SPRING_2024, Edition, EditionError
from sorcery.rules import Sorcery
from sorcery.state import SorceryState
from sorcery.text import SorceryText, rules_file

GAME = Sorcery(SPRING_2024)
GAME_2017 = Sorcery(SPRING_2017)
TEXT = SorceryText.of
RULES = rules_file
SKIN = "sorcery.skin:SorcerySkin"
PICTURE = "sorcery.picture:sorcery_picture"

__all__ = [
    "BOTS",
    "EDITIONS",
    "GAME",
    "GAME_2017",
    "RULES",
    "SPRING_2017",
    "SPRING_2024",
    "TEXT",
    "Ability",
    "Card",
    "CardType",
    "CardsError",
    "Change",
    "Edition",
    "EditionError",
    "Sorcery",
    "SorceryState",
    "Target",
    "Trigger",
    "When",
    "Whose",
    "enchantment",
    "minion",
    "ritual",
    "spell",
]
