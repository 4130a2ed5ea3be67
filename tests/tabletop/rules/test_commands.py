"""Command tables: parsing, spelling, help and completion."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.rules.command_table import (
    ACTIONS,
    COMMANDS,
    Answer,
    Attack,
    Cast,
    End,
    EndTurn,
    Offer,
    Say,
)

from tabletop import (
    Argument,
    Choice,
    Command,
    CommandError,
    Commands,
    Integer,
    Ordinal,
    Spelled,
    Text,
    Word,
)

CASES = [
    ("attack 1", Attack(1)),
    ("attack 5 -3", Attack(5, -3)),
    ("cast fireball", Cast("fireball")),
    ("cast fireball left 0", Cast("fireball", "left", 0)),
    ("say 3 hello", Say(3, "hello")),
    ("say 3 hello  there, all", Say(3, "hello  there, all")),
    ("trade offer Wood brick", Offer(0, 1)),
    ("trade answer no", Answer(False)),
    ("end", End()),
    ("end turn", EndTurn()),
]
BLANKS = st.text(st.sampled_from(" \t\u00a0\n\u3000"), min_size=1, max_size=3)


# Lines and actions.


@pytest.mark.parametrize(("line", "action"), CASES, ids=repr)
def test_a_line_is_parsed_to_an_action_and_spelled_again(line: str, action: object) -> None:
    assert COMMANDS.parse(line) == action
    assert COMMANDS.spell(action) == line


@given(ACTIONS)
def test_parsing_the_spelling_of_an_action_returns_the_action(action: object) -> None:
    assert COMMANDS.parse(COMMANDS.spell(action)) == action


@given(ACTIONS.filter(lambda action: not isinstance(action, Say | Cast)), st.data())
def test_blanks_and_letter_case_do_not_matter(action: object, data: st.DataObject) -> None:
    words = COMMANDS.spell(action).split()
    line = "".join(
        data.draw(BLANKS) + data.draw(st.sampled_from([word, word.upper(), word.title()]))
        for word in words
    )
    assert COMMANDS.parse(line + data.draw(BLANKS)) == COMMANDS.parse(line.strip()) == action


def test_the_rest_of_a_line_keeps_inner_blanks_and_letter_case() -> None:
    assert COMMANDS.parse("\tSAY  4   Hello  BIG\tworld \n") == Say(4, "Hello  BIG\tworld")
    assert COMMANDS.parse("CAST FireBall") == Cast("FireBall")


def test_an_alias_gives_the_same_action() -> None:
    assert COMMANDS.parse("a 2") == Attack(2)
    assert COMMANDS.parse("PASS") == COMMANDS.parse("Be  done") == EndTurn()


def test_all_words_for_a_value_are_accepted_and_the_first_is_spelled() -> None:
    assert COMMANDS.parse("trade offer CLAY wood") == COMMANDS.parse("trade offer brick wood")
    assert COMMANDS.spell(Offer(1, 0)) == "trade offer brick Wood"


@pytest.mark.parametrize("word", ["1", "+1", "01", "5", "-0", "-3"])
def test_whole_numbers_may_have_signs_and_leading_zeros(word: str) -> None:
    assert COMMANDS.parse(f"attack 1 {word}") == Attack(1, int(word))


def test_an_optional_last_argument_may_take_the_rest_of_the_line() -> None:
    commands = Commands(
        Command("say", Say, Integer("loudness", 0, 9), Text("words", optional=True)),
    )
    assert commands.parse("say 1") == Say(1, None)
    assert commands.parse("say 1 oh my") == Say(1, "oh my")


def test_a_command_table_contains_the_words_and_aliases_of_its_commands() -> None:
    assert "attack" in COMMANDS
    assert " END   Turn " in COMMANDS
    assert "be done" in COMMANDS
    assert "be" not in COMMANDS


# Actions that no line spells.


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("attack 1", r"\bcommand .*\bstr$"),
        (Offer(0, 7), r"^want: .*\b7$"),
        (Attack(None, 1), r"^minion: .*\bmissing\b"),
        (Cast("two words"), r"^spell-name: 'two words' .*\bone word$"),
        (Cast(""), r"^spell-name: '' .*\bone word$"),
        (Cast("fireball", None, 3), r"^target: .*\bNone$"),
        (Cast("fireball", "left", None), r"^cast .*\boptional\b"),
        (Say(1, ""), r"^words: '' .*\bspaces\b"),
        (Say(1, " hello"), "^words: ' hello' .*spaces"),
    ],
    ids=repr,
)
def test_an_action_that_cannot_be_typed_cannot_be_spelled(action: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        COMMANDS.spell(action)
    assert COMMANDS.spell(Attack(99)) == "attack 99", "out of range, for messages"


def test_an_action_whose_line_would_be_another_command_cannot_be_spelled() -> None:
    commands = Commands(Command("end", Cast, Word("spell-name")), Command("end turn", EndTurn))
    assert commands.spell(Cast("game")) == "end game"
    assert commands.parse("end turn") == EndTurn()
    with pytest.raises(ValueError, match=r"^'end turn' .*another command"):
        commands.spell(Cast("turn"))


# Help and completion.


def test_help_has_a_line_for_each_command() -> None:
    assert COMMANDS.help().splitlines() == [
        "attack MINION [TARGET]         Order a minion to attack.",
        "cast SPELL-NAME [TARGET ZONE]",
        "say LOUDNESS WORDS             Speak.",
        "trade offer GIVE WANT",
        "trade answer ACCEPT",
        "end                            End the match.",
        "end turn",
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", ["attack", "a", "cast", "say", "trade offer", "trade answer", "end", "end turn",
              "pass", "be done"]),
        ("A", ["attack", "a"]),
        ("tr", ["trade offer", "trade answer"]),
        ("trade", ["trade offer", "trade answer"]),
        ("trade ", ["offer", "answer"]),
        ("Trade O", ["offer"]),
        ("trade  offer ", ["Wood", "brick", "clay"]),
        ("trade offer wood B", ["brick"]),
        ("trade offer wood brick ", []),
        ("trade offer wood brick clay ", []),
        ("attack ", ["1", "2", "3", "4", "5"]),
        ("a 1 -", ["-3", "-2", "-1"]),
        ("cast ", []),
        ("cast fire L", ["left"]),
        ("say 1 ", []),
        ("end ", ["turn"]),
        ("end t", ["turn"]),
        ("jump ", []),
    ],
)  # fmt: skip
def test_completion_returns_the_words_that_can_follow(line: str, words: list[str]) -> None:
    assert COMMANDS.complete(line) == words
    assert len(COMMANDS.complete("cast fire left ")) == 100, "a long list is cut"


class Square(Argument):
    """A square of a board, such as `b2`."""

    def parse(self, word: str) -> int:
        return "abc".index(word[:1]) * 3 + "123".index(word[1:])

    def spell(self, value: int) -> str:
        return "abc"[value // 3] + "123"[value % 3]


def test_a_custom_argument_needs_parse_and_spell() -> None:
    commands = Commands(Command("go", Attack, Square("minion")))
    assert commands.parse("go b2") == Attack(4)
    assert commands.spell(Attack(4)) == "go b2"
    assert commands.complete("go ") == []
    with pytest.raises(CommandError, match=r"^word 2, 'd4', .*\(minion\).* go "):
        commands.parse("go d4")
    any_word = Commands(Command("go", Cast, Argument("spell-name")))
    assert any_word.parse(any_word.spell(Cast("b2"))) == Cast("b2")


# Ordinals, and actions that their command table spells.


@dataclass(frozen=True, slots=True)
class Swap(Spelled):
    seat: int
    place: int
    with_: int | None = None


SWAPS = Commands(
    Command(
        "swap",
        Swap,
        Ordinal("card", 5, field="place"),
        Ordinal("with", 3, optional=True, field="with_"),
    )
)


def test_an_ordinal_is_typed_from_one_and_stored_from_zero() -> None:
    assert SWAPS.parse("swap 5 1", seat=1) == Swap(1, 4, 0)
    assert SWAPS.parse("swap 1", seat=0) == Swap(0, 0)
    for word in ("0", "6", "x"):
        with pytest.raises(CommandError, match=rf"'{word}', .*\b1 to 5\b"):
            SWAPS.parse(f"swap {word}", seat=0)


def test_the_text_of_a_spelled_action_is_its_line() -> None:
    assert str(Swap(1, 4, 0)) == "swap 5 1"
    assert f"{Swap(1, 0)}" == "swap 1"


def test_a_spelled_action_without_a_command_table_has_no_text() -> None:
    @dataclass(frozen=True)
    class Lost(Spelled):
        pass

    with pytest.raises(TypeError, match=r"\bLost$"):
        str(Lost())


def test_the_first_command_table_with_a_command_spells_the_action() -> None:
    Commands(Command("exchange", Swap, Ordinal("place", 5), Ordinal("with_", 5)))
    assert str(Swap(1, 4)) == "swap 5"


def test_a_derived_action_is_spelled_by_its_own_command_table() -> None:
    @dataclass(frozen=True, slots=True)
    class Trade(Swap):
        pass

    Commands(Command("trade", Trade, Ordinal("card", 5, field="place")))
    assert str(Trade(0, 2)) == "trade 3"
    assert str(Swap(0, 2)) == "swap 3"


def test_a_value_without_a_word_is_refused_with_a_word_and_its_value() -> None:
    with pytest.raises(ValueError, match=r"gold spells 3.*'copper'"):
        Choice("card", {"gold": 3, "copper": 1}).spell("copper")
