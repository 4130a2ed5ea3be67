"""Fields of mechanics hold what their annotations say."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sorcery.scenes import cast
from tests.sorcery.wrappers import Twice

from sorcery import (
    ENEMIES,
    OWN,
    SPRING_2024,
    CardsError,
    Count,
    Damage,
    Draw,
    Effect,
    GainLife,
    If,
    Summon,
)
from sorcery.fields import flaw_of_fields


def careless(kind: Any, *arguments: object) -> Effect:
    """An effect as somebody makes it who has no type checker."""
    made: Effect = kind(*arguments)
    return made


@pytest.mark.parametrize(
    ("effect", "flaw"),
    [
        (careless(Damage, 2, ENEMIES), "the whom of Damage is 2, which is no Selector"),
        (
            Twice(careless(Draw, "2")),
            "the count of Draw is '2', which is no whole number, and no amount",
        ),
        (careless(Twice, Draw), "the effect of Twice is "),
        (
            careless(If, Count(OWN), Draw()),
            "the condition of If is Count(whom=OWN), which is no Condition",
        ),
        (careless(Summon, 3), "the card of Summon is 3, which is no text"),
    ],
)
def test_what_stands_where_something_else_belongs_is_named(effect: Effect, flaw: str) -> None:
    with pytest.raises(CardsError) as caught:
        SPRING_2024.with_cards([cast(effect)])
    assert str(caught.value).startswith(f"Odd: {flaw}")


@pytest.mark.parametrize(
    ("effect", "flaw"),
    [
        (Damage(ENEMIES, -1), "the amount of Damage is -1, and it is at least 0"),
        (Draw(-1), "the count of Draw is -1, and it is at least 0"),
        (Summon("Air Elemental", -2), "the count of Summon is -2, and it is at least 0"),
        (Damage(ENEMIES, 0), ""),
        (GainLife(-1), ""),
    ],
    ids=repr,
)
def test_what_no_effect_could_act_with_is_named(effect: Effect, flaw: str) -> None:
    assert flaw_of_fields(effect) == flaw
