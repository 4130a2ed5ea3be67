"""What `help` says at the prompt."""

from __future__ import annotations

from sorcery.manual import FORMS, HELP
from sorcery.requests import commands


def test_every_command_is_told_of_in_the_words_of_the_table() -> None:
    for command in commands(all_of_them=False, at_a_terminal=False).commands:
        assert f"{command.words} " in HELP
        assert command.usage in FORMS or f"-- {command.help}\n" in HELP
