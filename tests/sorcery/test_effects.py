"""Effects, their bases, and effects that hold others."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.sorcery.scenes import Scene, cast, scene
from typing_extensions import override

from sorcery import (
    ALL,
    ENEMIES,
    EVENT_MINION,
    FRIENDLY,
    OPPONENT,
    SELF,
    TARGET,
    YOU,
    Ability,
    AtLeast,
    Count,
    Damage,
    Destroy,
    Disenchant,
    Draw,
    Effect,
    EffectContext,
    GainLife,
    GainMagic,
    HurtOpponent,
    If,
    Minion,
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
from sorcery.effects import players


def test_all_minions_can_be_destroyed() -> None:
    made = scene(Destroy(ALL)).play("play 1")
    assert (made.minions(1), made.minions(2)) == ([], [])


def test_all_minions_can_be_put_under_the_decks_of_their_owners() -> None:
    made = scene(PutUnderDeck(ALL)).deck(2, "Banish").play("play 1")
    assert [held.card for held in reversed(made.side(2).deck)] == [
        "Banish",
        "Earth Elemental",
        "Fire Elemental",
    ]


def test_all_minions_can_be_returned_to_the_hands_of_their_owners() -> None:
    made = scene(ReturnToHand(ALL)).play("play 1")
    assert made.held(1) == ["Potion Seller", "Air Elemental"]
    assert made.held(2) == ["Earth Elemental", "Fire Elemental"]


def test_all_minions_can_be_disenchanted() -> None:
    made = scene(Disenchant(ALL)).enchant(1, 1, "Silence", "Haste").enchant(2, 2, "Silence")
    made.play("play 1")
    left = [one.enchantments for side in made.state.sides for one in side.minions]
    assert left == [["Silence"], [], [], []]


def test_all_enemies_can_be_taken_as_far_as_there_is_room() -> None:
    made = scene(TakeControl(ENEMIES)).board(1, "Air Elemental", "Air Elemental")
    made.play("play 1")
    assert made.minions(1)[4:] == ["Earth Elemental 4/4"]
    assert made.minions(2) == ["Fire Elemental 2/2"]


def test_what_is_named_may_be_ones_own_where_something_else_is_taken() -> None:
    made = scene(Together(Damage(), TakeControl(ENEMIES)), Target.MINION).play("play 1 1 1")
    assert made.minions(1)[0] == "Potion Seller 1/2"
    assert made.minions(2) == []


def test_a_taken_minion_has_no_action_in_2024() -> None:
    made = scene(TakeControl(), Target.MINION).play("play 1 2 1")
    assert made.refusal("attack 3") == "Earth Elemental has no action left this turn."


def test_life_and_magic_can_be_gained_and_lost() -> None:
    made = scene(Together(GainLife(2), GainMagic(-30), HurtOpponent(3))).play("play 1")
    assert (made.side(1).life, made.side(1).magic, made.side(2).life) == (22, 0, 17)


def test_cards_are_drawn_as_far_as_there_are_any_and_room_for_them() -> None:
    made = scene(Draw(3)).deck(1, "Banish", "Silence").play("play 1")
    assert made.held(1) == ["Banish", "Silence"]
    full = scene(Draw(3)).hand(1, *["Blizzard"] * 3).deck(1, *["Banish"] * 3).play("play 1")
    assert full.held(1) == [*["Blizzard"] * 3, "Banish", "Banish"]


def test_to_draw_by_a_spell_it_is_enough_that_the_spell_itself_leaves_room() -> None:
    made = scene(Draw()).hand(1, *["Blizzard"] * 4).deck(1, "Banish").play("play 1")
    assert len(made.held(1)) == 5


def test_a_ritual_can_lose_charges_but_has_never_less_than_none() -> None:
    made = scene(Recharge(-9)).ritual(1, "Dark Ritual").play("play 1")
    assert made.charges(1) == 0


def test_effects_together_happen_in_their_order() -> None:
    made = scene(Together(Damage(TARGET, 3), Strengthen(TARGET, 0, 5)), Target.MINION)
    assert made.play("play 1 2 1").minions(2)[0] == "Earth Elemental 4/6"


def test_of_effects_together_those_on_a_minion_that_has_died_do_not_happen() -> None:
    made = scene(Together(Damage(TARGET, 9), Strengthen(TARGET, 5, 50)), Target.MINION)
    assert made.play("play 1 2 1").buried(2) == ["Earth Elemental 4/-5"]


def test_effects_together_are_refused_when_one_of_them_is() -> None:
    made = scene(Together(GainLife(1), Recharge(1)))
    assert made.refusal("play 1") == "You have no ritual."


def test_of_a_trigger_with_several_effects_the_possible_ones_happen() -> None:
    chorus = Trigger(When.ENTERS, Together(GainLife(1), Damage(EVENT_MINION)), "chorus", Whose.OWN)
    made = Scene(cards=[minion("Choir", cost=0, attack=1, defence=1).having(chorus)]).board(
        1, "Choir"
    )
    made.ritual(1, "Standstill").hand(1, "Air Elemental", "Air Elemental 1/-1")
    assert made.play("play 1").side(1).life == 21
    assert made.play("play 1").side(1).life == 22


def test_an_ability_can_act_on_the_minion_itself() -> None:
    grow = Ability(1, Strengthen(SELF, 1, 1), "grow")
    made = (
        Scene(cards=[minion("Giant", cost=0, attack=1, defence=1).having(grow)])
        .board(1, "Giant", "Giant")
        .play("use 2")
    )
    assert made.minions(1) == ["Giant 1/1", "Giant 2/2"]


def test_the_dead_can_be_raised_by_a_trigger_when_there_are_any() -> None:
    bell = Trigger(When.TURN_STARTS, Resurrect(defence=2), "raise", Whose.OWN)
    made = (
        Scene(cards=[minion("Bell", cost=0, attack=1, defence=1).having(bell)])
        .board(2, "Bell")
        .play("end")
    )
    assert made.minions(2) == ["Bell 1/1"]
    made.graveyard(2, "Fire Elemental 2/-1").play("end", "end")
    assert made.minions(2) == ["Bell 1/1", "Fire Elemental 2/2"]


def test_any_minion_can_be_summoned() -> None:
    made = scene(Summon("Potion Seller", 2)).play("play 1")
    # The Fire Elemental on the other side has burnt each of them.
    assert made.minions(1)[2:] == ["Potion Seller 1/2"] * 2


# Effects that hold others. `RepeatSpell` and `Together` are tested with cards and effects, too.


THREE = AtLeast(Count(FRIENDLY), 3)


@pytest.mark.parametrize(("minions", "life"), [(2, 20), (3, 25)])
def test_an_effect_under_a_condition_happens_if_that_is_true(minions: int, life: int) -> None:
    made = (
        Scene(cards=[cast(If(THREE, GainLife(5)))])
        .hand(1, "Odd")
        .board(1, *["Air Elemental"] * minions)
    )
    assert made.play("play 1").side(1).life == life


def test_otherwise_another_effect_can_happen() -> None:
    made = scene(If(THREE, GainLife(5), otherwise=GainLife(1)))
    assert made.play("play 1").side(1).life == 21


def test_an_effect_under_a_condition_has_its_obstacle_unless_the_other_can_happen() -> None:
    assert scene(If(THREE, Draw())).refusal("play 1") == "Your deck is empty."
    assert scene(If(THREE, Draw(), GainLife(1))).play("play 1").side(1).life == 21
    assert scene(If(THREE, Draw(), Draw())).refusal("play 1") == "Your deck is empty."


def test_a_trigger_whose_condition_is_not_met_does_not_occur_and_costs_no_charge() -> None:
    grow = Trigger(When.TURN_ENDS, If(THREE, Strengthen(FRIENDLY, 1)), "grow", Whose.OWN)
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


# Effects of one's own, derived from the bases.


@dataclass(frozen=True, slots=True)
class Swap(OnMinions):
    """Let minions swap attack and defence."""

    @override
    def act(self, context: EffectContext, minion: Minion) -> None:
        more = minion.defence - minion.attack
        context.engine.gain(minion, more, -more)


@dataclass(frozen=True, slots=True)
class Halve(OnPlayers):
    """Let players lose half of their life."""

    who: Selector = OPPONENT

    @override
    def happen(self, context: EffectContext) -> None:
        for seat in players(self.who, context):
            context.engine.gain_life(seat, -(context.engine.side(seat).life // 2))


@dataclass(frozen=True, slots=True)
class Tally(OnSome):
    """Gain a life for each of those that are meant, minions and players."""

    @override
    def happen(self, context: EffectContext) -> None:
        context.engine.gain_life(context.seat, len(self.whom.found(context)))


def played(effect: Effect) -> Scene:
    made = Scene(cards=[spell("Odd", effect, "odd", cost=0)]).hand(1, "Odd")
    return made.board(1, "Potion Seller", "Novice Pyromancer").board(2, "Bone Golem").play("play 1")


def test_an_effect_on_minions_acts_on_one_after_the_other() -> None:
    made = played(Swap(ALL))
    # The Pyromancer has no attack to make defence of; the Golem gains by its death.
    assert (made.minions(1), made.buried(1)) == (["Potion Seller 3/1"], ["Novice Pyromancer 1/0"])
    assert made.minions(2) == ["Bone Golem 4/2"]


def test_an_effect_on_players_acts_on_those_that_are_meant() -> None:
    made = played(Halve())
    assert (made.side(1).life, made.side(2).life) == (20, 10)


def test_an_effect_may_act_on_minions_and_players_alike() -> None:
    assert played(Tally(ALL | YOU)).side(1).life == 24
