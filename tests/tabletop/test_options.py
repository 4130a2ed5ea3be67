"""Options read what they take, and refuse anything else by name."""

from __future__ import annotations

import pytest

from tabletop import Option, OptionError
from tabletop.options import OptionValue

NUMBER = Option("rounds", 3, low=1, high=9)
FREE = Option("deck", kind=int)
FLAG = Option("open", default=False)
WORD = Option("edition", "2024", choices=("2017", "2024", "Gold"))
TEXT = Option("motto")


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (NUMBER, " 9 ", 9),
        (NUMBER, "+1", 1),
        (FREE, "-7", -7),
        (FLAG, "Yes", True),
        (FLAG, "off", False),
        (WORD, " gold ", "Gold"),
        (TEXT, "any thing", "any thing"),
    ],
)
def test_an_option_reads_what_it_takes(option: Option, text: str, value: OptionValue) -> None:
    read = option.parse(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (NUMBER, "0"),
        (NUMBER, "10"),
        (NUMBER, "three"),
        (NUMBER, ""),
        (NUMBER, "²"),
        (NUMBER, "9" * 5000),
        (FLAG, "perhaps"),
        (WORD, "2018"),
    ],
)
def test_an_option_refuses_anything_else_and_names_itself(option: Option, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        option.parse(text)
    assert str(caught.value).startswith(f"option {option.name}: ")
    assert str(caught.value).endswith(f" is not {option.wanted}")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("option", "wanted"),
    [
        (NUMBER, "a whole number from 1 to 9"),
        (FREE, "a whole number"),
        (Option("a", 1, low=0), "a whole number of at least 0"),
        (Option("a", 1, high=5), "a whole number of at most 5"),
        (FLAG, "yes or no"),
        (WORD, "2017, 2024, Gold"),
        (TEXT, "any text"),
    ],
)
def test_an_option_says_what_it_takes(option: Option, wanted: str) -> None:
    assert option.wanted == wanted


@pytest.mark.parametrize(
    ("option", "value"), [(NUMBER, True), (NUMBER, "3"), (NUMBER, None), (FLAG, 1), (TEXT, 5)]
)
def test_an_option_refuses_a_value_of_another_type(option: Option, value: OptionValue) -> None:
    with pytest.raises(OptionError, match=f"option {option.name}: "):
        option.check(value)


def test_an_option_without_a_default_may_stay_unset() -> None:
    assert TEXT.check(None) is None
    assert FREE.check(None) is None
