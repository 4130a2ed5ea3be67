"""Cards of one's own that use every mechanic, and feed nobody without end."""

from __future__ import annotations

from hypothesis import strategies as st

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    Ability,
    Change,
    Edition,
    Sorcery,
    SorceryState,
    Target,
    Trigger,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.actions import Action
from sorcery.effects import (
    Damage,
    Destroy,
    Disenchant,
    Draw,
    GainLife,
    GainMagic,
    HurtOpponent,
    PutUnderDeck,
    Recharge,
    RepeatSpell,
    Resurrect,
    ReturnToHand,
    Strengthen,
    Summon,
    TakeControl,
    Together,
)
from sorcery.whom import Whom
from tabletop import Match, Random, Streams

CARDS = (
    minion(
        "Twin Mage",
        2,
        1,
        4,
        Ability(1, GainLife(1), "Gain 1 life"),
        Ability(2, Damage(Whom.TARGET, 2), "Deal 2 damage to target minion", Target.MINION),
        Trigger(When.TURN_STARTS, Draw(), "Draw a card", Whose.OWN),
        Trigger(When.LEAVES, HurtOpponent(1), "Your opponent loses 1 life", Whose.OWN),
    ),
    minion(
        "Shaman",
        1,
        1,
        2,
        Ability(1, Resurrect(), "Resurrect the top minion in your graveyard"),
        Trigger(When.ATTACKS, Strengthen(Whom.SUBJECT, 1, -1), "Attackers burn", Whose.OWN),
    ),
    minion(
        "Pirate",
        2,
        2,
        2,
        Ability(2, TakeControl(), "Take control of target minion", Target.MINION),
        Trigger(When.SPELL, Damage(Whom.RANDOM_ENEMY), "Deal 1 damage to a random enemy"),
    ),
    minion("Mourner", 1, 1, 2, Trigger(When.LEAVES, Draw(2), "Draw two cards")),
    spell("Flood", 2, ReturnToHand(Whom.ALL), "Return all minions to their owners' hands"),
    spell("Landslide", 2, PutUnderDeck(Whom.ENEMIES), "Put all enemies under their owner's deck"),
    spell("Purge", 1, Disenchant(Whom.ALL), "Destroy the top enchantment of every minion"),
    spell("Storm", 2, Damage(Whom.RANDOM_ENEMY, 3), "Deal 3 damage to a random enemy"),
    spell("Feast", 1, Together(Draw(2), GainLife(1), GainMagic(-1)), "Eat"),
    spell("Sabotage", 1, Destroy(), "Destroy target ritual", Target.RITUAL),
    enchantment(
        "Torch",
        1,
        "Burns what enters",
        Trigger(When.ENTERS, Damage(Whom.SUBJECT), "burn", Whose.OPPONENTS),
        attack=Change("+", 1),
    ),
    enchantment(
        "Weakness",
        1,
        "Weakens, and can be put off",
        Ability(1, Disenchant(Whom.ITSELF), "Destroy the top enchantment on it"),
        attack=Change("-", 1),
        defence=Change("-", 1),
    ),
    enchantment("Curse", 3, "Cursed", defence=Change("*", 0)),
    ritual(
        "Graveyard Bell",
        1,
        3,
        1,
        Trigger(When.TURN_ENDS, Resurrect(defence=2), "Resurrect", Whose.OWN),
        Trigger(When.TURN_STARTS, Recharge(1), "Recharge", Whose.OWN),
    ),
    ritual("Whirlwind", 1, 4, 1, Trigger(When.ENTERS, ReturnToHand(Whom.SUBJECT), "Return it")),
    ritual("Second Thought", 1, 4, 2, Trigger(When.SPELL, RepeatSpell(), "Again", Whose.OPPONENTS)),
    ritual("Hatchery", 2, 3, 1, Trigger(When.TURN_STARTS, Summon("Air Elemental", 2), "Summon")),
)
"""No two of them feed each other: what enters by a trigger of "leaves play" could."""

EDITIONS: dict[str, Edition] = {
    "2024": SPRING_2024,
    "2017": SPRING_2017,
    "2024 with own cards": SPRING_2024.with_cards(CARDS),
    "2017 with own cards": SPRING_2017.with_cards(CARDS),
}

GAMES = {name: Sorcery(edition) for name, edition in EDITIONS.items()}

NAMES = st.sampled_from(sorted(GAMES))


@st.composite
def matches(draw: st.DrawFn) -> Match[SorceryState, Action]:
    """A match of any edition, with decks of any of its cards."""
    game: Sorcery = GAMES[draw(NAMES)]
    cards = st.sampled_from([card.name for card in game.edition.card_set])
    decks = [draw(st.lists(cards, min_size=5, max_size=25)) for _ in range(2)]
    options = {f"deck{number}": "\n".join(deck) for number, deck in enumerate(decks, 1)}
    testing = draw(st.booleans()) and draw(st.booleans())
    return Match(
        game,
        seed=draw(st.integers(0, 2**32)),
        options={**options, "testing": testing},
        players=[Random(Streams("bots")["first"]), Random(Streams("bots")["second"])],
    )
