"""The minions, one sentence of their descriptions a test (Sorcery 2024 §6.2, 2017 §6.1)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import Edition
from sorcery.events import MinionEntered


@BOTH
def test_fire_elemental_burns_an_opponent_s_minion_that_enters(edition: Edition) -> None:
    scene = Scene(edition).board(2, "Fire Elemental").hand(1, "Earth Elemental")
    assert scene.play("play 1").minions(1) == ["Earth Elemental 4/3"]


@BOTH
def test_fire_elemental_lets_minions_of_its_own_side_be(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Fire Elemental").hand(1, "Air Elemental")
    assert scene.play("play 1").minions(1) == ["Fire Elemental 2/2", "Air Elemental 1/1"]


@BOTH
def test_fire_elemental_takes_no_damage_from_what_it_burns(edition: Edition) -> None:
    scene = Scene(edition).board(2, "Fire Elemental").hand(1, "Earth Elemental")
    assert scene.play("play 1").minions(2) == ["Fire Elemental 2/2"]


@BOTH
def test_two_fire_elementals_each_burn_what_enters(edition: Edition) -> None:
    scene = Scene(edition).board(2, "Fire Elemental", "Fire Elemental").hand(1, "Potion Seller")
    assert scene.play("play 1").minions(1) == ["Potion Seller 1/1"]


@BOTH
def test_potion_seller_strengthens_its_own_side_at_the_end_of_its_turn(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Potion Seller", "Air Elemental").board(2, "Air Elemental")
    scene.play("end")
    assert scene.minions(1) == ["Potion Seller 1/4", "Air Elemental 1/2"]
    assert scene.minions(2) == ["Air Elemental 1/1"]


@BOTH
def test_potion_seller_does_nothing_at_the_end_of_the_opponent_s_turn(edition: Edition) -> None:
    assert Scene(edition).board(2, "Potion Seller").play("end").minions(2) == ["Potion Seller 1/3"]


@BOTH
def test_novice_pyromancer_deals_1_damage_to_a_minion_of_either_side(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer", "Potion Seller").board(2, "Potion Seller")
    scene.play("use 1 1 2")
    assert scene.minions(1) == ["Novice Pyromancer 0/1", "Potion Seller 1/2"]
    scene.side(1).minions[0].actions = 1
    assert scene.play("use 1 2 1").minions(2) == ["Potion Seller 1/2"]


@BOTH
def test_novice_pyromancer_takes_no_damage_from_what_it_burns(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer").board(2, "Earth Elemental")
    assert scene.play("use 1 2 1").minions(1) == ["Novice Pyromancer 0/1"]


@BOTH
def test_novice_pyromancer_may_burn_itself(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer").play("use 1 1 1")
    assert scene.minions(1) == []


@BOTH
def test_novice_pyromancer_cannot_burn_a_ritual(edition: Edition) -> None:
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
def test_master_summoner_summons_three(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Master Summoner").play("use 1")
    assert scene.minions(1) == ["Master Summoner 2/3", *["Air Elemental 1/1"] * 3]


@BOTH
def test_master_summoner_fills_the_board_when_there_is_no_room_for_three(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Master Summoner", "Potion Seller", "Potion Seller")
    assert scene.play("use 1").minions(1)[3:] == ["Air Elemental 1/1"] * 2


@BOTH
def test_summoned_minions_enter_one_by_one_each_with_the_triggers(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Master Summoner").ritual(1, "Aura of Power", 2)
    assert scene.play("use 1").minions(1)[1:] == [
        "Air Elemental 2/2",
        "Air Elemental 2/2",
        "Air Elemental 1/1",
    ]


@BOTH
def test_what_dies_as_it_is_summoned_leaves_its_place_to_the_next(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Master Summoner", *["Potion Seller"] * 3)
    scene.board(2, "Fire Elemental").play("use 1")
    assert len(scene.told(MinionEntered)) == 3
    assert len(scene.minions(1)) == 4


def test_bone_golem_grows_when_any_minion_leaves_play() -> None:
    scene = Scene().board(1, "Bone Golem", "Air Elemental").board(2, "Air Elemental")
    assert scene.play("attack 2 1").minions(1) == ["Bone Golem 3/5"]


def test_bone_golem_grows_when_a_minion_returns_to_a_hand() -> None:
    scene = Scene().board(1, "Bone Golem").board(2, "Air Elemental").hand(1, "Unsummon")
    assert scene.play("play 1 2 1").minions(1) == ["Bone Golem 2/4"]


def test_bone_golem_that_dies_first_feeds_the_one_that_has_not() -> None:
    """The example of §3.4: one dies as a 2/1, the other lives on."""
    scene = Scene().board(1, "Bone Golem").board(2, "Bone Golem").hand(1, "Blizzard")
    scene.play("attack 1 1")
    assert (scene.minions(1), scene.minions(2)) == (["Bone Golem 1/2"], ["Bone Golem 1/2"])
    scene.play("play 1")
    assert (scene.minions(1), scene.minions(2)) == ([], ["Bone Golem 2/1"])
    assert scene.buried(1) == ["Bone Golem 2/1"]


def test_bone_golem_keeps_the_growth_of_its_own_death() -> None:
    scene = Scene().board(2, "Bone Golem").board(1, "Earth Elemental").play("attack 1 1")
    assert scene.buried(2) == ["Bone Golem 2/0"]
