"""Seed phrases from the words of a game (Working with Seeds)."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games.cards import Tricks

from tabletop import SeedError
from tabletop.registry import installed, load
from tabletop.rng import (
    Vocabulary,
    common_vocabulary,
    daily,
    fresh_phrase,
    is_speakable,
    vocabulary,
    weekly,
)
from tabletop.rng.phrases import ENOUGH_PHRASES

BUNDLED = [name for name in installed() if name.split("-")[0] in {"lcr", "constructor", "sorcery"}]
words = st.text("abAB1-'. ", max_size=6)


FEWEST_PHRASES = 40_000
"""The minimum number of phrases of a game with a single word."""


def own(*names: str) -> Vocabulary:
    """Return the words of names without packaged words."""
    return vocabulary(names, enough=0)


def has_own_word(phrase: str, ours: Vocabulary) -> bool:
    """Check whether a phrase contains a word of the game in the right place."""
    *adjectives, noun = phrase.split()
    return not set(ours.adjectives).isdisjoint(adjectives) or noun in ours.nouns


def test_the_last_word_of_a_name_is_a_noun_and_the_others_are_adjectives() -> None:
    assert own("Novice Pyromancer", "Aura Beyond Power", "Haste") == Vocabulary(
        ("novice", "aura", "beyond"),
        ("pyromancer", "power", "haste"),
    )


@pytest.mark.parametrize(
    "words",
    ["of x", "eel Aardvark ooze", "Mk2 Scholar's T-800 Dr. 4th a_b x²y", "WIFI"],
    ids=["short", "equal letters first", "digits and punctuation", "capitals"],
)
def test_words_that_are_hard_to_say_or_read_are_left_out(words: str) -> None:
    assert is_speakable("Wifi")
    assert [word for word in ["", *words.split()] if is_speakable(word)] == []


def test_the_other_words_of_a_name_with_an_omitted_or_repeated_word_are_kept() -> None:
    assert own(
        "Scholar's Old Robe", "EMP Blaster", "Plasma Mk2", "", "Auİ", "OLD Robe"
    ) == Vocabulary(
        ("old", "plasma"),
        ("robe", "blaster"),
    )


@given(st.lists(words), st.lists(words), st.lists(words))
def test_phrases_are_valid_for_all_names_of_things(
    names: list[str], adjectives: list[str], nouns: list[str]
) -> None:
    made = vocabulary(names, Vocabulary(adjectives, nouns))
    assert made.phrases >= FEWEST_PHRASES
    for pool in (made.adjectives, made.nouns):
        assert len(set(pool)) == len(pool)
        assert all(word == word.lower() and is_speakable(word) for word in pool)


@pytest.mark.parametrize(
    "names",
    [["Owl"], ["Barn Owl"], ["Barn Owl", "Snowy Owl"], ["Red Panda", "Snow Leopard", "Wild Dog"]],
    ids=["one noun", "one name", "two adjectives", "three names"],
)
def test_every_fresh_phrase_has_a_word_of_a_game_with_few_words(names: list[str]) -> None:
    ours, made = own(*names), vocabulary(names)
    assert all(has_own_word(fresh_phrase(made), ours) for _ in range(300))


def test_a_game_with_few_words_has_fewer_phrases() -> None:
    made = vocabulary(["Barn Owl", "Snowy Owl"])
    assert set(common_vocabulary().adjectives) <= set(made.adjectives)
    assert set(common_vocabulary().nouns) <= set(made.nouns)


def test_a_game_may_add_words_to_the_names_of_its_things() -> None:
    class Birds(Tricks):
        words = Vocabulary(("feathered", "B52"), ("finch",))

        def names_of_things(self) -> list[str]:
            return ["Barn Owl"]

    made = Birds().vocabulary
    assert made.adjectives[:2] == ("feathered", "barn")
    assert made.nouns[:2] == ("finch", "owl")
    assert "b52" not in made.adjectives


@pytest.mark.parametrize(
    ("names", "adds"),
    [
        ([f"{a}{b}q Owl" for a in "bcdfghj" for b in "lmnprstuvwxz"], "nouns"),
        ([f"{a}{b}q" for a in "bcdfg" for b in "lmnpr"], "adjectives"),
        ([f"{a}{b}q {a}{b}y" for a in "bcdfg" for b in "lmn"], "both"),
    ],
)
def test_only_the_necessary_packaged_words_are_added(names: list[str], adds: str) -> None:
    ours, made, packaged = own(*names), vocabulary(names), common_vocabulary()
    for kind in ("adjectives", "nouns"):
        mine, all_of_them = getattr(ours, kind), getattr(made, kind)
        assert all_of_them[: len(mine)] == mine
        assert set(all_of_them[len(mine) :]) <= set(getattr(packaged, kind))
        assert (len(all_of_them) > len(mine)) == (adds in (kind, "both"))
    kind = "nouns" if adds == "both" else adds
    fewer = made._replace(**{kind: getattr(made, kind)[:-1]})
    assert fewer.phrases < ENOUGH_PHRASES <= made.phrases


def test_a_game_without_words_has_all_packaged_words() -> None:
    assert vocabulary(["B52", "WIFI"]) == common_vocabulary()


def test_packaged_words_are_not_added_to_enough_words() -> None:
    letters = "abcdefghijk"
    names = [f"{a}z{b} {b}y{a}" for a in letters for b in letters]
    assert own(*names).phrases >= ENOUGH_PHRASES
    assert vocabulary(names) == own(*names)


def test_exactly_enough_words_are_enough() -> None:
    ours = own("air deep owl", "fire finch")
    assert vocabulary(["air deep owl", "fire finch"], enough=ours.phrases) == ours
    one_more = vocabulary(["air deep owl", "fire finch"], enough=ours.phrases + 1)
    assert (len(one_more.adjectives), len(one_more.nouns)) == (3, 3)


def test_added_packaged_words_are_spread_over_the_list() -> None:
    packaged = common_vocabulary().nouns
    added = vocabulary(["air deep owl", "fire finch"], enough=6 * 42).nouns[2:]
    places = sorted(packaged.index(word) for word in added)
    gaps = [after - before for before, after in pairwise([0, *places, len(packaged)])]
    assert len(added) == 40
    assert max(gaps) < 3 * len(packaged) / len(added)


def every_phrase(pool: Vocabulary) -> set[str]:
    return {
        f"{first} {second} {noun}"
        for first in pool.adjectives
        for second in pool.adjectives
        for noun in pool.nouns
        if len({first, second, noun}) == 3
        and (not pool.required or not {first, second}.isdisjoint(pool.adjectives[: pool.required]))
    }


@given(
    st.lists(st.sampled_from("abcdef"), unique=True, max_size=4),
    st.lists(st.sampled_from("abcdef"), unique=True, max_size=4),
)
def test_phrases_counts_only_phrases_without_repeated_words(
    adjectives: list[str], nouns: list[str]
) -> None:
    for required in range(len(adjectives) + 1):
        pool = Vocabulary(adjectives, nouns, required)
        assert pool.phrases == len(every_phrase(pool))


def test_a_phrase_never_repeats_a_word() -> None:
    pool = Vocabulary(("air", "fire", "deep"), ("fire", "air"))
    phrases = {fresh_phrase(pool) for _ in range(500)}
    # The probability that 500 draws miss one of the eight phrases is less than 10**-20.
    assert phrases == every_phrase(pool)


def test_words_are_refused_if_every_phrase_would_repeat_one() -> None:
    with pytest.raises(SeedError, match="noun"):
        fresh_phrase(Vocabulary(("air", "fire"), ("fire",)))


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_game_has_a_million_phrases_that_end_with_its_own_noun(name: str) -> None:
    game = load(name).game
    ours, made = vocabulary(game.names_of_things(), game.words, enough=0), game.vocabulary
    assert min(map(len, (ours.adjectives, ours.nouns))) >= 10
    assert made.phrases >= ENOUGH_PHRASES
    assert made.adjectives[: len(ours.adjectives)] == ours.adjectives
    assert made.nouns == ours.nouns


@pytest.mark.parametrize("name", BUNDLED)
def test_every_phrase_of_a_bundled_game_has_one_of_its_own_adjectives(name: str) -> None:
    game = load(name).game
    ours = vocabulary(game.names_of_things(), game.words, enough=0)
    phrases = [fresh_phrase(game.vocabulary) for _ in range(100)]
    assert [it for it in phrases if set(ours.adjectives).isdisjoint(it.split()[:2])] == []


@pytest.mark.parametrize(
    ("name", "adjectives", "nouns"),
    [
        ("lcr", {"ada", "grace", "left"}, {"lovelace", "hopper", "dot", "neighbour", "pot"}),
        ("constructor", {"blue", "brick", "small", "scarce"}, {"tower", "tile", "wifi", "geese"}),
        ("sorcery", {"novice", "raise", "giant"}, {"golem", "pyromancer", "blizzard"}),
        ("sorcery-2017", {"echo", "master"}, {"cave", "thornback", "seduction"}),
    ],
)
def test_phrases_name_things_in_the_game(name: str, adjectives: set[str], nouns: set[str]) -> None:
    made = load(name).game.vocabulary
    assert adjectives <= set(made.adjectives)
    assert nouns <= set(made.nouns)


@pytest.mark.parametrize(
    ("day", "week"),
    [
        (date(2026, 11, 21), "2026-W47"),
        (date(2026, 11, 22), "2026-W47"),
        (date(2026, 11, 23), "2026-W48"),
        (date(2027, 1, 1), "2026-W53"),
        (date(2024, 12, 30), "2025-W01"),
    ],
)
def test_the_seed_of_a_week_is_named_after_the_iso_week(day: date, week: str) -> None:
    assert weekly(day) == week


@given(st.dates(max_value=date(9999, 12, 20)))
def test_a_week_has_seven_days_and_one_seed(day: date) -> None:
    assert daily(date(2026, 3, 4)) == "2026-03-04"
    monday = day - timedelta(day.weekday()) if day.toordinal() > 7 else date(1, 1, 1)
    week = [monday + timedelta(number) for number in range(8)]
    assert len({weekly(other) for other in week[:7]}) == 1
    assert weekly(week[7]) != weekly(week[0])
    assert len({daily(other) for other in week}) == 8
