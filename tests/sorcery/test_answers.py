"""What classes of somebody's cards answer is looked at, when cards are loaded and in a match."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from sorcery import SPRING_2024, CardsError, Modifier, enchantment
from sorcery.plugins import with_own_cards

MODIFIERS = {
    "    def new_attack(self, attack): return attack * 1.5": (
        "new_attack of Odd answers 0.0 to 0, which is no whole number (odd.py, line 3)"
    ),
    "    def new_defence(self, defence): pass": (
        "new_defence of Odd answers None to 0, which is no whole number (odd.py, line 3)"
    ),
    "    def new_actions(self, actions): return 'two'": (
        "new_actions of Odd answers 'two' to 0, which is no whole number (odd.py, line 3)"
    ),
    "    def new_cost(self, cost): return cost > 1": (
        "new_cost of Odd answers False to 0, which is no whole number (odd.py, line 3)"
    ),
    "    def attack_obstacle(self, minion): return True": (
        "attack_obstacle of Odd answers True to 'Air Elemental', which is no text (odd.py, line 3)"
    ),
    "    def ability_obstacle(self, minion): return 1 / 0": (
        "ability_obstacle of Odd fails for 'Air Elemental': ZeroDivisionError: division"
        " by zero (odd.py, line 3)"
    ),
    "    def new_atack(self, attack): return attack": (
        "Odd answers no question of the rules: it has new_atack; did you mean new_attack?"
    ),
    "    word = 'odd'": (
        "Odd answers no question of the rules: it can fill in new_attack, new_defence,"
        " new_actions, new_cost, attack_obstacle, ability_obstacle"
    ),
    "    word = 1\n    def new_cost(self, cost): return 0": (
        "the word of Odd is 1, which is no text"
    ),
}
"""What somebody writes into a modifier, and what stands behind the name of the card."""


@pytest.mark.parametrize("body", MODIFIERS)
def test_each_question_of_a_modifier_is_tried_when_cards_are_loaded(
    tmp_path: Path, body: str
) -> None:
    path = tmp_path / "odd.py"
    text = f"""from sorcery import Modifier, enchantment
class Odd(Modifier):
{body}
CARDS = [enchantment("Oddity", cost=0, text="?").having(Odd())]
"""
    path.write_text(text, "utf-8")
    with pytest.raises(CardsError) as caught:
        with_own_cards(SPRING_2024, path)
    assert str(caught.value) == f"{path}: Oddity: {MODIFIERS[body]}"


class Odd(Modifier):
    """A modifier of somebody who looks at no types: its answer is given to it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer


class Odder(Odd):
    def new_attack(self, attack: int) -> Any:
        return self.answer(attack)


class Reason(Odd):
    def attack_obstacle(self, minion: str) -> Any:
        return self.answer


class Boxed(Odd):
    @property
    def box(self) -> Any:
        return self.answer


class Worded(Odd):
    word: ClassVar[Any] = 3


@pytest.mark.parametrize(
    ("modifier", "flaw"),
    [
        (
            Odder(lambda attack: attack / 2),
            "new_attack of Odder answers 0.0 to 0, which is no whole number",
        ),
        (
            Odder(lambda attack: attack > 0),
            "new_attack of Odder answers False to 0, which is no whole number",
        ),
        (Odder(lambda attack: 6 // attack), "new_attack of Odder fails for 0: ZeroDivisionError"),
        (
            Reason(None),
            "attack_obstacle of Reason answers None to 'Air Elemental', which is no text",
        ),
        (Boxed("+1"), "the box of Boxed is '+1', which is no pair of texts"),
        (Worded(""), "the word of Worded is 3, which is no text"),
    ],
)
def test_a_modifier_that_answers_nonsense_is_named(modifier: Modifier, flaw: str) -> None:
    with pytest.raises(CardsError) as caught:
        SPRING_2024.with_cards([enchantment("Odd", cost=1).having(modifier)])
    assert str(caught.value).startswith(f"Odd: {flaw}")
