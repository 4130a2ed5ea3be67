"""Numbers that grow and grow: what would take them beyond 9,999 is refused, and says why."""

from __future__ import annotations

import pytest
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import Scene

from sorcery import (
    ITSELF,
    Card,
    GainLife,
    GainMagic,
    Numbers,
    Recharge,
    Sorcery,
    SorceryState,
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
from sorcery.bots import Duelist
from sorcery.limits import NumberTooGreat
from sorcery.state import MOST
from tabletop import ContractError, Match, Options, Sampler, Streams

SWELL = minion("Swell", cost=0, attack=1, defence=1).having(
    Trigger(When.TURN_ENDS, Strengthen(ITSELF, 0, 900), "Swell", Whose.OWN)
)
WILT = minion("Wilt", cost=0, attack=0, defence=9).having(
    Trigger(When.TURN_ENDS, Strengthen(ITSELF, -4000, 0), "Wilt", Whose.OWN)
)
LIFE = spell("Life", GainLife(9_000), "Gain 9,000 life", cost=0)
MAGIC = spell("Magic", GainMagic(9_000), "Gain 9,000 magic", cost=0)
CHARGE = spell("Charge", Recharge(9_000), "Gain 9,000 charges", cost=0)
WELL = ritual("Well", cost=0, charges=1_000, activation=1).having(
    Trigger(When.SPELL, GainLife(0), "Nothing")
)
SHIELD = enchantment("Shield", cost=0).having(Numbers("-1", "+9996"))
CARDS = (SWELL, WILT, LIFE, MAGIC, CHARGE, WELL, SHIELD)


def played(*cards: str) -> Match[SorceryState, Action]:
    """A match in testing mode in which the active player holds these cards."""
    game = Sorcery(Scene(cards=CARDS).edition)
    options: Options = {"testing": True, "deck1": "\n".join(cards), "deck2": ""}
    return Match(game, seed="numbers", options=options)


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ([LIFE, LIFE], "The life of a player would be 18,020: numbers go up to 9,999."),
        ([MAGIC, MAGIC], "The magic of a player would be 18,004: numbers go up to 9,999."),
        ([WELL, CHARGE], "The number of charges of Well would be 10,000: numbers go up to 9,999."),
    ],
)
def test_a_card_that_makes_a_number_too_great_is_taken_back(cards: list[Card], why: str) -> None:
    match = played(*(card.name for card in cards))
    match.play(match.parse("play 1"))
    before = match.state.clone()
    with pytest.raises(ContractError) as caught:
        match.play(match.parse("play 1"))
    assert isinstance(caught.value.__cause__, NumberTooGreat)
    assert str(caught.value.__cause__) == why
    assert match.state == before


@pytest.mark.parametrize(
    ("card", "turns", "why"),
    [
        (SWELL, 12, "The defence of Swell would be 10,801: numbers go up to 9,999."),
        (WILT, 3, "The attack of Wilt would be -12,000: numbers go down to -9,999."),
    ],
)
def test_a_trigger_that_grows_without_end_is_stopped_where_numbers_end(
    card: Card, turns: int, why: str
) -> None:
    match = played(card.name)
    match.play(match.parse("play 1"))
    for _ in range(2 * (turns - 1)):
        match.play(match.parse("end"))
    with pytest.raises(ContractError) as caught:
        match.play(match.parse("end"))
    assert str(caught.value.__cause__) == why


def test_an_enchantment_that_makes_a_minion_too_great_is_refused_before_it_is_played() -> None:
    scene = Scene(cards=CARDS).board(1, "Air Elemental 5000/1", "Air Elemental 4999/4999")
    scene.board(1, "Air Elemental 1/4").hand(1, "Enrage", "Shield")
    great = "The attack of Air Elemental would be 10,000: numbers go up to 9,999."
    assert scene.refusal("play 1 1 1") == great
    wide = "The defence of Air Elemental would be 10,000: numbers go up to 9,999."
    assert scene.refusal("play 2 1 3") == wide
    listed = [str(action) for action in scene.game.legal_actions(scene.state, 0)]
    assert [line for line in listed if line.startswith("play")] == [
        "play 1 1 2",
        "play 1 1 3",
        "play 2 1 1",
    ]
    assert scene.play("play 1 1 2").minions(1)[1] == "Air Elemental 9998/9998"


def test_a_number_may_be_as_great_as_numbers_go() -> None:
    scene = Scene(cards=CARDS, life=MOST - 9_000).hand(1, "Life").board(1, "Air Elemental")
    scene.hand(1, "Shield").play("play 1", "play 1 1 1")
    assert scene.side(1).life == MOST
    assert scene.minions(1) == ["Air Elemental 0/9997"]


def test_a_player_may_sink_as_deep_as_a_blow_goes() -> None:
    scene = Scene(life=1).board(1, "Air Elemental 9999/1").play("attack 1")
    assert scene.side(2).life == 1 - MOST


def test_a_duelist_does_not_try_what_would_be_too_great() -> None:
    scene = Scene(cards=CARDS, life=9_000).hand(1, "Life")
    bot = Duelist(Streams("bot")["choices"], game=scene.game)
    actions = scene.game.legal_actions(scene.state, 0)
    sampler = Sampler(scene.game, scene.state, 0)
    assert str(bot.choose(scene.game.view(scene.state, 0), actions, sampler)) == "end"


def test_the_program_says_why_and_that_nothing_has_changed(tmp_path: object) -> None:
    deck = f"{tmp_path}/own.deck"
    with open(deck, "w", encoding="utf-8") as file:
        file.write("Earth Elemental\n" + "Enrage\n" * 20)
    growing = "".join("play 1 1 1\ndraw\n" for _ in range(12))
    lines = run_here(["-testing", f"-deck1={deck}"], f"play 1\n{growing}quit\n").stdout.splitlines()
    assert "The attack of Earth Elemental would be 16,384: numbers go up to 9,999." in lines
