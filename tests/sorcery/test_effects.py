"""Effects, their targets and amounts: selectors, amounts, and effects that contain others."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import pytest
from tests.sorcery.scenes import Scene, cast, scene
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
    SELF,
    TARGET,
    YOU,
    Ability,
    Amount,
    AtLeast,
    AttackOf,
    CardsInGraveyard,
    CardsInHand,
    Count,
    Damage,
    DefenceOf,
    Destroy,
    Disenchant,
    Draw,
    Effect,
    EffectContext,
    GainLife,
    GainMagic,
    HurtOpponent,
    If,
    LifeOf,
    MagicOf,
    Minion,
    Number,
    OnMinions,
    OnPlayers,
    OnSome,
    PutUnderDeck,
    Recharge,
    RepeatSpell,
    Resurrect,
    ReturnToHand,
    Selector,
    Strengthen,
    Summon,
    TakeControl,
    Target,
    Together,
    Trigger,
    When,
    Whose,
    minion,
    ritual,
    spell,
)
from sorcery.cards.effects import seats_in
from sorcery.cards.selectors import Selection
from sorcery.cards.state import MOST


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
def test_an_amount_is_computed_when_the_effect_happens(amount: Amount, value: int) -> None:
    made = scene(Together(GainLife(YOU, amount), Strengthen(TARGET)), Target.MINION).hand(
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


def test_effects_on_players_and_summons_take_amounts() -> None:
    made = scene(Draw(YOU, Count(FRIENDLY))).deck(1, "Banish", "Silence", "Haste").play("play 1")
    assert made.held(1) == ["Banish", "Silence"]
    assert scene(GainMagic(OPPONENT, -Count(ENEMIES))).play("play 1").side(2).magic == 18
    charged = scene(Recharge(Count(ALL))).ritual(1, "Dark Ritual").play("play 1")
    assert charged.charges(1) == 9
    made = scene(Summon("Air Elemental", Count(ENEMIES))).play("play 1")
    assert len(made.side(1).minions) + len(made.side(1).graveyard) == 4
    raised = scene(Resurrect(DefenceOf(ENEMIES))).graveyard(1, "Bone Golem").play("play 1")
    assert raised.minions(1)[2] == "Bone Golem 1/5"  # damaged by the Fire Elemental


def test_an_amount_is_computed_before_the_effect_acts_on_the_first_minion() -> None:
    """Minions that die of the effect do not reduce it for the others."""
    made = scene(Damage(ALL, Count(ALL))).play("play 1")
    assert (made.minions(1), made.minions(2)) == ([], [])


def test_an_ability_can_use_and_affect_its_own_minion() -> None:
    bite = Ability(0, Damage(OPPONENT, AttackOf(SELF)), "bite")
    made = Scene(cards=[minion("Wolf", cost=0, attack=3, defence=3).having(bite)]).board(
        1, "Wolf 5/3"
    )
    assert made.play("use 1").side(2).life == 15
    grow = Ability(1, Strengthen(SELF, 1, 1), "grow")
    made = (
        Scene(cards=[minion("Giant", cost=0, attack=1, defence=1).having(grow)])
        .board(1, "Giant", "Giant")
        .play("use 2")
    )
    assert made.minions(1) == ["Giant 1/1", "Giant 2/2"]


def test_an_amount_stops_at_the_limit() -> None:
    made = scene(HurtOpponent(AttackOf(ENEMIES) * 2_000))
    assert made.play("play 1").side(2).life == 20 - MOST


@dataclass(frozen=True, slots=True)
class Turns(Amount):
    """The number of turns without a change."""

    @override
    def value(self, context: EffectContext) -> int:
        return context.engine.state.idle


def test_a_custom_amount_can_be_combined_with_others() -> None:
    assert scene(GainLife(YOU, 3 * Turns() + 1)).play("end", "end", "play 1").side(1).life == 21


@dataclass(frozen=True, slots=True)
class Half(Amount):
    """Half the life of player 1, which may not be a whole number."""

    def value(self, context: EffectContext) -> Any:
        return context.engine.side(0).life / 2


def test_an_amount_that_is_not_a_whole_number_aborts_the_action() -> None:
    made = scene(GainLife(YOU, Half()))
    with pytest.raises(TypeError, match=r"\bHalf .*\b10\.0,"):
        made.play("play 1")
    assert made.side(1).life == 20


def test_amounts_and_selectors_have_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"\bsorcery\.If$"):
        bool(Count(FRIENDLY))
    with pytest.raises(TypeError, match=r"\bselectors\b.* \|$"):
        bool(FRIENDLY)


@pytest.mark.parametrize(("least", "held"), [(2, True), (3, False), (Count(ENEMIES), True)])
def test_a_condition_compares_amounts(least: Number, held: bool) -> None:
    made = scene(GainLife(YOU, 1))
    from sorcery.rules.engine import Engine
    from tabletop import Streams, Table

    engine = Engine(made.state, Table(Streams(1)), made.edition)
    assert AtLeast(Count(FRIENDLY), least).holds(EffectContext(engine, 0)) is held


# Selectors, named and composed.


def attacks(made: Scene) -> list[int]:
    return [one.attack for player in (1, 2) for one in made.side(player).minions]


def test_selectors_can_be_combined() -> None:
    made = scene(Strengthen(TARGET | FRIENDLY | ALL, 10), Target.MINION).play("play 1 1 1")
    assert attacks(made) == [11, 11, 14, 12]
    made = scene(Strengthen(ALL.but(TARGET), 10), Target.MINION).play("play 1 2 1")
    assert attacks(made) == [11, 11, 4, 12]


def test_others_excludes_only_the_acting_minion_and_not_an_equal_one() -> None:
    shout = Ability(0, Strengthen(OTHERS, 10), "shout")
    made = Scene(cards=[minion("Giant", cost=0, attack=1, defence=1).having(shout)])
    made.board(1, "Giant", "Giant").board(2, "Air Elemental").play("use 1")
    assert attacks(made) == [1, 11, 11]


def test_damage_to_a_player_follows_damage_to_minions() -> None:
    assert scene(Damage(OPPONENT, 3)).play("play 1").side(2).life == 17
    assert scene(Damage(YOU, 3)).play("play 1").side(1).life == 17
    both = scene(Damage(BOTH_PLAYERS, 3)).play("play 1")
    assert (both.side(1).life, both.side(2).life) == (17, 17)
    made = scene(Damage(OPPONENT | ENEMIES, 2)).play("play 1")
    assert (made.minions(2), made.side(2).life) == (["Earth Elemental 4/2"], 18)
    kinds = [type(event).__name__ for event in made.events]
    assert kinds.index("MinionDamaged") < kinds.index("LifeChanged")
    made = scene(Damage(OPPONENT | ENEMIES, Count(FRIENDLY) - 99)).play("play 1")
    assert (attacks(made), made.side(2).life) == ([1, 1, 4, 2], 20)


def test_a_random_choice_includes_players() -> None:
    hit = set()
    for number in range(40):
        made = scene(Damage((ENEMIES | OPPONENT).random(), 1))
        for _ in range(number):  # so that each match draws differently
            made._table.rng["chance", 0].below(7)
        made.play("play 1")
        hit.add((made.side(2).life, *(one.defence for one in made.side(2).minions)))
    assert hit == {(19, 4, 2), (20, 3, 2), (20, 4, 1)}


def test_a_choice_among_one_draws_no_random_number() -> None:
    made = Scene(cards=[spell("Odd", Damage(ENEMIES.random(), 1), "odd", cost=0)]).hand(1, "Odd")
    made.board(2, "Earth Elemental").play("play 1")
    assert made.minions(2) == ["Earth Elemental 4/3"]
    assert made._table.rng["chance", 0].offset == 0


@pytest.mark.parametrize(
    "selector", [EVENT_MINION, EVENT_MINION | EVENT_MINION, EVENT_MINION.but(FRIENDLY)], ids=repr
)
def test_a_trigger_on_a_minion_that_has_left_does_not_happen(selector: Selector) -> None:
    """2017 §3: triggers that target a dead minion do not occur and cost no charge."""
    after = Trigger(When.ENTERS, Strengthen(selector, 1), "after", Whose.OPPONENTS)
    made = Scene(cards=[ritual("After", cost=0, charges=3, activation=1).having(after)])
    made.ritual(2, "After").board(1, "Fire Elemental").ritual(1, "Standstill")
    made.hand(1, "Air Elemental").play("play 1")
    assert made.charges(2) == 3


@dataclass(frozen=True, slots=True)
class Weakest(Selector):
    """The minion with the least defence in another selection."""

    among: Selector

    @override
    def select(self, context: EffectContext) -> Selection:
        found = [one for one in self.among.select(context) if isinstance(one, Minion)]
        return [min(found, key=lambda one: one.defence)] if found else []


def test_a_custom_selector_can_be_combined_with_others() -> None:
    made = scene(Strengthen(FRIENDLY | Weakest(ENEMIES), 10)).play("play 1")
    assert attacks(made) == [11, 11, 4, 12]


@pytest.mark.parametrize("selector", [TARGET, FRIENDLY, OTHERS, (ENEMIES | OPPONENT).random()])
def test_selectors_are_values_that_can_be_copied_and_pickled(selector: Selector) -> None:
    assert pickle.loads(pickle.dumps(selector)) == selector
    assert copy.deepcopy(selector) == selector
    assert hash(selector) == hash(copy.copy(selector))


def test_selectors_have_readable_representations() -> None:
    assert repr(OTHERS) == "But(targets=ALL, without=SELF)"
    assert repr(Damage(ENEMIES | OPPONENT, 2)) == (
        "Damage(targets=AnyOf(selectors=(ENEMIES, OPPONENT)), amount=2)"
    )


# Targets of effects.


@pytest.mark.parametrize(
    ("selector", "own", "enemies"),
    [
        (ALL, ["Potion Seller 2/3", "Air Elemental 2/1"], [5, 3]),
        (FRIENDLY, ["Potion Seller 2/3", "Air Elemental 2/1"], [4, 2]),
        (ENEMIES, ["Potion Seller 1/3", "Air Elemental 1/1"], [5, 3]),
    ],
)
def test_an_effect_acts_on_its_targets(
    selector: Selector, own: list[str], enemies: list[int]
) -> None:
    made = scene(Strengthen(selector, 1)).play("play 1")
    assert made.minions(1) == own
    assert [one.attack for one in made.side(2).minions] == enemies


def test_a_trigger_on_a_random_enemy_costs_no_charge_if_there_is_no_enemy() -> None:
    bolt = Trigger(When.TURN_STARTS, Damage(RANDOM_ENEMY), "bolt", Whose.OWN)
    made = (
        Scene(cards=[ritual("Bolts", cost=0, charges=3, activation=1).having(bolt)])
        .ritual(2, "Bolts")
        .play("end")
    )
    assert made.charges(2) == 3
    made.board(1, "Earth Elemental").play("end", "end")
    assert (made.charges(2), made.minions(1)) == (2, ["Earth Elemental 4/3"])


# Effects, their base classes, and effects that contain others.


def test_effects_on_one_minion_also_work_on_all_minions() -> None:
    made = scene(Destroy(ALL)).play("play 1")
    assert (made.minions(1), made.minions(2)) == ([], [])
    made = scene(PutUnderDeck(ALL)).deck(2, "Banish").play("play 1")
    assert [held.card for held in reversed(made.side(2).deck)] == [
        "Banish",
        "Earth Elemental",
        "Fire Elemental",
    ]
    made = scene(ReturnToHand(ALL)).play("play 1")
    assert made.held(1) == ["Potion Seller", "Air Elemental"]
    assert made.held(2) == ["Earth Elemental", "Fire Elemental"]
    made = scene(Disenchant(ALL)).enchant(1, 1, "Silence", "Haste").enchant(2, 2, "Silence")
    made.play("play 1")
    left = [one.enchantments for side in made.state.sides for one in side.minions]
    assert left == [["Silence"], [], [], []]


def test_all_enemies_are_taken_while_there_is_room() -> None:
    made = scene(TakeControl(ENEMIES)).board(1, "Air Elemental", "Air Elemental")
    made.play("play 1")
    assert made.minions(1)[4:] == ["Earth Elemental 4/4"]
    assert made.minions(2) == ["Fire Elemental 2/2"]


def test_the_named_minion_may_be_the_players_own_if_another_is_taken() -> None:
    made = scene(Together(Damage(), TakeControl(ENEMIES)), Target.MINION).play("play 1 1 1")
    assert made.minions(1)[0] == "Potion Seller 1/2"
    assert made.minions(2) == []


def test_a_taken_minion_has_no_action_in_2024() -> None:
    made = scene(TakeControl(), Target.MINION).play("play 1 2 1")
    assert made.refusal("attack 3") == "Earth Elemental can act from your next turn."


def test_life_and_magic_can_be_gained_and_lost() -> None:
    made = scene(Together(GainLife(YOU, 2), GainMagic(YOU, -30), HurtOpponent(3))).play("play 1")
    assert (made.side(1).life, made.side(1).magic, made.side(2).life) == (22, 0, 17)


def test_cards_are_drawn_while_there_are_cards_and_room() -> None:
    made = scene(Draw(YOU, 3)).deck(1, "Banish", "Silence").play("play 1")
    assert made.held(1) == ["Banish", "Silence"]
    full = scene(Draw(YOU, 3)).hand(1, *["Blizzard"] * 3).deck(1, *["Banish"] * 3).play("play 1")
    assert full.held(1) == [*["Blizzard"] * 3, "Banish", "Banish"]
    made = scene(Draw()).hand(1, *["Blizzard"] * 4).deck(1, "Banish").play("play 1")
    assert len(made.held(1)) == 5


def test_the_charges_of_a_ritual_never_go_below_0() -> None:
    made = scene(Recharge(-9)).ritual(1, "Dark Ritual").play("play 1")
    assert made.charges(1) == 0


def test_effects_in_together_happen_in_order_or_not_at_all() -> None:
    made = scene(Together(Damage(TARGET, 3), Strengthen(TARGET, 0, 5)), Target.MINION)
    assert made.play("play 1 2 1").minions(2)[0] == "Earth Elemental 4/6"
    made = scene(Together(Damage(TARGET, 9), Strengthen(TARGET, 5, 50)), Target.MINION)
    assert made.play("play 1 2 1").buried(2) == ["Earth Elemental 4/-5"]
    made = scene(Together(GainLife(YOU, 1), Recharge(1)))
    assert made.refusal("play 1") == "You have no ritual."


def test_a_trigger_with_several_effects_applies_the_possible_ones() -> None:
    chorus = Trigger(
        When.ENTERS, Together(GainLife(YOU, 1), Damage(EVENT_MINION)), "chorus", Whose.OWN
    )
    made = Scene(cards=[minion("Choir", cost=0, attack=1, defence=1).having(chorus)]).board(
        1, "Choir"
    )
    made.ritual(1, "Standstill").hand(1, "Air Elemental", "Air Elemental 1/-1")
    assert made.play("play 1").side(1).life == 21
    assert made.play("play 1").side(1).life == 22


def test_a_trigger_can_raise_dead_minions_if_there_are_any() -> None:
    bell = Trigger(When.TURN_STARTS, Resurrect(defence=2), "raise", Whose.OWN)
    made = (
        Scene(cards=[minion("Bell", cost=0, attack=1, defence=1).having(bell)])
        .board(2, "Bell")
        .play("end")
    )
    assert made.minions(2) == ["Bell 1/1"]
    made.graveyard(2, "Fire Elemental 2/-1").play("end", "end")
    assert made.minions(2) == ["Bell 1/1", "Fire Elemental 2/2"]


# Effects that contain others. `RepeatSpell` and `Together` are also tested elsewhere.


THREE = AtLeast(Count(FRIENDLY), 3)


@pytest.mark.parametrize(("minions", "life"), [(2, 20), (3, 25)])
def test_a_conditional_effect_happens_if_the_condition_is_true(minions: int, life: int) -> None:
    made = (
        Scene(cards=[cast(If(THREE, GainLife(YOU, 5)))])
        .hand(1, "Odd")
        .board(1, *["Air Elemental"] * minions)
    )
    assert made.play("play 1").side(1).life == life


def test_otherwise_the_alternative_effect_happens() -> None:
    made = scene(If(THREE, GainLife(YOU, 5), otherwise=GainLife(YOU, 1)))
    assert made.play("play 1").side(1).life == 21


def test_a_conditional_effect_is_refused_unless_one_of_the_effects_can_happen() -> None:
    assert scene(If(THREE, Draw())).refusal("play 1") == "Your deck is empty."
    assert scene(If(THREE, Draw(), GainLife(YOU, 1))).play("play 1").side(1).life == 21
    assert scene(If(THREE, Draw(), Draw())).refusal("play 1") == "Your deck is empty."


def test_a_trigger_with_a_false_condition_does_not_happen_and_costs_no_charge() -> None:
    grow = Trigger(When.TURN_ENDS, If(THREE, Strengthen(FRIENDLY, 1)), "grow", Whose.OWN)
    made = Scene(cards=[ritual("Grove", cost=0, charges=3, activation=1).having(grow)])
    made.ritual(1, "Grove").board(1, "Air Elemental").play("end", "end")
    assert made.charges(1) == 3
    made.board(1, "Air Elemental", "Air Elemental").play("end")
    assert (made.charges(1), made.minions(1)) == (2, ["Air Elemental 2/1"] * 3)


def test_a_composed_effect_is_repeated_as_a_whole() -> None:
    both = Together(Damage(TARGET, 1), If(AtLeast(Count(ENEMIES), 1), GainLife(YOU, 1)))
    echo = Trigger(When.SPELL, RepeatSpell(), "again", Whose.OWN)
    cave = ritual("Cave", cost=0, charges=3, activation=1).having(echo)
    made = Scene(cards=[cave, spell("Bolt", both, "bolt", Target.MINION, cost=0)])
    made.ritual(1, "Cave").hand(1, "Bolt").board(2, "Earth Elemental").play("play 1 2 1")
    assert (made.minions(2), made.side(1).life) == (["Earth Elemental 4/2"], 22)


# Custom effects derived from the base classes.


@dataclass(frozen=True, slots=True)
class Swap(OnMinions):
    """Swap attack and defence of minions."""

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        more = minion.defence - minion.attack
        context.engine.gain(minion, more, -more)


@dataclass(frozen=True, slots=True)
class Halve(OnPlayers):
    """Halve the life of players."""

    players: Selector = OPPONENT

    @override
    def happen(self, context: EffectContext) -> None:
        for seat in seats_in(self.players, context):
            context.engine.gain_life(seat, -(context.engine.side(seat).life // 2))


@dataclass(frozen=True, slots=True)
class Tally(OnSome):
    """Gain a life for each selected minion and player."""

    @override
    def happen(self, context: EffectContext) -> None:
        context.engine.gain_life(context.seat, len(self.targets.select(context)))


def played(effect: Effect) -> Scene:
    made = Scene(cards=[spell("Odd", effect, "odd", cost=0)]).hand(1, "Odd")
    return made.board(1, "Potion Seller", "Novice Pyromancer").board(2, "Bone Golem").play("play 1")


def test_a_custom_effect_acts_on_its_targets() -> None:
    made = played(Swap(ALL))
    # The Pyromancer has no attack to become defence and dies. Its death strengthens the Golem.
    assert (made.minions(1), made.buried(1)) == (["Potion Seller 3/1"], ["Novice Pyromancer 1/0"])
    assert made.minions(2) == ["Bone Golem 4/2"]
    made = played(Halve())
    assert (made.side(1).life, made.side(2).life) == (20, 10)
    assert played(Tally(ALL | YOU)).side(1).life == 24
