"""Amounts that are worked out when an effect happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from tests.sorcery.scenes import Scene, scene
from typing_extensions import override

from sorcery import (
    ALL,
    BOTH_PLAYERS,
    ENEMIES,
    FRIENDLY,
    OPPONENT,
    SELF,
    TARGET,
    Ability,
    Amount,
    AtLeast,
    AttackOf,
    CardsInGraveyard,
    CardsInHand,
    Count,
    Damage,
    DefenceOf,
    Draw,
    Effect,
    EffectContext,
    GainLife,
    GainMagic,
    HurtOpponent,
    LifeOf,
    MagicOf,
    Number,
    Recharge,
    Resurrect,
    Strengthen,
    Summon,
    Target,
    Together,
    minion,
)
from sorcery.state import MOST


@pytest.mark.parametrize(
    ("amount", "value"),
    [
        (Count(FRIENDLY), 2),
        (Count(ALL), 4),
        (AttackOf(ENEMIES), 6),
        (DefenceOf(FRIENDLY), 4),
        (AttackOf(TARGET), 4),
        (CardsInHand(), 2),
        (CardsInHand(OPPONENT), 0),
        (CardsInGraveyard(BOTH_PLAYERS), 3),
        (LifeOf(), 20),
        (MagicOf(BOTH_PLAYERS), 40),
        (Count(FRIENDLY) + 1, 3),
        (1 + Count(FRIENDLY), 3),
        (Count(FRIENDLY) - 5, -3),
        (5 - Count(FRIENDLY), 3),
        (-Count(FRIENDLY), -2),
        (2 * Count(FRIENDLY), 4),
        (Count(FRIENDLY) * AttackOf(ENEMIES), 12),
        (2 * AttackOf(ENEMIES) + Count(FRIENDLY), 14),
        (AttackOf(ENEMIES).up_to(5), 5),
        (Count(FRIENDLY).up_to(Count(ALL)), 2),
    ],
    ids=str,
)
def test_an_amount_is_worked_out_when_the_effect_happens(amount: Amount, value: int) -> None:
    made = scene(Together(GainLife(amount), Strengthen(TARGET)), Target.MINION).hand(
        1, "Banish", "Silence"
    )
    made.graveyard(1, "Air Elemental").graveyard(2, "Bone Golem", "Air Elemental")
    assert made.play("play 1 2 1").side(1).life == 20 + value


@pytest.mark.parametrize(
    ("effect", "seen"),
    [
        (Damage(ENEMIES, Count(FRIENDLY)), ["Earth Elemental 4/2"]),
        (Strengthen(ENEMIES, 1, Count(FRIENDLY)), ["Earth Elemental 5/6", "Fire Elemental 3/4"]),
    ],
)
def test_effects_on_minions_take_amounts(effect: Effect, seen: list[str]) -> None:
    assert scene(effect).play("play 1").minions(2) == seen


def test_effects_on_players_take_amounts() -> None:
    made = scene(Draw(Count(FRIENDLY))).deck(1, "Banish", "Silence", "Haste").play("play 1")
    assert made.held(1) == ["Banish", "Silence"]
    assert scene(GainMagic(-Count(ENEMIES), OPPONENT)).play("play 1").side(2).magic == 18
    charged = scene(Recharge(Count(ALL))).ritual(1, "Dark Ritual").play("play 1")
    assert charged.charges(1) == 9


def test_minions_are_summoned_and_raised_by_amounts() -> None:
    made = scene(Summon("Air Elemental", Count(ENEMIES))).play("play 1")
    assert len(made.side(1).minions) + len(made.side(1).graveyard) == 4
    raised = scene(Resurrect(DefenceOf(ENEMIES))).graveyard(1, "Bone Golem").play("play 1")
    assert raised.minions(1)[2] == "Bone Golem 1/5"  # the Fire Elemental has burnt it


def test_an_amount_is_fixed_before_the_effect_acts_on_the_first() -> None:
    """Minions that die of it do not make it less for the others."""
    made = scene(Damage(ALL, Count(ALL))).play("play 1")
    assert (made.minions(1), made.minions(2)) == ([], [])


def test_an_ability_can_look_at_the_minion_itself() -> None:
    bite = Ability(0, Damage(OPPONENT, AttackOf(SELF)), "bite")
    made = Scene(cards=[minion("Wolf", cost=0, attack=3, defence=3).having(bite)]).board(
        1, "Wolf 5/3"
    )
    assert made.play("use 1").side(2).life == 15


def test_an_amount_goes_no_further_than_the_numbers_of_the_game() -> None:
    made = scene(HurtOpponent(AttackOf(ENEMIES) * 2_000))
    assert made.play("play 1").side(2).life == 20 - MOST


@dataclass(frozen=True, slots=True)
class Turns(Amount):
    """For how many turns nothing has changed."""

    @override
    def value(self, context: EffectContext) -> int:
        return context.engine.state.idle


def test_an_amount_of_ones_own_is_composed_like_any_other() -> None:
    assert scene(GainLife(3 * Turns() + 1)).play("end", "end", "play 1").side(1).life == 21


@dataclass(frozen=True, slots=True)
class Half(Amount):
    """Half the life of player 1, which need not be a whole number."""

    def value(self, context: EffectContext) -> Any:
        return context.engine.side(0).life / 2


def test_an_amount_that_is_no_whole_number_breaks_the_action_off() -> None:
    made = scene(GainLife(Half()))
    with pytest.raises(TypeError, match=r"Half is 10\.0, which is no whole number"):
        made.play("play 1")
    assert made.side(1).life == 20


def test_an_amount_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="known in a match alone"):
        bool(Count(FRIENDLY))


@pytest.mark.parametrize(("least", "held"), [(2, True), (3, False), (Count(ENEMIES), True)])
def test_a_condition_compares_amounts(least: Number, held: bool) -> None:
    made = scene(GainLife(1))
    from sorcery.engine import Engine
    from tabletop import Streams, Table

    engine = Engine(made.state, Table(Streams(1)), made.edition)
    assert AtLeast(Count(FRIENDLY), least).holds(EffectContext(engine, 0)) is held
