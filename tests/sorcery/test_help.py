"""The command `help`, and the actions that are offered."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import TWICE, Scene

from sorcery.help import FORMS, HELP, fitting, hint, offers
from sorcery.requests import commands


def test_every_command_is_told_of_in_the_words_of_the_table() -> None:
    for command in commands(all_of_them=False, at_a_terminal=False).commands:
        assert f"{command.words} " in HELP
        assert command.usage in FORMS or f"-- {command.help}\n" in HELP


# What is offered to people at a terminal, by the names of cards.


def scene() -> Scene:
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
        ("use 1 1 2", "use 1 1 2  Novice Pyromancer (3) on your Twice 1/1"),
        ("use 2.2", "use 2.2  Twice (4)"),
        ("attack 1", "attack 1  Novice Pyromancer"),
        ("attack 2 1", "attack 2 1  Twice on the opponent's Bone Golem 1/2"),
        ("discard 1", "discard 1  Air Elemental (0)"),
        ("draw", "draw"),
        ("end", "end"),
    ],
)
def test_an_action_is_offered_as_it_is_typed_with_what_it_means(line: str, said: str) -> None:
    there = scene()
    action = there.game.parse(line, there.state, 0)
    assert action in there.game.legal_actions(there.state, 0)
    assert hint(action, there.state, there.edition.cards) == said


def test_a_line_that_is_not_complete_is_answered_with_what_begins_so() -> None:
    there = scene()
    actions = there.game.legal_actions(there.state, 0)

    def offered(line: str) -> list[str]:
        return offers(line, there.state, actions, there.edition.cards)

    assert offered("PLAY") == [
        "Possible now:",
        "  play 1  Air Elemental (0)",
        "  play 2  Fire Elemental (2)",
        "  play 3 1 1  Banish (2) on your Novice Pyromancer 0/1",
        "  play 3 1 2  Banish (2) on your Twice 1/1",
        "  play 3 2 1  Banish (2) on the opponent's Bone Golem 1/2",
        "  play 3 2 r  Banish (2) on the opponent's Standstill",
    ]
    assert offered("play 3 2") == ["Possible now:", *offered("play")[5:]]
    assert offered("play 9") == offered("play")
    assert offered("play 1 2 1") == ["Possible now:", "  play 1  Air Elemental (0)"]
    for line in ("", "end", "inspect 9", "ply", "draw 1"):
        assert offered(line) == []


def test_no_more_is_offered_than_can_be_taken_in() -> None:
    there = Scene().board(1, *["Air Elemental"] * 5).board(2, *["Air Elemental"] * 5)
    actions = there.game.legal_actions(there.state, 0)
    assert offers("attack", there.state, actions, there.edition.cards) == [
        "Possible now:",
        *(f"  attack {place} ...  Air Elemental" for place in range(1, 6)),
    ]


def test_every_card_is_offered_and_all_targets_of_one() -> None:
    there = Scene().hand(1, "Banish", "Enrage", "Fire Elemental").board(1, *["Bone Golem"] * 4)
    there.board(2, *["Air Elemental"] * 5).ritual(1, "Standstill").ritual(2, "Standstill")
    actions = there.game.legal_actions(there.state, 0)
    assert offers("play", there.state, actions, there.edition.cards) == [
        "Possible now:",
        "  play 1 ...  Banish (2)",
        "  play 2 ...  Enrage (2)",
        "  play 3  Fire Elemental (2)",
    ]
    targets = offers("play 1", there.state, actions, there.edition.cards)
    assert len(targets) == 1 + 4 + 5 + 2
    assert targets[-1] == "  play 1 2 r  Banish (2) on the opponent's Standstill"


def test_nothing_is_offered_where_nothing_is_possible() -> None:
    there = Scene()
    actions = there.game.legal_actions(there.state, 0)
    assert offers("attack 1", there.state, actions, there.edition.cards) == []


def test_second_abilities_are_spoken_of_where_a_minion_has_one() -> None:
    message = (
        "Word 2, 'x', is not a whole number from 1 to 5 (or 2.2 for a second ability) (minion)"
    )
    there, nobody = scene(), Scene()
    assert fitting(message, there.state, there.edition.cards) == message
    assert "2.2" not in fitting(message, nobody.state, nobody.edition.cards)
