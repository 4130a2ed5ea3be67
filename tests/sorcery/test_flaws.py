"""Cards in the form of earlier versions are refused with what to write now."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorcery import CardsError
from sorcery.plugins import load_cards


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
            "line 2: Bee: its cost is '1', which is no int",
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
