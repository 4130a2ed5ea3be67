"""The engine: queries, changes of zones, and triggers."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import BOTH, Scene, on

from sorcery import (
    ALL,
    ENEMIES,
    EVENT_MINION,
    FRIENDLY,
    SELF,
    SPRING_2017,
    SPRING_2024,
    YOU,
    Ability,
    CardDiscarded,
    Damage,
    Destroy,
    Disenchant,
    Draw,
    Edition,
    GainLife,
    GainMagic,
    HurtOpponent,
    LifeChanged,
    MinionLeft,
    Resurrect,
    ReturnToHand,
    Sorcery,
    Stats,
    Strengthen,
    Summon,
    TakeControl,
    Target,
    Together,
    Triggered,
    TriggerEvent,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.cards.errors import EndlessChain
from sorcery.rules.engine import Engine
from tabletop import ContractError, Match, Options, Streams, Table

# Deaths and zones, one thing at a time (Sorcery 2024 §1.1, §2.2, §3.4).


NOW = "play 1"


def test_minions_are_in_the_order_in_which_they_entered_without_gaps() -> None:
    scene = Scene().hand(1, "Air Elemental").board(1, "Potion Seller").play(NOW)
    assert scene.minions(1) == ["Potion Seller 1/3", "Air Elemental 1/1"]
    scene = Scene().hand(1, "Banish").board(1, "Air Elemental", "Potion Seller", "Earth Elemental")
    assert scene.play("play 1 1 2").minions(1) == ["Air Elemental 1/1", "Earth Elemental 4/4"]


# Leaving play (§3.4).


def test_a_leaving_minion_triggers_before_its_enchantments_are_removed() -> None:
    last_words = enchantment("Last Words", cost=0, text="hurts").having(
        on(When.LEAVES, HurtOpponent(3), Whose.OWN)
    )
    scene = Scene(cards=[last_words]).board(1, "Air Elemental").board(2, "Air Elemental")
    scene.enchant(1, 1, "Last Words").play("attack 1 1")
    assert scene.side(2).life == 17


def test_a_dying_minion_dies_whatever_it_gains_meanwhile() -> None:
    phoenix = minion("Phoenix", cost=0, attack=1, defence=1).having(
        on(When.LEAVES, Strengthen(SELF, 5, 5), Whose.OWN)
    )
    scene = Scene(cards=[phoenix]).board(1, "Phoenix").board(2, "Air Elemental")
    assert scene.play("attack 1 1").buried(1) == ["Phoenix 6/5"]


def test_a_death_during_the_triggers_of_another_death_is_completed_first() -> None:
    bomb = minion("Bomb", cost=0, attack=1, defence=1).having(
        on(When.LEAVES, Damage(ENEMIES, 1), Whose.OWN)
    )
    scene = Scene(cards=[bomb]).board(1, "Earth Elemental").board(2, "Bomb", "Bomb")
    scene.board(1, "Air Elemental", "Air Elemental").play("attack 1 1")
    left = [(event.seat, event.card) for event in scene.told(MinionLeft)]
    assert left == [(0, "Air Elemental"), (0, "Air Elemental"), (1, "Bomb")]


def test_a_place_in_a_hand_is_reserved_for_a_minion_on_its_way_there() -> None:
    # Cards drawn by the triggers of its leaving cannot take its place.
    mourner = minion("Mourner", cost=0, attack=1, defence=9).having(on(When.LEAVES, Draw(YOU, 3)))
    scene = Scene(cards=[mourner]).board(1, "Air Elemental", "Mourner").deck(1, *["Banish"] * 9)
    scene.hand(1, "Unsummon", *["Blizzard"] * 3).play("play 1 1 1")
    assert scene.held(1) == [*["Blizzard"] * 3, "Banish", "Air Elemental"]
    herald = minion("Herald", cost=0, attack=1, defence=1).having(
        on(When.LEAVES, ReturnToHand(FRIENDLY), Whose.OWN)
    )
    scene = Scene(cards=[herald]).board(1, "Herald", "Herald", "Air Elemental")
    scene.hand(1, "Unsummon", "Banish", "Banish", "Banish").play("play 1 1 1")
    assert scene.held(1) == ["Banish", "Banish", "Banish", "Herald", "Herald"]
    assert scene.minions(1) == ["Air Elemental 1/1"], "the hand was full while both were leaving"
    mourner = minion("Mourner", cost=0, attack=1, defence=1).having(on(When.LEAVES, Draw()))
    scene = Scene(cards=[mourner]).board(1, "Mourner").board(2, "Air Elemental")
    scene.hand(1, "Unsummon", *["Banish"] * 4).deck(1, "Disenchant").play("play 1 2 1")
    assert scene.held(1) == [*["Banish"] * 4, "Disenchant"]
    assert scene.held(2) == ["Air Elemental"]


def test_a_minion_that_enters_without_defence_dies_at_once() -> None:
    """It was damaged under an enchantment and returned to the hand. 2024 keeps the damage."""
    scene = Scene().hand(1, "Air Elemental 1/-1").ritual(1, "Aura of Power").play(NOW)
    assert (scene.buried(1), scene.charges(1)) == (["Air Elemental 1/-1"], 4)


def test_board_and_hand_never_exceed_five() -> None:
    nest = minion("Nest", cost=0, attack=1, defence=1).having(
        on(When.TURN_ENDS, Summon("Air Elemental", 9), Whose.OWN)
    )
    scene = Scene(cards=[nest]).board(1, "Nest", "Potion Seller").play("end")
    assert len(scene.minions(1)) == 5
    flood = spell("Flood", ReturnToHand(ALL), "Return all minions to their owners' hands", cost=0)
    scene = Scene(cards=[flood]).hand(1, "Flood", *["Blizzard"] * 4)
    scene.board(1, "Air Elemental", "Potion Seller").play(NOW)
    assert (scene.held(1)[4:], scene.minions(1)) == (["Air Elemental"], ["Potion Seller 1/3"])


# The end of the game (§1.2).


@BOTH
def test_the_game_ends_at_once_in_the_middle_of_a_chain(edition: Edition) -> None:
    doom = minion("Doom", cost=0, attack=1, defence=1).having(on(When.ENTERS, HurtOpponent(1)))
    scene = Scene(edition, cards=[doom], life=1).board(1, "Doom").board(2, "Doom")
    scene.ritual(2, "Standstill").hand(1, "Air Elemental").play(NOW)
    assert scene.side(2).life == 0
    assert scene.side(1).life == 1
    assert scene.minions(1) == ["Doom 1/1", "Air Elemental 1/1"]
    outcome = scene.game.outcome(scene.state)
    assert outcome is not None
    assert outcome.winners == (0,)
    assert scene.game.to_act(scene.state) == ()


def test_nothing_happens_after_the_end() -> None:
    both = spell(
        "Pact", Together(HurtOpponent(20), GainLife(YOU, -20)), "everybody loses 20 life", cost=0
    )
    scene = Scene(cards=[both]).hand(1, "Pact").play(NOW)
    assert (scene.side(1).life, scene.side(2).life) == (20, 0)
    assert scene.told(LifeChanged) == [LifeChanged(1, 0, "Pact", 0)]
    ghost = minion("Ghost", cost=0, attack=3, defence=1).having(
        on(When.LEAVES, HurtOpponent(20), Whose.OWN)
    )
    scene = Scene(cards=[ghost]).board(1, "Potion Seller").board(2, "Ghost").play("attack 1 1")
    assert scene.minions(1) == ["Potion Seller 1/3"]
    outcome = scene.game.outcome(scene.state)
    assert outcome is not None
    assert outcome.winners == (1,)
    scene = Scene(cards=[spell("Suicide", GainLife(YOU, -20), "lose 20 life", cost=0)]).hand(
        1, "Suicide"
    )
    outcome = scene.play(NOW).game.outcome(scene.state)
    assert outcome is not None
    assert outcome.winners == (1,)


def test_an_enchantment_that_takes_all_defence_kills() -> None:
    curse = enchantment("Curse", cost=0).having(Stats("*0", "*0"))
    scene = Scene(cards=[curse]).hand(1, "Curse").board(2, "Earth Elemental").play("play 1 2 1")
    assert scene.buried(2) == ["Earth Elemental 4/4"]


# Places in a hand are reserved for minions on their way there (§1.1, §3.4).


@BOTH
def test_a_minion_on_its_way_elsewhere_takes_no_place_in_a_hand(edition: Edition) -> None:
    mourner = minion("Mourner", cost=0, attack=1, defence=1).having(on(When.LEAVES, Draw()))
    scene = Scene(edition, cards=[mourner]).board(1, "Mourner", "Air Elemental")
    scene.hand(1, "Banish", *["Unsummon"] * 4).deck(1, "Disenchant").play("play 1 1 2")
    assert scene.held(1) == [*["Unsummon"] * 4, "Disenchant"]


def test_a_discarded_card_leaves_its_place_and_both_players_see_it() -> None:
    scene = Scene().hand(2, "Banish", "Blizzard")
    engine = Engine(scene.state, Table(Streams("a scene")), scene.edition)
    engine.table.watch(True)
    engine.discard(1, 0)
    assert [held.card for held in scene.side(2).hand] == ["Blizzard"]
    assert engine.table.events == [CardDiscarded(1, "Banish")]


# Triggers: their events, order and limits (Sorcery 2024 §3).


# APNAP order (§1.1) for every kind of trigger.

BEFORE = {
    When.TURN_STARTS: "end",
    When.TURN_ENDS: "end",
    When.ENTERS: "play 1",
    When.LEAVES: "play 2 1 3",
    When.DIES: "play 2 1 3",
    When.ATTACKS: "attack 3",
    When.SPELL: "play 2 1 3",
}
WATCHERS = {
    when: minion(f"Watcher {when}", cost=0, attack=1, defence=9).having(on(when, GainMagic(YOU, 1)))
    for when in BEFORE
}
SHRINES = {
    when: ritual(f"Shrine {when}", cost=0, charges=9, activation=1).having(
        on(when, GainMagic(YOU, 1))
    )
    for when in BEFORE
}


def test_every_kind_of_trigger_is_covered() -> None:
    assert set(BEFORE) == {kind for kind in vars(When).values() if isinstance(kind, TriggerEvent)}


@pytest.mark.parametrize("when", BEFORE)
@pytest.mark.parametrize("active", [1, 2])
def test_triggers_of_all_kinds_are_in_apnap_order(when: TriggerEvent, active: int) -> None:
    scene = Scene(cards=[*WATCHERS.values(), *SHRINES.values()])
    watcher, shrine = WATCHERS[when].name, SHRINES[when].name
    for player in (1, 2):
        scene.board(player, watcher, watcher, "Air Elemental")
        scene.ritual(player, shrine).hand(player, "Air Elemental", "Banish")
    if active == 2:
        scene.play("end")
    # The active player at the event: a turn starts for the other player.
    now = 1 - (active - 1) if when is When.TURN_STARTS else active - 1
    scene.events.clear()
    scene.play(BEFORE[when].replace(" 1 3", f" {active} 3"))
    order = [(watcher, 0), (watcher, 1), (shrine, None)]
    expected = [Triggered(seat, *which) for seat in (now, 1 - now) for which in order]
    assert scene.told(Triggered) == expected


# The source of a trigger.


def test_a_trigger_does_not_happen_after_its_minion_has_died() -> None:
    killer = minion("Killer", cost=0, attack=1, defence=1).having(
        on(When.ENTERS, Damage(ENEMIES, 1))
    )
    watcher = minion("Watcher", cost=0, attack=1, defence=1).having(
        on(When.ENTERS, HurtOpponent(5))
    )
    scene = Scene(cards=[killer, watcher]).board(1, "Killer").board(2, "Watcher")
    scene.hand(1, "Air Elemental").play(NOW)
    assert (scene.minions(2), scene.side(1).life) == ([], 20)
    # The active player's Standstill comes first, although the minion is the opponent's.
    herald = minion("Herald", cost=0, attack=1, defence=1).having(on(When.ENTERS, HurtOpponent(5)))
    caller = spell("Call", TakeControl(), "call", Target.MINION, cost=0)
    gift = minion("Gift", cost=0, attack=1, defence=5).having(
        on(When.TURN_STARTS, Summon("Herald"), Whose.OPPONENTS)
    )
    scene = Scene(cards=[herald, gift, caller]).board(1, "Gift").ritual(2, "Standstill")
    scene.play("end")
    assert (scene.buried(1), scene.side(2).life) == (["Herald 1/1"], 20)


def test_a_ritual_that_was_destroyed_in_the_chain_has_no_further_effect() -> None:
    breaker = minion("Breaker", cost=0, attack=1, defence=1).having(
        Ability(0, Destroy(), "break", Target.RITUAL)
    )
    scene = Scene(cards=[breaker]).board(1, "Breaker").ritual(2, "Dark Ritual")
    scene.play("use 1 2 r", "end")
    assert (scene.charges(2), scene.side(2).magic) == (None, 21)


def test_a_granted_trigger_whose_enchantment_was_removed_in_the_chain_does_not_happen() -> None:
    torch = enchantment("Torch", cost=0, text="burns").having(on(When.ENTERS, HurtOpponent(5)))
    wind = minion("Wind", cost=0, attack=1, defence=1).having(on(When.ENTERS, Disenchant(ENEMIES)))
    scene = Scene(cards=[torch, wind]).hand(1, "Wind").board(2, "Air Elemental")
    scene.enchant(2, 1, "Silence", "Torch").play(NOW)
    assert (scene.side(1).life, scene.side(2).minions[0].enchantments) == (20, ["Silence"])


def test_a_minion_that_changed_sides_in_the_chain_does_not_act_for_its_former_side() -> None:
    thief = minion("Thief", cost=0, attack=1, defence=1).having(
        on(When.ENTERS, TakeControl(ENEMIES))
    )
    watcher = minion("Watcher", cost=0, attack=1, defence=1).having(
        on(When.ENTERS, GainLife(YOU, 5))
    )
    scene = Scene(cards=[thief, watcher]).hand(1, "Thief").board(2, "Watcher").play(NOW)
    assert scene.minions(1) == ["Thief 1/1", "Watcher 1/1"]
    assert (scene.side(1).life, scene.side(2).life) == (20, 20)


# Attacks: the trigger of free choice in 2017 (2017 §3.4).


def test_triggers_of_an_attack_are_resolved_before_the_blows_are_fixed() -> None:
    moon = ritual("Moon", cost=0, charges=9, activation=1).having(
        on(When.ATTACKS, Strengthen(EVENT_MINION, 1, 0))
    )
    scene = Scene(cards=[moon]).ritual(1, "Moon").board(1, "Air Elemental", "Air Elemental")
    scene.board(2, "Potion Seller").play("attack 1", "attack 2 1")
    assert (scene.side(2).life, scene.minions(2)) == (18, ["Potion Seller 1/1"])


def test_an_attack_on_a_minion_that_a_trigger_has_removed_has_no_effect() -> None:
    saviour = minion("Saviour", cost=0, attack=1, defence=1).having(
        on(When.ATTACKS, ReturnToHand(FRIENDLY))
    )
    scene = Scene(cards=[saviour]).board(1, "Earth Elemental").board(2, "Fire Elemental", "Saviour")
    scene.play("attack 1 1")
    assert scene.minions(1) == ["Earth Elemental 4/4"]
    assert scene.held(2) == ["Fire Elemental", "Saviour"]
    assert scene.refusal("attack 1") == "Earth Elemental can act from your next turn."


# Endless chains.

FURNACE = minion("Furnace", cost=0, attack=1, defence=9).having(
    on(When.ENTERS, Damage(EVENT_MINION, 1))
)
MOTHER = minion("Mother", cost=0, attack=1, defence=9).having(
    on(When.ENTERS, Summon("Air Elemental"))
)
DIGGER = minion("Gravedigger", cost=0, attack=1, defence=9).having(
    on(When.ENTERS, Resurrect(defence=1))
)
HYDRA = minion("Hydra", cost=0, attack=1, defence=1).having(
    on(When.LEAVES, Summon("Hydra", 9), Whose.OWN)
)


@pytest.mark.parametrize(
    "deck",
    [
        "Furnace\nMother",
        "Furnace\nGravedigger\nAir Elemental",
        "Furnace\nHydra",
    ],
    ids=lambda deck: deck.lower().replace("\n", " and "),
)
@pytest.mark.parametrize("edition", [SPRING_2024, SPRING_2017], ids=lambda one: one.name)
def test_an_endless_chain_is_an_error_that_changes_nothing(deck: str, edition: Edition) -> None:
    game = Sorcery(edition.with_cards([FURNACE, MOTHER, DIGGER, HYDRA]))
    options: Options = {"deck1": deck, "deck2": "", "testing": True}
    match = Match(game, seed="an endless chain", options=options)
    *quiet, _ = deck.split("\n")
    for _ in quiet:
        match.play(match.parse(NOW))
    before = match.digest()
    with pytest.raises(ContractError, match="triggers") as caught:
        match.play(match.parse(NOW))
    assert isinstance(caught.value.__cause__, EndlessChain)
    assert match.digest() == before
    match.play(match.parse("end"))
    assert match.state.turn == 1


def test_a_long_finite_chain_is_allowed() -> None:
    """Ten nested deaths."""
    bomb = minion("Bomb", cost=0, attack=1, defence=1).having(on(When.LEAVES, Damage(ALL, 1)))
    scene = Scene(cards=[bomb]).board(1, *["Bomb"] * 5).board(2, *["Bomb"] * 5).hand(1, "Banish")
    scene.play("play 1 1 1")
    assert (len(scene.buried(1)), len(scene.buried(2))) == (5, 5)
