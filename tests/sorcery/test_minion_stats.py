"""Attack and defence as a fold over one order of time (Sorcery 2024 §2.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sorcery.scenes import Scene

from sorcery import (
    EVENT_MINION,
    SELF,
    SPRING_2024,
    TARGET,
    Ability,
    Damage,
    GainLife,
    GainMagic,
    Minion,
    Stats,
    Strengthen,
    Target,
    Trigger,
    When,
    Whose,
    enchantment,
    minion,
)
from sorcery.minion_stats import (
    abilities_of,
    add_enchantment,
    add_gain,
    drop_top_enchantment,
    refresh,
    without_enchantments,
)

CARDS = SPRING_2024.cards
ENRAGE, GIANT, SILENCE = "Enrage", "Giant Strength", "Silence"


def made(*happenings: str | int, attack: int = 4, defence: int = 4) -> Minion:
    """A minion to which things have happened: enchantments by name, damage by number."""
    made = Minion("Earth Elemental", attack, defence, attack, defence)
    for happening in happenings:
        if isinstance(happening, int):
            add_gain(made, 0, -happening)
        else:
            add_enchantment(made, happening, CARDS)
    return made


@pytest.mark.parametrize(
    ("happenings", "numbers", "left"),
    [
        ((ENRAGE, 2), (8, 6), (4, 2)),
        ((2, ENRAGE), (8, 4), (4, 2)),
        ((ENRAGE, GIANT), (10, 10), (8, 8)),
        ((GIANT, ENRAGE), (12, 12), (6, 6)),
        ((ENRAGE, ENRAGE), (16, 16), (8, 8)),
        ((GIANT, 5, ENRAGE), (12, 2), (6, 1)),
        ((ENRAGE, 5, SILENCE), (8, 3), (8, 3)),
    ],
)
def test_what_happened_counts_in_the_order_in_which_it_happened(
    happenings: tuple[str | int, ...], numbers: tuple[int, int], left: tuple[int, int]
) -> None:
    one = made(*happenings)
    assert (one.attack, one.defence) == numbers
    drop_top_enchantment(one, CARDS)
    assert (one.attack, one.defence) == left


def test_the_document_s_example_of_two_enchantments() -> None:
    """§2.3: a 2/2 with +1/+1 and then *2/*2 has 6 attack and defence, the other way round 5."""
    more = enchantment("More", cost=0).having(Stats("+1", "+1"))
    cards = {"More": more, ENRAGE: CARDS[ENRAGE]}
    first, second = (Minion("Fire Elemental", 2, 2, 2, 2) for _ in range(2))
    for one, names in ((first, ("More", ENRAGE)), (second, (ENRAGE, "More"))):
        for name in names:
            add_enchantment(one, name, cards)
    assert (first.attack, first.defence) == (6, 6)
    assert (second.attack, second.defence) == (5, 5)


def test_an_enchantment_in_the_middle_is_the_newest_when_only_damage_came_after() -> None:
    one = made(GIANT, 1, ENRAGE, 3)
    assert (one.attack, one.defence) == (12, 7)
    assert drop_top_enchantment(one, CARDS) == ENRAGE
    assert (one.attack, one.defence) == (6, 2)
    assert drop_top_enchantment(one, CARDS) == GIANT
    assert (one.attack, one.defence) == (4, 0)


HAPPENINGS = st.lists(
    st.one_of(
        st.sampled_from([ENRAGE, GIANT, SILENCE, "drop"]),
        st.tuples(st.integers(-3, 3), st.integers(-3, 3)),
    ),
    max_size=12,
)


@given(HAPPENINGS)
def test_the_numbers_are_always_those_of_the_whole_history_counted_anew(
    happenings: list[str | tuple[int, int]],
) -> None:
    one, history = made(), list[str | tuple[int, int]]()
    for happening in happenings:
        if isinstance(happening, tuple):
            add_gain(one, *happening)
            history.append(happening)
        elif happening != "drop":
            add_enchantment(one, happening, CARDS)
            history.append(happening)
        elif one.enchantments:
            name = drop_top_enchantment(one, CARDS)
            del history[len(history) - 1 - history[::-1].index(name)]
        assert (one.attack, one.defence) == folded(history)
    gains = [item for item in history if isinstance(item, tuple)]
    assert without_enchantments(one) == folded([*gains])


def folded(history: list[str | tuple[int, int]]) -> tuple[int, int]:
    """Attack and defence of a 4/4, the plain way."""
    attack = defence = 4
    for item in history:
        if isinstance(item, tuple):
            attack, defence = attack + item[0], defence + item[1]
        elif item == ENRAGE:
            attack, defence = attack * 2, defence * 2
        elif item == GIANT:
            attack, defence = attack + 2, defence + 2
    return attack, defence


@given(HAPPENINGS)
def test_refreshing_changes_nothing(happenings: list[str | tuple[int, int]]) -> None:
    one = made()
    for happening in happenings:
        if isinstance(happening, tuple):
            add_gain(one, *happening)
        elif happening != "drop":
            add_enchantment(one, happening, CARDS)
    before = one.clone()
    refresh(one, CARDS)
    assert one == before


# What enchantments grant.

LIFE = Ability(0, GainLife(1), "Gain 1 life")
MAGIC = Ability(0, GainMagic(1), "Gain 1 magic")
BANDAGE = enchantment("Bandage", cost=0, text="Enchanted minion can heal").having(LIFE)
BATTERY = enchantment("Battery", cost=0, text="Enchanted minion can charge").having(MAGIC)
TORCH = enchantment("Torch", cost=0, text="Burns what enters").having(
    Trigger(When.ENTERS, Damage(EVENT_MINION, 1), "burn", Whose.OPPONENTS)
)
TWIN = minion("Twin Mage", cost=1, attack=1, defence=9).having(
    Ability(1, GainLife(2), "Gain 2 life"),
    Ability(2, Damage(TARGET, 3), "Deal 3 damage", Target.MINION),
    Trigger(When.TURN_STARTS, GainMagic(1), "magic", Whose.OWN),
    Trigger(When.TURN_STARTS, Strengthen(SELF, 1, 0), "grow", Whose.OWN),
    Trigger(When.TURN_ENDS, GainLife(1), "life", Whose.OWN),
)
OWN = (BANDAGE, BATTERY, TORCH, TWIN)


def test_the_newest_enchantment_that_grants_abilities_replaces_all_others() -> None:
    scene = Scene(cards=OWN).board(1, "Twin Mage").enchant(1, 1, "Bandage", "Battery", "Silence")
    mage = scene.side(1).minions[0]
    cards = scene.edition.cards
    assert abilities_of(mage, cards) == (MAGIC,)
    drop_top_enchantment(mage, cards)
    drop_top_enchantment(mage, cards)
    assert abilities_of(mage, cards) == (LIFE,)
    drop_top_enchantment(mage, cards)
    assert abilities_of(mage, cards) == TWIN.abilities


def test_each_of_several_abilities_can_be_used() -> None:
    scene = Scene(cards=OWN).board(1, "Twin Mage").board(2, "Earth Elemental")
    assert scene.play("use 1").side(1).life == 22
    scene.side(1).minions[0].actions = 1
    assert scene.play("use 1.2 2 1").minions(2) == ["Earth Elemental 4/1"]
    assert scene.side(1).magic == 20 - 1 - 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("use 1.3", "Twin Mage has no activated ability 3."),
        ("use 1.2", "The ability of Twin Mage needs a target: a minion."),
        ("use 1.1 1 1", "The ability of Twin Mage takes no target."),
        ("use 2", "There is no minion 2: you have only 1 minion."),
    ],
)
def test_an_ability_that_is_not_there_is_refused(line: str, reason: str) -> None:
    assert Scene(cards=OWN).board(1, "Twin Mage").refusal(line) == reason


def test_several_triggers_of_a_minion_all_happen() -> None:
    scene = Scene(cards=OWN).board(1, "Twin Mage").play("end", "end")
    assert (scene.side(1).life, scene.side(1).magic) == (21, 22)
    assert scene.minions(1) == ["Twin Mage 2/9"]


def test_a_granted_trigger_comes_on_top_of_the_minion_s_own() -> None:
    scene = Scene(cards=OWN).board(2, "Fire Elemental").enchant(2, 1, "Torch")
    assert scene.hand(1, "Potion Seller").play("play 1").minions(1) == ["Potion Seller 1/1"]


def test_a_granted_trigger_goes_with_its_enchantment() -> None:
    scene = Scene(cards=OWN).board(1, "Air Elemental").board(2, "Air Elemental")
    scene.enchant(2, 1, "Torch").hand(1, "Disenchant", "Air Elemental")
    assert scene.play("play 1 2 1", "play 1").minions(1) == ["Air Elemental 1/1"] * 2


def test_a_change_can_subtract() -> None:
    weak = enchantment("Weakness", cost=0).having(Stats("-1", "-1"))
    scene = Scene(cards=[weak]).hand(1, "Weakness", "Weakness").board(2, "Fire Elemental")
    assert scene.play("play 1 2 1").minions(2) == ["Fire Elemental 1/1"]
    assert scene.play("play 1 2 1").minions(2) == []


def test_a_minion_is_copied_with_its_history() -> None:
    one = made(ENRAGE, 1)
    assert one.clone() == one
    assert replace(one, actions=1) != one
