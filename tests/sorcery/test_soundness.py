"""Cards that would do nothing, or break a match off, are refused before anybody plays."""

from __future__ import annotations

import pytest
from tests.sorcery.own import EDITIONS

from sorcery import (
    SPRING_2024,
    Ability,
    Card,
    CardsError,
    CardType,
    Target,
    Trigger,
    When,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.effect import Effect
from sorcery.effects import (
    Damage,
    Destroy,
    GainLife,
    RepeatSpell,
    Strengthen,
    Summon,
    Together,
)
from sorcery.soundness import check_cards
from sorcery.whom import Whom

AIM = "Damage acts on a target, and none is named"
SUBJECT = "Damage acts on the minion that set the trigger off, and no minion does"
ITSELF = "Strengthen acts on the minion itself, and this is none"


def cast(effect: Effect, target: Target = Target.NOTHING) -> Card:
    return spell("Odd", 1, effect, "odd", target)


def on(when: When, effect: Effect) -> Trigger:
    return Trigger(when, effect, "odd")


@pytest.mark.parametrize(
    ("card", "flaw"),
    [
        (cast(Damage()), AIM),
        (cast(Together(GainLife(1), Together(Damage()))), AIM),
        (cast(Damage(), Target.RITUAL), "Damage cannot act on a ritual"),
        (cast(Damage(), Target.MINION_OR_RITUAL), "Damage cannot act on a ritual"),
        (cast(Damage(Whom.SUBJECT)), SUBJECT),
        (cast(Strengthen(Whom.ITSELF)), ITSELF),
        (cast(RepeatSpell()), "RepeatSpell needs a trigger whenever a spell is played"),
        (cast(Summon("Dragon")), "it summons 'Dragon', which is no minion of this set"),
        (cast(Summon("Banish")), "it summons 'Banish', which is no minion of this set"),
        (minion("Odd", 0, 1, 1, on(When.ENTERS, Damage())), AIM),
        (minion("Odd", 0, 1, 1, on(When.TURN_ENDS, Damage(Whom.SUBJECT))), SUBJECT),
        (minion("Odd", 0, 1, 1, Ability(0, Damage(), "odd")), AIM),
        (ritual("Odd", 0, 1, 1, on(When.ENTERS, Strengthen(Whom.ITSELF))), ITSELF),
        (ritual("Odd", 0, 1, 1), "a ritual needs a trigger"),
        (enchantment("Odd", 0, "odd", on(When.SPELL, Damage(Whom.SUBJECT))), SUBJECT),
        (Card("Odd", CardType.SPELL, 0), "a spell needs an effect"),
    ],
)
def test_a_card_that_makes_no_sense_is_refused(card: Card, flaw: str) -> None:
    with pytest.raises(CardsError) as caught:
        SPRING_2024.with_cards([card])
    assert str(caught.value) == f"Odd: {flaw}"


@pytest.mark.parametrize(
    "card",
    [
        cast(Destroy(), Target.RITUAL),
        cast(Damage(Whom.ALL)),
        minion("Odd", 0, 1, 1, Ability(0, Strengthen(Whom.ITSELF), "odd")),
        minion("Odd", 0, 1, 1, on(When.ATTACKS, Damage(Whom.SUBJECT))),
        enchantment("Odd", 0, "odd", on(When.LEAVES, Strengthen(Whom.ITSELF))),
        ritual("Odd", 0, 1, 1, on(When.SPELL, RepeatSpell())),
    ],
)
def test_a_card_that_makes_sense_is_taken(card: Card) -> None:
    assert SPRING_2024.with_cards([card]).cards["Odd"] is card


def test_the_sign_of_hidden_cards_is_no_name() -> None:
    with pytest.raises(CardsError, match="stands for hidden ones"):
        check_cards([minion("?", 0, 1, 1)])


def test_a_card_may_summon_another_of_the_same_file() -> None:
    pair = [cast(Summon("Dragon")), minion("Dragon", 9, 9, 9)]
    assert set(SPRING_2024.with_cards(pair).cards) >= {"Odd", "Dragon"}


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_all_cards_of_the_editions_make_sense(name: str) -> None:
    check_cards(EDITIONS[name].card_set)
