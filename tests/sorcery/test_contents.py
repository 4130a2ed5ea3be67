"""All that stands on a card is found, whoever has written what holds it."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import cast, on
from tests.sorcery.wrappers import ByLife, ForEach, Plain, Private, Slotted, Twice

from sorcery import (
    ENEMIES,
    OWN,
    TARGET,
    Ability,
    AttackOf,
    Card,
    Damage,
    Effect,
    GainLife,
    Together,
    When,
    minion,
    ritual,
)
from sorcery.contents import all_in, has_own_classes, held_by

HIT = Damage(ENEMIES)


@pytest.mark.parametrize(
    "effect",
    [
        Together(GainLife(1), HIT),
        Twice(Twice(HIT)),
        ByLife({"low": (GainLife(1), Twice(HIT))}),
        Plain(GainLife(1), HIT),
        Slotted(Plain(HIT)),
        Private(HIT),
        ForEach(OWN, HIT),
    ],
    ids=lambda it: type(it).__name__,
)
def test_an_effect_is_found_in_whatever_holds_it(effect: Effect) -> None:
    assert HIT in all_in(effect)
    assert ENEMIES in all_in(effect)


def test_what_a_selector_and_an_amount_are_composed_of_is_found() -> None:
    found = list(all_in(GainLife(2 * AttackOf(OWN | TARGET).up_to(3) + 1)))
    assert OWN in found
    assert TARGET in found


def test_a_set_is_gone_through_in_the_same_order_in_every_process() -> None:
    assert list(held_by({"b", "a", "c"})) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("card", "own"),
    [
        (cast(Together(GainLife(1), HIT)), False),
        (cast(Together(GainLife(1), Twice(HIT))), True),
        (minion("Odd", cost=0, attack=1, defence=1), False),
        (minion("Odd", cost=0, attack=1, defence=1).having(Ability(0, Twice(HIT), "odd")), True),
        (ritual("Odd", cost=0, charges=1, activation=1).having(on(When.SPELL, Plain(HIT))), True),
    ],
)
def test_classes_of_somebody_s_own_are_known_wherever_they_stand(card: Card, own: bool) -> None:
    assert has_own_classes([card]) is own
