"""Modifiers: what enchantments change, and what the rules ask of them without knowing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from tests.sorcery.scenes import Scene
from typing_extensions import override

from sorcery import (
    Ability,
    AbilityCost,
    CannotAttack,
    CardsError,
    ExtraActions,
    GainLife,
    Modifier,
    Silenced,
    Stats,
    enchantment,
    minion,
)
from sorcery.card_text import face_of
from sorcery.modifiers import QUESTIONS
from sorcery.pictures.labels import about_minion, name_of_minion, ribbons_of
from sorcery.small_board import SmallBoard


@dataclass(frozen=True, slots=True)
class Halved(Modifier):
    """A modifier of one's own: attack is halved, abilities are free, and it acts once at most."""

    word: ClassVar[str] = "weary"

    @override
    def new_attack(self, attack: int) -> int:
        return attack // 2

    @override
    def new_actions(self, actions: int) -> int:
        return min(actions, 1)

    @override
    def new_cost(self, cost: int) -> int:
        return 0


HEAL = Ability(2, GainLife(1), "Gain 1 life")
CARDS = (
    enchantment("Shackles", cost=1, text="Enchanted minion cannot attack").having(CannotAttack()),
    enchantment("Weariness", cost=1, text="Enchanted minion is weary").having(Halved()),
    enchantment("Discount", cost=1, text="Abilities cost 5 less").having(AbilityCost(-5)),
    enchantment("Blessing", cost=1).having(
        Stats("+1", "*2"),
        ExtraActions(1),
        Silenced(),
    ),
    minion("Wall", cost=1, attack=3, defence=6, text="It cannot attack.").having(
        CannotAttack(), HEAL
    ),
    minion("Twins", cost=1, attack=1, defence=1, text="It acts twice a turn.").having(
        ExtraActions(1)
    ),
)


def scene() -> Scene:
    return Scene(cards=CARDS)


def listed(made: Scene) -> list[str]:
    return [str(one) for one in made.game.legal_actions(made.state, made.state.turn)]


def test_a_minion_that_cannot_attack_is_refused_with_the_reason_and_not_offered_it() -> None:
    made = scene().board(1, "Earth Elemental").board(2, "Air Elemental").enchant(1, 1, "Shackles")
    assert made.refusal("attack 1") == "Earth Elemental cannot attack."
    assert made.refusal("attack 1 1") == "Earth Elemental cannot attack."
    assert listed(made) == ["end"]


def test_a_minion_that_cannot_attack_strikes_back_and_uses_abilities() -> None:
    made = scene().board(1, "Wall").board(2, "Air Elemental")
    assert listed(made) == ["use 1", "end"]
    assert made.play("use 1").side(1).life == 21
    assert made.play("end").play("attack 1 1").buried(2) == ["Air Elemental 1/-2"]


def test_a_minion_can_be_made_with_modifiers_of_its_own() -> None:
    made = scene().board(1, "Twins").play("end", "end", "attack 1", "attack 1")
    assert made.side(2).life == 18
    assert made.refusal("attack 1") == "Twins has no action left this turn."


def test_the_text_of_a_minions_modifiers_stands_below_its_abilities() -> None:
    wall = face_of(scene().edition.cards["Wall"])
    assert wall.lines == ["Gain 1 life", "It cannot attack."]


def test_abilities_cost_never_less_than_nothing() -> None:
    made = scene().board(1, "Novice Pyromancer").enchant(1, 1, "Discount")
    assert made.play("use 1 1 1").side(1).magic == 20


def test_the_rules_ask_a_modifier_that_they_do_not_know() -> None:
    made = scene().board(1, "Master Summoner 5/3").enchant(1, 1, "Haste", "Weariness")
    assert made.minions(1) == ["Master Summoner 2/3"]
    made.play("use 1", "end", "end")
    assert made.side(1).magic == 21, "the ability was free"
    assert made.side(1).minions[0].actions == 1


def test_what_a_change_of_actions_gives_it_gives_at_once() -> None:
    made = scene().board(1, "Air Elemental").hand(1, "Haste", "Weariness").play("play 1 1 1")
    assert made.side(1).minions[0].actions == 2
    assert made.play("play 1 1 1").side(1).minions[0].actions == 1


def test_an_enchantment_is_shown_by_what_its_modifiers_say() -> None:
    made = scene().board(1, "Wall").enchant(1, 1, "Blessing", "Shackles", "Weariness")
    one, cards = made.side(1).minions[0], made.edition.cards
    said = ribbons_of(one, cards, brief=False)
    assert said == [
        ("Weariness: weary", False),
        ("Shackles: cannot attack", True),
        ("Blessing: +1/\u00d72, +1 action, no abilities", True),
    ]
    assert "cannot attack, silenced, weary" in name_of_minion(one, cards, active=True)
    assert "Wall cannot attack." in about_minion(one, cards)
    board = SmallBoard(cards).board(made.state, ["Ann", "Bob"])
    assert "cannot attack; silenced; weary" in board


def test_a_modifier_knows_the_questions_that_it_answers() -> None:
    assert Halved.questions == {"new_attack", "new_actions", "new_cost"}
    assert Stats.questions == {"new_attack", "new_defence"}
    assert {*QUESTIONS} >= Silenced.questions == {"ability_obstacle"}


def test_numbers_stop_at_the_bounds_for_modifiers_of_ones_own_too() -> None:
    @dataclass(frozen=True, slots=True)
    class Squared(Modifier):
        @override
        def new_attack(self, attack: int) -> int:
            return attack * attack

    made = Scene(cards=[enchantment("Square", cost=0).having(Squared())]).hand(1, "Square")
    made.board(1, "Air Elemental 101/1", "Air Elemental 99/1")
    assert made.play("play 1 1 1").minions(1)[0] == "Air Elemental 9999/1"


@pytest.mark.parametrize("text", ["2", "x2", "+", "+-2", "+2.5", " +2", "+\u0662"])
def test_a_change_is_written_with_its_sign(text: str) -> None:
    with pytest.raises(CardsError, match="is no change; changes are like"):
        Stats(text)


def test_a_number_without_a_sign_is_no_change() -> None:
    careless: Any = 2
    with pytest.raises(CardsError, match=r"'2' is no change; changes are like \+2, -1 and \*2"):
        Stats(careless, careless)


def test_printed_numbers_are_not_modified() -> None:
    with pytest.raises(CardsError, match="Odd: Stats is for enchantments; write the attack"):
        Scene(cards=[minion("Odd", cost=0, attack=1, defence=1).having(Stats("+1"))])
