"""Cards in the form of earlier versions are refused with what to write now."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorcery import SPRING_2024, CardsError
from sorcery.plugins import load_cards, with_own_cards
from tabletop import RegistryError
from tabletop.host.modules import load_file


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "from sorcery import minion\nminion('Bird', 0, 1, 2)",
            'line 2: Bird: numbers have names; write: minion("Bird", cost=0, attack=1, defence=2)',
        ),
        (
            "from sorcery import *\nspell('Sing', 1, Draw(), 'Draw a card')",
            'line 2: Sing: numbers have names; write: spell("Sing", ..., cost=1)',
        ),
        (
            "from sorcery import *\nritual('Moon', 1, 2, 3, Trigger(When.SPELL, Draw(), 'Draw'))",
            (
                "line 2: Moon: numbers have names;"
                ' write: ritual("Moon", cost=1, charges=2, activation=3).having(...)'
            ),
        ),
        (
            "from sorcery import *\nenchantment('Edge', 1, 'Sharp', attack=Change('+', 1))",
            'line 2: Edge: numbers have names; write: enchantment("Edge", cost=1).having(...)',
        ),
        (
            "from sorcery import *\nenchantment('Edge', cost=1, attack=Change('+', 1))",
            (
                "line 2: Edge: what an enchantment does is a modifier;"
                ' write: enchantment("Edge", cost=...).having(Numbers("+1", ""))'
            ),
        ),
        (
            "from sorcery import *\nenchantment('Hush', cost=1, silences=True)",
            (
                "line 2: Hush: what an enchantment does is a modifier;"
                ' write: enchantment("Hush", cost=...).having(Silenced())'
            ),
        ),
        (
            "from sorcery import *\nenchantment('Hush', Silenced(), cost=1)",
            (
                "line 2: Hush: what it has stands behind;"
                ' write: enchantment("Hush", ...).having(Silenced())'
            ),
        ),
        (
            "from sorcery import *\nminion('Bee', cost=0, attack=1, defence=1).having(GainLife(1))",
            (
                "line 2: Bee: GainLife(amount=1, who=YOU) is an effect;"
                " put it into Ability(...) or Trigger(...)"
            ),
        ),
        (
            "from sorcery import *\nminion('Bird', cost=0, attack=1, defence=1).having('sings')",
            "line 2: Bird: 'sings' is no ability, trigger or modifier",
        ),
        (
            "from sorcery import *\nritual('O', cost=0, charges=1, activation=1).having(Dearer(1))",
            "line 2: O: Dearer(more=1) is no trigger, and a ritual has nothing else",
        ),
        (
            "from sorcery import *\nspell('Sing', Draw(), 'Draw', cost=1).having(Silenced())",
            "line 2: Sing: a spell has an effect, and nothing besides",
        ),
        (
            "from sorcery import *\nminion('Bird', cost=0, attack=1)",
            "line 2: Bird: minion needs defence=...",
        ),
        (
            "from sorcery import *\nTrigger('dies', Draw(), 'Draw')",
            "line 2: what sets a trigger off is 'dies', which is no When",
        ),
        (
            "from sorcery import *\nAbility(1, 'Draw', 'Draw')",
            "line 2: what an ability does is 'Draw', which is no Effect",
        ),
        (
            "from sorcery import *\nspell('Sing', 'Draw a card', Draw(), cost=1)",
            "line 2: Sing: what a spell does is 'Draw a card', which is no Effect",
        ),
        (
            "from sorcery import *\nminion('Bee', cost='1', attack=1, defence=1)",
            "line 2: Bee: its cost is '1', which is no whole number",
        ),
        (
            "from sorcery import *\nDamage(ENEMIES or OPPONENT)",
            ("line 2: TypeError: whom a selector means is known in a match alone; join two with |"),
        ),
        (
            "\nfrom sorcery.whom import Whom",
            (
                "line 2: whom an effect acts on is a name of its own now;"
                " write: from sorcery import TARGET, ENEMIES, and Damage(ENEMIES, 1)"
            ),
        ),
        (
            "\nfrom sorcery.effects import Damage, Together",
            "line 2: effects that hold others have moved; write: from sorcery import Together",
        ),
    ],
)
def test_an_old_form_is_refused_with_the_new_one(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "old.py"
    path.write_text(f"{text}\n", "utf-8")
    with pytest.raises(CardsError) as caught:
        load_cards(path)
    assert str(caught.value) == f"{path}, {message}"


@pytest.mark.parametrize("module", ["whom", "effects"])
def test_a_name_that_never_was_is_no_attribute(module: str) -> None:
    from importlib import import_module

    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = import_module(f"sorcery.{module}").nothing


BIRD = "minion('Bird', cost=1, attack=1, defence=1)"

MISTAKES = {
    "Trigger(When.ENTER, Draw(), 'Draw')": (
        ", line 2: there is no When.ENTER; did you mean ENTERS? there is: TURN_STARTS, TURN_ENDS,"
        " ENTERS, LEAVES, DIES, ATTACKS, SPELL"
    ),
    "Trigger(When.DIES, Draw(), 'Draw', Whose.SELF)": (
        ", line 2: there is no Whose.SELF; there is: ANY, OWN, OPPONENTS, THIS"
    ),
    "Trigger(When.DIES, Draw, 'Draw')": (
        ", line 2: what a trigger does is the class Draw; write: Draw()"
    ),
    f"{BIRD}.having(CannotAttack)": (
        ", line 2: Bird: CannotAttack is a class; write: CannotAttack()"
    ),
    "minion('Bird', cost=1, atack=1, defence=1)": (
        ", line 2: Bird: minion takes no atack; did you mean attack?"
    ),
    "Together([Draw(), Draw()])": (
        ", line 2: Together takes effects, not a list of them; write: Together(Draw(), GainLife(1))"
    ),
    "Together()": (", line 2: Together holds no effects; write: Together(Draw(), GainLife(1))"),
    "Together('Draw')": ", line 2: what Together holds is 'Draw', which is no Effect",
    "minion('Bird', cost=1, attack=10000, defence=1)": (
        ", line 2: Bird: its attack is 10,000: numbers go up to 9,999"
    ),
    "ritual('Oak', cost=1, charges=10**9, activation=1)": (
        ", line 2: Oak: its charges is 1,000,000,000: numbers go up to 9,999"
    ),
    "Ability(10000, Draw(), 'Draw')": (
        ", line 2: the cost of an ability is 10,000: numbers go up to 9,999"
    ),
    "minion('Bird', cost=True, attack=1, defence=1)": (
        ", line 2: Bird: its cost is True, which is no whole number"
    ),
    "minion('Bi\\x07rd', cost=1, attack=1, defence=1)": (
        ", line 2: 'Bi\\x07rd' is no name of a card"
    ),
    f"{BIRD}.having(Dearer(10000))": (
        ": Bird: the more of Dearer is 10,000: numbers go up to 9,999"
    ),
    f"{BIRD}.having(MoreActions(True))": (
        ": Bird: the more of MoreActions is True, which is no whole number"
    ),
    "enchantment('Oak', cost=1).having(Numbers('+10000'))": (
        ": Oak: the attack of Numbers is +10000: numbers go up to 9,999"
    ),
    "spell('Sing', Draw(-1), 'Draw', cost=1)": (
        ": Sing: the count of Draw is -1, and it is at least 0"
    ),
    "spell('Sing', If(AtLeast(1, 1), Damage(OPPONENT, -2)), 'Hurt', cost=1)": (
        ": Sing: the amount of Damage is -2, and it is at least 0"
    ),
    "spell('Sing', Draw(True), 'Draw', cost=1)": (
        ": Sing: the count of Draw is True, which is no whole number, and no amount"
    ),
    "spell('Sing', Draw(), 'Draw', Target.MINION, cost=1)": (
        ": Sing: a minion is named, and nothing acts on it; write TARGET where it is meant"
    ),
    "ritual('Oak', cost=1, charges=1, activation=2).having(Trigger(When.DIES, Draw(), 'Draw'))": (
        ": Oak: its triggers take 2 of its charges each time, and it comes with 1"
    ),
    "minion('Banish', cost=1, attack=1, defence=1)": (
        ": two cards are called 'Banish'; one is a card of the edition 2024"
    ),
}
"""What somebody writes, and what stands behind the name of the file in the error."""


@pytest.mark.parametrize("written", MISTAKES)
def test_a_mistake_in_a_card_is_told_with_what_would_be_right(tmp_path: Path, written: str) -> None:
    path = tmp_path / "odd.py"
    path.write_text(f"from sorcery import *\nCARDS = [{written}]\n", "utf-8")
    with pytest.raises(CardsError) as caught:
        with_own_cards(SPRING_2024, path)
    assert str(caught.value) == f"{path}{MISTAKES[written]}"


def test_a_game_with_bad_cards_names_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "bees.py"
    path.write_text(f"from sorcery import *\n\nBEE = {BIRD}.having(Draw)\n", "utf-8")
    with pytest.raises(RegistryError, match=r"Bird: Draw is a class; .*\(bees.py, line 3\)"):
        load_file(path)
