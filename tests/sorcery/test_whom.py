"""Whom effects act on."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import Scene, scene

from sorcery import (
    ALL,
    ENEMIES,
    OWN,
    RANDOM_ENEMY,
    Damage,
    Selector,
    Strengthen,
    Trigger,
    When,
    Whose,
    ritual,
)


@pytest.mark.parametrize(
    ("whom", "own", "enemies"),
    [
        (ALL, ["Potion Seller 2/3", "Air Elemental 2/1"], [5, 3]),
        (OWN, ["Potion Seller 2/3", "Air Elemental 2/1"], [4, 2]),
        (ENEMIES, ["Potion Seller 1/3", "Air Elemental 1/1"], [5, 3]),
    ],
)
def test_an_effect_acts_on_whom_it_says(whom: Selector, own: list[str], enemies: list[int]) -> None:
    made = scene(Strengthen(whom, 1)).play("play 1")
    assert made.minions(1) == own
    assert [one.attack for one in made.side(2).minions] == enemies


def test_an_effect_on_a_random_enemy_acts_on_one_of_them() -> None:
    made = scene(Damage(RANDOM_ENEMY, 1)).play("play 1")
    assert made.minions(1) == ["Potion Seller 1/3", "Air Elemental 1/1"]
    assert made.minions(2) in (
        ["Earth Elemental 4/3", "Fire Elemental 2/2"],
        ["Earth Elemental 4/4", "Fire Elemental 2/1"],
    )


def test_a_trigger_on_a_random_enemy_costs_no_charge_when_there_is_none() -> None:
    bolt = Trigger(When.TURN_STARTS, Damage(RANDOM_ENEMY), "bolt", Whose.OWN)
    made = (
        Scene(cards=[ritual("Bolts", cost=0, charges=3, activation=1).having(bolt)])
        .ritual(2, "Bolts")
        .play("end")
    )
    assert made.charges(2) == 3
    made.board(1, "Earth Elemental").play("end", "end")
    assert (made.charges(2), made.minions(1)) == (2, ["Earth Elemental 4/3"])
