"""Custom cards that use every mechanic and do not set each other off without end."""

from __future__ import annotations

from hypothesis import strategies as st

from sorcery import (
    ALL,
    BOTH_PLAYERS,
    ENEMIES,
    EVENT_MINION,
    FRIENDLY,
    OPPONENT,
    OTHERS,
    RANDOM_ENEMY,
    SELF,
    SPRING_2017,
    SPRING_2024,
    TARGET,
    YOU,
    Ability,
    AbilityCost,
    Action,
    AtLeast,
    AttackOf,
    CannotAttack,
    CardsInHand,
    Count,
    Damage,
    Destroy,
    Disenchant,
    Draw,
    Edition,
    ExtraActions,
    GainLife,
    GainMagic,
    HurtOpponent,
    If,
    PutUnderDeck,
    Recharge,
    RepeatSpell,
    Resurrect,
    ReturnToHand,
    Sorcery,
    SorceryState,
    Stats,
    Strengthen,
    Summon,
    TakeControl,
    Target,
    Together,
    Trigger,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)
from tabletop import Match, Random, Streams

CARDS = (
    minion("Twin Mage", cost=2, attack=1, defence=4).having(
        Ability(1, GainLife(YOU, 1), "Gain 1 life"),
        Ability(2, Damage(TARGET, 2), "Deal 2 damage to target minion", Target.MINION),
        Trigger(When.TURN_STARTS, Draw(), "Draw a card", Whose.OWN),
        Trigger(When.LEAVES, HurtOpponent(1), "Your opponent loses 1 life", Whose.OWN),
    ),
    minion("Shaman", cost=1, attack=1, defence=2).having(
        Ability(1, Resurrect(), "Resurrect the top minion in your graveyard"),
        Trigger(When.ATTACKS, Strengthen(EVENT_MINION, 1, -1), "Attackers burn", Whose.OWN),
    ),
    minion("Pirate", cost=2, attack=2, defence=2).having(
        Ability(2, TakeControl(), "Take control of target minion", Target.MINION),
        Trigger(When.SPELL, Damage(RANDOM_ENEMY), "Deal 1 damage to a random enemy"),
    ),
    minion("Mourner", cost=1, attack=1, defence=2).having(
        Trigger(When.LEAVES, Draw(YOU, 2), "Draw two cards")
    ),
    spell("Flood", ReturnToHand(ALL), "Return all minions to their owners' hands", cost=2),
    spell("Landslide", PutUnderDeck(ENEMIES), "Put all enemies under their owner's deck", cost=2),
    spell("Purge", Disenchant(ALL), "Destroy the top enchantment of every minion", cost=1),
    spell("Storm", Damage(RANDOM_ENEMY, 3), "Deal 3 damage to a random enemy", cost=2),
    spell("Feast", Together(Draw(YOU, 2), GainLife(YOU, 1), GainMagic(YOU, -1)), "Eat", cost=1),
    spell("Sabotage", Destroy(), "Destroy target ritual", Target.RITUAL, cost=1),
    enchantment("Torch", cost=1, text="Burns what enters").having(
        Stats("+1"), Trigger(When.ENTERS, Damage(EVENT_MINION), "burn", Whose.OPPONENTS)
    ),
    enchantment("Weakness", cost=1, text="Weakens, and can be put off").having(
        Stats("-1", "-1"), Ability(1, Disenchant(SELF), "Destroy the top enchantment on it")
    ),
    enchantment("Curse", cost=3, text="Cursed").having(Stats("", "*0")),
    ritual("Graveyard Bell", cost=1, charges=3, activation=1).having(
        Trigger(When.TURN_ENDS, Resurrect(defence=2), "Resurrect", Whose.OWN),
        Trigger(When.TURN_STARTS, Recharge(1), "Recharge", Whose.OWN),
    ),
    ritual("Whirlwind", cost=1, charges=4, activation=1).having(
        Trigger(When.ENTERS, ReturnToHand(EVENT_MINION), "Return it")
    ),
    ritual("Second Thought", cost=1, charges=4, activation=2).having(
        Trigger(When.SPELL, RepeatSpell(), "Again", Whose.OPPONENTS)
    ),
    ritual("Hatchery", cost=2, charges=3, activation=1).having(
        Trigger(When.TURN_STARTS, Summon("Air Elemental", 2), "Summon")
    ),
    minion("Egg", cost=1, attack=0, defence=1).having(
        Trigger(When.DIES, Summon("Air Elemental", 2), "Hatch", Whose.THIS)
    ),
    minion("Avenger", cost=2, attack=1, defence=3).having(
        Trigger(When.ATTACKS, Strengthen(SELF, Count(ENEMIES)), "Rage", Whose.THIS),
        Ability(1, Damage(OTHERS.random(), AttackOf(SELF)), "Hit another"),
    ),
    minion("Wall", cost=1, attack=2, defence=6, text="It cannot attack.").having(CannotAttack()),
    enchantment("Shackles", cost=1, text="Enchanted minion cannot attack").having(CannotAttack()),
    enchantment("Training", cost=1, text="Cheaper, and more often").having(
        AbilityCost(-1), ExtraActions(1), Stats("*2", "-1")
    ),
    spell("Stampede", Damage(ENEMIES | OPPONENT, Count(FRIENDLY)), "Trample", cost=2),
    spell(
        "Lots",
        If(
            AtLeast(CardsInHand(), 2),
            Draw(BOTH_PLAYERS, 1),
            GainLife(YOU, 2 * Count(ALL.but(FRIENDLY))),
        ),
        "Cards for both, or life for you",
        cost=1,
    ),
)
"""No two of these cards set each other off. A minion entering by a "leaves play" trigger could."""

EDITIONS: dict[str, Edition] = {
    "2024": SPRING_2024,
    "2017": SPRING_2017,
    "2024 with own cards": SPRING_2024.with_cards(CARDS),
    "2017 with own cards": SPRING_2017.with_cards(CARDS),
}

GAMES = {name: Sorcery(edition) for name, edition in EDITIONS.items()}

NAMES = st.sampled_from(sorted(GAMES))


@st.composite
def matches(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> Match[SorceryState, Action]:
    """Draw a match of one of these editions, with decks of any of its cards."""
    game: Sorcery = GAMES[draw(names)]
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
