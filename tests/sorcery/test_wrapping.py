"""Effects that hold others. `RepeatSpell` and `Together` are tested with cards and effects, too."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import Scene, cast

from sorcery import (
    ENEMIES,
    OWN,
    TARGET,
    AtLeast,
    Count,
    Damage,
    Draw,
    Effect,
    GainLife,
    If,
    RepeatSpell,
    Strengthen,
    Target,
    Together,
    Trigger,
    When,
    Whose,
    ritual,
    spell,
)

THREE = AtLeast(Count(OWN), 3)


def scene(effect: Effect, target: Target = Target.NOTHING) -> Scene:
    return Scene(cards=[cast(effect, target)]).hand(1, "Odd")


@pytest.mark.parametrize(("minions", "life"), [(2, 20), (3, 25)])
def test_an_effect_under_a_condition_happens_if_that_is_true(minions: int, life: int) -> None:
    made = scene(If(THREE, GainLife(5))).board(1, *["Air Elemental"] * minions)
    assert made.play("play 1").side(1).life == life


def test_otherwise_another_effect_can_happen() -> None:
    made = scene(If(THREE, GainLife(5), otherwise=GainLife(1)))
    assert made.play("play 1").side(1).life == 21


def test_an_effect_under_a_condition_has_its_obstacle_unless_the_other_can_happen() -> None:
    assert scene(If(THREE, Draw())).refusal("play 1") == "Your deck is empty."
    assert scene(If(THREE, Draw(), GainLife(1))).play("play 1").side(1).life == 21
    assert scene(If(THREE, Draw(), Draw())).refusal("play 1") == "Your deck is empty."


def test_a_trigger_whose_condition_is_not_met_does_not_occur_and_costs_no_charge() -> None:
    grow = Trigger(When.TURN_ENDS, If(THREE, Strengthen(OWN, 1)), "grow", Whose.OWN)
    made = Scene(cards=[ritual("Grove", cost=0, charges=3, activation=1).having(grow)])
    made.ritual(1, "Grove").board(1, "Air Elemental").play("end", "end")
    assert made.charges(1) == 3
    made.board(1, "Air Elemental", "Air Elemental").play("end")
    assert (made.charges(1), made.minions(1)) == (2, ["Air Elemental 2/1"] * 3)


def test_what_is_composed_is_repeated_as_a_whole() -> None:
    both = Together(Damage(TARGET, 1), If(AtLeast(Count(ENEMIES), 1), GainLife(1)))
    echo = Trigger(When.SPELL, RepeatSpell(), "again", Whose.OWN)
    cave = ritual("Cave", cost=0, charges=3, activation=1).having(echo)
    made = Scene(cards=[cave, spell("Bolt", both, "bolt", Target.MINION, cost=0)])
    made.ritual(1, "Cave").hand(1, "Bolt").board(2, "Earth Elemental").play("play 1 2 1")
    assert (made.minions(2), made.side(1).life) == (["Earth Elemental 4/2"], 22)
