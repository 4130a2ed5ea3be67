"""An effect of one's own that does what no effect may: the error names the card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
    Minion,
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
from sorcery.state import CardInstance, Ritual


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
        "puts 'Banana' into hand, where a CardInstance of a card",
    ),
    "a minion in a hand": (
        lambda it: side(it).hand.append(Minion("Air Elemental", 1, 1, 1, 1)),
        "into hand, where a CardInstance of a card",
    ),
    "a card that there is not in a deck": (
        lambda it: side(it).deck.append(CardInstance("Banana")),
        "puts CardInstance(card='Banana', attack=0, defence=0) into deck",
    ),
    "a spell in a graveyard": (
        lambda it: side(it).graveyard.append(CardInstance("Banish")),
        "into graveyard, where a CardInstance of a card",
    ),
    "a card on the board": (
        lambda it: side(it).minions.append(CardInstance("Air Elemental", 1, 1)),
        "into minions, where a Minion of a card",
    ),
    "half a point of attack": (
        lambda it: setattr(side(it).minions[0], "attack", 1.5),
        "attack=1.5, defence=1, actions=1",
    ),
    "a minion as an enchantment": (
        lambda it: it.engine.enchant(side(it).minions[0], "Earth Elemental"),
        "history=('Earth Elemental',)) into minions",
    ),
    "a minion as a ritual": (
        lambda it: setattr(side(it), "ritual", Ritual("Air Elemental", 1)),
        "into ritual, where a Ritual of a card",
    ),
    "half a magic": (
        lambda it: setattr(side(it), "magic", 20.5),
        "leaves magic at 20.5: numbers are whole, up to 9,999",
    ),
    "a hand that is too full": (
        lambda it: side(it).hand.extend([CardInstance("Banish")] * 6),
        "leaves 6 cards in a hand that holds 5 (player 1)",
    ),
}


def scene(*cards: Card) -> Scene:
    return Scene(cards=cards).board(1, "Air Elemental")


@pytest.mark.parametrize(("do", "complaint"), NONSENSE.values(), ids=NONSENSE)
def test_nonsense_in_a_zone_is_an_error_that_names_the_card(
    do: Callable[[Any], object], complaint: str
) -> None:
    made = scene(spell("Muddle", Own(do), "Muddle", cost=0)).hand(1, "Muddle")
    with pytest.raises(CardFailed) as caught:
        made.play("play 1")
    assert str(caught.value).startswith("Muddle ")
    assert complaint in str(caught.value)


MUDDLE = Own(lambda context: side(context).graveyard.append("Banana"))


@pytest.mark.parametrize(
    ("card", "line"),
    [
        (minion("Imp", cost=0, attack=1, defence=1).having(Ability(0, MUDDLE, "Muddle")), "use 2"),
        (
            minion("Imp", cost=0, attack=1, defence=1).having(
                Trigger(When.TURN_ENDS, MUDDLE, "Muddle")
            ),
            "end",
        ),
    ],
)
def test_the_card_is_named_whose_ability_or_trigger_it_was(card: Card, line: str) -> None:
    with pytest.raises(CardFailed, match=r"^Imp puts 'Banana' into graveyard"):
        scene(card).board(1, "Imp").play(line)


@pytest.mark.parametrize(
    ("when", "cause"),
    [
        (When.ENTERS, "minion"),
        (When.DIES, "minion"),
        (When.ATTACKS, "minion"),
        (When.SPELL, "spell"),
    ],
)
@pytest.mark.parametrize("heard", [True, False])
def test_a_trigger_that_is_fired_without_its_cause_is_an_error_that_names_the_card(
    when: TriggerEvent, cause: str, heard: bool
) -> None:
    bell = spell(
        "Bell", Own(lambda context: context.engine.fire(when, context.seat)), "Ring", cost=0
    )
    effect = RepeatSpell() if when == When.SPELL else Strengthen(EVENT_MINION, 1, 1)
    listener = ritual("Listener", cost=0, charges=9, activation=1).having(
        Trigger(when, effect, "Listen")
    )
    made = scene(bell, listener).hand(1, "Bell")
    if heard:
        made.ritual(1, "Listener")
    complaint = f"^Bell fires '{when}' without the {cause} that sets it off.$"
    with pytest.raises(CardFailed, match=complaint):
        made.play("play 1")


OWN_FILE = """
from sorcery import Effect, spell

class Muddle(Effect):
    def happen(self, moment):
        moment.engine.side(0).hand.append("Banana")

CARDS = [spell("Muddle", Muddle(), "Muddle", cost=0)]
"""


def test_the_program_names_the_card_and_goes_on(tmp_path: Any) -> None:
    (tmp_path / "own.py").write_text(OWN_FILE)
    (tmp_path / "own.deck").write_text("Muddle\n")
    words = ["-testing", f"-cards={tmp_path / 'own.py'}", f"-deck1={tmp_path / 'own.deck'}"]
    printed = run_here(words, "play 1\nend\nquit\n")
    assert (printed.status, printed.stderr) == (0, "")
    lines = printed.stdout.splitlines()
    (place,) = (number for number, line in enumerate(lines) if line.startswith("Muddle puts"))
    assert lines[place].endswith("with whole numbers can be (player 1). Nothing has changed.")
    assert lines[place + 1] == "Sean ends the turn."
