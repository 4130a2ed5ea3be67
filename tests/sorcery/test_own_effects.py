"""An effect of one's own that does what no effect may: the error names the card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import Scene
from typing_extensions import override

from sorcery import (
    EVENT_MINION,
    Ability,
    Card,
    Effect,
    EffectContext,
    RepeatSpell,
    Strengthen,
    Trigger,
    TriggerEvent,
    When,
    minion,
    ritual,
    spell,
)
from sorcery.errors import CardFailed
from sorcery.state import CardInstance


@dataclass(frozen=True)
class Own(Effect):
    """Does whatever a test has it do."""

    do: Callable[[Any], object]

    @override
    def happen(self, context: EffectContext) -> None:
        self.do(context)


def side(context: Any) -> Any:
    return context.engine.side(context.seat)


NONSENSE: dict[str, tuple[Callable[[Any], object], str]] = {
    "a text in a hand": (
        lambda it: side(it).hand.append("Banana"),
        r"nonsense on the table: .*sides\[0\].hand\[0\]",
    ),
    "a card on the board": (
        lambda it: side(it).minions.append(CardInstance("Air Elemental", 1, 1)),
        r"nonsense on the table: .*sides\[0\].minions\[1\]",
    ),
    "half a magic": (
        lambda it: setattr(side(it), "magic", 20.5),
        r"nonsense on the table: .*sides\[0\].magic",
    ),
    "a card that there is not": (
        lambda it: side(it).deck.append(CardInstance("Banana")),
        "uses a card that there is not: 'Banana'",
    ),
}


@pytest.mark.parametrize(("do", "complaint"), NONSENSE.values(), ids=NONSENSE)
def test_nonsense_in_a_zone_is_an_error_that_names_the_card(
    do: Callable[[Any], object], complaint: str
) -> None:
    made = Scene(cards=[spell("Muddle", Own(do), "Muddle", cost=0)])
    with pytest.raises(CardFailed, match=f"^Muddle .*{complaint}"):
        made.board(1, "Air Elemental").hand(1, "Muddle").play("play 1")


MUDDLE = Own(lambda context: side(context).graveyard.append("Banana"))
IMP = minion("Imp", cost=0, attack=1, defence=1)


@pytest.mark.parametrize(
    ("card", "line"),
    [
        (IMP.having(Ability(0, MUDDLE, "Muddle")), "use 1"),
        (IMP.having(Trigger(When.TURN_ENDS, MUDDLE, "Muddle")), "end"),
    ],
)
def test_the_card_is_named_whose_ability_or_trigger_it_was(card: Card, line: str) -> None:
    with pytest.raises(CardFailed, match=r"^Imp leaves nonsense on the table: .*graveyard"):
        Scene(cards=[card]).board(1, "Imp").play(line)


@pytest.mark.parametrize(("when", "cause"), [(When.DIES, "minion"), (When.SPELL, "spell")])
def test_a_trigger_that_is_fired_without_its_cause_is_an_error_that_names_the_card(
    when: TriggerEvent, cause: str
) -> None:
    bell = spell("Bell", Own(lambda it: it.engine.fire(when, it.seat)), "Ring", cost=0)
    effect = RepeatSpell() if when == When.SPELL else Strengthen(EVENT_MINION, 1, 1)
    listener = ritual("Listener", cost=0, charges=9, activation=1).having(
        Trigger(when, effect, "Listen")
    )
    with pytest.raises(CardFailed, match=f"^Bell fires '{when}' without the {cause}"):
        Scene(cards=[bell, listener]).hand(1, "Bell").play("play 1")


OWN_FILE = """
from sorcery import Effect, spell

class Muddle(Effect):
    def happen(self, context):
        context.engine.side(0).hand.append("Banana")

CARDS = [spell("Muddle", Muddle(), "Muddle", cost=0)]
"""


def test_the_program_names_the_card_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN_FILE)
    (tmp_path / "own.deck").write_text("Muddle\n")
    words = ["-testing", f"-cards={tmp_path / 'own.py'}", f"-deck1={tmp_path / 'own.deck'}"]
    lines = run_here(words, "play 1\nend\nquit\n").stdout.splitlines()
    (place,) = (number for number, line in enumerate(lines) if line.startswith("Muddle leaves"))
    assert lines[place].endswith("Nothing has changed.")
    assert lines[place + 1] == "Sean ends the turn."
