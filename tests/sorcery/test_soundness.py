"""Cards that would do nothing, or break a match off, are refused before anybody plays."""

from __future__ import annotations

import pytest
from tests.sorcery.own import EDITIONS
from tests.sorcery.scenes import Scene, cast, on
from tests.sorcery.wrappers import ByLife, ForEach, Plain, Private, Slotted, Twice

from sorcery import (
    ALL,
    BOTH_PLAYERS,
    ENEMIES,
    ITSELF,
    OPPONENT,
    OWN,
    SPRING_2024,
    SUBJECT,
    TARGET,
    Ability,
    AtLeast,
    AttackOf,
    Card,
    CardsError,
    CardType,
    Count,
    Damage,
    Destroy,
    Draw,
    Effect,
    GainLife,
    If,
    RepeatSpell,
    Strengthen,
    Summon,
    Target,
    Together,
    Trigger,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
)
from sorcery.soundness import check_cards

AIM = "Damage acts on a target, and none is named"
NO_SUBJECT = "Damage acts on the minion that set the trigger off, and no minion does"
NO_SELF = "Strengthen acts on the minion itself, and this is none"


YES = AtLeast(1, 1)
THIS_ENTERS = Trigger(When.ENTERS, GainLife(1), "odd", Whose.THIS)


@pytest.mark.parametrize(
    ("card", "flaw"),
    [
        (cast(Damage()), AIM),
        (cast(Together(GainLife(1), Together(Damage()))), AIM),
        (cast(Damage(), Target.RITUAL), "Damage cannot act on a ritual"),
        (cast(Damage(), Target.MINION_OR_RITUAL), "Damage cannot act on a ritual"),
        (cast(Damage(SUBJECT)), NO_SUBJECT),
        (cast(Strengthen(ITSELF)), NO_SELF),
        (cast(RepeatSpell()), "RepeatSpell needs a trigger whenever a spell is played"),
        (cast(Summon("Dragon")), "it summons 'Dragon', which is no minion of this set"),
        (cast(Summon("Banish")), "it summons 'Banish', which is no minion of this set"),
        (minion("Odd", cost=0, attack=1, defence=1).having(on(When.ENTERS, Damage())), AIM),
        (
            minion("Odd", cost=0, attack=1, defence=1).having(on(When.TURN_ENDS, Damage(SUBJECT))),
            NO_SUBJECT,
        ),
        (minion("Odd", cost=0, attack=1, defence=1).having(Ability(0, Damage(), "odd")), AIM),
        (
            ritual("Odd", cost=0, charges=1, activation=1).having(
                on(When.ENTERS, Strengthen(ITSELF))
            ),
            NO_SELF,
        ),
        (ritual("Odd", cost=0, charges=1, activation=1), "a ritual needs a trigger"),
        (
            enchantment("Odd", cost=0, text="odd").having(on(When.SPELL, Damage(SUBJECT))),
            NO_SUBJECT,
        ),
        (Card("Odd", CardType.SPELL, 0), "a spell needs an effect"),
    ],
)
def test_a_card_that_makes_no_sense_is_refused(card: Card, flaw: str) -> None:
    with pytest.raises(CardsError) as caught:
        SPRING_2024.with_cards([card])
    assert str(caught.value) == f"Odd: {flaw}"


# What stands in something else is found, whoever has written that.


LOOKS = "AttackOf looks at a target, and none is named"
ROOM = AtLeast(AttackOf(TARGET), 1)
WHOLE = [Damage(), Together(GainLife(1), Damage()), Twice(Twice(Damage())), If(YES, Damage())]


@pytest.mark.parametrize(
    ("effect", "flaw"),
    [
        *((effect, AIM) for effect in WHOLE),
        (If(YES, GainLife(1), otherwise=Twice(Damage())), AIM),
        (ByLife({"low": (GainLife(1), Twice(Damage()))}), AIM),
        (Plain(GainLife(1), Damage()), AIM),
        (Slotted(Plain(Damage())), AIM),
        (Private(Damage()), AIM),
        (Damage(OWN | TARGET), AIM),
        (Damage(ALL.but(TARGET).random()), AIM),
        (Damage(OWN.but(SUBJECT)), NO_SUBJECT),
        (GainLife(AttackOf(TARGET)), LOOKS),
        (GainLife(2 * AttackOf(OWN | TARGET).up_to(3) + 1), LOOKS),
        (If(ROOM, GainLife(1)), LOOKS),
        (Twice(RepeatSpell()), "RepeatSpell needs a trigger whenever a spell is played"),
        (Twice(Summon("Dragon")), "it summons 'Dragon', which is no minion of this set"),
        (Twice(Destroy(ENEMIES | OPPONENT)), "Destroy cannot act on players"),
        (Draw(2, OWN), "Draw cannot act on minions"),
        (GainLife(Count(BOTH_PLAYERS)), "Count cannot act on players"),
        (ForEach(OWN, Damage(TARGET)), AIM),
        (ForEach(SUBJECT, GainLife(1)), "ForEach acts on the minion that set the trigger off"),
        (Twice(GainLife(10_000)), "a number of GainLife would be 10,000: numbers go up to"),
    ],
    ids=lambda it: it if isinstance(it, str) else type(it).__name__,
)
def test_what_stands_in_something_else_is_checked_as_deep_as_it_stands(
    effect: Effect, flaw: str
) -> None:
    with pytest.raises(CardsError) as caught:
        SPRING_2024.with_cards([cast(effect)])
    assert str(caught.value).startswith(f"Odd: {flaw}")


def test_what_stands_in_itself_is_refused() -> None:
    loop = Plain(GainLife(1))
    loop.effects.append(loop)
    with pytest.raises(CardsError, match="Odd: more than 100 things stand in each other, or one"):
        SPRING_2024.with_cards([cast(loop)])


def test_what_stands_in_an_effect_on_a_ritual_is_checked_as_well() -> None:
    with pytest.raises(CardsError, match="Odd: Damage cannot act on a ritual"):
        SPRING_2024.with_cards([cast(Together(Destroy(), Damage()), Target.MINION_OR_RITUAL)])


def test_a_ritual_is_not_found_by_what_is_composed() -> None:
    with pytest.raises(CardsError, match="Odd: Destroy acts on a ritual only where TARGET stands"):
        SPRING_2024.with_cards([cast(Destroy(TARGET | OWN), Target.MINION_OR_RITUAL)])
    SPRING_2024.with_cards([cast(Destroy(TARGET | OWN), Target.MINION)])


@pytest.mark.parametrize(
    "effect",
    [ForEach(OWN, Damage(SUBJECT)), ForEach(OWN, Twice(GainLife(AttackOf(SUBJECT))))],
    ids=repr,
)
def test_what_a_wrapper_hands_on_is_there_for_those_inside(effect: Effect) -> None:
    made = Scene(cards=[cast(effect)]).hand(1, "Odd").board(1, "Potion Seller", "Bone Golem")
    assert made.play("play 1").side(1).life in (20, 24)


@pytest.mark.parametrize(
    ("card", "flaw"),
    [
        (
            ritual("Odd", cost=0, charges=1, activation=1).having(THIS_ENTERS),
            "a trigger of this minion stands on a ritual",
        ),
        (
            minion("Odd", cost=0, attack=1, defence=1).having(
                Trigger(When.TURN_ENDS, GainLife(1), "odd", Whose.THIS)
            ),
            "a trigger of this minion cannot be one at the end of the turn",
        ),
    ],
)
def test_a_trigger_of_this_minion_needs_one(card: Card, flaw: str) -> None:
    with pytest.raises(CardsError, match=f"Odd: {flaw}"):
        SPRING_2024.with_cards([card])


@pytest.mark.parametrize(
    "card",
    [
        cast(Destroy(), Target.RITUAL),
        cast(Damage(ALL)),
        minion("Odd", cost=0, attack=1, defence=1).having(Ability(0, Strengthen(ITSELF), "odd")),
        minion("Odd", cost=0, attack=1, defence=1).having(on(When.ATTACKS, Damage(SUBJECT))),
        enchantment("Odd", cost=0, text="odd").having(on(When.LEAVES, Strengthen(ITSELF))),
        ritual("Odd", cost=0, charges=1, activation=1).having(on(When.SPELL, RepeatSpell())),
    ],
)
def test_a_card_that_makes_sense_is_taken(card: Card) -> None:
    assert SPRING_2024.with_cards([card]).cards["Odd"] is card


def test_the_sign_of_hidden_cards_is_no_name() -> None:
    with pytest.raises(CardsError, match="stands for hidden ones"):
        check_cards([minion("?", cost=0, attack=1, defence=1)])


def test_a_card_may_summon_another_of_the_same_file() -> None:
    pair = [cast(Summon("Dragon")), minion("Dragon", cost=9, attack=9, defence=9)]
    assert set(SPRING_2024.with_cards(pair).cards) >= {"Odd", "Dragon"}


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_all_cards_of_the_editions_make_sense(name: str) -> None:
    check_cards(EDITIONS[name].card_set)
