"""Messages guess what was meant, and say texts and numbers as people do."""

from __future__ import annotations

import pytest

from tabletop.wording import did_you_mean, join_words, nearest, plural


def test_the_nearest_word_is_found_in_any_letter_case() -> None:
    assert nearest("FIREBAL", ["Fireball", "frost"]) == "Fireball"
    assert nearest("xyz", ["Fireball", "frost"]) is None
    assert nearest("fuse", ["Fireball", "frost"], likeness=0) == "frost"
    assert nearest("fire", []) is None


def test_a_wrong_word_is_followed_by_what_was_meant_and_by_what_there_is() -> None:
    bots = ["fair", "hard"]
    assert did_you_mean("fairr", bots, "its bots: ...") == "; did you mean 'fair'? its bots: ..."
    assert did_you_mean("fairr", bots) == "; did you mean 'fair'?"
    assert did_you_mean("blue", bots, "its bots: ...") == "; its bots: ..."
    assert did_you_mean("blue", bots) == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["red"], "red"), (["red", "blue"], "red or blue"), (list("abc"), "a, b or c")],
)
def test_words_are_listed_with_a_conjunction_before_the_last(words: list[str], said: str) -> None:
    assert join_words(words, "or") == said


def test_only_one_thing_is_counted_in_the_singular() -> None:
    assert [plural(number, "action") for number in (0, 1, 2)] == [
        "0 actions",
        "1 action",
        "2 actions",
    ]
    assert [plural(1, "match"), plural(2, "match")] == ["1 match", "2 matches"]
