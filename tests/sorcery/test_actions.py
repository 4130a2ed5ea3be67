"""Typed actions and table commands, the help, and the state."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sorcery.scenes import TWICE, Scene

from sorcery import Action, Attack, Discard, DrawCard, EndTurn, Play, QuitGame, Use
from sorcery.program.table_commands import HELP, Inspect, commands, find_inspected, offers
from sorcery.rules.actions import COMMANDS, RITUAL
from sorcery.text.action_meanings import hint
from tabletop import CommandError, IllegalAction

SPELLED: list[tuple[str, Action]] = [
    ("end", EndTurn()),
    ("quit", QuitGame()),
    ("draw", DrawCard()),
    ("discard 5", Discard(4)),
    ("attack 1", Attack(0)),
    ("attack 5 3", Attack(4, 2)),
    ("play 2", Play(1)),
    ("play 1 2 5", Play(0, 1, 4)),
    ("play 1 1 r", Play(0, 0, RITUAL)),
    ("use 3", Use((2, 0))),
    ("use 3.2", Use((2, 1))),
    ("use 1 2 r", Use((0, 0), 1, RITUAL)),
    ("use 1.12 2 3", Use((0, 11), 1, 2)),
]


@pytest.mark.parametrize(("text", "action"), SPELLED)
def test_places_are_typed_from_1_in_any_case_and_stored_from_0(text: str, action: Action) -> None:
    assert COMMANDS.parse(text) == action
    assert str(action) == COMMANDS.spell(action) == text
    assert COMMANDS.parse(f"  {text.upper()}  ".replace(" ", " \t ")) == action


@pytest.mark.parametrize(
    "text",
    [
        "attack",
        "attack 0",
        "attack 6",
        "attack x",
        "attack 1 r",
        "attack 1 2 3",
        "play",
        "play 1 2",
        "play 1 3 1",
        "play 1 1 6",
        "play 1 1 q",
        "play 1 1 1 1",
        "use 1.",
        "use 1.0",
        "use .2",
        "use 1.2.3",
        "use 1 r",
        "end 1",
        "discard",
        "discard 6",
        "dance",
    ],
)
def test_invalid_lines_are_rejected(text: str) -> None:
    with pytest.raises(CommandError):
        COMMANDS.parse(text)


# Queries at the prompt.


HERE = commands(all_of_them=False, at_a_terminal=True)
PIPED = commands(all_of_them=False, at_a_terminal=False)


def scene() -> Scene:
    made = Scene().board(1, "Air Elemental").board(2, "Bone Golem", "Fire Elemental")
    return made.ritual(2, "Standstill")


def asked(line: str) -> Any:
    there = scene()
    return find_inspected(there.state, there.edition, HERE.parse(line))


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
def test_inspecting_a_missing_card_gives_the_reason(line: str, why: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        asked(line)
    assert str(caught.value) == why


@pytest.mark.parametrize("line", ["inspect 3 1", "inspect r 1", "inspect x", "inspect"])
def test_inspect_rejects_an_unknown_player_or_card(line: str) -> None:
    with pytest.raises(CommandError):
        asked(line)


def test_piped_input_accepts_only_the_commands_of_the_document() -> None:
    assert PIPED.parse("inspect 2") == Inspect(1)
    for line in ("inspect r", "inspect 2 1"):
        with pytest.raises(CommandError):
            PIPED.parse(line)
    assert HERE.parse("inspect r") == Inspect(RITUAL)


def test_draw_and_discard_are_only_in_the_full_table() -> None:
    assert "draw" not in HERE
    assert "discard" in commands(all_of_them=True, at_a_terminal=True)


# The command `help`, and suggested actions.


def test_help_lists_every_command_of_the_table() -> None:
    for command in commands(all_of_them=False, at_a_terminal=False).commands:
        assert f"{command.words} " in HELP
        assert command.words == "attack" or f"-- {command.help}\n" in HELP


# Suggestions to people at a terminal, with the names of cards.


def offering() -> Scene:
    made = Scene(cards=[TWICE], magic=5, testing=True).board(1, "Novice Pyromancer", "Twice")
    made.board(2, "Bone Golem 1/2").ritual(2, "Standstill").deck(1, "Blizzard")
    made.enchant(1, 1, "Magic Fatigue")
    return made.hand(1, "Air Elemental", "Fire Elemental", "Banish")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play 2", "play 2  Fire Elemental (2)"),
        ("play 3 2 1", "play 3 2 1  Banish (2) on the opponent's Bone Golem 1/2"),
        ("play 3 2 r", "play 3 2 r  Banish (2) on the opponent's Standstill"),
        ("use 1 1 2", "use 1 1 2  Novice Pyromancer (3 magic) on your Twice 1/1"),
        ("use 2.2", "use 2.2  Twice (4 magic)"),
        ("attack 1", "attack 1  Novice Pyromancer"),
        ("attack 2 1", "attack 2 1  Twice on the opponent's Bone Golem 1/2"),
        ("discard 1", "discard 1  Air Elemental (0)"),
        ("draw", "draw"),
        ("end", "end"),
    ],
)
def test_a_suggestion_contains_the_command_and_its_meaning(line: str, said: str) -> None:
    there = offering()
    action = there.game.parse(line, there.state, 0)
    assert action in there.game.legal_actions(there.state, 0)
    assert hint(action, there.state, there.edition.cards) == said


def offered(there: Scene, line: str) -> list[str]:
    actions = there.game.legal_actions(there.state, 0)
    return offers(line, [hint(action, there.state, there.edition.cards) for action in actions])


def test_an_incomplete_line_is_answered_with_matching_actions() -> None:
    there = offering()
    assert offered(there, "PLAY") == [
        "Possible now:",
        "  play 1  Air Elemental (0)",
        "  play 2  Fire Elemental (2)",
        "  play 3 1 1  Banish (2) on your Novice Pyromancer 0/1",
        "  play 3 1 2  Banish (2) on your Twice 1/1",
        "  play 3 2 1  Banish (2) on the opponent's Bone Golem 1/2",
        "  play 3 2 r  Banish (2) on the opponent's Standstill",
    ]
    assert offered(there, "play 3 2") == ["Possible now:", *offered(there, "play")[3:]]
    assert offered(there, "play 9") == offered(there, "play")
    for line in ("", "end", "inspect 9", "ply", "draw 1"):
        assert offered(there, line) == []
    assert offered(Scene(), "attack 1") == []


def test_the_number_of_suggestions_is_limited() -> None:
    there = Scene().board(1, *["Air Elemental"] * 5).board(2, *["Air Elemental"] * 5)
    lines = offered(there, "attack")
    assert lines[1] == "  attack 1  Air Elemental (1)"
    assert (len(lines), lines[-1]) == (1 + 12 + 1, "  ... and 18 more")
