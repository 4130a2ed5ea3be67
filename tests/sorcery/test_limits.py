"""Numbers that grow and grow stop at 9,999; a turn can always end."""

from __future__ import annotations

import pytest
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import Scene

from sorcery import (
    SELF,
    SPRING_2024,
    Card,
    GainLife,
    GainMagic,
    Recharge,
    Sorcery,
    SorceryState,
    Stats,
    Strengthen,
    Trigger,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.actions import Action
from sorcery.minion_stats import refresh
from sorcery.state import MOST, Ritual
from tabletop import Match, Options

SWELL = minion("Swell", cost=0, attack=1, defence=1).having(
    Trigger(When.TURN_ENDS, Strengthen(SELF, 0, 900), "Swell", Whose.OWN)
)
WILT = minion("Wilt", cost=0, attack=0, defence=9).having(
    Trigger(When.TURN_ENDS, Strengthen(SELF, -4000, 0), "Wilt", Whose.OWN)
)
LIFE = spell("Life", GainLife(9_000), "Gain 9,000 life", cost=0)
MAGIC = spell("Magic", GainMagic(9_000), "Gain 9,000 magic", cost=0)
CHARGE = spell("Charge", Recharge(9_000), "Gain 9,000 charges", cost=0)
WELL = ritual("Well", cost=0, charges=1_000, activation=1).having(
    Trigger(When.SPELL, GainLife(0), "Nothing")
)
SHIELD = enchantment("Shield", cost=0).having(Stats("-1", "+9996"))
CARDS = (SWELL, WILT, LIFE, MAGIC, CHARGE, WELL, SHIELD)


def played(*cards: str) -> Match[SorceryState, Action]:
    """A match in testing mode in which the active player holds these cards."""
    game = Sorcery(Scene(cards=CARDS).edition)
    options: Options = {"testing": True, "deck1": "\n".join(cards), "deck2": ""}
    return Match(game, seed="numbers", options=options)


def test_the_numbers_of_a_player_stop_where_numbers_end() -> None:
    match = played("Life", "Life", "Magic", "Magic", "Well")
    for _ in range(4):
        match.play(match.parse("play 1"))
    assert (match.state.sides[0].life, match.state.sides[0].magic) == (MOST, MOST)
    match = played("Well", "Charge", "Charge")
    for _ in range(3):
        match.play(match.parse("play 1"))
    assert match.state.sides[0].ritual == Ritual(
        "Well", MOST - 1
    )  # which it has spent on the spell


def test_a_turn_can_end_when_a_ritual_gains_magic_and_there_is_no_more() -> None:
    scene = Scene(magic=MOST).ritual(1, "Dark Ritual", 5).play("end", "end")
    assert scene.side(1).magic == MOST


@pytest.mark.parametrize(
    ("card", "turns", "shown"), [(SWELL, 12, "Swell 1/9999"), (WILT, 3, "Wilt -9999/9")]
)
def test_a_trigger_that_grows_without_end_stops_where_numbers_end(
    card: Card, turns: int, shown: str
) -> None:
    match = played(card.name)
    match.play(match.parse("play 1"))
    for _ in range(2 * turns + 1):
        match.play(match.parse("end"))
    (one,) = match.state.sides[0].minions
    assert f"{one.card} {one.attack}/{one.defence}" == shown
    anew = one.clone()
    refresh(anew, SPRING_2024.cards)
    assert anew == one


def test_an_enchantment_takes_a_minion_no_further_than_numbers_go() -> None:
    scene = Scene(cards=CARDS).board(1, "Air Elemental 5000/1", "Air Elemental 1/4")
    scene.hand(1, "Enrage", "Shield").play("play 1 1 1", "play 1 1 2")
    assert scene.minions(1) == ["Air Elemental 9999/2", "Air Elemental 0/9999"]


def test_a_number_may_be_as_great_as_numbers_go() -> None:
    scene = Scene(cards=CARDS, life=MOST - 9_000).hand(1, "Life").board(1, "Air Elemental")
    scene.hand(1, "Shield").play("play 1", "play 1 1 1")
    assert scene.side(1).life == MOST
    assert scene.minions(1) == ["Air Elemental 0/9997"]


def test_a_player_may_sink_as_deep_as_a_blow_goes() -> None:
    scene = Scene(life=1).board(1, "Air Elemental 9999/1").play("attack 1")
    assert scene.side(2).life == 1 - MOST


def test_the_program_goes_on_where_numbers_end(tmp_path: object) -> None:
    deck = f"{tmp_path}/own.deck"
    with open(deck, "w", encoding="utf-8") as file:
        file.write("Earth Elemental\n" + "Enrage\n" * 20)
    growing = "".join("play 1 1 1\ndraw\n" for _ in range(12))
    printed = run_here(["-testing", f"-deck1={deck}"], f"play 1\n{growing}inspect 1\nquit\n")
    assert "9999" in printed.stdout
