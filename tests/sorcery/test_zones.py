"""Deaths and zones, one thing at a time (Sorcery 2024 §1.1, §2.2, §3.4)."""

from __future__ import annotations

from tests.sorcery.scenes import BOTH, Scene, on

from sorcery import (
    ALL,
    ENEMIES,
    ITSELF,
    OWN,
    Damage,
    Draw,
    Edition,
    GainLife,
    HurtOpponent,
    Numbers,
    ReturnToHand,
    Strengthen,
    Summon,
    Together,
    When,
    Whose,
    enchantment,
    minion,
    spell,
)
from sorcery.engine import Engine
from sorcery.events import CardDiscarded, LifeChanged, MinionLeft
from tabletop import Streams, Table

NOW = "play 1"


def test_new_minions_are_added_to_the_right_of_older_ones() -> None:
    scene = Scene().hand(1, "Air Elemental").board(1, "Potion Seller").play(NOW)
    assert scene.minions(1) == ["Potion Seller 1/3", "Air Elemental 1/1"]


def test_minions_move_left_when_one_of_them_leaves() -> None:
    scene = Scene().hand(1, "Banish").board(1, "Air Elemental", "Potion Seller", "Earth Elemental")
    assert scene.play("play 1 1 2").minions(1) == ["Air Elemental 1/1", "Earth Elemental 4/4"]


# Leaving play (§3.4).


def test_a_leaving_minion_triggers_before_its_enchantments_go() -> None:
    last_words = enchantment("Last Words", cost=0, text="hurts").having(
        on(When.LEAVES, HurtOpponent(3), Whose.OWN)
    )
    scene = Scene(cards=[last_words]).board(1, "Air Elemental").board(2, "Air Elemental")
    scene.enchant(1, 1, "Last Words").play("attack 1 1")
    assert scene.side(2).life == 17


def test_a_dead_minion_stays_dead_whatever_it_gains_as_it_leaves() -> None:
    phoenix = minion("Phoenix", cost=0, attack=1, defence=1).having(
        on(When.LEAVES, Strengthen(ITSELF, 5, 5), Whose.OWN)
    )
    scene = Scene(cards=[phoenix]).board(1, "Phoenix").board(2, "Air Elemental")
    assert scene.play("attack 1 1").buried(1) == ["Phoenix 6/5"]


def test_a_death_in_the_triggers_of_a_death_is_complete_before_the_first_goes_on() -> None:
    bomb = minion("Bomb", cost=0, attack=1, defence=1).having(
        on(When.LEAVES, Damage(ENEMIES, 1), Whose.OWN)
    )
    scene = Scene(cards=[bomb]).board(1, "Earth Elemental").board(2, "Bomb", "Bomb")
    scene.board(1, "Air Elemental", "Air Elemental").play("attack 1 1")
    left = [(event.seat, event.card) for event in scene.told(MinionLeft)]
    assert left == [(0, "Air Elemental"), (0, "Air Elemental"), (1, "Bomb")]


def test_a_minion_on_its_way_to_a_hand_has_its_place_there() -> None:
    """What is drawn by the triggers of its leaving cannot push it out."""
    mourner = minion("Mourner", cost=0, attack=1, defence=9).having(on(When.LEAVES, Draw(3)))
    scene = Scene(cards=[mourner]).board(1, "Air Elemental", "Mourner").deck(1, *["Banish"] * 9)
    scene.hand(1, "Unsummon", *["Blizzard"] * 3).play("play 1 1 1")
    assert scene.held(1) == [*["Blizzard"] * 3, "Banish", "Air Elemental"]


def test_a_minion_that_enters_with_no_defence_left_dies_at_once() -> None:
    """It was damaged under an enchantment and returned to the hand (2024 keeps the damage)."""
    scene = Scene().hand(1, "Air Elemental 1/-1").ritual(1, "Aura of Power").play(NOW)
    assert (scene.buried(1), scene.charges(1)) == (["Air Elemental 1/-1"], 4)


def test_minions_on_the_board_keep_to_five_whatever_is_summoned() -> None:
    nest = minion("Nest", cost=0, attack=1, defence=1).having(
        on(When.TURN_ENDS, Summon("Air Elemental", 9), Whose.OWN)
    )
    scene = Scene(cards=[nest]).board(1, "Nest", "Potion Seller").play("end")
    assert len(scene.minions(1)) == 5


def test_a_full_hand_keeps_a_minion_from_returning_to_it() -> None:
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


def test_nothing_of_an_effect_happens_after_the_end() -> None:
    both = spell(
        "Pact", Together(HurtOpponent(20), GainLife(-20)), "everybody loses 20 life", cost=0
    )
    scene = Scene(cards=[both]).hand(1, "Pact").play(NOW)
    assert (scene.side(1).life, scene.side(2).life) == (20, 0)
    assert scene.told(LifeChanged) == [LifeChanged(1, 0)]


def test_the_defender_s_blow_does_not_fall_after_the_end() -> None:
    ghost = minion("Ghost", cost=0, attack=3, defence=1).having(
        on(When.LEAVES, HurtOpponent(20), Whose.OWN)
    )
    scene = Scene(cards=[ghost]).board(1, "Potion Seller").board(2, "Ghost").play("attack 1 1")
    assert scene.minions(1) == ["Potion Seller 1/3"]
    outcome = scene.game.outcome(scene.state)
    assert outcome is not None
    assert outcome.winners == (1,)


def test_who_dies_of_an_own_effect_loses() -> None:
    scene = Scene(cards=[spell("Suicide", GainLife(-20), "lose 20 life", cost=0)]).hand(
        1, "Suicide"
    )
    outcome = scene.play(NOW).game.outcome(scene.state)
    assert outcome is not None
    assert outcome.winners == (1,)


def test_an_enchantment_that_takes_all_defence_kills() -> None:
    curse = enchantment("Curse", cost=0).having(Numbers("*0", "*0"))
    scene = Scene(cards=[curse]).hand(1, "Curse").board(2, "Earth Elemental").play("play 1 2 1")
    assert scene.buried(2) == ["Earth Elemental 4/4"]


# Places in a hand are given away as minions set out for it (§1.1, §3.4).


def test_several_minions_on_their_way_to_a_hand_have_a_place_each() -> None:
    herald = minion("Herald", cost=0, attack=1, defence=1).having(
        on(When.LEAVES, ReturnToHand(OWN), Whose.OWN)
    )
    scene = Scene(cards=[herald]).board(1, "Herald", "Herald", "Air Elemental")
    scene.hand(1, "Unsummon", "Banish", "Banish", "Banish").play("play 1 1 1")
    assert scene.held(1) == ["Banish", "Banish", "Banish", "Herald", "Herald"]
    assert scene.minions(1) == ["Air Elemental 1/1"], "the hand was full while both were leaving"


@BOTH
def test_a_minion_on_its_way_elsewhere_takes_no_place_in_a_hand(edition: Edition) -> None:
    mourner = minion("Mourner", cost=0, attack=1, defence=1).having(on(When.LEAVES, Draw()))
    scene = Scene(edition, cards=[mourner]).board(1, "Mourner", "Air Elemental")
    scene.hand(1, "Banish", *["Unsummon"] * 4).deck(1, "Disenchant").play("play 1 1 2")
    assert scene.held(1) == [*["Unsummon"] * 4, "Disenchant"]


def test_a_minion_on_its_way_to_one_hand_takes_no_place_in_the_other() -> None:
    mourner = minion("Mourner", cost=0, attack=1, defence=1).having(on(When.LEAVES, Draw()))
    scene = Scene(cards=[mourner]).board(1, "Mourner").board(2, "Air Elemental")
    scene.hand(1, "Unsummon", *["Banish"] * 4).deck(1, "Disenchant").play("play 1 2 1")
    assert scene.held(1) == [*["Banish"] * 4, "Disenchant"]
    assert scene.held(2) == ["Air Elemental"]


def test_a_card_is_discarded_from_its_place_in_a_hand_and_both_are_told() -> None:
    scene = Scene().hand(2, "Banish", "Blizzard")
    engine = Engine(scene.state, Table(Streams("a scene")), scene.edition)
    engine.table.watch(True)
    engine.discard(1, 0)
    assert [held.card for held in scene.side(2).hand] == ["Blizzard"]
    assert engine.table.events == [CardDiscarded(1, "Banish")]
