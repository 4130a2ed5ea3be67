"""Selectors: those with names, and those that are composed."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass

import pytest
from tests.sorcery.scenes import Scene, scene
from typing_extensions import override

from sorcery import (
    ALL,
    BOTH_PLAYERS,
    ENEMIES,
    EVENT_MINION,
    FRIENDLY,
    OPPONENT,
    OTHERS,
    RANDOM_ENEMY,
    TARGET,
    YOU,
    Ability,
    Count,
    Damage,
    EffectContext,
    Minion,
    Selector,
    Strengthen,
    Target,
    Trigger,
    When,
    Whose,
    minion,
    ritual,
    spell,
)
from sorcery.selectors import Found


def attacks(made: Scene) -> list[int]:
    return [one.attack for player in (1, 2) for one in made.side(player).minions]


def test_either_of_two_selectors_finds_each_minion_once() -> None:
    made = scene(Strengthen(TARGET | FRIENDLY | ALL, 10), Target.MINION).play("play 1 1 1")
    assert attacks(made) == [11, 11, 14, 12]


def test_a_selector_without_another_finds_what_is_left() -> None:
    made = scene(Strengthen(ALL.but(TARGET), 10), Target.MINION).play("play 1 2 1")
    assert attacks(made) == [11, 11, 4, 12]


def test_others_are_all_minions_but_the_one_that_acts_and_not_one_that_is_equal() -> None:
    shout = Ability(0, Strengthen(OTHERS, 10), "shout")
    made = Scene(cards=[minion("Giant", cost=0, attack=1, defence=1).having(shout)])
    made.board(1, "Giant", "Giant").board(2, "Air Elemental").play("use 1")
    assert attacks(made) == [1, 11, 11]


def test_damage_to_a_player_takes_life() -> None:
    assert scene(Damage(OPPONENT, 3)).play("play 1").side(2).life == 17
    assert scene(Damage(YOU, 3)).play("play 1").side(1).life == 17
    both = scene(Damage(BOTH_PLAYERS, 3)).play("play 1")
    assert (both.side(1).life, both.side(2).life) == (17, 17)


def test_damage_to_minions_and_a_player_goes_to_the_minions_first() -> None:
    made = scene(Damage(OPPONENT | ENEMIES, 2)).play("play 1")
    assert (made.minions(2), made.side(2).life) == (["Earth Elemental 4/2"], 18)
    kinds = [type(event).__name__ for event in made.events]
    assert kinds.index("MinionDamaged") < kinds.index("LifeChanged")


def test_damage_below_one_is_none() -> None:
    made = scene(Damage(OPPONENT | ENEMIES, Count(FRIENDLY) - 99)).play("play 1")
    assert (attacks(made), made.side(2).life) == ([1, 1, 4, 2], 20)


def test_a_random_one_is_chosen_among_those_that_are_meant_players_too() -> None:
    hit = set()
    for number in range(40):
        made = scene(Damage((ENEMIES | OPPONENT).random(), 1))
        for _ in range(number):  # so that each match draws another
            made._table.rng["chance", 0].below(7)
        made.play("play 1")
        hit.add((made.side(2).life, *(one.defence for one in made.side(2).minions)))
    assert hit == {(19, 4, 2), (20, 3, 2), (20, 4, 1)}


def test_where_there_is_one_alone_chance_decides_nothing() -> None:
    made = Scene(cards=[spell("Odd", Damage(ENEMIES.random(), 1), "odd", cost=0)]).hand(1, "Odd")
    made.board(2, "Earth Elemental").play("play 1")
    assert made.minions(2) == ["Earth Elemental 4/3"]
    assert made._table.rng["chance", 0].offset == 0


def test_a_random_one_of_none_is_none_and_costs_a_ritual_no_charge() -> None:
    bolt = Trigger(When.TURN_STARTS, Damage(ALL.but(FRIENDLY).random()), "bolt", Whose.OWN)
    made = Scene(cards=[ritual("Bolts", cost=0, charges=3, activation=1).having(bolt)])
    made.ritual(2, "Bolts").board(2, "Air Elemental").play("end")
    assert (made.charges(2), made.minions(2)) == (3, ["Air Elemental 1/1"])


@pytest.mark.parametrize(
    "whom", [EVENT_MINION, EVENT_MINION | EVENT_MINION, EVENT_MINION.but(FRIENDLY)], ids=repr
)
def test_a_trigger_on_a_subject_that_is_gone_does_not_occur(whom: Selector) -> None:
    """2017 §3: triggers targeting a dead minion do not occur, and cost no charge."""
    after = Trigger(When.ENTERS, Strengthen(whom, 1), "after", Whose.OPPONENTS)
    made = Scene(cards=[ritual("After", cost=0, charges=3, activation=1).having(after)])
    made.ritual(2, "After").board(1, "Fire Elemental").ritual(1, "Standstill")
    made.hand(1, "Air Elemental").play("play 1")
    assert made.charges(2) == 3


@dataclass(frozen=True, slots=True)
class Weakest(Selector):
    """The minion with the least defence of those that another selector means."""

    among: Selector

    @override
    def found(self, context: EffectContext) -> Found:
        found = [one for one in self.among.found(context) if isinstance(one, Minion)]
        return [min(found, key=lambda one: one.defence)] if found else []


def test_a_selector_of_ones_own_is_composed_like_any_other() -> None:
    made = scene(Strengthen(FRIENDLY | Weakest(ENEMIES), 10)).play("play 1")
    assert attacks(made) == [11, 11, 4, 12]


def test_a_selector_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"join two with \|"):
        bool(FRIENDLY)


@pytest.mark.parametrize("whom", [TARGET, FRIENDLY, OTHERS, (ENEMIES | OPPONENT).random()])
def test_selectors_are_values_that_can_be_copied_and_pickled(whom: Selector) -> None:
    assert pickle.loads(pickle.dumps(whom)) == whom
    assert copy.deepcopy(whom) == whom
    assert hash(whom) == hash(copy.copy(whom))


def test_selectors_read_as_they_are_written() -> None:
    assert repr(OTHERS) == "But(whom=ALL, without=SELF)"
    assert repr(Damage(ENEMIES | OPPONENT, 2)) == (
        "Damage(whom=AnyOf(selectors=(ENEMIES, OPPONENT)), amount=2)"
    )


# Whom effects act on.


@pytest.mark.parametrize(
    ("whom", "own", "enemies"),
    [
        (ALL, ["Potion Seller 2/3", "Air Elemental 2/1"], [5, 3]),
        (FRIENDLY, ["Potion Seller 2/3", "Air Elemental 2/1"], [4, 2]),
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
