"""The cards of both editions. A card is a value that is defined in a few lines.

To add a card, define it here and list it in the card set of its edition, at the end of this file.
The card can be played immediately, with a picture derived from its name. For a permanent card, also
compose a picture (`data/compositions.txt`) and describe the card in the rulebook
(`data/rules-2024.md`).
"""

from __future__ import annotations

from typing import Final

from sorcery.cards.card import Ability, Card, Target, enchantment, minion, ritual, spell
from sorcery.cards.effects import (
    Damage,
    Destroy,
    Disenchant,
    Draw,
    GainMagic,
    PutUnderDeck,
    Recharge,
    RepeatSpell,
    Resurrect,
    ReturnToHand,
    Strengthen,
    Summon,
    TakeControl,
)
from sorcery.cards.mechanics import Trigger, When, Whose
from sorcery.cards.modifiers import AbilityCost, ExtraActions, Silenced, Stats
from sorcery.cards.selectors import ALL, EVENT_MINION, FRIENDLY, SELF, TARGET, YOU

# Minions (Sorcery 2024 §6.2, Sorcery 2017 §6.1).

AIR_ELEMENTAL: Final = minion("Air Elemental", cost=0, attack=1, defence=1)

EARTH_ELEMENTAL: Final = minion("Earth Elemental", cost=3, attack=4, defence=4)

FIRE_ELEMENTAL: Final = minion("Fire Elemental", cost=2, attack=2, defence=2).having(
    Trigger(
        When.ENTERS,
        Damage(EVENT_MINION, 1),
        "Whenever an opponent's minion enters play, deal 1 damage to it.",
        Whose.OPPONENTS,
    )
)

POTION_SELLER: Final = minion("Potion Seller", cost=2, attack=1, defence=3).having(
    Trigger(
        When.TURN_ENDS,
        Strengthen(FRIENDLY, 0, 1),
        "At the end of your turn, all your minions gain +0/+1.",
        Whose.OWN,
    )
)

NOVICE_PYROMANCER: Final = minion("Novice Pyromancer", cost=1, attack=0, defence=1).having(
    Ability(1, Damage(TARGET, 1), "Deal 1 damage to target\n minion", Target.MINION)
)

APPRENTICE_SUMMONER: Final = minion("Apprentice Summoner", cost=1, attack=1, defence=1).having(
    Ability(1, Summon("Air Elemental"), "Summon a 1/1 air elemental")
)

MASTER_SUMMONER: Final = minion("Master Summoner", cost=3, attack=2, defence=3).having(
    Ability(2, Summon("Air Elemental", 3), "Summon up to three 1/1 air elementals")
)

BONE_GOLEM: Final = minion("Bone Golem", cost=2, attack=1, defence=3).having(
    Trigger(When.LEAVES, Strengthen(SELF, 1, 1), "Gain +1/+1 whenever a minion leaves play.")
)

# Spells (Sorcery 2024 §6.1, Sorcery 2017 §6.2).

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

# Enchantments (Sorcery 2024 §6.3, Sorcery 2017 §6.3).

GIANT_STRENGTH: Final = enchantment("Giant Strength", cost=1).having(Stats("+2", "+2"))

ENRAGE: Final = enchantment("Enrage", cost=2).having(Stats("*2", "*2"))

HASTE: Final = enchantment(
    "Haste", cost=1, text="Enchanted minion gains +1 action each turn"
).having(ExtraActions(1))

MAGIC_FATIGUE: Final = enchantment(
    "Magic Fatigue", cost=0, text="Enchanted minion's activated ability costs 2 more"
).having(AbilityCost(2))

SILENCE: Final = enchantment(
    "Silence", cost=1, text="Enchanted minion cannot use abilities"
).having(Silenced())

# Rituals (Sorcery 2024 §6.4, Sorcery 2017 §6.4).

DARK_RITUAL: Final = ritual("Dark Ritual", cost=0, charges=5, activation=1).having(
    Trigger(
        When.TURN_STARTS, GainMagic(YOU, 1), "At the start of your turn, gain 1 magic", Whose.OWN
    )
)

AURA_OF_POWER: Final = ritual("Aura of Power", cost=1, charges=4, activation=1).having(
    Trigger(
        When.ENTERS,
        Strengthen(EVENT_MINION, 1, 1),
        "Whenever a minion enters\nplay under your control,\nit gains +1/+1",
        Whose.OWN,
    )
)

STANDSTILL: Final = ritual("Standstill", cost=3, charges=4, activation=2).having(
    Trigger(When.ENTERS, Destroy(EVENT_MINION), "Whenever a minion enters play, destroy it")
)

# The four custom cards of the 2017 edition (Sorcery 2017 §6.5).

THORNBACK: Final = minion("Thornback", cost=2, attack=1, defence=4).having(
    Trigger(
        When.ATTACKS,
        Damage(EVENT_MINION, 1),
        "Whenever an opponent's minion attacks, deal 1 damage to it.",
        Whose.OPPONENTS,
    )
)

SCHOLARS_ROBE: Final = enchantment(
    "Scholar's Robe", cost=1, text="Enchanted minion can draw a card"
).having(Ability(1, Draw(), "Draw a card"))

SEDUCTION: Final = spell(
    "Seduction",
    TakeControl(),
    "Take control of target minion of your opponent",
    Target.MINION,
    cost=4,
)

ECHO_CAVE: Final = ritual("Echo Cave", cost=2, charges=3, activation=1).having(
    Trigger(When.SPELL, RepeatSpell(), "Whenever you play a spell, it happens again", Whose.OWN)
)

CUSTOM: Final[tuple[Card, ...]] = (THORNBACK, SCHOLARS_ROBE, SEDUCTION, ECHO_CAVE)

# The card sets, in the order in which they are listed.

CARDS_2024: Final[tuple[Card, ...]] = (
    AIR_ELEMENTAL,
    EARTH_ELEMENTAL,
    BONE_GOLEM,
    FIRE_ELEMENTAL,
    POTION_SELLER,
    NOVICE_PYROMANCER,
    APPRENTICE_SUMMONER,
    MASTER_SUMMONER,
    BANISH,
    UNSUMMON_2024,
    RECHARGE,
    DISENCHANT,
    RAISE_DEAD_2024,
    BLIZZARD,
    GIANT_STRENGTH,
    ENRAGE,
    HASTE,
    MAGIC_FATIGUE,
    SILENCE,
    DARK_RITUAL,
    AURA_OF_POWER,
    STANDSTILL,
)
"""The cards of Spring 2024 (Sorcery 2024 §6)."""

CARDS_2017: Final[tuple[Card, ...]] = (
    *(
        {UNSUMMON_2024: UNSUMMON_2017, RAISE_DEAD_2024: RAISE_DEAD_2017}.get(card, card)
        for card in CARDS_2024
        if card not in (BONE_GOLEM, ENRAGE, HASTE)
    ),
    *CUSTOM,
)
"""The cards of Spring 2017, with four custom cards (Sorcery 2017 §6)."""
