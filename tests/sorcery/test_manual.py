"""What `help` says at the prompt."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import TWICE, Scene

from sorcery.actions import COMMANDS
from sorcery.manual import FORMS, HELP, help_for
from sorcery.requests import commands
from tabletop.wording import width_of


def test_every_command_is_told_of_in_the_words_of_the_table() -> None:
    for command in commands(all_of_them=False, at_a_terminal=False).commands:
        assert f"{command.words} " in HELP
        assert command.usage in FORMS or f"-- {command.help}\n" in HELP


def test_what_is_for_testing_is_told_of_where_that_goes_on() -> None:
    there, elsewhere = Scene(testing=True), Scene()
    told = help_for(there.state, there.edition.cards)
    for word in ("draw", "discard"):
        command = next(command for command in COMMANDS.commands if command.words == word)
        assert f"{command.usage.lower()} -- {command.help}" in told
        assert f" {word} " not in help_for(elsewhere.state, elsewhere.edition.cards)


def test_second_abilities_are_told_of_where_a_minion_has_one() -> None:
    there, nobody = Scene(cards=[TWICE]).board(1, "Twice"), Scene()
    assert "1.2" in help_for(there.state, there.edition.cards)
    assert "1.2" not in help_for(nobody.state, nobody.edition.cards)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_help_fits_the_terminal_and_tells_of_all_that_can_be_inspected(width: int) -> None:
    there = Scene()
    text = help_for(there.state, there.edition.cards, width)
    assert max(map(width_of, text.splitlines())) <= max(width, 60)
    words = " ".join(text.split())
    assert "inspect player minion -- Look at a minion of either player." in words
    assert "inspect [player] r -- Look at a ritual." in words
    for line in HELP.split("\n")[:10]:
        assert " ".join(line.split()) in words
