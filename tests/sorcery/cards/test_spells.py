"""The spells, one sentence of their descriptions a test (Sorcery 2024 §6.1, 2017 §6.2)."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import SPRING_2017, Edition
from sorcery.events import MinionDamaged, MinionEntered, MinionLeft, RitualEnded

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
def test_banish_needs_something_to_destroy(edition: Edition, line: str, reason: str) -> None:
    assert Scene(edition).hand(1, "Banish").board(1, "Air Elemental").refusal(line) == reason


# Unsummon.


def test_unsummon_2024_returns_a_minion_to_its_owner_s_hand() -> None:
    scene = Scene().hand(1, "Unsummon").board(2, "Earth Elemental").play("play 1 2 1")
    assert (scene.minions(2), scene.held(2)) == ([], ["Earth Elemental"])


def test_unsummon_2024_is_refused_when_the_owner_s_hand_is_full() -> None:
    scene = Scene().hand(1, "Unsummon").board(2, "Air Elemental").hand(2, *["Blizzard"] * 5)
    assert scene.refusal("play 1 2 1") == "The hand of the minion's owner is full."


def test_unsummon_2024_makes_room_for_one_s_own_minion_as_it_leaves_the_hand() -> None:
    scene = Scene().hand(1, "Unsummon", *["Blizzard"] * 4).board(1, "Air Elemental")
    assert scene.play("play 1 1 1").held(1) == [*["Blizzard"] * 4, "Air Elemental"]


def test_unsummon_2024_keeps_the_damage_and_drops_the_enchantments() -> None:
    """The examples of §2.2 and §2.3."""
    scene = Scene().hand(1, "Unsummon").board(2, "Earth Elemental 4/3")
    scene.enchant(2, 1, "Giant Strength").play("play 1 2 1")
    held = scene.side(2).hand[0]
    assert (held.attack, held.defence) == (4, 3)
    assert scene.told(MinionLeft) == [MinionLeft(1, "Earth Elemental", "hand", ("Giant Strength",))]


def test_unsummon_2017_puts_a_minion_on_the_bottom_of_its_owner_s_deck() -> None:
    scene = Scene(SPRING_2017).hand(1, "Unsummon").board(2, "Earth Elemental 4/1")
    scene.deck(2, "Blizzard", "Banish").play("play 1 2 1", "end", "end", "end", "end", "end")
    assert scene.held(2) == ["Blizzard", "Banish", "Earth Elemental"]
    assert scene.side(2).hand[2].defence == 4


def test_unsummon_2017_is_drawn_at_once_from_an_empty_deck() -> None:
    scene = Scene(SPRING_2017).hand(1, "Unsummon").board(2, "Air Elemental")
    assert scene.play("play 1 2 1", "end").held(2) == ["Air Elemental"]


def test_unsummon_2017_does_not_mind_a_full_hand() -> None:
    scene = Scene(SPRING_2017).hand(1, "Unsummon").board(2, "Air Elemental")
    scene.hand(2, *["Blizzard"] * 5).play("play 1 2 1")
    assert [held.card for held in scene.side(2).deck] == ["Air Elemental"]


# Recharge.


@BOTH
def test_recharge_adds_3_charges_to_one_s_own_ritual(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Recharge").ritual(1, "Dark Ritual", 0)
    scene.ritual(2, "Standstill").play("play 1")
    assert (scene.charges(1), scene.charges(2)) == (3, 4)


@BOTH
def test_recharge_has_no_upper_limit(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Recharge").ritual(1, "Dark Ritual", 5)
    assert scene.play("play 1").charges(1) == 8


@BOTH
def test_recharge_cannot_be_played_without_a_ritual(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Recharge").ritual(2, "Dark Ritual")
    assert scene.refusal("play 1") == "You have no ritual."


# Disenchant.


@BOTH
def test_disenchant_destroys_the_newest_enchantment(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Disenchant").board(2, "Air Elemental")
    scene.enchant(2, 1, "Silence", "Giant Strength").play("play 1 2 1")
    assert scene.side(2).minions[0].enchantments == ["Silence"]
    assert scene.minions(2) == ["Air Elemental 1/1"]


@BOTH
def test_disenchant_cannot_be_played_on_a_minion_without_enchantments(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Disenchant").board(2, "Air Elemental", "Fire Elemental")
    scene.enchant(2, 2, "Silence")
    assert scene.refusal("play 1 2 1") == "Air Elemental has no enchantments."


@BOTH
def test_a_minion_dies_of_disenchant_when_nothing_else_keeps_it_alive(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Disenchant").board(2, "Air Elemental")
    scene.enchant(2, 1, "Giant Strength").board(1, "Fire Elemental").play("attack 1 1")
    assert scene.minions(2) == ["Air Elemental 3/1"]
    assert scene.play("play 1 2 1").minions(2) == []


# Raise Dead.


def test_raise_dead_2024_raises_the_top_minion_with_1_defence_and_its_own_attack() -> None:
    scene = Scene().hand(1, "Raise Dead").graveyard(1, "Air Elemental", "Bone Golem 7/-2")
    scene.play("play 1")
    assert (scene.minions(1), scene.buried(1)) == (["Bone Golem 7/1"], ["Air Elemental 1/1"])


def test_raise_dead_2024_gives_no_action() -> None:
    scene = Scene().hand(1, "Raise Dead").graveyard(1, "Air Elemental 1/0").play("play 1")
    assert scene.refusal("attack 1") == "Air Elemental has no action left this turn."


def test_raise_dead_2017_raises_the_top_minion_as_it_is_printed() -> None:
    scene = Scene(SPRING_2017).hand(1, "Raise Dead").graveyard(1, "Earth Elemental").play("play 1")
    assert scene.minions(1) == ["Earth Elemental 4/4"]
    assert scene.play("attack 1").side(2).life == 16


@BOTH
def test_raise_dead_puts_a_minion_into_play_with_all_that_follows(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Raise Dead").graveyard(1, "Air Elemental")
    scene.ritual(1, "Aura of Power").board(2, "Fire Elemental").play("play 1")
    assert scene.minions(1) == ["Air Elemental 2/1"]
    assert scene.told(MinionEntered) == [MinionEntered(0, "Air Elemental", "graveyard")]


@BOTH
def test_raise_dead_cannot_be_played_with_an_empty_graveyard(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Raise Dead").graveyard(2, "Air Elemental")
    assert scene.refusal("play 1") == "Your graveyard is empty."


@BOTH
def test_raise_dead_cannot_be_played_on_a_full_board(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Raise Dead").graveyard(1, "Air Elemental")
    assert scene.board(1, *["Potion Seller"] * 5).refusal("play 1") == "Your board is full."


# Blizzard.


@BOTH
def test_blizzard_deals_2_damage_to_all_minions(edition: Edition) -> None:
    scene = Scene(edition).hand(1, "Blizzard").board(1, "Potion Seller", "Air Elemental")
    scene.board(2, "Earth Elemental", "Fire Elemental").play("play 1")
    assert (scene.minions(1), scene.minions(2)) == (["Potion Seller 1/1"], ["Earth Elemental 4/2"])


@BOTH
def test_blizzard_goes_through_the_minions_in_apnap_order(edition: Edition) -> None:
    scene = Scene(edition).hand(2, "Blizzard").board(1, "Potion Seller", "Air Elemental")
    scene.board(2, "Earth Elemental").play("end", "play 1")
    hit = [(event.seat, event.card) for event in scene.told(MinionDamaged)]
    assert hit == [(1, "Earth Elemental"), (0, "Potion Seller"), (0, "Air Elemental")]


def test_blizzard_buries_each_minion_before_it_hits_the_next() -> None:
    scene = Scene().hand(1, "Blizzard").board(1, "Air Elemental", "Bone Golem 1/2").play("play 1")
    assert scene.minions(1) == ["Bone Golem 2/1"]


def test_blizzard_hits_what_has_already_grown_from_other_deaths() -> None:
    scene = Scene().hand(1, "Blizzard").board(1, "Bone Golem 1/2", "Air Elemental").play("play 1")
    assert scene.buried(1) == ["Bone Golem 2/1", "Air Elemental 1/-1"]


@BOTH
def test_a_spell_is_removed_from_the_game(edition: Edition) -> None:
    side = Scene(edition).hand(1, "Blizzard").play("play 1").side(1)
    assert (side.hand, side.deck, side.graveyard) == ([], [], [])
