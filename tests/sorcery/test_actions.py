"""How actions are typed and spelled (Sorcery 2024 §5.1)."""

from __future__ import annotations

import pytest

from sorcery.actions import (
    COMMANDS,
    RITUAL,
    Action,
    Attack,
    Discard,
    DrawCard,
    EndTurn,
    Play,
    QuitGame,
    Use,
)
from tabletop import CommandError

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
def test_places_are_typed_from_1_and_counted_from_0(text: str, action: Action) -> None:
    assert COMMANDS.parse(text) == action
    assert str(action) == COMMANDS.spell(action) == text


@pytest.mark.parametrize(("text", "action"), SPELLED)
def test_white_space_and_letter_case_do_not_matter(text: str, action: Action) -> None:
    assert COMMANDS.parse(f"  {text.upper()}  ".replace(" ", " \t ")) == action


def test_the_first_ability_may_be_named_as_well() -> None:
    assert COMMANDS.parse("use 2.1") == Use((1, 0))


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
def test_what_is_no_command_is_not_understood(text: str) -> None:
    with pytest.raises(CommandError):
        COMMANDS.parse(text)
