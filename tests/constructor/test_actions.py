"""Parsing of actions in each phase (Constructor §4.2, §4.3)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.tables import (
    BRICK,
    RED,
    WIFI,
    YELLOW,
)

from constructor import (
    Accept,
    Action,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    Decline,
    EndTurn,
    Improve,
    ImproveTile,
    Phase,
    PlaceGeese,
    Roll,
    Settle,
    Steal,
    Trade,
    UseFairDice,
    UseLoadedDice,
)
from constructor.rules.actions import BUILDING_COMMANDS, parse
from tabletop import CommandError

TYPED = [
    (Phase.SETUP, "12", Settle(12)),
    (Phase.BEGINNING, "load", UseLoadedDice()),
    (Phase.BEGINNING, "fair", UseFairDice()),
    (Phase.BEGINNING, "roll", Roll()),
    (Phase.CHOOSING_ROLL, "7", ChooseRoll(7)),
    (Phase.BUILDING, "build-road 3", BuildRoad(3)),
    (Phase.BUILDING, "build-res 53", BuildResidence(53)),
    (Phase.BUILDING, "improve 0", Improve(0)),
    (Phase.BUILDING, "trade Red BRICK WIFI", Trade(RED, BRICK, WIFI)),
    (Phase.BUILDING, "improve-tile 3 WIFI", ImproveTile(3, WIFI)),
    (Phase.BUILDING, "next", EndTurn()),
    (Phase.ANSWERING, "yes", Accept()),
    (Phase.ANSWERING, "no", Decline()),
    (Phase.PLACING_GEESE, "18", PlaceGeese(18)),
    (Phase.STEALING, "Yellow", Steal(YELLOW)),
]


@pytest.mark.parametrize(("phase", "text", "action"), TYPED)
def test_actions_are_parsed_in_the_documents_spelling_regardless_of_case(
    phase: Phase, text: str, action: Action
) -> None:
    assert str(action) == text
    for typed in (text, "  " + text.replace(" ", " \t ").upper() + "\r", text.lower()):
        assert parse(typed, phase) == action


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize(
    "text",
    ["", "xyzzy", "next next", "build-road", "build-road x", "trade Red", "1 2", "1.5", "--"],
)
def test_text_that_is_not_an_action_is_refused(phase: Phase, text: str) -> None:
    with pytest.raises(CommandError):
        parse(text, phase)


@pytest.mark.parametrize(
    ("phase", "complaint"),
    [
        (Phase.SETUP, r"'Red' .*\bvertex\b"),
        (Phase.CHOOSING_ROLL, r"'Red' .*\b2 and 12\b"),
        (Phase.PLACING_GEESE, r"'Red' .*\btile\b"),
        (Phase.OVER, r"\bover\b"),
    ],
)
def test_parse_error_names_the_expected_argument(phase: Phase, complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        parse("Red", phase)


def test_parser_accepts_numbers_out_of_range() -> None:
    assert parse("99", Phase.CHOOSING_ROLL) == ChooseRoll(99)
    assert parse("-3", Phase.PLACING_GEESE) == PlaceGeese(-3)
    assert parse("build-road 72", Phase.BUILDING) == BuildRoad(72)


@pytest.mark.parametrize(("sign", "way"), [("", 1), ("+", 1), ("-", -1)])
def test_very_long_numbers_parse_and_leading_zeros_are_ignored(sign: str, way: int) -> None:
    assert parse(f"{sign}{'0' * 5000}7", Phase.SETUP) == Settle(way * 7)
    endless = parse(f"build-road {sign}{'1' * 5000}", Phase.BUILDING)
    assert isinstance(endless, BuildRoad)
    assert way * endless.edge > 10**9


def test_invalid_number_error_names_the_meaning_without_suggestions() -> None:
    with pytest.raises(CommandError, match=r"\bword 2, 'x', .*\bedge\b"):
        parse("build-road x", Phase.BUILDING)
    assert BUILDING_COMMANDS.complete("build-road ") == []


@pytest.mark.slow
@given(st.text(max_size=30), st.sampled_from(Phase))
@settings(max_examples=150)
def test_parser_never_crashes(text: str, phase: Phase) -> None:
    try:
        written = str(parse(text, phase))
    except CommandError as error:
        reason = str(error)
    else:
        reason = ""
        assert str(parse(written, phase)) == written
    assert reason or written
