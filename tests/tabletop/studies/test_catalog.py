"""Catalogues: rows, conditions and seeds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import ContractError, Match, Option, Random
from tabletop.match import AnyMatch
from tabletop.registry import installed, load
from tabletop.rules import CatalogValue
from tabletop.studies import CatalogError, Condition, catalog, count_seeds, expand_seeds, read_seeds
from tabletop.studies.catalogues import MOST_SEEDS
from tests.tabletop.games.walk import LongWalk

NUMBERS = st.integers(-(10**12), 10**12)


class Listed(LongWalk):
    """A game with the given catalogue rows, and then with the options of the match as rows."""

    options = (Option("wide", default=False), Option("deep", default=1))
    catalog_options: Mapping[str, bool] = {"wide": True}

    def __init__(self, *rows: Mapping[Any, Any]) -> None:
        self.rows = list(rows)

    def catalog(self, match: AnyMatch) -> Mapping[str, CatalogValue]:
        if self.rows:
            return self.rows.pop(0)
        return {name: str(value) for name, value in match.options.items()}


def rows(*given: Mapping[Any, Any]) -> list[Mapping[str, CatalogValue]]:
    return list(catalog(Listed(*given), range(len(given))))


# Rows.


def test_a_row_begins_with_its_seed_as_it_was_given() -> None:
    assert next(catalog(Listed({"gold": 3}), [" Old Oak "])) == {"seed": "Old Oak", "gold": 3}
    assert list(next(catalog(Listed({"gold": 3}), [7]))) == ["seed", "gold"]


def test_rows_are_made_one_at_a_time() -> None:
    endless = catalog(load("lcr").game, count(1))
    assert [row["seed"] for row in islice(endless, 3)] == ["1", "2", "3"]


@pytest.mark.parametrize("game", installed())
def test_the_row_of_a_seed_does_not_depend_on_the_rows_before_it(game: str) -> None:
    rules = load(game).game
    together = list(catalog(rules, range(1, 6)))
    assert [next(catalog(rules, [seed])) for seed in (5, 4, 3, 2, 1)] == together[::-1]


@pytest.mark.parametrize("game", installed())
def test_different_seeds_give_different_setups(game: str) -> None:
    worlds = {tuple(row.values())[1:] for row in catalog(load(game).game, range(100))}
    assert len(worlds) > 50


def test_given_options_override_the_catalogue_options_of_a_game() -> None:
    game = Listed()
    assert next(catalog(game, [1])) == {"seed": "1", "wide": "True", "deep": "1"}
    row = next(catalog(game, [1], options={"wide": False, "deep": 5}))
    assert row == {"seed": "1", "wide": "False", "deep": "5"}


def test_a_game_without_a_catalogue_is_an_error() -> None:
    with pytest.raises(CatalogError, match=r"^longwalk .*\bcatalogue\b"):
        next(catalog(LongWalk(), [1]))


@pytest.mark.parametrize("value", [None, True, 1.5, ["a"], b"a"])
def test_a_value_must_be_a_whole_number_or_a_text(value: object) -> None:
    with pytest.raises(ContractError, match=rf"seed '1': gold .*{re.escape(repr(value))}"):
        rows({"gold": 1}, {"gold": value})


@pytest.mark.parametrize("name", ["seed", "", "two words", "1st", "a-b", "a=b", 5])
def test_a_column_name_must_be_usable_in_conditions(name: object) -> None:
    with pytest.raises(ContractError, match=rf"{re.escape(repr(name))} .*\bcolumn\b"):
        rows({name: 1})


def test_all_rows_must_have_the_same_columns_in_the_same_order() -> None:
    assert len(rows({"a": 1, "b": 2}, {"a": 3, "b": 4})) == 2
    for other in ({"b": 2, "a": 1}, {"a": 1}, {"a": 1, "b": 2, "c": 3}):
        with pytest.raises(ContractError, match=r"seed '1': .*\bcolumns\b.* seed, a, b$"):
            rows({"a": 1, "b": 2}, other)


# The catalogues of the bundled games.


def test_the_pips_of_a_board_are_those_of_its_layout() -> None:
    names = ["BRICK", "ENERGY", "GLASS", "HEAT", "WIFI"]
    order = ["BRICK", "ENERGY", "GLASS", "HEAT", "WIFI", "PARK"]
    for row in catalog(load("constructor").game, range(50)):
        numbers = [int(word) for word in str(row["layout"]).split()]
        sums = dict.fromkeys(order, 0)
        for kind, value in zip(numbers[::2], numbers[1::2], strict=True):
            sums[order[kind]] += {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 0}[min(value, 14 - value)]
        assert {name: row[f"{name}_pips"] for name in names} == {n: sums[n] for n in names}
        most = [name for name in names if sums[name] == max(sums.values())]
        assert row["most"] == "+".join(most)


def test_a_given_or_default_layout_is_in_every_row() -> None:
    game = load("constructor").game
    layout = next(catalog(game, ["old oak"]))["layout"]
    given = catalog(game, range(3), options={"layout": str(layout)})
    assert {row["layout"] for row in given} == {layout}
    default = catalog(game, range(3), options={"random-board": False})
    assert len({row["layout"] for row in default} - {layout}) == 1


@pytest.mark.parametrize("game", ["sorcery", "sorcery-2017"])
def test_the_next_card_of_a_deck_comes_first(game: str) -> None:
    rules = load(game).game
    row = next(catalog(rules, ["old oak"]))
    match = Match(rules, seed="old oak", players=[Random("left"), Random("right")])
    deck = str(row["deck2"]).split(", ")
    side = match.state.sides[1]
    while len(side.deck) == len(deck):
        match.step()
    assert [held.card for held in reversed(side.deck)] == deck[1:]
    assert side.hand[-1].card == deck[0]


@pytest.mark.parametrize("seats", [3, 7, 11])
def test_lcr_lists_the_winner_the_turns_and_the_rolls(seats: int) -> None:
    rules = load("lcr").game
    for row in catalog(rules, range(10), seats=seats):
        draws: list[object] = []
        match = Match(rules, seed=row["seed"], seats=seats, on_draw=draws.append)
        while not match.over:
            match.play(match.legal_actions()[0])
        assert match.outcome is not None
        winner, turns, rolls = match.outcome.winners[0] + 1, match.ply, len(draws)
        assert row == {"seed": row["seed"], "winner": winner, "turns": turns, "rolls": rolls}


# Conditions.


@given(NUMBERS, NUMBERS)
def test_numbers_are_compared_as_numbers(number: int, other: int) -> None:
    row = {"gold": number}
    held = [Condition("gold", sign, str(other)).test(row) for sign in ("<", "=", ">")]
    assert held == [number < other, number == other, number > other]
    held = [Condition("gold", sign, str(other)).test(row) for sign in (">=", "!=", "<=")]
    assert held == [number >= other, number != other, number <= other]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("most=wifi", True),
        ("most = WIFI", True),
        ("most==WIFI", True),
        ("MOST=WIFI", True),
        ("most=WIF", False),
        ("most!=HEAT", True),
        ("most~if", True),
        ("most~heat", False),
        ("most>heat", True),
        ("hand ~ bone golem", True),
        ("gold~2", True),
        ("gold>=12", True),
        ("gold>12", False),
        ("gold = -12", False),
        ("most~", True),
        ("most=", False),
        ("seed<10", True),
        ("seed<0", False),
        ("hand=  >3 = 4 ", False),
    ],
)
def test_conditions_are_evaluated(condition: str, holds: bool) -> None:
    row: dict[str, CatalogValue]
    row = {"seed": "1", "most": "WIFI", "gold": 12, "hand": "Banish, Bone Golem"}
    assert Condition.parse(condition).test(row) is holds


@pytest.mark.parametrize("text", ["", "gold", "gold is 3", "=3", "3=gold", "a b=3", "gold=1\n2"])
def test_an_invalid_condition_is_an_error(text: str) -> None:
    with pytest.raises(CatalogError, match=r"\bCOLUMN\b"):
        Condition.parse(text)


def test_an_unknown_column_is_reported_with_a_suggestion() -> None:
    with pytest.raises(CatalogError, match=r"'godl'.*'gold'.*: seed, gold"):
        Condition.parse("godl=3").test({"seed": "1", "gold": 3})


def test_a_number_column_can_only_be_compared_with_whole_numbers() -> None:
    with pytest.raises(CatalogError, match=r"\bgold .*'3\.5'"):
        Condition.parse("gold>3.5").test({"gold": 3})


def test_columns_that_differ_only_in_case_must_match_exactly() -> None:
    row = {"Gold": 1, "gold": 2}
    assert Condition.parse("Gold=1").test(row)
    assert Condition.parse("gold=2").test(row)
    with pytest.raises(CatalogError, match=r"'GOLD'.* Gold, gold$"):
        Condition.parse("GOLD=1").test(row)


# Seeds.


@pytest.mark.parametrize(
    ("words", "seeds"),
    [
        (["1..3"], ["1", "2", "3"]),
        (["old oak", "7", "9..10"], ["old oak", "7", "9", "10"]),
        (["-1..1"], ["-1", "0", "1"]),
        (["5..5"], ["5"]),
        (["a..b", "..", "1.5", ""], ["a..b", "..", "1.5", ""]),
    ],
)
def test_seeds_and_ranges_of_seeds_are_parsed(words: Sequence[str], seeds: list[str]) -> None:
    assert list(expand_seeds(read_seeds(words))) == seeds
    assert count_seeds(read_seeds(words)) == len(seeds)


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("5..1", r"^5\.\.1: .*\b1\.\.5$"),
        ("5..", r"^5\.\.: .*FIRST\.\.LAST"),
        ("..5", r"^\.\.5: .*FIRST\.\.LAST"),
        ("1..x", r"^1\.\.x: .*FIRST\.\.LAST"),
        (f"1..{MOST_SEEDS + 1}", r"\b1,000,000 .*\b1,000,001$"),
        ("1..999999999999999999", r"\b1,000,000 .*\b999,999,999,999,999,999$"),
    ],
)
def test_an_invalid_range_is_an_error(word: str, complaint: str) -> None:
    with pytest.raises(CatalogError, match=complaint):
        read_seeds([word])
