"""Fields of actions in commands: the seat, fixed fields, and arguments that form a tuple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Choice, Command, CommandError, Commands, Integer, Spelled, Word


@dataclass(frozen=True)
class Bid:
    seat: int
    coins: int


@dataclass(frozen=True)
class Play:
    card: int
    target: int | None = None
    guess: str | None = None
    seat: int = 0


@dataclass(frozen=True)
class Put:
    cell: tuple[int, int]
    turned: tuple[int, str] | None = None


@dataclass(frozen=True)
class Bribe:
    seat: int
    coins: int


TARGET = Integer("target", 1, 4)
COMMANDS = Commands(
    Command("bid", Bid, Integer("coins", 0, 99)),
    Command("guard", Play, TARGET, Choice("guess", ["baron", "king"]), fixed={"card": 1}),
    Command("spy", Play, TARGET, fixed={"card": 2}, aliases=("priest",)),
    Command("maid", Play, fixed={"card": 4}),
    Command(
        "put",
        Put,
        Integer("row", 1, 9, field="cell"),
        Integer("column", 1, 9, field="cell"),
        Integer("steps", 1, 3, field="turned", optional=True),
        Choice("way", ["left", "right"], field="turned", optional=True),
    ),
    Command("bribe", Bribe, Integer("player", 1, 4, field="seat"), Integer("coins", 0, 9)),
)
SEATS = st.integers(0, 3)
ACTIONS = st.one_of(
    st.builds(Bid, SEATS, st.integers(0, 99)),
    st.builds(Play, st.just(1), st.integers(1, 4), st.sampled_from(["baron", "king"]), SEATS),
    st.builds(Play, st.just(2), st.integers(1, 4), st.none(), SEATS),
    st.builds(Play, st.just(4), st.none(), st.none(), SEATS),
    st.builds(
        Put,
        st.tuples(st.integers(1, 9), st.integers(1, 9)),
        st.none() | st.tuples(st.integers(1, 3), st.sampled_from(["left", "right"])),
    ),
)


@given(ACTIONS)
def test_parsing_a_spelled_action_returns_the_action(action: Any) -> None:
    seat = getattr(action, "seat", 0)
    assert COMMANDS.parse(COMMANDS.spell(action), seat=seat) == action


def test_an_action_gets_the_seat_that_is_passed_to_parse() -> None:
    assert COMMANDS.parse("bid 5", seat=2) == Bid(2, 5)
    assert COMMANDS.parse("maid", seat=3) == Play(4, seat=3)
    assert COMMANDS.parse("bribe 3 1", seat=0) == Bribe(3, 1), "an argument names the seat"
    assert COMMANDS.parse("maid") == Play(4), "the seat has a default"
    assert COMMANDS.spell(Bid(2, 5)) == COMMANDS.spell(Bid(0, 5)) == "bid 5"
    with pytest.raises(TypeError, match=r"^bid: .*\bseat="):
        COMMANDS.parse("bid 5")


def test_fixed_fields_choose_the_command_that_spells_an_action() -> None:
    assert COMMANDS.parse("guard 2 baron", seat=1) == Play(1, 2, "baron", 1)
    assert COMMANDS.parse("priest 2", seat=1) == Play(2, 2, seat=1)
    assert COMMANDS.spell(Play(2, 3)) == "spy 3"
    with pytest.raises(ValueError, match=r"Play\(card=9"):
        COMMANDS.spell(Play(9))


@dataclass(frozen=True)
class Use(Spelled):
    verb: str
    card: str = ""


def test_a_field_verb_gets_the_words_of_the_command() -> None:
    card = Word("card")
    table = Commands(
        Command("play", Use, card),
        Command("lay down", Use, card, aliases=("lay",)),
        Command("end", Use, fixed={"verb": "stop"}),
    )
    uses = [Use("play", "ace"), Use("lay down", "ace"), Use("stop")]
    assert [table.parse(line) for line in ("play ace", "LAY ace", "end")] == uses
    assert list(map(str, uses)) == ["play ace", "lay down ace", "end"]


def test_a_verb_may_be_an_argument() -> None:
    table = Commands(Command("do", Use, Word("what", field="verb"), Word("card")))
    assert table.parse("do nothing today") == Use("nothing", "today")


def test_arguments_with_the_same_field_form_a_tuple_or_are_all_left_out() -> None:
    assert COMMANDS.parse("put 2 7") == Put((2, 7))
    assert COMMANDS.parse("put 2 7 1 left") == Put((2, 7), (1, "left"))
    assert COMMANDS.spell(Put((2, 7), (3, "right"))) == "put 2 7 3 right"
    odd: Any = (1, 2, 3)
    with pytest.raises(ValueError, match="cell has 3 parts"):
        COMMANDS.spell(Put(odd))
    with pytest.raises(CommandError, match=r"\bway, .*: left or right; .*\bput ") as caught:
        COMMANDS.parse("put 2 7 1")
    assert caught.value.place == 5
    assert COMMANDS.help().count("put ROW COLUMN [STEPS WAY]") == 1


def test_arguments_are_assigned_to_fields_by_name() -> None:
    player = Integer("player", 1, 4, field="seat")
    table = Commands(Command("bribe", Bribe, Integer("coins", 0, 9), player))
    assert table.parse("bribe 9 2") == Bribe(seat=2, coins=9)
    assert table.spell(Bribe(seat=2, coins=9)) == "bribe 9 2"


def test_two_commands_with_the_same_class_need_different_fixed_values() -> None:
    with pytest.raises(ValueError, match=r"^'maid' and 'spy' .* Play: "):
        Commands(Command("maid", Play, fixed={"card": 4}), Command("spy", Play, TARGET))
    with pytest.raises(ValueError, match=r"^'maid' and 'aimed' .* Play: "):
        Commands(
            Command("maid", Play, fixed={"card": 4}),
            Command("aimed", Play, fixed={"target": 4}),
        )
