"""What can be asked at the prompt."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sorcery.scenes import Scene

from sorcery.actions import RITUAL
from sorcery.requests import Inspect, commands, inspected
from tabletop import CommandError, IllegalAction

HERE = commands(all_of_them=False, at_a_terminal=True)
PIPED = commands(all_of_them=False, at_a_terminal=False)


def scene() -> Scene:
    made = Scene().board(1, "Air Elemental").board(2, "Bone Golem", "Fire Elemental")
    return made.ritual(2, "Standstill")


def asked(line: str) -> Any:
    there = scene()
    return inspected(there.state, there.edition, HERE.parse(line))


@pytest.mark.parametrize(
    ("line", "card"),
    [
        ("inspect 1", "Air Elemental"),
        ("describe 1", "Air Elemental"),
        ("inspect 1 1", "Air Elemental"),
        ("inspect 2 1", "Bone Golem"),
        ("INSPECT 2 2", "Fire Elemental"),
        ("inspect 2 R", "Standstill"),
    ],
)
def test_any_card_on_the_board_can_be_inspected_at_a_terminal(line: str, card: str) -> None:
    assert asked(line).card == card


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("inspect r", "You have no ritual."),
        ("inspect 1 r", "Player 1 has no ritual."),
        ("inspect 2", "There is no minion 2: you have only 1 minion."),
        ("inspect 2 3", "There is no minion 3: player 2 has only 2 minions."),
    ],
)
def test_a_card_that_is_not_there_is_said_not_to_be(line: str, why: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        asked(line)
    assert str(caught.value) == why


@pytest.mark.parametrize("line", ["inspect 3 1", "inspect r 1", "inspect x", "inspect"])
def test_what_names_no_player_and_no_card_is_not_understood(line: str) -> None:
    with pytest.raises(CommandError):
        asked(line)


def test_what_is_piped_is_read_as_the_document_has_it() -> None:
    assert PIPED.parse("inspect 2") == Inspect(1)
    for line in ("inspect r", "inspect 2 1"):
        with pytest.raises(CommandError):
            PIPED.parse(line)
    assert HERE.parse("inspect r") == Inspect(RITUAL)


def test_draw_and_discard_are_in_the_whole_table_alone() -> None:
    assert "draw" not in HERE
    assert "discard" in commands(all_of_them=True, at_a_terminal=True)
