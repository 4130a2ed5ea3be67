"""Five new cards for Sorcery that use existing mechanics.

No rule has to be changed. Play only with them and a few old cards, or
add them to a game:

    tabletop play examples/own_cards.py
    sorcery -cards examples/own_cards.py -deck1 DECK
"""

from __future__ import annotations

from sorcery import (
    ENEMIES,
    EVENT_MINION,
    FRIENDLY,
    SELF,
    SPRING_2024,
    TARGET,
    YOU,
    Ability,
    Damage,
    Draw,
    GainLife,
    HurtOpponent,
    ReturnToHand,
    Sorcery,
    Stats,
    Strengthen,
    Target,
    Together,
    Trigger,
    When,
    Whose,
    enchantment,
    minion,
    plugin_with,
    ritual,
    spell,
)
from tabletop import Event, Match

# Two abilities and two triggers; `use 1.2` uses the second ability.
VAMPIRE_COUNTESS = minion(
    "Vampire Countess", cost=3, attack=2, defence=3
).having(
    Ability(
        1,
        Together(Damage(TARGET, 1), Strengthen(SELF, 1, 0)),
        "Deal 1 damage to target minion and gain +1/+0",
        Target.MINION,
    ),
    Ability(
        2, Strengthen(FRIENDLY, 0, 1), "All your minions gain +0/+1"
    ),
    Trigger(
        When.ATTACKS,
        GainLife(YOU, 1),
        "Whenever your minion attacks, gain 1 life.",
        Whose.OWN,
    ),
    Trigger(
        When.LEAVES,
        HurtOpponent(1),
        "Whenever your minion leaves play, your opponent loses 1 life.",
        Whose.OWN,
    ),
)

CHRONICLER = minion("Chronicler", cost=2, attack=1, defence=4).having(
    Trigger(
        When.SPELL,
        Draw(),
        "Whenever you play a spell, draw a card.",
        Whose.OWN,
    )
)

TIDAL_WAVE = spell(
    "Tidal Wave",
    Together(ReturnToHand(ENEMIES), Damage(FRIENDLY, 1)),
    "Return your opponent's minions to hand; your own take 1 damage",
    cost=4,
)

# An enchantment can grant abilities and triggers, and change numbers.
FLAMING_SWORD = enchantment(
    "Flaming Sword",
    cost=2,
    text="Enchanted minion can burn a minion, and burns what attacks",
).having(
    Stats("+1"),
    Ability(
        0,
        Damage(TARGET, 2),
        "Deal 2 damage to target minion",
        Target.MINION,
    ),
    Trigger(
        When.ATTACKS,
        Damage(EVENT_MINION, 1),
        "Burn what attacks",
        Whose.OPPONENTS,
    ),
)

BLOOD_MOON = ritual(
    "Blood Moon", cost=1, charges=6, activation=2
).having(
    Trigger(
        When.ATTACKS,
        Strengthen(EVENT_MINION, 1, 0),
        "Whenever a minion attacks, it gains +1/+0",
    ),
    Trigger(
        When.TURN_ENDS,
        HurtOpponent(1),
        "At the end of your turn, it bites",
        Whose.OWN,
    ),
)

CARDS = (
    VAMPIRE_COUNTESS,
    CHRONICLER,
    TIDAL_WAVE,
    FLAMING_SWORD,
    BLOOD_MOON,
)

DECK = """
Vampire Countess
Flaming Sword
Blood Moon
Chronicler
Tidal Wave
Air Elemental
Apprentice Summoner
Vampire Countess
Disenchant
Chronicler
Blizzard
Banish
"""

GAME = Sorcery(
    SPRING_2024.with_cards(CARDS), name="sorcery-own-cards", deck=DECK
)
PLUGIN = plugin_with(GAME)

LINES = """
play 1
play 2
end

play 1
play 3
end

play 1 1 1
use 1 2 1
end

attack 2
attack 1 1
play 3
end
"""
"""Turns that use the new cards. Testing mode ignores costs."""


def main() -> None:
    match = Match(GAME, options={"testing": True}, seats=["Ada", "Ben"])
    text = PLUGIN.text

    def report(event: Event) -> None:
        words = text.event(event, match.names)
        if words:
            print(f"  {words}")

    match.observe(report)
    for line in LINES.split("\n"):
        if line:
            print(f"> {line}")
            match.play(match.parse(line))
    for name, side in zip(match.names, match.state.sides, strict=True):
        board = ", ".join(
            f"{minion.card} {minion.attack}/{minion.defence}"
            for minion in side.minions
        )
        print(
            f"{name}: {side.life} life, {side.magic} magic;",
            board or "nobody",
        )


if __name__ == "__main__":
    main()
