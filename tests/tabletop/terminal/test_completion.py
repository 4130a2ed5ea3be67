"""Completions of a line that is being typed."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from tabletop import Command, Commands, Match
from tabletop.match import AnyMatch
from tabletop.registry import load
from tabletop.terminal import TABLE_COMMANDS, Completion, Console
from tabletop.terminal.commands import Help, Quit, completions
from tests.tabletop.cli.program import DUEL, TICTACTOE
from tests.tabletop.terminal.playing import PEOPLE, connection

OWN = Commands(Command("hand", Help), Command("peek", Quit))
TABLE_WORDS = [command.words for command in TABLE_COMMANDS.commands]
SHAPES = ["rock", "paper", "scissors"]


def complete(
    line: str, game: str, commands: Commands, hint: Callable[[Any], str]
) -> list[Completion]:
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="oak")
    return completions(line, 0, match, plugin, commands, hint=hint)


def words(line: str, game: str = DUEL, commands: Commands = OWN) -> list[str]:
    return [offer.word for offer in complete(line, game, commands, lambda action: "")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("p", ["pick", "peek"]),
        ("pick ", SHAPES),
        ("PICK S", ["scissors"]),
        ("pick rock ", []),
        ("h", ["hand", "help", "human"]),
        ("/ta", ["table"]),
        ("/", [*(command.words for command in OWN.commands), *TABLE_WORDS]),
        ("bot ", ["stony", "easy", "fair", "hard", "random", "search:1000", "search:2s"]),
        ("bot s", ["stony", "search:1000", "search:2s"]),
        ("nonsense ", []),
    ],
)
def test_what_is_legal_comes_first_and_then_what_else_can_be_typed(
    line: str, expected: list[str]
) -> None:
    found = words(line)
    assert [word for word in found if word not in ("exit", "?")] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("put ", ["bread", "cake", "soup"]),
        ("put soup ", ["bread", "cake"]),
        ("put BREAD soup b", ["bread"]),
        ("put bread bread ", ["cake", "soup"]),
        ("stay ", []),
    ],
)
def test_the_remaining_items_of_a_choice_are_offered(line: str, expected: list[str]) -> None:
    assert words(line, "tests/potluck.py", Commands()) == expected


def test_an_empty_line_offers_everything_once() -> None:
    found = words("")
    assert found[:2] == ["pick", "table"]
    assert set(TABLE_WORDS) | {"hand", "peek"} <= set(found)
    assert len(found) == len(set(found))


def test_without_a_table_of_commands_legal_actions_are_offered() -> None:
    assert words("", TICTACTOE, Commands())[:9] == [str(cell) for cell in range(1, 10)]


@pytest.mark.parametrize(
    ("line", "expected"), [("n", ["Na3", "Nc3", "Nf3", "Nh3"]), ("g1", ["g1f3", "g1h3"])]
)
def test_labels_are_offered_before_the_texts_of_actions(line: str, expected: list[str]) -> None:
    assert sorted(words(line, "examples/chess.py", Commands())) == expected


@pytest.mark.parametrize(
    ("line", "expected"), [("help sta", ["star"]), ("/help und", ["undo"]), ("help x", [])]
)
def test_help_is_completed_with_commands_and_cards(line: str, expected: list[str]) -> None:
    plugin = load("examples/deck_builder.py")
    match: AnyMatch = Match(plugin.game, seed="oak")
    table = connection(match, plugin, PEOPLE, Console(io.StringIO(), io.StringIO()))
    assert [offer.word for offer in table.complete(line)] == expected


def test_an_offer_says_what_its_action_means() -> None:
    found = complete("pick ", DUEL, OWN, lambda action: f"beats {len(action.shape)}")
    assert [offer.hint for offer in found] == ["beats 4", "beats 5", "beats 8"]
    chess = complete("nf", "examples/chess.py", Commands(), str)
    assert chess == [Completion("Nf3", "g1f3")]
    [first, *_] = complete("pi", DUEL, OWN, lambda action: "never")
    assert first.hint == "", "this may become several actions"
