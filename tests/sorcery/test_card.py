"""Cards as values."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

import pytest

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    Ability,
    Card,
    CardsError,
    CardType,
    Change,
    GainLife,
    Trigger,
    When,
    cards,
    minion,
)
from sorcery.card import plain
from sorcery.cards import AIR_ELEMENTAL


@pytest.mark.parametrize(
    ("change", "text", "made"),
    [(Change("+", 2), "+2", 5), (Change("-", 4), "-4", -1), (Change("*", 3), "*3", 9)],
)
def test_a_change_reads_as_it_is_printed(change: Change, text: str, made: int) -> None:
    assert (str(change), change.apply(3)) == (text, made)


def test_a_change_knows_three_signs() -> None:
    with pytest.raises(CardsError, match="'/' is no sign of a change; signs are"):
        Change("/", 2)


@pytest.mark.parametrize("name", ["", " ", "Air  Elemental", " Bird", "Two\nLines"])
def test_a_name_is_words_with_one_blank_between(name: str) -> None:
    with pytest.raises(CardsError, match="is no name of a card"):
        minion(name, cost=0, attack=1, defence=1)


@pytest.mark.parametrize(("cost", "ability"), [(-1, 0), (0, -1)])
def test_costs_are_at_least_0(cost: int, ability: int) -> None:
    with pytest.raises(CardsError, match="Bird: costs and charges are at least 0"):
        minion("Bird", cost=cost, attack=1, defence=1).having(Ability(ability, GainLife(1), "sing"))


@pytest.mark.parametrize(("attack", "defence"), [(-1, 1), (1, 0), (1, -1)])
def test_a_minion_that_could_not_live_is_none(attack: int, defence: int) -> None:
    with pytest.raises(CardsError, match="Bird: attack is at least 0, and defence at least 1"):
        minion("Bird", cost=0, attack=attack, defence=defence)


def test_a_minion_may_have_any_number_of_abilities_and_triggers() -> None:
    sing = Ability(1, GainLife(1), "Sing")
    wake = Trigger(When.TURN_STARTS, GainLife(1), "Wake")
    sleep = Trigger(When.TURN_ENDS, GainLife(1), "Sleep")
    bird = minion("Bird", cost=0, attack=1, defence=1).having(
        sing,
        wake,
        sing,
        sleep,
        wake,
    )
    assert bird.abilities == (sing, sing)
    assert bird.triggers == (wake, sleep, wake)
    assert bird.by_when == {When.TURN_STARTS: (wake, wake), When.TURN_ENDS: (sleep,)}


# How long cards are, as they are formatted.


def lengths() -> dict[str, int]:
    """How many lines each card in `sorcery.cards` takes."""
    found: dict[str, int] = {}
    for node in ast.parse(Path(cards.__file__).read_text("utf-8")).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call):
            found[ast.unparse(node.target)] = (node.end_lineno or 0) - node.lineno + 1
    return found


def test_a_card_takes_four_lines_in_the_median() -> None:
    found = lengths()
    printed = {*SPRING_2024.card_set, *SPRING_2017.card_set}
    assert len(found) == len(printed)
    assert median(found.values()) <= 4, found


def test_cards_are_values() -> None:
    twin = Card("Air Elemental", CardType.MINION, 0, attack=1, defence=1)
    assert twin == AIR_ELEMENTAL
    assert hash(twin) == hash(AIR_ELEMENTAL)


def test_a_text_can_be_had_on_one_line() -> None:
    assert plain("Deal 1 damage\n minion") == "Deal 1 damage minion"
