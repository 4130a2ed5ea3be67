"""Suggestions for unknown commands."""

from __future__ import annotations

import pytest

from tabletop import Command, CommandError, Commands
from tabletop.display import similar_command
from tabletop.terminal import TABLE_COMMANDS

OWN = Commands(Command("bots", str), Command("hold", int))


@pytest.mark.parametrize(
    ("word", "commands", "hint"),
    [
        ("bost", OWN, "did you mean `bots`? "),
        ("bost", None, "did you mean `bot`? "),
        ("holt", OWN, "did you mean `hold`? "),
        ("und", OWN, "did you mean `undo`? "),
        ("zzz", OWN, ""),
        ("hold", OWN, ""),
        ("undo", OWN, ""),
        ("?", OWN, ""),
    ],
)
def test_the_games_own_words_are_suggested_first_and_never_the_one_that_was_typed(
    word: str, commands: Commands | None, hint: str
) -> None:
    assert similar_command(word, CommandError("unknown"), (commands,), TABLE_COMMANDS) == hint


def test_nothing_is_added_to_a_suggestion_of_the_game() -> None:
    with pytest.raises(CommandError, match="did you mean 'hold'") as caught:
        OWN.parse("hodl")
    assert similar_command("hodl", caught.value, (OWN,), TABLE_COMMANDS) == ""
