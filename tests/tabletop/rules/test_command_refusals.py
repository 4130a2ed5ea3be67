"""Command tables: errors for wrong lines, and refused declarations."""

from __future__ import annotations

import re

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
    ("attack x", 2, "word 2, 'x', is not a whole number from 1 to 5 (minion);"),
    ("attack 6", 2, "word 2, '6', is not a whole number from 1 to 5 (minion);"),
    ("attack 1 -4", 3, "word 3, '-4', is not a whole number from -3 to 5 (target);"),
    ("attack", 2, "word 2, minion, is missing: a whole number from 1 to 5;"),
    ("a", 2, "word 2, minion, is missing: a whole number from 1 to 5;"),
    ("attack 1 2 3", 4, "word 4, '3', is one too many;"),
    ("end now please", 2, "word 2, 'now', is one too many;"),
    ("end turn now", 3, "word 3, 'now', is one too many;"),
    ("trade answer maybe", 3, "word 3, 'maybe', is not yes or no (accept);"),
    ("trade offer wood gold", 4, "word 4, 'gold', is not Wood, brick or clay (want);"),
    ("cast fire left", 4, "word 4, zone, is missing: a whole number from 0 to "),
    ("cast", 2, "word 2, spell-name, is missing: a word;"),
    ("say 3", 3, "word 3, words, is missing: some text;"),
    ("say loud hello", 2, "word 2, 'loud', is not a whole number from 0 to 9 (loudness);"),
]


@pytest.mark.parametrize(("line", "place", "message"), REFUSALS)
def test_an_error_names_the_word_its_place_and_the_expected_words(
    line: str, place: int, message: str
) -> None:
    error = refused(line)
    assert str(error).startswith(message)
    assert f"; usage: {line.split(maxsplit=1)[0][:1]}" in str(error)
    assert error.place == place


@pytest.mark.parametrize("word", ["", "-", "+", "--1", "1.0", "1e0", "0x1", "1_0", "\u0663", "²"])
def test_a_word_that_is_not_a_whole_number_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(word)}$"):
        Integer("n", -9, 9).parse(word)


@pytest.mark.parametrize(
    ("line", "place", "start"),
    [
        (" \t", 0, "the line is empty"),
        ("jump", 1, "word 1, 'jump', is not a command; possible: "),
        ("attcak 1", 1, "word 1, 'attcak', is not a command; did you mean 'attack'? possible: "),
        ("ATTAC 1 2", 1, "word 1, 'ATTAC', is not a command; did you mean 'attack'? possible: "),
        (
            "atack whoever stands there",  # no command is similar to the whole line
            1,
            "word 1, 'atack', is not a command; did you mean 'attack'? possible: ",
        ),
        ("trade ofer wood", 2, "word 2, 'ofer', is not a command; did you mean 'trade offer'? "),
        ("trade", 2, "word 2 is missing; did you mean 'trade "),
        ("be", 2, "word 2 is missing; possible: "),
    ],
)
def test_the_error_for_an_unknown_command_lists_and_suggests_commands(
    line: str, place: int, start: str
) -> None:
    error = refused(line)
    assert str(error).startswith(start)
    assert "attack, cast, say, trade offer, trade answer, end, end turn" in str(error)
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
        (" ", (), (), "a command needs a word"),
        ("x", (), ("", "y"), "a command needs a word"),
        ("x", (Word("a", optional=True), Word("b")), (), "x: an optional argument is before"),
        ("x", (Text("a"), Word("b")), (), "x: only the last argument can take the rest"),
        ("x", (Word("a"), Word("a")), (), "x: two arguments have the same name"),
        ("x", (Word("card"),), (), "x: card is both fixed and an argument"),
        (
            "x",
            (Word("row", field="cell"), Word("way"), Word("column", field="cell")),
            (),
            "x: arguments with the same field must be neighbours",
        ),
        (
            "x",
            (Word("row", field="cell"), Word("column", field="cell", optional=True)),
            (),
            "x: arguments with the same field must be all optional",
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
    with pytest.raises(ValueError, match="is not a range of numbers of at most 18 digits"):
        Integer("n", low, high)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "c: a choice needs words without spaces"),
        (["a b"], "c: a choice needs words without spaces"),
        ([""], "c: a choice needs words without spaces"),
        ({"yes": 1, "YES": 2}, "c: a word is given twice"),
    ],
)
def test_an_invalid_choice_is_refused(words: list[str] | dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Choice("c", words)


def test_two_commands_with_the_same_words_or_action_are_refused() -> None:
    with pytest.raises(ValueError, match="two commands are called 'end turn'"):
        Commands(Command("end  turn", End), Command("pass", EndTurn, aliases=("END turn",)))
    with pytest.raises(ValueError, match="'end' and 'stop' both make End"):
        Commands(Command("end", End), Command("stop", End))
    assert Commands(Command("end", End, aliases=("END",))).parse("end") == End()
