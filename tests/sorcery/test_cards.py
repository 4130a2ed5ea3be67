"""The cards of both editions, one by one (Sorcery 2024 §6, Sorcery 2017 §6)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    CardType,
    Edition,
    Enchanted,
    MinionDamaged,
    MinionEntered,
    MinionLeft,
    MinionTaken,
    RitualEnded,
    RitualStarted,
    Triggered,
    packaged_deck,
    parse_deck,
)
from sorcery.cards.all_cards import CUSTOM


@BOTH
def test_fire_elemental_damages_each_minion_of_the_opponent_that_enters(
    edition: Edition,
) -> None:
    scene = Scene(edition).board(2, "Fire Elemental").hand(1, "Earth Elemental")
    assert scene.play("play 1").minions(1) == ["Earth Elemental 4/3"]
    assert scene.minions(2) == ["Fire Elemental 2/2"]
    scene = Scene(edition).board(1, "Fire Elemental").hand(1, "Air Elemental")
    assert scene.play("play 1").minions(1) == ["Fire Elemental 2/2", "Air Elemental 1/1"]
    scene = Scene(edition).board(2, "Fire Elemental", "Fire Elemental").hand(1, "Potion Seller")
    assert scene.play("play 1").minions(1) == ["Potion Seller 1/1"]


@BOTH
def test_potion_seller_strengthens_its_own_side_at_the_end_of_its_owners_turn(
    edition: Edition,
) -> None:
    scene = Scene(edition).board(1, "Potion Seller", "Air Elemental").board(2, "Air Elemental")
    scene.play("end")
    assert scene.minions(1) == ["Potion Seller 1/4", "Air Elemental 1/2"]
    assert scene.minions(2) == ["Air Elemental 1/1"]
    assert Scene(edition).board(2, "Potion Seller").play("end").minions(2) == ["Potion Seller 1/3"]


@BOTH
def test_novice_pyromancer_deals_1_damage_to_a_minion_of_either_side_but_not_to_rituals(
    edition: Edition,
) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer", "Potion Seller").board(2, "Potion Seller")
    scene.play("use 1 1 2")
    assert scene.minions(1) == ["Novice Pyromancer 0/1", "Potion Seller 1/2"]
    scene.side(1).minions[0].actions = 1
    assert scene.play("use 1 2 1").minions(2) == ["Potion Seller 1/2"]
    scene = Scene(edition).board(1, "Novice Pyromancer").play("use 1 1 1")
    assert scene.minions(1) == []
    scene = Scene(edition).board(1, "Novice Pyromancer").ritual(2, "Dark Ritual")
    expected = "The ability of Novice Pyromancer needs another target: a minion."
    assert scene.refusal("use 1 2 r") == expected


@BOTH
def test_apprentice_summoner_summons_an_air_elemental(edition: Edition) -> None:
    scene = Scene(edition, magic=1).board(1, "Apprentice Summoner").play("use 1")
    assert scene.minions(1) == ["Apprentice Summoner 1/1", "Air Elemental 1/1"]
    assert scene.side(1).magic == 0


@BOTH
@pytest.mark.parametrize("summoner", ["Apprentice Summoner", "Master Summoner"])
def test_a_summoner_cannot_be_used_on_a_full_board(edition: Edition, summoner: str) -> None:
    scene = Scene(edition).board(1, summoner, *["Air Elemental"] * 4)
    assert scene.refusal("use 1") == "Your board is full."


@BOTH
def test_master_summoner_summons_up_to_three_while_there_is_room(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Master Summoner").play("use 1")
    assert scene.minions(1) == ["Master Summoner 2/3", *["Air Elemental 1/1"] * 3]
    scene = Scene(edition).board(1, "Master Summoner", "Potion Seller", "Potion Seller")
    assert scene.play("use 1").minions(1)[3:] == ["Air Elemental 1/1"] * 2


@BOTH
def test_summoned_minions_enter_one_by_one(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Master Summoner").ritual(1, "Aura of Power", 2)
    assert scene.play("use 1").minions(1)[1:] == [
        "Air Elemental 2/2",
        "Air Elemental 2/2",
        "Air Elemental 1/1",
    ]
    scene = Scene(edition).board(1, "Master Summoner", *["Potion Seller"] * 3)
    scene.board(2, "Fire Elemental").play("use 1")
    assert len(scene.told(MinionEntered)) == 3
    assert len(scene.minions(1)) == 4


def test_bone_golem_grows_whenever_a_minion_leaves_play() -> None:
    scene = Scene().board(1, "Bone Golem", "Air Elemental").board(2, "Air Elemental")
    assert scene.play("attack 2 1").minions(1) == ["Bone Golem 3/5"]
    scene = Scene().board(1, "Bone Golem").board(2, "Air Elemental").hand(1, "Unsummon")
    assert scene.play("play 1 2 1").minions(1) == ["Bone Golem 2/4"]
    scene = Scene().board(2, "Bone Golem").board(1, "Earth Elemental").play("attack 1 1")
    assert scene.buried(2) == ["Bone Golem 2/0"]


def test_bone_golem_that_dies_first_strengthens_the_other() -> None:
    """The example of §3.4: one golem dies as a 2/1, the other survives."""
    scene = Scene().board(1, "Bone Golem").board(2, "Bone Golem").hand(1, "Blizzard")
    scene.play("attack 1 1")
    assert (scene.minions(1), scene.minions(2)) == (["Bone Golem 1/2"], ["Bone Golem 1/2"])
    scene.play("play 1")
    assert (scene.minions(1), scene.minions(2)) == ([], ["Bone Golem 2/1"])
    assert scene.buried(1) == ["Bone Golem 2/1"]


# The spells, one test per sentence of their descriptions (Sorcery 2024 §6.1, 2017 §6.2).


# Banish.


@BOTH
def test_banish_destroys_a_minion_of_either_side(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Banish", "Banish").board(1, "Air Elemental")
    scene.board(2, "Earth Elemental").play("play 1 2 1", "play 1 1 1")
    assert (scene.minions(1), scene.minions(2)) == ([], [])
    assert (scene.buried(1), scene.buried(2)) == (["Air Elemental 1/1"], ["Earth Elemental 4/4"])


@BOTH
def test_a_banished_ritual_is_removed_from_the_game(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Banish").ritual(2, "Standstill").play("play 1 2 r")
    assert scene.state.sides[1].ritual is None
    assert scene.told(RitualEnded) == [RitualEnded(1, "Standstill")]
    assert scene.side(2).graveyard == []


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 1", "Banish needs a target: a minion or a ritual."),
        ("play 1 1 r", "Player 1 has no ritual."),
        ("play 1 2 1", "Player 2 has no minions."),
        ("play 1 1 2", "There is no minion 2: player 1 has only 1 minion."),
    ],
)
def test_banish_needs_a_minion_or_ritual(edition: Edition, line: str, reason: str) -> None:
    assert Scene(edition).hand(1, "Banish").board(1, "Air Elemental").refusal(line) == reason


# Unsummon.


def test_unsummon_2024_returns_a_minion_to_its_owners_hand() -> None:
    scene = Scene().hand(1, "Unsummon").board(2, "Earth Elemental").play("play 1 2 1")
    assert (scene.minions(2), scene.held(2)) == ([], ["Earth Elemental"])


def test_unsummon_2024_needs_room_in_the_owners_hand() -> None:
    scene = Scene().hand(1, "Unsummon").board(2, "Air Elemental").hand(2, *["Blizzard"] * 5)
    assert scene.refusal("play 1 2 1") == "The hand of the minion's owner is full."
    scene = Scene().hand(1, "Unsummon", *["Blizzard"] * 4).board(1, "Air Elemental")
    assert scene.play("play 1 1 1").held(1) == [*["Blizzard"] * 4, "Air Elemental"]


def test_unsummon_2024_keeps_the_damage_and_drops_the_enchantments() -> None:
    """The examples of §2.2 and §2.3."""
    scene = Scene().hand(1, "Unsummon").board(2, "Earth Elemental 4/3")
    scene.enchant(2, 1, "Giant Strength").play("play 1 2 1")
    held = scene.side(2).hand[0]
    assert (held.attack, held.defence) == (4, 3)
    assert scene.told(MinionLeft) == [MinionLeft(1, "Earth Elemental", "hand", ("Giant Strength",))]


def test_unsummon_2017_puts_a_minion_under_its_owners_deck_even_if_the_hand_is_full() -> None:
    scene = Scene(SPRING_2017).hand(1, "Unsummon").board(2, "Earth Elemental 4/1")
    scene.deck(2, "Blizzard", "Banish").play("play 1 2 1", "end", "end", "end", "end", "end")
    assert scene.held(2) == ["Blizzard", "Banish", "Earth Elemental"]
    assert scene.side(2).hand[2].defence == 4
    scene = Scene(SPRING_2017).hand(1, "Unsummon").board(2, "Air Elemental")
    assert scene.play("play 1 2 1", "end").held(2) == ["Air Elemental"]
    scene = Scene(SPRING_2017).hand(1, "Unsummon").board(2, "Air Elemental")
    scene.hand(2, *["Blizzard"] * 5).play("play 1 2 1")
    assert [held.card for held in scene.side(2).deck] == ["Air Elemental"]


# Recharge.


@BOTH
def test_recharge_adds_3_charges_to_the_players_ritual_if_there_is_one(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Recharge").ritual(1, "Dark Ritual", 5)
    scene.ritual(2, "Standstill").play("play 1")
    assert (scene.charges(1), scene.charges(2)) == (8, 4)
    scene = Scene(edition).hand(1, "Recharge").ritual(2, "Dark Ritual")
    assert scene.refusal("play 1") == "You have no ritual."


# Disenchant.


@BOTH
def test_disenchant_destroys_the_newest_enchantment_if_there_is_one(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Disenchant").board(2, "Air Elemental")
    scene.enchant(2, 1, "Silence", "Giant Strength").play("play 1 2 1")
    assert scene.side(2).minions[0].enchantments == ["Silence"]
    assert scene.minions(2) == ["Air Elemental 1/1"]
    scene = Scene(edition).hand(1, "Disenchant").board(2, "Air Elemental", "Fire Elemental")
    scene.enchant(2, 2, "Silence")
    assert scene.refusal("play 1 2 1") == "Air Elemental has no enchantments."
    scene = Scene(edition).hand(1, "Disenchant").board(2, "Air Elemental")
    scene.enchant(2, 1, "Giant Strength").board(1, "Fire Elemental").play("attack 1 1")
    assert scene.minions(2) == ["Air Elemental 3/1"]
    assert scene.play("play 1 2 1").minions(2) == []


# Raise Dead.


def test_raise_dead_2024_raises_the_top_minion_with_1_defence_and_no_action() -> None:
    scene = Scene().hand(1, "Raise Dead").graveyard(1, "Air Elemental", "Bone Golem 7/-2")
    scene.play("play 1")
    assert (scene.minions(1), scene.buried(1)) == (["Bone Golem 7/1"], ["Air Elemental 1/1"])
    scene = Scene().hand(1, "Raise Dead").graveyard(1, "Air Elemental 1/0").play("play 1")
    assert scene.refusal("attack 1") == "Air Elemental can act from your next turn."


def test_raise_dead_2017_raises_the_top_minion_as_printed() -> None:
    scene = Scene(SPRING_2017).hand(1, "Raise Dead").graveyard(1, "Earth Elemental").play("play 1")
    assert scene.minions(1) == ["Earth Elemental 4/4"]
    assert scene.play("attack 1").side(2).life == 16


@BOTH
def test_raise_dead_needs_a_dead_minion_and_room(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Raise Dead").graveyard(1, "Air Elemental")
    scene.ritual(1, "Aura of Power").board(2, "Fire Elemental").play("play 1")
    assert scene.minions(1) == ["Air Elemental 2/1"]
    assert scene.told(MinionEntered) == [MinionEntered(0, "Air Elemental", "graveyard")]
    scene = Scene(edition).hand(1, "Raise Dead").graveyard(2, "Air Elemental")
    assert scene.refusal("play 1") == "Your graveyard is empty."
    scene = Scene(edition).hand(1, "Raise Dead").graveyard(1, "Air Elemental")
    assert scene.board(1, *["Potion Seller"] * 5).refusal("play 1") == "Your board is full."


# Blizzard.


@BOTH
def test_blizzard_deals_2_damage_to_all_minions_in_apnap_order(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Blizzard").board(1, "Potion Seller", "Air Elemental")
    scene.board(2, "Earth Elemental", "Fire Elemental").play("play 1")
    assert (scene.minions(1), scene.minions(2)) == (["Potion Seller 1/1"], ["Earth Elemental 4/2"])
    scene = Scene(edition).hand(2, "Blizzard").board(1, "Potion Seller", "Air Elemental")
    scene.board(2, "Earth Elemental").play("end", "play 1")
    hit = [(event.seat, event.card) for event in scene.told(MinionDamaged)]
    assert hit == [(1, "Earth Elemental"), (0, "Potion Seller"), (0, "Air Elemental")]


def test_blizzard_kills_each_minion_before_it_hits_the_next() -> None:
    scene = Scene().hand(1, "Blizzard").board(1, "Air Elemental", "Bone Golem 1/2").play("play 1")
    assert scene.minions(1) == ["Bone Golem 2/1"]
    scene = Scene().hand(1, "Blizzard").board(1, "Bone Golem 1/2", "Air Elemental").play("play 1")
    assert scene.buried(1) == ["Bone Golem 2/1", "Air Elemental 1/-1"]


@BOTH
def test_a_spell_is_removed_from_the_game(edition: Edition) -> None:
    side = Scene(edition).hand(1, "Blizzard").play("play 1").side(1)
    assert (side.hand, side.deck, side.graveyard) == ([], [], [])


# The enchantments, one test per sentence of their descriptions (Sorcery 2024 §2.3, §6.3).


@BOTH
def test_an_enchantment_may_be_put_on_a_minion_of_either_player(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Giant Strength", "Silence").board(1, "Air Elemental")
    scene.board(2, "Potion Seller").play("play 1 1 1", "play 1 2 1")
    assert scene.told(Enchanted) == [
        Enchanted(0, "Air Elemental", "Giant Strength"),
        Enchanted(1, "Potion Seller", "Silence"),
    ]


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 1", "Giant Strength needs a target: a minion."),
        ("play 1 1 r", "Giant Strength needs another target: a minion."),
        ("play 1 2 1", "Player 2 has no minions."),
    ],
)
def test_an_enchantment_needs_a_minion(edition: Edition, line: str, reason: str) -> None:
    scene = Scene(edition).hand(1, "Giant Strength").ritual(1, "Dark Ritual")
    assert scene.refusal(line) == reason


@BOTH
def test_giant_strength_adds_2_to_attack_and_defence(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Giant Strength").board(1, "Air Elemental")
    assert scene.play("play 1 1 1").minions(1) == ["Air Elemental 3/3"]


def test_enrage_doubles_attack_and_defence() -> None:
    scene = Scene().hand(1, "Enrage").board(1, "Earth Elemental").play("play 1 1 1")
    assert scene.minions(1) == ["Earth Elemental 8/8"]


# Haste.


def test_haste_grants_its_action_immediately_to_a_minion_that_has_just_been_played() -> None:
    scene = Scene().hand(1, "Air Elemental", "Haste").play("play 1", "play 1 1 1", "attack 1")
    assert scene.side(2).life == 19
    assert scene.refusal("attack 1") == "Air Elemental can act from your next turn."


def test_haste_grants_two_actions_per_turn_which_do_not_accumulate() -> None:
    scene = Scene().board(1, "Air Elemental").enchant(1, 1, "Haste").play("end", "end")
    scene.play("attack 1", "attack 1")
    assert scene.refusal("attack 1") == "Air Elemental can act from your next turn."
    scene = Scene().board(1, "Air Elemental").enchant(1, 1, "Haste").play(*["end"] * 4)
    assert scene.side(1).minions[0].actions == 2
    scene = Scene().board(1, "Air Elemental").enchant(1, 1, "Haste", "Haste").play("end", "end")
    assert scene.side(1).minions[0].actions == 3


def test_an_action_from_haste_remains_when_haste_is_destroyed() -> None:
    scene = Scene().board(1, "Air Elemental").hand(1, "Haste", "Disenchant")
    scene.play("play 1 1 1", "play 1 1 1", "attack 1", "attack 1")
    assert scene.side(2).life == 18
    assert scene.play("end", "end").side(1).minions[0].actions == 1


# Magic Fatigue.


@BOTH
def test_magic_fatigue_makes_activated_abilities_cost_2_more_each_time(edition: Edition) -> None:
    scene = Scene(edition, magic=3).board(1, "Novice Pyromancer").hand(2, "Blizzard")
    scene.enchant(1, 1, "Magic Fatigue").play("use 1 1 1")
    assert scene.side(1).magic == 0
    scene = Scene(edition, magic=4).board(1, "Apprentice Summoner")
    scene.enchant(1, 1, "Magic Fatigue", "Magic Fatigue")
    expected = "The ability of Apprentice Summoner costs 5 magic, but you have 4."
    assert scene.refusal("use 1") == expected


# Silence.


@BOTH
def test_a_silenced_minion_can_attack_but_not_use_its_ability(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Apprentice Summoner").enchant(1, 1, "Silence")
    assert scene.refusal("use 1") == "Apprentice Summoner is silenced: it cannot use its ability."
    scene = Scene(edition).board(1, "Air Elemental").enchant(1, 1, "Silence").play("attack 1")
    assert scene.side(2).life == 19
    scene = Scene(edition).board(1, "Apprentice Summoner").hand(1, "Disenchant")
    scene.enchant(1, 1, "Silence").play("play 1 1 1", "use 1")
    assert len(scene.minions(1)) == 2


@BOTH
@pytest.mark.parametrize("enchantment", ["Silence", "Magic Fatigue"])
def test_triggered_abilities_still_work_under(edition: Edition, enchantment: str) -> None:
    scene = Scene(edition, magic=0).board(1, "Potion Seller").enchant(1, 1, enchantment)
    assert scene.play("end").minions(1) == ["Potion Seller 1/4"]


@BOTH
@pytest.mark.parametrize("enchantment", ["Silence", "Magic Fatigue"])
def test_a_minion_without_abilities_can_carry(edition: Edition, enchantment: str) -> None:
    scene = Scene(edition).board(1, "Air Elemental").hand(1, enchantment).play("play 1 1 1")
    assert scene.side(1).minions[0].enchantments == [enchantment]


# The rituals, one test per sentence of their descriptions (Sorcery 2024 §2.4, §6.4).


@BOTH
def test_dark_ritual_gains_1_magic_at_the_start_of_its_owners_turn_while_it_has_charges(
    edition: Edition,
) -> None:
    scene = Scene(edition, magic=0).ritual(2, "Dark Ritual").play("end")
    assert (scene.side(2).magic, scene.charges(2)) == (2, 4)
    scene.play("end")
    assert (scene.side(1).magic, scene.charges(2)) == (1, 4)
    # The example of §2.4.
    scene = Scene(edition, magic=0).ritual(1, "Dark Ritual", 2).ritual(2, "Dark Ritual", 0)
    scene.play("end")
    assert (scene.side(2).magic, scene.charges(2)) == (1, 0)
    scene.play("end")
    assert (scene.side(1).magic, scene.charges(1)) == (2, 1)


@BOTH
def test_a_second_ritual_removes_the_first_from_the_game(edition: Edition) -> None:
    scene = Scene(edition).ritual(1, "Dark Ritual", 2).hand(1, "Aura of Power").play("play 1")
    assert scene.charges(1) == 4
    assert scene.told(RitualEnded) == [RitualEnded(0, "Dark Ritual")]
    assert scene.told(RitualStarted) == [RitualStarted(0, "Aura of Power")]
    assert scene.side(1).graveyard == []


@BOTH
def test_aura_of_power_strengthens_only_minions_that_enter_on_its_own_side(
    edition: Edition,
) -> None:
    scene = Scene(edition).ritual(1, "Aura of Power").hand(1, "Air Elemental")
    scene.hand(2, "Air Elemental").play("play 1", "end", "play 1")
    assert (scene.minions(1), scene.minions(2)) == (["Air Elemental 2/2"], ["Air Elemental 1/1"])
    assert scene.charges(1) == 3


@BOTH
def test_standstill_destroys_minions_that_enter_while_it_has_2_charges(edition: Edition) -> None:
    scene = Scene(edition).ritual(1, "Standstill").hand(1, "Earth Elemental")
    scene.hand(2, "Earth Elemental").play("play 1", "end", "play 1")
    assert (scene.minions(1), scene.minions(2), scene.charges(1)) == ([], [], 0)
    assert (scene.buried(1), scene.buried(2)) == (["Earth Elemental 4/4"], ["Earth Elemental 4/4"])
    scene = Scene(edition).ritual(2, "Standstill", 1).hand(1, "Air Elemental").play("play 1")
    assert (scene.minions(1), scene.charges(2)) == (["Air Elemental 1/1"], 1)
    scene = Scene(edition).ritual(1, "Standstill").ritual(2, "Standstill").hand(1, "Air Elemental")
    scene.play("play 1")
    assert (scene.charges(1), scene.charges(2)) == (2, 4)
    assert scene.told(MinionLeft) == [MinionLeft(0, "Air Elemental", "graveyard")]


@BOTH
def test_a_1_1_under_aura_of_power_survives_the_fire_elemental(edition: Edition) -> None:
    """The note of §6.4: in APNAP order, the active player's Aura of Power comes first."""
    scene = Scene(edition).ritual(1, "Aura of Power").board(2, "Fire Elemental")
    assert scene.hand(1, "Air Elemental").play("play 1").minions(1) == ["Air Elemental 2/1"]


@BOTH
def test_a_trigger_aimed_at_a_minion_that_has_left_costs_no_charge(edition: Edition) -> None:
    """The example of 2017 §3.4: the Fire Elemental kills Standstill's target first."""
    scene = Scene(edition).board(1, "Fire Elemental").ritual(1, "Standstill")
    scene.hand(2, "Air Elemental").play("end", "play 1")
    assert scene.charges(1) == 4
    assert scene.told(Triggered) == [Triggered(0, "Fire Elemental")]


# The four custom cards of the 2017 edition (Sorcery 2017 §6.5).


def scene() -> Scene:
    return Scene(SPRING_2017)


def test_only_the_2017_edition_has_one_custom_card_of_each_type() -> None:
    assert sorted(card.type for card in CUSTOM) == sorted(CardType)
    assert set(CUSTOM) <= set(SPRING_2017.card_set)
    assert not set(CUSTOM) & set(SPRING_2024.card_set)


def test_the_custom_deck_is_the_default_deck_followed_by_the_custom_cards() -> None:
    standard = parse_deck(packaged_deck("default.deck"), SPRING_2017)
    own = parse_deck(packaged_deck("custom.deck"), SPRING_2017)
    assert own[: len(standard)] == standard
    assert [held.card for held in own[len(standard) :]] == [card.name for card in CUSTOM]


# Thornback.


def test_thornback_damages_only_attacking_minions_of_the_opponent() -> None:
    table = scene().board(1, "Earth Elemental", "Fire Elemental").board(2, "Thornback")
    table.play("attack 1", "attack 2 1")
    assert table.minions(1) == ["Earth Elemental 4/3"]
    assert table.minions(2) == ["Thornback 1/2"]
    assert table.side(2).life == 16
    table = scene().board(1, "Thornback", "Air Elemental").play("attack 1", "attack 2")
    assert table.minions(1) == ["Thornback 1/4", "Air Elemental 1/1"]
    table = scene().board(1, "Novice Pyromancer").board(2, "Thornback").play("use 1 2 1")
    assert table.minions(1) == ["Novice Pyromancer 0/1"]


def test_an_attacker_killed_by_thornback_does_not_strike() -> None:
    table = scene().board(1, "Air Elemental").board(2, "Thornback", "Potion Seller")
    table.play("attack 1 2")
    assert (table.minions(1), table.side(2).life) == ([], 20)
    assert table.minions(2) == ["Thornback 1/4", "Potion Seller 1/3"]


# Scholar's Robe.


def test_scholars_robe_lets_a_minion_draw_a_card() -> None:
    table = scene().board(1, "Air Elemental").enchant(1, 1, "Scholar's Robe").deck(1, "Banish")
    table.play("use 1")
    assert (table.held(1), table.side(1).magic, table.side(1).minions[0].actions) == (
        ["Banish"],
        19,
        0,
    )


def test_scholars_robe_replaces_the_minions_own_ability_while_it_is_there() -> None:
    table = scene().board(1, "Apprentice Summoner").enchant(1, 1, "Scholar's Robe")
    table.deck(1, "Banish").play("use 1")
    assert (len(table.minions(1)), table.held(1)) == (1, ["Banish"])
    table = scene().board(1, "Apprentice Summoner").enchant(1, 1, "Scholar's Robe")
    table.hand(1, "Disenchant").play("play 1 1 1", "use 1")
    assert len(table.minions(1)) == 2


def test_silence_and_magic_fatigue_affect_the_granted_ability() -> None:
    table = scene().board(1, "Air Elemental").enchant(1, 1, "Magic Fatigue", "Scholar's Robe")
    table.deck(1, "Banish").side(1).magic = 2
    assert table.refusal("use 1") == "The ability of Air Elemental costs 3 magic, but you have 2."
    table.enchant(1, 1, "Silence")
    assert table.refusal("use 1") == "Air Elemental is silenced: it cannot use its ability."


@pytest.mark.parametrize(
    ("hand", "deck", "reason"),
    [(5, 1, "Your hand is full."), (0, 0, "Your deck is empty.")],
)
def test_scholars_robe_needs_a_card_to_draw_and_room_in_the_hand(
    hand: int, deck: int, reason: str
) -> None:
    table = scene().board(1, "Air Elemental").enchant(1, 1, "Scholar's Robe")
    table.hand(1, *["Banish"] * hand).deck(1, *["Banish"] * deck)
    assert table.refusal("use 1") == reason


# Seduction.


def test_seduction_takes_a_minion_with_everything_on_it() -> None:
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
    table = scene().hand(1, "Seduction").board(2, "Air Elemental")
    table.side(2).minions[0].actions = 0
    assert table.play("play 1 2 1", "attack 1").side(2).life == 19
    table = scene().hand(1, "Seduction", "Banish").board(2, "Air Elemental")
    assert table.play("play 1 2 1", "play 1 1 1").buried(1) == ["Air Elemental 1/1"]


def test_seduction_needs_room_and_a_minion_of_the_opponent() -> None:
    table = scene().hand(1, "Seduction").board(1, *["Air Elemental"] * 4).board(2, "Air Elemental")
    assert table.refusal("play 1 1 1") == "That minion is yours already."
    assert table.board(1, "Air Elemental").refusal("play 1 2 1") == "Your board is full."


# Echo Cave.


def test_echo_cave_repeats_a_spell() -> None:
    table = scene().hand(1, "Blizzard").ritual(1, "Echo Cave").board(2, "Earth Elemental")
    assert table.play("play 1").minions(2) == []
    assert (table.charges(1), table.side(1).magic) == (2, 17)


def test_echo_cave_repeats_only_spells_of_its_owner() -> None:
    table = scene().hand(2, "Blizzard").ritual(1, "Echo Cave").board(1, "Earth Elemental")
    assert table.play("end", "play 1").minions(1) == ["Earth Elemental 4/2"]
    assert table.charges(1) == 3
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
def test_an_echo_without_anything_to_act_on_costs_no_charge(spell: str, line: str) -> None:
    table = scene().hand(1, spell).ritual(1, "Echo Cave").graveyard(1, "Air Elemental")
    table.board(2, "Earth Elemental").enchant(2, 1, "Silence").play(line)
    assert table.charges(1) == 3


def test_an_echo_has_the_same_effect_again() -> None:
    table = scene().hand(1, "Raise Dead").ritual(1, "Echo Cave")
    table.graveyard(1, "Potion Seller", "Fire Elemental").play("play 1")
    assert table.minions(1) == ["Fire Elemental 2/2", "Potion Seller 1/3"]
    table = scene().hand(1, "Disenchant").ritual(1, "Echo Cave").board(2, "Air Elemental")
    table.enchant(2, 1, "Silence", "Silence", "Silence").play("play 1 2 1")
    assert table.side(2).minions[0].enchantments == ["Silence"]
    table = scene().hand(1, "Recharge").ritual(1, "Echo Cave", 1).play("play 1")
    assert table.charges(1) == 1 + 3 - 1 + 3
    table = scene().hand(1, "Banish").ritual(1, "Echo Cave").ritual(2, "Standstill")
    table.play("play 1 1 r")
    assert (table.charges(1), table.charges(2)) == (None, 4)
