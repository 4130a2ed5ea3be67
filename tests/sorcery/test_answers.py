"""What classes of somebody's cards answer is looked at, when cards are loaded and in a match."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorcery import SPRING_2024, CardsError
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
