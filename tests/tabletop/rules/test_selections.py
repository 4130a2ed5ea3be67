"""Choices of several things: the list of actions, typed lines, and matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.potluck import DISHES, Feast, Kitchen, Potluck, Put
from typing_extensions import override

from tabletop import (
    Choice,
    Command,
    CommandError,
    Commands,
    ContractError,
    IllegalAction,
    Integer,
    Match,
    Selections,
    Several,
    Spelled,
)


@dataclass(frozen=True)
class Keep(Spelled):
    dice: tuple[int, ...]


COMMANDS = Commands(Command("keep", Keep, Several(Integer("dice", 1, 6), 2, 4)))
DICE = st.lists(st.integers(1, 6), max_size=8)


@st.composite
def selections(draw: st.DrawFn) -> Selections[Keep]:
    dice = draw(DICE)
    high = draw(st.integers(0, len(dice)))
    return Selections(Keep, "dice", dice, draw(st.integers(0, high)), high)


# The list of actions.


@given(selections())
def test_every_selection_is_listed_once(listed: Selections[Keep]) -> None:
    sizes = range(listed.low, listed.high + 1)
    expected = {tuple(it) for size in sizes for it in combinations(listed.items, size)}
    dice = [action.dice for action in listed]
    assert len(dice) == len(listed) == len(expected)
    assert set(dice) == expected


def test_the_largest_number_of_selections_has_a_length() -> None:
    assert len(Selections(Keep, "dice", range(63), 1)) == 2**63 - 1


def test_too_many_selections_for_a_length_are_refused() -> None:
    with pytest.raises(ContractError, match="reduce the items"):
        Selections(Keep, "dice", range(63))


@given(selections())
def test_an_action_is_at_its_index(listed: Selections[Keep]) -> None:
    assert [listed.index(action) for action in listed] == [*range(len(listed))]
    assert listed[1:3] == [*listed][1:3]
    assert listed[-1] == [*listed][-1]


@given(selections(), DICE)
def test_other_selections_are_not_contained(listed: Selections[Keep], dice: list[int]) -> None:
    keep = listed.make(dice)
    is_possible = Counter(dice) <= Counter(listed.items)
    is_possible = is_possible and listed.low <= len(dice) <= listed.high
    assert (keep in listed) == is_possible
    assert bool(listed.why_not(keep)) == (not is_possible)
    if not is_possible:
        with pytest.raises(ValueError, match=r"\bnot one of\b"):
            listed.index(keep)


def test_unsorted_items_are_not_an_action() -> None:
    assert Keep((4, 2)) not in Selections(Keep, "dice", [2, 4], 0, 2)


def test_other_actions_come_first() -> None:
    legal = Potluck().legal_actions(Match(Potluck(), seed=1).state, 1)
    home = Put(1, stays=True)
    assert legal[0] == home
    assert home in legal
    assert legal.index(home) == 0
    assert [str(it) for it in legal[:4]] == ["stay", "put bread", "put cake", "put soup"]


def test_an_index_outside_of_the_list_is_an_error() -> None:
    listed = Selections(Keep, "dice", [2, 4], 0, 2)
    for index in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            listed[index]


# Typed lines.


@given(st.lists(st.integers(1, 6), min_size=2, max_size=4).flatmap(st.permutations))
def test_words_are_read_in_any_order_and_counted(dice: list[int]) -> None:
    keep = COMMANDS.parse(f"keep {' '.join(map(str, dice))}")
    assert keep == Keep(tuple(sorted(dice)))
    assert COMMANDS.parse(str(keep)) == keep


@given(st.lists(st.integers(1, 6), max_size=9))
def test_too_few_and_too_many_words_are_refused_at_their_place(dice: list[int]) -> None:
    line = f"keep {' '.join(map(str, dice))}"
    if 2 <= len(dice) <= 4:
        assert len(COMMANDS.parse(line).dice) == len(dice)
        return
    with pytest.raises(CommandError) as caught:
        COMMANDS.parse(line)
    assert caught.value.place == (len(dice) + 2 if len(dice) < 2 else 6)


def test_a_wrong_word_is_refused_at_its_place() -> None:
    with pytest.raises(CommandError) as caught:
        COMMANDS.parse("keep 3 seven 2")
    assert caught.value.place == 3


@dataclass(frozen=True)
class Send(Spelled):
    to: int
    cards: tuple[str, ...]


def test_several_words_follow_other_arguments() -> None:
    cards = Several(Choice("cards", ["ace", "king"]))
    commands = Commands(Command("send", Send, Integer("to", 1, 4), cards))
    assert commands.parse("send 3 king ace ace") == Send(3, ("ace", "ace", "king"))
    assert commands.parse("send 3") == Send(3, ())
    assert str(Send(3, ())) == "send 3"
    assert commands.commands[0].usage == "send TO [CARDS...]"


def test_every_further_word_is_completed() -> None:
    match = Match(Potluck(), seed=1)
    assert match.complete("put ", 0) == [*DISHES]
    assert match.complete("put soup cake b", 0) == ["bread"]


# Matches.


def test_a_match_plays_a_line_in_any_order() -> None:
    match = Match(Potluck(), seed=1)
    match.play(match.parse("put soup bread", 1))
    match.play(match.parse("put bread soup bread", 0))
    assert match.state.hands == [["cake"], ["bread", "cake"]]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("put bread bread bread", r"^you cannot choose bread bread bread from bread bread cake"),
        ("put rice", r"^you cannot choose rice from\b"),
    ],
)
def test_an_illegal_selection_is_refused_with_the_items(line: str, reason: str) -> None:
    match = Match(Potluck(), seed=1)
    with pytest.raises(IllegalAction, match=reason):
        match.play(match.parse(line, 0))


def test_a_selection_of_the_wrong_size_is_refused_with_the_sizes() -> None:
    match = Match(Potluck(), seed=1)
    with pytest.raises(IllegalAction, match=r"^choose 1 to 3, not 0$"):
        match.play(Put(0))


class Formal(Potluck):
    """A potluck with a general reason for everything that is not possible."""

    @override
    def why_not(self, state: Kitchen, action: Put) -> str:
        return "bring dishes"


def test_the_reason_of_selections_comes_before_the_reason_of_the_game() -> None:
    match = Match(Formal(), seed=1)
    for action, reason in (
        (Put(0), "^choose 1 to 3, not 0$"),
        (Put(0, ("rice",)), "^you cannot choose rice"),
        (Put(0, ("bread",), stays=True), "^bring dishes$"),
    ):
        with pytest.raises(IllegalAction, match=reason):
            match.play(action)


@dataclass(frozen=True)
class Bring(Spelled):
    """Bring dishes."""

    dishes: tuple[str, ...]


class Pair(Potluck):
    """A potluck to which everybody brings two dishes today, and three on other days."""

    commands = Commands(Command("bring", Bring, Several(Choice("dishes", DISHES), 3, 3)))

    @override
    def legal_actions(self, state: Kitchen, seat: int) -> Sequence[Any]:
        return Selections(Bring, "dishes", state.hands[seat], 2, 2)


def test_a_number_that_the_command_refuses_is_refused_with_the_number_of_this_turn() -> None:
    for line, number in (("bring bread", 1), ("bring", 0), ("BRING  Bread", 1)):
        with pytest.raises(CommandError, match=f"^choose exactly 2, not {number}$"):
            Match(Pair(), seed=1).parse(line, 0)


def test_an_unknown_item_is_refused_with_the_items_of_this_turn() -> None:
    legal = Match(Pair(), seed=1).legal_actions(0)
    assert isinstance(legal, Selections)
    items = " ".join(map(legal.word, legal.items))
    for line in ("bring stone rice soup", "Bring stone"):
        with pytest.raises(CommandError, match=f"'stone' from {items}"):
            Match(Pair(), seed=1).parse(line, 0)
    with pytest.raises(CommandError, match=r"did you mean 'bread'\?"):
        Match(Pair(), seed=1).parse("bring braed", 0)


class Home(Potluck):
    """A potluck at which everybody stays at home."""

    @override
    def legal_actions(self, state: Kitchen, seat: int) -> Sequence[Put]:
        return [Put(seat, stays=True)]


def test_an_incomplete_command_that_is_not_possible_now_is_refused_with_those_that_are() -> None:
    with pytest.raises(CommandError, match=r"^'put' is not possible now; possible: stay$"):
        Match(Home(), seed=1).parse("put cabbage")
    with pytest.raises(IllegalAction, match=r"^'put' is not possible now; possible: stay$"):
        Match(Home(), seed=1).check(Put(0))


def test_a_choice_from_very_many_selections_needs_no_list() -> None:
    match = Match(Feast(), seed=1)
    assert len(match.legal_actions(0)) > 10**6
    match.play(match.bot_stream(0).choice(match.legal_actions(0)))
    other: Any = "put nothing"
    with pytest.raises(IllegalAction):
        match.play(other)
