"""The pictures of the cards that come with the game, composed one by one.

Cards of others have pictures made from their names (`tabletop.motifs.composed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletop.motifs import Composition, Figure, composed

_MINIONS: Final = {
    "Air Elemental": Composition(
        "noon",
        "hills",
        (
            Figure("cloud", 130, 26, 44, "cloud"),
            Figure("cloud", 22, 40, 30, "cloud"),
            Figure("wind", 78, 52, 80, "sea"),
            Figure("feather", 128, 60, 32, "blood", "ice", turn=14),
        ),
        "streaks",
        "cloud",
    ),
    "Earth Elemental": Composition(
        "moss",
        "forest",
        (
            Figure("stone", 134, 82, 30, "stone"),
            Figure("golem", 80, 52, 84, "earth", "spring"),
            Figure("leaf", 52, 24, 20, "leaf", "spring", turn=-40),
            Figure("stone", 28, 86, 34, "stone", flip=True),
        ),
    ),
    "Bone Golem": Composition(
        "night",
        "hills",
        (
            Figure("moon", 132, 26, 30, "bone"),
            Figure("bone", 80, 66, 104, "bone", turn=24),
            Figure("bone", 80, 66, 104, "bone", turn=156),
            Figure("skull", 80, 46, 66, "bone"),
        ),
        "stars",
        "ice",
    ),
    "Fire Elemental": Composition(
        "ember",
        "peaks",
        (
            Figure("flame", 32, 70, 40, "blood", "ember"),
            Figure("flame", 128, 68, 44, "blood", "ember", flip=True),
            Figure("flame", 80, 51, 86, "ember", "gold"),
            Figure("mask", 80, 62, 30, "gold", "blood"),
        ),
        "sparks",
        "gold",
    ),
    "Potion Seller": Composition(
        "hall",
        "hall",
        (
            Figure("flask", 40, 64, 42, "violet", "wood"),
            Figure("potion", 122, 66, 38, "ember", "wood"),
            Figure("potion", 80, 54, 66, "spring", "wood"),
        ),
        "discs",
        "spring",
    ),
    "Novice Pyromancer": Composition(
        "dusk",
        "plain",
        (
            Figure("figure", 62, 54, 82, "blood", "gold"),
            Figure("flame", 112, 44, 42, "ember", "gold"),
            Figure("hand", 112, 80, 36, "earth", "gold"),
        ),
        "sparks",
        "ember",
    ),
    "Apprentice Summoner": Composition(
        "teal",
        "plain",
        (
            Figure("sigil", 108, 66, 52, "gold", "gold"),
            Figure("wind", 108, 54, 40, "ice"),
            Figure("figure", 50, 56, 76, "sea", "ice"),
        ),
        "discs",
        "ice",
    ),
    "Master Summoner": Composition(
        "royal",
        "halo",
        (
            Figure("sigil", 80, 52, 96, "violet", "gold"),
            Figure("wind", 24, 32, 34, "ice"),
            Figure("wind", 136, 32, 34, "ice", flip=True),
            Figure("wind", 136, 76, 30, "ice", flip=True),
            Figure("figure", 80, 58, 80, "rose", "gold"),
            Figure("crown", 80, 17, 24, "gold", "rose"),
            Figure("staff", 116, 58, 76, "gold", "ice"),
        ),
    ),
    "Thornback": Composition(
        "sand",
        "hills",
        (
            Figure("thorn", 22, 66, 48, "moss"),
            Figure("tortoise", 84, 54, 86, "leaf", "blood"),
            Figure("stone", 146, 86, 26, "stone"),
        ),
    ),
}

_SPELLS: Final = {
    "Banish": Composition(
        "royal",
        "rays",
        (
            Figure("spiral", 80, 52, 92, "violet"),
            Figure("figure", 80, 50, 30, "night", "gold", turn=28),
        ),
        "streaks",
        "violet",
    ),
    "Unsummon": Composition(
        "frost",
        "sea",
        (
            Figure("hand", 104, 58, 76, "sea", "ice", turn=-8),
            Figure("wind", 46, 48, 60, "cloud", flip=True),
        ),
        "discs",
        "ice",
    ),
    "Recharge": Composition(
        "teal",
        "rays",
        (
            Figure("crystal", 46, 66, 50, "teal"),
            Figure("crystal", 116, 68, 44, "sea", flip=True),
            Figure("bolt", 80, 50, 88, "gold"),
        ),
        "sparks",
        "gold",
    ),
    "Disenchant": Composition(
        "dawn",
        "halo",
        (Figure("shackle", 80, 52, 92, "steel", "gold"),),
        "sparks",
        "gold",
    ),
    "Raise Dead": Composition(
        "grave",
        "hills",
        (
            Figure("moon", 34, 24, 26, "spring"),
            Figure("tomb", 112, 56, 66, "stone", "moss"),
            Figure("hand", 58, 66, 58, "spring", turn=-10),
            Figure("stone", 42, 92, 26, "moss"),
            Figure("stone", 74, 94, 22, "moss"),
        ),
        "discs",
        "spring",
    ),
    "Blizzard": Composition(
        "frost",
        "peaks",
        (
            Figure("snowflake", 28, 34, 40, "ice"),
            Figure("snowflake", 134, 66, 44, "ice", turn=15),
            Figure("snowflake", 80, 50, 80, "sea", turn=8),
            Figure("snowflake", 79, 49, 80, "ice", turn=8),
        ),
        "discs",
        "ice",
    ),
    "Seduction": Composition(
        "rose",
        "halo",
        (
            Figure("heart", 122, 64, 40, "blood"),
            Figure("mirror", 74, 54, 82, "ice", "gold", turn=-12),
            Figure("rose", 40, 74, 46, "rose", "leaf"),
        ),
        "stars",
        "rose",
    ),
}

_ENCHANTMENTS: Final = {
    "Giant Strength": Composition(
        "sand",
        "rays",
        (Figure("fist", 80, 54, 84, "earth"),),
        "sparks",
        "ember",
    ),
    "Enrage": Composition(
        "ember",
        "slant",
        (
            Figure("claw", 122, 50, 62, "gold", turn=14),
            Figure("beast", 66, 52, 84, "blood", "gold"),
        ),
        "sparks",
        "ember",
    ),
    "Haste": Composition(
        "noon",
        "slant",
        (
            Figure("wing", 54, 44, 60, "cloud", flip=True, turn=14),
            Figure("boot", 92, 54, 72, "ember", "blood"),
        ),
        "streaks",
        "cloud",
    ),
    "Magic Fatigue": Composition(
        "slate",
        "hall",
        (
            Figure("smoke", 80, 24, 52, "cloud"),
            Figure("staff", 124, 66, 60, "ash", "night", turn=66),
            Figure("candle", 80, 64, 64, "bone", "ash"),
        ),
    ),
    "Silence": Composition(
        "dusk",
        "halo",
        (
            Figure("bell", 80, 52, 78, "steel", "ash"),
            Figure("rope", 80, 72, 56, "blood"),
        ),
    ),
    "Scholar's Robe": Composition(
        "parchment",
        "hall",
        (
            Figure("book", 118, 74, 44, "bone", "blood"),
            Figure("feather", 136, 46, 34, "sea", "night", turn=10),
            Figure("robe", 66, 52, 80, "teal", "gold"),
        ),
    ),
}

_RITUALS: Final = {
    "Dark Ritual": Composition(
        "ember",
        "cavern",
        (
            Figure("sigil", 80, 54, 82, "blood", "ember"),
            Figure("candle", 36, 70, 42, "bone"),
            Figure("candle", 124, 70, 42, "bone"),
            Figure("chalice", 80, 58, 64, "steel", "blood"),
        ),
        "sparks",
        "ember",
    ),
    "Aura of Power": Composition(
        "sand",
        "halo",
        (
            Figure("sun", 80, 52, 104, "gold", "ember"),
            Figure("shield", 80, 54, 50, "violet", "gold"),
            Figure("crown", 80, 24, 28, "gold", "blood"),
        ),
        "stars",
        "cloud",
    ),
    "Standstill": Composition(
        "slate",
        "rays",
        (
            Figure("chain", 30, 54, 62, "steel", turn=-30),
            Figure("chain", 130, 54, 62, "steel", turn=60),
            Figure("hourglass", 80, 52, 82, "ember", "wood"),
        ),
    ),
    "Echo Cave": Composition(
        "teal",
        "halo",
        (
            Figure("cave", 80, 54, 86, "stone", "teal"),
            Figure("bell", 80, 64, 28, "gold", "ember"),
            Figure("crystal", 128, 78, 32, "teal"),
            Figure("crystal", 28, 80, 28, "sea", flip=True),
        ),
        "discs",
        "teal",
    ),
}

COMPOSITIONS: Final[Mapping[str, Composition]] = {
    **_MINIONS,
    **_SPELLS,
    **_ENCHANTMENTS,
    **_RITUALS,
}
"""What the pictures of the game's own cards are made of, by their names."""


def composition_of(card: str) -> Composition:
    """What the picture of a card is made of."""
    return COMPOSITIONS.get(card) or composed(card)
