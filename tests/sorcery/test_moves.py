"""Actions, combat and what is paid (Sorcery 2024 §2.2, §5.2.3; 2017 §2.2)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import SPRING_2017, Edition
from sorcery.events import MinionDamaged

# Actions (§2.2).


def test_2024_a_minion_has_no_action_on_the_turn_in_which_it_enters() -> None:
    scene = Scene().hand(1, "Air Elemental").play("play 1")
    assert scene.refusal("attack 1") == "Air Elemental has no action left this turn."
    assert scene.play("end", "end", "attack 1").side(2).life == 19


def test_2017_a_minion_can_act_on_the_turn_in_which_it_enters() -> None:
    scene = Scene(SPRING_2017).hand(1, "Air Elemental").play("play 1", "attack 1")
    assert scene.side(2).life == 19


def test_2017_a_summoned_minion_can_act_at_once() -> None:
    scene = Scene(SPRING_2017).board(1, "Apprentice Summoner").play("use 1", "attack 2")
    assert scene.side(2).life == 19


@BOTH
def test_a_minion_acts_once_a_turn(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer").board(2, "Potion Seller")
    scene.play("use 1 2 1")
    reason = "Novice Pyromancer has no action left this turn."
    assert scene.refusal("attack 1") == scene.refusal("use 1 2 1") == reason
    scene.play("end", "end", "attack 1")
    assert scene.refusal("attack 1 1") == reason


@BOTH
def test_actions_do_not_add_up_over_the_turns(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental").play("end", "end", "end", "end", "attack 1")
    assert scene.refusal("attack 1") == "Air Elemental has no action left this turn."


# Combat (§2.2).


@BOTH
def test_an_attack_on_the_opponent_costs_life(edition: Edition) -> None:
    assert Scene(edition).board(1, "Earth Elemental").play("attack 1").side(2).life == 16


@BOTH
def test_a_minion_with_0_attack_can_attack(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Novice Pyromancer", "Novice Pyromancer")
    scene.board(2, "Potion Seller").play("attack 1", "attack 2 1")
    assert (scene.side(2).life, scene.minions(2)) == (20, ["Potion Seller 1/3"])
    assert scene.minions(1) == ["Novice Pyromancer 0/1"]


@BOTH
def test_minions_damage_one_another(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Fire Elemental").board(2, "Potion Seller").play("attack 1 1")
    assert (scene.minions(1), scene.minions(2)) == (["Fire Elemental 2/1"], ["Potion Seller 1/1"])


@BOTH
def test_a_defender_that_dies_strikes_all_the_same(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Fire Elemental").board(2, "Fire Elemental").play("attack 1 1")
    assert (scene.minions(1), scene.minions(2)) == ([], [])
    struck = [(event.seat, event.amount) for event in scene.told(MinionDamaged)]
    assert struck == [(1, 2), (0, 2)]


def test_both_blows_are_fixed_when_the_attack_is_declared() -> None:
    """The defender grows as it dies; its blow does not."""
    scene = Scene().board(1, "Earth Elemental").board(2, "Bone Golem", "Bone Golem")
    scene.play("attack 1 1")
    assert scene.minions(1) == ["Earth Elemental 4/3"]
    assert scene.minions(2) == ["Bone Golem 2/4"]


def test_the_attacker_s_blow_lands_first_with_all_that_follows() -> None:
    """An attacking Bone Golem has grown by the death it caused when the answer comes."""
    scene = Scene().board(1, "Bone Golem 3/1").board(2, "Air Elemental").play("attack 1 1")
    assert scene.minions(1) == ["Bone Golem 4/1"]


def test_the_document_s_example_of_numbers_that_are_kept_in_2024() -> None:
    scene = Scene().board(1, "Earth Elemental").board(2, "Air Elemental").play("attack 1 1")
    assert (scene.buried(2), scene.minions(1)) == (["Air Elemental 1/-3"], ["Earth Elemental 4/3"])


def test_the_document_s_example_of_numbers_that_are_restored_in_2017() -> None:
    scene = Scene(SPRING_2017).board(1, "Earth Elemental").board(2, "Air Elemental")
    scene.deck(1).hand(2, "Unsummon").play("attack 1 1", "end", "play 1 1 1")
    assert scene.buried(2) == ["Air Elemental 1/1"]
    assert [(held.attack, held.defence) for held in scene.side(1).deck] == [(4, 4)]


# Testing mode (§5.2.3).


@BOTH
@pytest.mark.parametrize("line", ["play 1 2 1", "play 2", "play 3", "play 4 1 1", "use 1"])
def test_in_testing_mode_anything_may_be_paid_with_too_little_magic(
    edition: Edition, line: str
) -> None:
    scene = Scene(edition, testing=True, magic=1).board(1, "Master Summoner")
    scene.hand(1, "Banish", "Earth Elemental", "Standstill", "Magic Fatigue", "Air Elemental")
    scene.board(2, "Air Elemental").enchant(1, 1, "Magic Fatigue")
    cost = 0 if line == "play 4 1 1" else 2
    assert scene.play(line).side(1).magic == (1 if cost == 0 else 0)


@BOTH
def test_in_testing_mode_a_price_that_can_be_paid_is_paid(edition: Edition) -> None:
    scene = Scene(edition, testing=True, magic=5).hand(1, "Blizzard").play("play 1")
    assert scene.side(1).magic == 2


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 1", "Blizzard costs 3 magic; you have 2."),
        ("use 1", "The ability of Master Summoner costs 4 magic; you have 2."),
    ],
)
def test_otherwise_there_must_be_magic_enough(edition: Edition, line: str, reason: str) -> None:
    scene = Scene(edition, magic=2).board(1, "Master Summoner").enchant(1, 1, "Magic Fatigue")
    assert scene.hand(1, "Blizzard").refusal(line) == reason


@BOTH
def test_draw_draws_a_card_in_testing_mode(edition: Edition) -> None:
    scene = Scene(edition, testing=True).deck(1, "Banish", "Blizzard").play("draw")
    assert (scene.held(1), len(scene.side(1).deck)) == (["Banish"], 1)


@BOTH
def test_draw_needs_a_card_and_a_place_for_it(edition: Edition) -> None:
    scene = Scene(edition, testing=True)
    assert scene.refusal("draw") == "Your deck is empty."
    scene.deck(1, "Banish").hand(1, *["Blizzard"] * 5)
    assert scene.refusal("draw") == "Your hand is full."


@BOTH
def test_discard_removes_a_card_from_the_game_in_testing_mode(edition: Edition) -> None:
    scene = Scene(edition, testing=True).hand(1, "Banish", "Air Elemental", "Blizzard")
    scene.play("discard 2")
    assert (scene.held(1), scene.side(1).graveyard) == (["Banish", "Blizzard"], [])
    assert scene.refusal("discard 3") == "There is no card 3: you have only 2 cards."


@BOTH
@pytest.mark.parametrize("line", ["draw", "discard 1"])
def test_draw_and_discard_are_for_testing_mode_only(edition: Edition, line: str) -> None:
    scene = Scene(edition).hand(1, "Banish").deck(1, "Banish")
    expected = f"{line.removesuffix(' 1').capitalize()} is possible in testing mode only."
    assert scene.refusal(line) == expected
