"""Options parse and check their values."""

from __future__ import annotations

import pytest

from tabletop import Option, OptionError, Options
from tabletop.rules import OptionValue

NUMBER = Option("rounds", 3, low=1, high=9)
FREE = Option("deck", kind=int)
FLAG = Option("open", default=False)
WORD = Option("edition", "2024", choices=("2017", "2024", "Gold"))
TEXT = Option("motto")
SHARE = Option("share", 0.5, low=0, high=1)


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
        (SHARE, " .25 ", 0.25),
        (SHARE, "1", 1.0),
        (SHARE, "5e-1", 0.5),
    ],
)
def test_an_option_parses_its_values(option: Option, text: str, value: OptionValue) -> None:
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
        (SHARE, "1.01"),
        (SHARE, "nan"),
        (SHARE, "inf"),
        (SHARE, "1_0"),
        (SHARE, "1e999"),
        (Option("free", kind=float), "9" * 400),
    ],
)
def test_an_option_refuses_other_texts_and_the_error_names_it(option: Option, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        option.parse(text)
    assert str(caught.value).startswith(f"option {option.name}: ")
    assert f" is not {option.wanted}" in str(caught.value)
    assert len(str(caught.value)) < 200


def test_the_error_for_an_unknown_choice_suggests_one() -> None:
    with pytest.raises(OptionError, match=r"'goldd' .*\b2017, 2024, Gold; .* 'Gold'\?$"):
        WORD.parse("goldd")
    with pytest.raises(OptionError, match=r"'silver' .*\b2017, 2024, Gold$"):
        WORD.parse("silver")


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
        (SHARE, "a number from 0 to 1"),
        (Option("a", kind=float, low=0.5), "a number of at least 0.5"),
    ],
)
def test_wanted_describes_the_values_of_an_option(option: Option, wanted: str) -> None:
    assert option.wanted == wanted


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (NUMBER, True),
        (NUMBER, "3"),
        (NUMBER, None),
        (NUMBER, 3.0),
        (FLAG, 1),
        (TEXT, 5),
        (SHARE, True),
        (SHARE, float("nan")),
        (Option("free", kind=float), float("inf")),
        (Option("free", kind=float), 10**400),
    ],
)
def test_an_option_refuses_a_value_of_another_type(option: Option, value: OptionValue) -> None:
    with pytest.raises(OptionError, match=f"option {option.name}: "):
        option.check(value)


def test_of_returns_the_value_with_its_type() -> None:
    options: Options = {"rounds": 5, "deck": None, "open": True, "share": 0.25}
    rounds: int = NUMBER.of(options)
    deck: int | None = FREE.of(options)
    flag: bool = FLAG.of(options)
    share: float = SHARE.of(options)
    motto: str | None = TEXT.of(options)
    assert (rounds, deck, flag, share, motto) == (5, None, True, 0.25, None)
    assert (NUMBER.of({}), WORD.of({}), TEXT.check(None), FREE.check(None)) == (
        3,
        "2024",
        None,
        None,
    )
    whole = SHARE.check(1)
    assert (type(whole), whole) == (float, 1.0)
    with pytest.raises(OptionError, match=r"rounds: 'five' .* 1 to 9$"):
        NUMBER.of({"rounds": "five"})


def test_the_error_for_a_number_that_is_too_large() -> None:
    with pytest.raises(OptionError, match=rf"\bdeck: .*'{'9' * 20}' .*\btoo large$"):
        FREE.parse("9" * 20)


def letters_only(code: str) -> None:
    if not code.isalpha():
        raise ValueError("write letters only")


def even_number(size: int) -> None:
    if size % 2:
        raise ValueError("write an even number")


CODE = Option("code", "oak", read=letters_only)


def test_an_option_refuses_a_value_that_cannot_be_read_with_the_reason() -> None:
    assert CODE.parse("elm") == "elm"
    with pytest.raises(OptionError, match=r"code: '0ak' .*: write letters only$"):
        CODE.parse("0ak")
    with pytest.raises(OptionError, match="write letters only"):
        CODE.check("0ak")


def test_an_option_does_not_read_values_that_are_refused_anyway() -> None:
    even = Option("size", 2, low=2, read=even_number)
    with pytest.raises(OptionError, match="at least 2"):
        even.parse("1")
    with pytest.raises(OptionError, match="even number"):
        even.parse("3")


def test_an_option_does_not_read_a_missing_value() -> None:
    option: Option[str | None] = Option("code", kind=str, read=letters_only)
    assert option.check(None) is None


@pytest.mark.parametrize(
    ("option", "title"),
    [
        (Option("open-hands", False), "Open hands"),
        (Option("patience", 50, label="Draw after idle turns"), "Draw after idle turns"),
    ],
)
def test_the_title_of_an_option_is_its_label_or_its_name_in_words(
    option: Option, title: str
) -> None:
    assert option.title == title
