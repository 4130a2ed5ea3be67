"""The four custom cards of the 2017 edition (Sorcery 2017 §6.5)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import Scene

from sorcery import SPRING_2017, SPRING_2024, CardType, When
from sorcery.cards.custom import CUSTOM, ECHO_CAVE, SCHOLARS_ROBE, THORNBACK
from sorcery.decks import packaged_deck, parse_deck
from sorcery.events import MinionEntered, MinionLeft, MinionTaken


def scene() -> Scene:
    return Scene(SPRING_2017)


def test_there_is_one_custom_card_of_each_type_in_the_2017_edition_alone() -> None:
    assert sorted(card.type for card in CUSTOM) == sorted(CardType)
    assert set(CUSTOM) <= set(SPRING_2017.card_set)
    assert not set(CUSTOM) & set(SPRING_2024.card_set)


def test_the_custom_deck_is_the_default_one_with_the_custom_cards_at_its_end() -> None:
    standard = parse_deck(packaged_deck("default.deck"), SPRING_2017)
    own = parse_deck(packaged_deck("custom.deck"), SPRING_2017)
    assert own[: len(standard)] == standard
    assert [held.card for held in own[len(standard) :]] == [card.name for card in CUSTOM]


def test_the_enchantment_grants_an_activated_ability_and_the_minion_brings_a_new_trigger() -> None:
    assert SCHOLARS_ROBE.abilities
    standard = {When.TURN_STARTS, When.TURN_ENDS, When.ENTERS}
    assert {trigger.when for trigger in THORNBACK.triggers} == {When.ATTACKS}
    assert not standard & {trigger.when for trigger in (*THORNBACK.triggers, *ECHO_CAVE.triggers)}


# Thornback.


def test_thornback_hurts_every_minion_of_the_opponent_that_attacks() -> None:
    table = scene().board(1, "Earth Elemental", "Fire Elemental").board(2, "Thornback")
    table.play("attack 1", "attack 2 1")
    assert table.minions(1) == ["Earth Elemental 4/3"]
    assert table.minions(2) == ["Thornback 1/2"]
    assert table.side(2).life == 16


def test_thornback_lets_attackers_of_its_own_side_be() -> None:
    table = scene().board(1, "Thornback", "Air Elemental").play("attack 1", "attack 2")
    assert table.minions(1) == ["Thornback 1/4", "Air Elemental 1/1"]


def test_what_dies_of_thornback_does_not_strike() -> None:
    table = scene().board(1, "Air Elemental").board(2, "Thornback", "Potion Seller")
    table.play("attack 1 2")
    assert (table.minions(1), table.side(2).life) == ([], 20)
    assert table.minions(2) == ["Thornback 1/4", "Potion Seller 1/3"]


def test_thornback_lets_activated_abilities_be() -> None:
    table = scene().board(1, "Novice Pyromancer").board(2, "Thornback").play("use 1 2 1")
    assert table.minions(1) == ["Novice Pyromancer 0/1"]


# Scholar's Robe.


def test_scholars_robe_lets_a_minion_draw_a_card() -> None:
    table = scene().board(1, "Air Elemental").enchant(1, 1, "Scholar's Robe").deck(1, "Banish")
    table.play("use 1")
    assert (table.held(1), table.side(1).magic, table.side(1).minions[0].actions) == (
        ["Banish"],
        19,
        0,
    )


def test_scholars_robe_replaces_the_minion_s_own_ability() -> None:
    table = scene().board(1, "Apprentice Summoner").enchant(1, 1, "Scholar's Robe")
    table.deck(1, "Banish").play("use 1")
    assert (len(table.minions(1)), table.held(1)) == (1, ["Banish"])


def test_the_minion_s_own_ability_returns_when_the_robe_is_destroyed() -> None:
    table = scene().board(1, "Apprentice Summoner").enchant(1, 1, "Scholar's Robe")
    table.hand(1, "Disenchant").play("play 1 1 1", "use 1")
    assert len(table.minions(1)) == 2


def test_silence_and_magic_fatigue_touch_the_granted_ability() -> None:
    table = scene().board(1, "Air Elemental").enchant(1, 1, "Magic Fatigue", "Scholar's Robe")
    table.deck(1, "Banish").side(1).magic = 2
    assert table.refusal("use 1") == "The ability of Air Elemental costs 3 magic; you have 2."
    table.enchant(1, 1, "Silence")
    assert table.refusal("use 1") == "Air Elemental is silenced: it cannot use its ability."


@pytest.mark.parametrize(
    ("hand", "deck", "reason"),
    [(5, 1, "Your hand is full."), (0, 0, "Your deck is empty.")],
)
def test_scholars_robe_needs_a_card_and_a_place_for_it(hand: int, deck: int, reason: str) -> None:
    table = scene().board(1, "Air Elemental").enchant(1, 1, "Scholar's Robe")
    table.hand(1, *["Banish"] * hand).deck(1, *["Banish"] * deck)
    assert table.refusal("use 1") == reason


# Seduction.


def test_seduction_takes_a_minion_with_all_that_is_on_it() -> None:
    table = scene().hand(1, "Seduction").board(2, "Earth Elemental 4/2", "Air Elemental")
    table.enchant(2, 1, "Giant Strength").play("play 1 2 1")
    assert (table.minions(1), table.minions(2)) == (["Earth Elemental 6/4"], ["Air Elemental 1/1"])
    assert table.told(MinionTaken) == [MinionTaken(0, "Earth Elemental")]


def test_a_minion_that_changes_sides_neither_leaves_nor_enters() -> None:
    table = scene().hand(1, "Seduction").board(2, "Air Elemental").ritual(2, "Standstill")
    table.play("play 1 2 1")
    assert table.minions(1) == ["Air Elemental 1/1"]
    assert not table.told(MinionLeft)
    assert not table.told(MinionEntered)


def test_a_minion_that_was_taken_may_act_as_if_it_had_just_entered() -> None:
    table = scene().hand(1, "Seduction").board(2, "Air Elemental")
    table.side(2).minions[0].actions = 0
    assert table.play("play 1 2 1", "attack 1").side(2).life == 19


def test_a_minion_that_was_taken_dies_into_the_graveyard_of_who_has_taken_it() -> None:
    table = scene().hand(1, "Seduction", "Banish").board(2, "Air Elemental")
    assert table.play("play 1 2 1", "play 1 1 1").buried(1) == ["Air Elemental 1/1"]


def test_seduction_needs_room_and_a_minion_of_the_opponent() -> None:
    table = scene().hand(1, "Seduction").board(1, *["Air Elemental"] * 4).board(2, "Air Elemental")
    assert table.refusal("play 1 1 1") == "That minion is yours already."
    assert table.board(1, "Air Elemental").refusal("play 1 2 1") == "Your board is full."


# Echo Cave.


def test_echo_cave_lets_a_spell_happen_again() -> None:
    table = scene().hand(1, "Blizzard").ritual(1, "Echo Cave").board(2, "Earth Elemental")
    assert table.play("play 1").minions(2) == []
    assert (table.charges(1), table.side(1).magic) == (2, 17)


def test_echo_cave_hears_only_its_owner_s_spells() -> None:
    table = scene().hand(2, "Blizzard").ritual(1, "Echo Cave").board(1, "Earth Elemental")
    assert table.play("end", "play 1").minions(1) == ["Earth Elemental 4/2"]
    assert table.charges(1) == 3


def test_echo_cave_lets_nothing_but_spells_happen_again() -> None:
    table = scene().hand(1, "Air Elemental", "Giant Strength").ritual(1, "Echo Cave")
    table.play("play 1", "play 1 1 1")
    assert (table.minions(1), table.charges(1)) == (["Air Elemental 3/3"], 3)


@pytest.mark.parametrize(
    ("spell", "line"),
    [
        ("Banish", "play 1 2 1"),
        ("Unsummon", "play 1 2 1"),
        ("Disenchant", "play 1 2 1"),
        ("Seduction", "play 1 2 1"),
        ("Raise Dead", "play 1"),
    ],
)
def test_an_echo_with_nothing_to_act_on_costs_no_charge(spell: str, line: str) -> None:
    table = scene().hand(1, spell).ritual(1, "Echo Cave").graveyard(1, "Air Elemental")
    table.board(2, "Earth Elemental").enchant(2, 1, "Silence").play(line)
    assert table.charges(1) == 3


def test_an_echo_raises_the_next_of_the_dead() -> None:
    table = scene().hand(1, "Raise Dead").ritual(1, "Echo Cave")
    table.graveyard(1, "Potion Seller", "Fire Elemental").play("play 1")
    assert table.minions(1) == ["Fire Elemental 2/2", "Potion Seller 1/3"]


def test_an_echo_disenchants_the_same_minion_again() -> None:
    table = scene().hand(1, "Disenchant").ritual(1, "Echo Cave").board(2, "Air Elemental")
    table.enchant(2, 1, "Silence", "Silence", "Silence").play("play 1 2 1")
    assert table.side(2).minions[0].enchantments == ["Silence"]


def test_an_echo_of_recharge_fills_echo_cave_itself() -> None:
    table = scene().hand(1, "Recharge").ritual(1, "Echo Cave", 1).play("play 1")
    assert table.charges(1) == 1 + 3 - 1 + 3


def test_a_banished_echo_cave_does_not_echo_its_end() -> None:
    table = scene().hand(1, "Banish").ritual(1, "Echo Cave").ritual(2, "Standstill")
    table.play("play 1 1 r")
    assert (table.charges(1), table.charges(2)) == (None, 4)
