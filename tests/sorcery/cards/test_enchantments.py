"""The enchantments, one sentence of their descriptions a test (Sorcery 2024 §2.3, §6.3)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import Edition
from sorcery.events import Enchanted


@BOTH
def test_an_enchantment_may_go_on_a_minion_of_either_player(edition: Edition) -> None:
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


def test_haste_grants_its_action_at_once_to_a_minion_that_has_just_been_played() -> None:
    scene = Scene().hand(1, "Air Elemental", "Haste").play("play 1", "play 1 1 1", "attack 1")
    assert scene.side(2).life == 19
    assert scene.refusal("attack 1") == "Air Elemental has no action left this turn."


def test_haste_grants_two_actions_a_turn() -> None:
    scene = Scene().board(1, "Air Elemental").enchant(1, 1, "Haste").play("end", "end")
    scene.play("attack 1", "attack 1")
    assert scene.refusal("attack 1") == "Air Elemental has no action left this turn."


def test_actions_that_haste_grants_do_not_last_between_turns() -> None:
    scene = Scene().board(1, "Air Elemental").enchant(1, 1, "Haste").play(*["end"] * 4)
    assert scene.side(1).minions[0].actions == 2


def test_haste_adds_an_action_each_time() -> None:
    scene = Scene().board(1, "Air Elemental").enchant(1, 1, "Haste", "Haste").play("end", "end")
    assert scene.side(1).minions[0].actions == 3


def test_an_action_that_haste_has_given_stays_when_haste_is_destroyed() -> None:
    scene = Scene().board(1, "Air Elemental").hand(1, "Haste", "Disenchant")
    scene.play("play 1 1 1", "play 1 1 1", "attack 1", "attack 1")
    assert scene.side(2).life == 18
    assert scene.play("end", "end").side(1).minions[0].actions == 1


# Magic Fatigue.


@BOTH
def test_magic_fatigue_makes_activated_abilities_cost_2_more(edition: Edition) -> None:
    scene = Scene(edition, magic=3).board(1, "Novice Pyromancer").hand(2, "Blizzard")
    scene.enchant(1, 1, "Magic Fatigue").play("use 1 1 1")
    assert scene.side(1).magic == 0


@BOTH
def test_magic_fatigue_adds_2_each_time(edition: Edition) -> None:
    scene = Scene(edition, magic=4).board(1, "Apprentice Summoner")
    scene.enchant(1, 1, "Magic Fatigue", "Magic Fatigue")
    expected = "The ability of Apprentice Summoner costs 5 magic; you have 4."
    assert scene.refusal("use 1") == expected


# Silence.


@BOTH
def test_a_silenced_minion_cannot_use_its_activated_ability(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Apprentice Summoner").enchant(1, 1, "Silence")
    assert scene.refusal("use 1") == "Apprentice Summoner is silenced: it cannot use its ability."


@BOTH
def test_a_silenced_minion_can_attack(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental").enchant(1, 1, "Silence").play("attack 1")
    assert scene.side(2).life == 19


@BOTH
@pytest.mark.parametrize("enchantment", ["Silence", "Magic Fatigue"])
def test_triggered_abilities_go_on_under(edition: Edition, enchantment: str) -> None:
    scene = Scene(edition, magic=0).board(1, "Potion Seller").enchant(1, 1, enchantment)
    assert scene.play("end").minions(1) == ["Potion Seller 1/4"]


@BOTH
@pytest.mark.parametrize("enchantment", ["Silence", "Magic Fatigue"])
def test_a_minion_without_abilities_can_carry(edition: Edition, enchantment: str) -> None:
    scene = Scene(edition).board(1, "Air Elemental").hand(1, enchantment).play("play 1 1 1")
    assert scene.side(1).minions[0].enchantments == [enchantment]


@BOTH
def test_a_minion_that_silence_has_left_can_use_its_ability_again(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Apprentice Summoner").hand(1, "Disenchant")
    scene.enchant(1, 1, "Silence").play("play 1 1 1", "use 1")
    assert len(scene.minions(1)) == 2
