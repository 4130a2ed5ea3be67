"""The state: plain data that copies itself."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import Scene

from sorcery import SorceryState
from sorcery.minion_stats import add_enchantment
from tabletop.codec import from_json, to_json


def busy() -> Scene:
    """A position with something of everything."""
    scene = Scene().hand(1, "Banish").hand(2, "Air Elemental 1/-3").deck(1, "Haste", "Silence")
    scene.board(1, "Bone Golem 2/1").enchant(1, 1, "Enrage", "Haste").board(2, "Air Elemental")
    return scene.graveyard(2, "Earth Elemental 4/0").ritual(1, "Standstill", 1)


def test_a_state_survives_json() -> None:
    state = busy().state
    assert from_json(to_json(state), SorceryState) == state


@pytest.mark.parametrize("player", [1, 2])
def test_a_clone_is_equal_and_changing_it_changes_nothing_else(player: int) -> None:
    scene = busy()
    before = to_json(scene.state)
    twin = scene.state.clone()
    assert twin == scene.state
    side = twin.sides[player - 1]
    side.life -= 1
    side.hand.clear()
    side.deck.append(scene.edition.held("Banish"))
    side.graveyard.clear()
    side.minions[0].actions += 1
    add_enchantment(side.minions[0], "Silence", scene.edition.cards)
    if side.ritual is not None:
        side.ritual.charges = 0
    side.minions.clear()
    twin.turn = 1
    assert to_json(scene.state) == before


def test_the_enchantments_of_a_minion_are_listed_oldest_first() -> None:
    assert busy().side(1).minions[0].enchantments == ["Enrage", "Haste"]
