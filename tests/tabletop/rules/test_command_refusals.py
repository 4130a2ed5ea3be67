"""Command tables: errors for wrong lines, and refused declarations."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.rules.command_table import (
    COMMANDS,
    LINE_WORDS,
    Attack,
    End,
    EndTurn,
)

from tabletop import Argument, Choice, Command, CommandError, Commands, Integer, Text, Word

TYPED = st.lists(
    st.sampled_from(
        ["attack", "cast", "say", "trade", "offer", "end", "turn", "pass", "1", "2", "wood"]
    )
    | LINE_WORDS,
    max_size=4,
).map(" ".join)


def refused(line: str, commands: Commands = COMMANDS) -> CommandError:
    with pytest.raises(CommandError) as caught:
        commands.parse(line)
    assert caught.value.line == line
    return caught.value


# Wrong lines.

REFUSALS = [
    ("attack x", 2, r"'x', .*\b1 to 5 \(minion\);"),
    ("attack 6", 2, r"'6', .*\b1 to 5 \(minion\);"),
    ("attack 1 -4", 3, r"'-4', .* -3 to 5 \(target\);"),
    ("attack", 2, r"minion, .*\bmissing: .*\b1 to 5;"),
    ("a", 2, r"minion, .*\bmissing: .*\b1 to 5;"),
    ("attack 1 2 3", 4, r"'3', .*\btoo many;"),
    ("end now please", 2, r"'now', .*\btoo many;"),
    ("end turn now", 3, r"'now', .*\btoo many;"),
    ("trade answer maybe", 3, r"'maybe', .*\byes or no \(accept\);"),
    ("trade offer wood gold", 4, r"'gold', .*\bWood, brick or clay \(want\);"),
    ("cast fire left", 4, r"zone, .*\bmissing: .*\b0 to "),
    ("cast", 2, r"spell-name, .*\bmissing: .*\bword;"),
    ("say 3", 3, r"words, .*\bmissing: .*\btext;"),
    ("say loud hello", 2, r"'loud', .*\b0 to 9 \(loudness\);"),
]


@pytest.mark.parametrize(("line", "place", "message"), REFUSALS)
def test_an_error_names_the_word_its_place_and_the_expected_words(
    line: str, place: int, message: str
) -> None:
    error = refused(line)
    assert re.match(rf"word {place}, {message}", str(error))
    assert f"; usage: {line.split(maxsplit=1)[0][:1]}" in str(error)
    assert error.place == place


@pytest.mark.parametrize("word", ["", "-", "+", "--1", "1.0", "1e0", "0x1", "1_0", "\u0663", "²"])
def test_a_word_that_is_not_a_whole_number_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(word)}$"):
        Integer("n", -9, 9).parse(word)


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        (" \t", 0, r"\bempty\b"),
        ("jump", 1, r"^unknown command 'jump'; possible: "),
        ("trade", 2, r"^word 2 .*\bmissing; .* 'trade "),
        ("be", 2, r"^word 2 .*\bmissing; possible: "),
    ],
)
def test_the_error_without_a_similar_command_lists_all_commands(
    line: str, place: int, message: str
) -> None:
    error = refused(line)
    assert re.search(message, str(error))
    assert "attack, cast, say, trade offer, trade answer, end, end turn" in str(error)
    assert error.place == place


@pytest.mark.parametrize(
    ("line", "place", "typed", "meant"),
    [
        ("attcak 1", 1, "attcak", "attack"),
        ("ATTAC 1 2", 1, "ATTAC", "attack"),
        ("atack all of them", 1, "atack", "attack"),  # not similar to the whole line
        ("trade ofer wood", 2, "trade ofer", "trade offer"),
    ],
)
def test_the_error_for_a_misspelt_command_suggests_a_command(
    line: str, place: int, typed: str, meant: str
) -> None:
    error = refused(line)
    assert str(error) == f"unknown command {typed!r}; did you mean {meant!r}?"
    assert error.suggests
    assert error.place == place


@pytest.mark.parametrize("line", ["\x1b[2J" + "x" * 10_000, "attack " + "1" * 100_000])
def test_an_error_shortens_long_lines_and_escapes_unprintable_characters(line: str) -> None:
    error = refused(line)
    assert "\x1b" not in str(error)
    assert len(str(error)) < 300


def read(line: str) -> object:
    """Return the action or the error for a line."""
    try:
        return COMMANDS.parse(line)
    except CommandError as error:
        return error


@given(st.text(st.characters(exclude_categories=()), max_size=20) | TYPED)
def test_any_line_is_an_action_or_raises_a_command_error(line: str) -> None:
    result = read(line)
    if isinstance(result, CommandError):
        assert result.line == line
        assert 0 <= result.place <= len(line.split()) + 1
    else:
        assert COMMANDS.parse(COMMANDS.spell(result)) == result


# Invalid declarations.


@pytest.mark.parametrize(
    ("words", "arguments", "aliases", "message"),
    [
        (" ", (), (), r"\bneeds a word\b"),
        ("x", (), ("", "y"), r"\bneeds a word\b"),
        ("x", (Word("a", optional=True), Word("b")), (), r"^x: .*\boptional .*\bbefore\b"),
        ("x", (Text("a"), Word("b")), (), r"^x: .*\blast .*\brest\b"),
        ("x", (Word("a"), Word("a")), (), r"^x: .*\bsame name\b"),
        ("x", (Word("card"),), (), r"^x: card .*\bfixed\b"),
        (
            "x",
            (Word("row", field="cell"), Word("way"), Word("column", field="cell")),
            (),
            r"^x: .*\bsame field .*\bneighbours\b",
        ),
        (
            "x",
            (Word("row", field="cell"), Word("column", field="cell", optional=True)),
            (),
            r"^x: .*\bsame field .*\boptional\b",
        ),
    ],
)
def test_an_invalid_declaration_of_a_command_is_refused(
    words: str, arguments: tuple[Argument, ...], aliases: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Command(words, Attack, *arguments, aliases=aliases, fixed={"card": 1})


@pytest.mark.parametrize(("low", "high"), [(2, 1), (0, 10**18), (-(10**18), 0)])
def test_an_empty_range_or_a_range_with_too_long_numbers_is_refused(low: int, high: int) -> None:
    with pytest.raises(ValueError, match=r"\b18 digits\b"):
        Integer("n", low, high)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], r"^c: .*\bspaces\b"),
        (["a b"], r"^c: .*\bspaces\b"),
        ([""], r"^c: .*\bspaces\b"),
        ({"yes": 1, "YES": 2}, r"^c: .*\btwice\b"),
    ],
)
def test_an_invalid_choice_is_refused(words: list[str] | dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Choice("c", words)


def test_two_commands_with_the_same_words_or_action_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\bcommands .*'end turn'$"):
        Commands(Command("end  turn", End), Command("pass", EndTurn, aliases=("END turn",)))
    with pytest.raises(ValueError, match=r"^'end' .*'stop' .*\bEnd\b"):
        Commands(Command("end", End), Command("stop", End))
    assert Commands(Command("end", End, aliases=("END",))).parse("end") == End()


@dataclass(frozen=True)
class Buying:
    card: str


def test_a_misspelt_choice_gets_the_nearest_word_as_a_suggestion() -> None:
    table = Commands(Command("buy", Buying, Choice("card", ("mason", "miller", "smith"))))
    with pytest.raises(CommandError, match=r"did you mean 'mason'\?"):
        table.parse("buy masno")


@dataclass(frozen=True)
class Take:
    number: int


def test_a_number_out_of_range_gets_no_other_number_as_a_suggestion() -> None:
    table = Commands(Command("take", Take, Integer("number", 1, 12)))
    with pytest.raises(CommandError, match="from 1 to 12") as caught:
        table.parse("take 13")
    assert "did you mean" not in str(caught.value)
