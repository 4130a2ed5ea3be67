"""Any text is a seed, and its spelling does not matter."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b
from typing import Any
from unicodedata import ucd_3_2_0

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Random, Seed, SeedError, Streams
from tabletop.rng import Vocabulary, common_vocabulary, fresh_phrase

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
FOLDING_LETTERS = st.text(
    st.sampled_from("aAßẞİ\u0131\u017fΣς\u03c3ΐὒᾳⅣ①ﬁﬀŉǅK\u0301\u0308\u0345 \u00a0"), max_size=8
)
YOUNG_LETTERS = "\u0560\ua64b\u1e9e\U0001f600\U00010400"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=12))
def test_the_key_is_the_blake2b_hash_of_the_canonical_text(text: str) -> None:
    folded = text.lower().encode("ascii")
    assert Seed(text).key == blake2b(folded, digest_size=32, person=b"tt.seed").digest()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Brave Old World", "brave OLD world"),
        ("brave old world", " \t brave old world\n"),
        ("brave old world", "brave  old\t world"),
        ("brave old wörld", "brave  old\u3000wörld"),
        ("café", "cafe\u0301"),
        ("CAFÉ", "cafe\u0301"),
        ("straße", "STRASSE"),
        ("ﬁre", "fire"),
        ("\uff22\uff52\uff41\uff56\uff45", "brave"),
        ("ΟΔΟΣ", "οδος"),
        ("\u00a0brave\u3000", "brave"),
        ("Ⅳ", "iv"),
    ],
)
def test_letter_case_unicode_form_and_extra_blanks_do_not_matter(one: str, other: str) -> None:
    assert Seed(one) == Seed(other)
    assert Seed(one).key == Seed(other).key
    assert hash(Seed(one)) == hash(Seed(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("brave old world", "brave oldworld"),
        ("1", "01"),
        ("", "0"),
        ("résumé", "resume"),
    ],
)
def test_texts_that_read_differently_are_different_seeds(one: str, other: str) -> None:
    assert Seed(one) != Seed(other)
    assert Seed(one).key != Seed(other).key


@given(ANY_TEXT | FOLDING_LETTERS)
def test_the_canonical_text_of_a_canonical_text_is_itself(text: str) -> None:
    canonical = Seed(text).canonical
    assert Seed(canonical).canonical == canonical


@given(ANY_TEXT | FOLDING_LETTERS)
def test_a_seed_survives_being_written_down_and_typed_again(text: str) -> None:
    seed = Seed(text)
    assert Seed(str(seed)) == seed
    assert Seed(f"  {seed}\n").key == seed.key


@given(st.text(st.characters(categories=["L", "N", "Z"]), max_size=8))
def test_texts_of_old_letters_fold_like_unicode_caseless_matching(text: str) -> None:
    known = "".join(letter for letter in text if ucd_3_2_0.category(letter) != "Cn")
    folded = known.strip()
    for _ in range(2):
        folded = ucd_3_2_0.normalize("NFKC", folded).casefold()
    assert Seed(known).canonical == ucd_3_2_0.normalize("NFKC", folded).strip()


def test_letters_that_are_newer_than_unicode_3_2_are_not_changed() -> None:
    young = [letter for letter in YOUNG_LETTERS if ucd_3_2_0.category(letter) == "Cn"]
    assert len(young) >= 3
    for letter in young:
        assert Seed(f"A{letter}B").canonical == f"a{letter}b"


def test_the_text_of_a_seed_is_kept_without_outer_blanks() -> None:
    seed = Seed("  Brave OLD World ")
    assert seed.text == str(seed) == "Brave OLD World"
    assert seed.canonical == "brave old world"
    assert repr(seed) == "Seed('Brave OLD World')"
    assert Seed.of(seed) is seed
    text: object = "brave old world"
    assert seed != text


@pytest.mark.parametrize(
    ("root", "text"),
    [(Seed(" SEVEN "), "seven"), ("seven", "seven"), ("Seven\n", "seven"), (7, "7")],
)
def test_all_spellings_of_a_seed_give_the_same_streams(root: Seed | str | int, text: str) -> None:
    assert Streams(root)["dice"].below(10**9) == Streams(text)["dice"].below(10**9)


def test_a_phrase_consists_of_two_different_adjectives_and_a_noun() -> None:
    words = common_vocabulary()
    for pool in (words.adjectives, words.nouns):
        assert len(set(pool)) == len(pool) > 100
        assert all(re.fullmatch("[a-z]+", word) for word in pool)
    for _ in range(100):
        first, second, noun = fresh_phrase().split(" ")
        assert {first, second} <= set(words.adjectives)
        assert first != second
        assert noun in words.nouns


def test_all_pairs_of_adjectives_are_equally_likely() -> None:
    words = Vocabulary(("a", "b", "c"), ("x", "y"))
    draws = iter([0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0])
    phrases = [fresh_phrase(words, lambda bound: next(draws)) for _ in range(6)]
    assert Counter(phrases) == Counter(["a b x", "a c x", "b a x", "b c x", "c a x", "c b x"])


def test_a_phrase_draws_below_the_number_of_remaining_words() -> None:
    bounds: list[int] = []

    def last(bound: int) -> int:
        bounds.append(bound)
        return bound - 1

    words = Vocabulary(("a", "b", "c"), ("x", "y"))
    assert fresh_phrase(words, last) == "c b y"
    assert bounds == [3, 2, 2]


@pytest.mark.parametrize("words", [Vocabulary(("red",), ("dragon",)), Vocabulary(("a", "b"), ())])
def test_a_phrase_needs_two_adjectives_and_a_noun(words: Vocabulary) -> None:
    with pytest.raises(SeedError, match="adjectives"):
        fresh_phrase(words)


@pytest.mark.slow
def test_folding_twice_is_the_same_as_once_for_old_scripts() -> None:
    for code in range(0x3000):
        canonical = Seed(chr(code)).canonical
        assert Seed(canonical).canonical == canonical, hex(code)


def test_equal_seeds_have_equal_hashes_and_others_mostly_differ() -> None:
    assert hash(Seed("Old  Oak")) == hash(Seed("old oak"))
    assert len({hash(Seed.of(number)) for number in range(100)}) > 90


@pytest.mark.parametrize("value", [1.5, b"x", True, "\ud800", "old \udcff oak", None, ["a"]])
def test_an_invalid_seed_is_refused_at_the_call(value: Any) -> None:
    for make in (Seed.of, Streams, Random):
        with pytest.raises(SeedError):
            make(value)
    with pytest.raises(SeedError):
        Seed(value)


def test_a_whole_number_of_another_type_is_accepted_as_a_seed() -> None:
    number: Any = np.int64(7)
    assert Seed.of(number) == Seed("7")
    assert Streams(number)["dice"].below(10**9) == Streams(7)["dice"].below(10**9)
