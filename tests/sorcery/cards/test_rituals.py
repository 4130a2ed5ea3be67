"""The rituals, one sentence of their descriptions a test (Sorcery 2024 §2.4, §6.4)."""

from __future__ import annotations

from tests.sorcery.scenes import BOTH, Scene

from sorcery import SPRING_2017, Edition
from sorcery.events import ChargesChanged, MinionLeft, RitualEnded, RitualStarted, Triggered


@BOTH
def test_dark_ritual_gains_1_magic_at_the_start_of_its_owner_s_turn(edition: Edition) -> None:
    scene = Scene(edition, magic=0).ritual(2, "Dark Ritual").play("end")
    assert (scene.side(2).magic, scene.charges(2)) == (2, 4)
    scene.play("end")
    assert (scene.side(1).magic, scene.charges(2)) == (1, 4)


@BOTH
def test_a_ritual_without_enough_charges_does_nothing_and_stays(edition: Edition) -> None:
    """The example of §2.4."""
    scene = Scene(edition, magic=0).ritual(1, "Dark Ritual", 2).ritual(2, "Dark Ritual", 0)
    scene.play("end")
    assert (scene.side(2).magic, scene.charges(2)) == (1, 0)
    scene.play("end")
    assert (scene.side(1).magic, scene.charges(1)) == (2, 1)


@BOTH
def test_standstill_with_1_charge_left_lets_minions_in(edition: Edition) -> None:
    scene = Scene(edition).ritual(2, "Standstill", 1).hand(1, "Air Elemental").play("play 1")
    assert (scene.minions(1), scene.charges(2)) == (["Air Elemental 1/1"], 1)


@BOTH
def test_a_second_ritual_removes_the_first_from_the_game(edition: Edition) -> None:
    scene = Scene(edition).ritual(1, "Dark Ritual", 2).hand(1, "Aura of Power").play("play 1")
    assert scene.charges(1) == 4
    assert scene.told(RitualEnded) == [RitualEnded(0, "Dark Ritual")]
    assert scene.told(RitualStarted) == [RitualStarted(0, "Aura of Power")]
    assert scene.side(1).graveyard == []


@BOTH
def test_aura_of_power_strengthens_only_what_enters_on_its_own_side(edition: Edition) -> None:
    scene = Scene(edition).ritual(1, "Aura of Power").hand(1, "Air Elemental")
    scene.hand(2, "Air Elemental").play("play 1", "end", "play 1")
    assert (scene.minions(1), scene.minions(2)) == (["Air Elemental 2/2"], ["Air Elemental 1/1"])
    assert scene.charges(1) == 3


@BOTH
def test_standstill_destroys_what_enters_on_either_side(edition: Edition) -> None:
    scene = Scene(edition).ritual(1, "Standstill").hand(1, "Earth Elemental")
    scene.hand(2, "Earth Elemental").play("play 1", "end", "play 1")
    assert (scene.minions(1), scene.minions(2), scene.charges(1)) == ([], [], 0)
    assert (scene.buried(1), scene.buried(2)) == (["Earth Elemental 4/4"], ["Earth Elemental 4/4"])


@BOTH
def test_a_1_1_under_aura_of_power_survives_the_fire_elemental(edition: Edition) -> None:
    """The note of §6.4: by APNAP order the active player's Aura of Power comes first."""
    scene = Scene(edition).ritual(1, "Aura of Power").board(2, "Fire Elemental")
    assert scene.hand(1, "Air Elemental").play("play 1").minions(1) == ["Air Elemental 2/1"]


@BOTH
def test_a_trigger_aimed_at_a_minion_that_is_gone_costs_no_charge(edition: Edition) -> None:
    """The example of 2017 §3.4: the Fire Elemental has killed what Standstill would destroy."""
    scene = Scene(edition).board(1, "Fire Elemental").ritual(1, "Standstill")
    scene.hand(2, "Air Elemental").play("end", "play 1")
    assert scene.charges(1) == 4
    assert scene.told(Triggered) == [Triggered(0, "Fire Elemental")]


@BOTH
def test_of_two_standstills_only_that_of_the_active_player_is_used(edition: Edition) -> None:
    scene = Scene(edition).ritual(1, "Standstill").ritual(2, "Standstill").hand(1, "Air Elemental")
    scene.play("play 1")
    assert (scene.charges(1), scene.charges(2)) == (2, 4)
    assert scene.told(MinionLeft) == [MinionLeft(0, "Air Elemental", "graveyard")]


def test_whoever_watches_is_told_of_the_charges_that_a_trigger_takes() -> None:
    scene = Scene(SPRING_2017).ritual(2, "Dark Ritual").play("end")
    assert scene.told(ChargesChanged) == [ChargesChanged(1, "Dark Ritual", 4)]
