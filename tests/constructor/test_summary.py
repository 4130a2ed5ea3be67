"""What a turn came to, in a few lines; builders in their colours; hints for people."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.constructor.tables import BLUE, BRICK, GLASS, HEAT, ORANGE, RED, WIFI, YELLOW, position

from constructor import COLOURS, Phase, Tile
from constructor.colours import FEW_INKS, INKS, inks_of, paint
from constructor.events import (
    DiceRolled,
    GeesePlaced,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    TileChanged,
    TradeAnswered,
    VictimsFound,
)
from constructor.hints import farewell, person_help, suggestion
from constructor.summary import summarize
from tabletop import Event

TURNS: list[tuple[Sequence[Event], list[str]]] = [
    ([], []),
    ([DiceRolled(RED, 8, (3, 5))], ["Red rolls 8 (3 + 5)."]),
    (
        [
            DiceRolled(RED, 8),
            ResourcesGained(BLUE, (1, 0, 0, 0, 2)),
            ResourcesGained(RED, (0, 1, 0, 0, 0)),
        ],
        ["Red rolls 8: Blue gains 1 BRICK, 2 WIFI; Red gains 1 ENERGY."],
    ),
    (
        [
            ResourcesLost(ORANGE, (5, 0, 0, 1, 0)),
            GeesePlaced(RED, 9),
            VictimsFound(RED, (BLUE,)),
            ResourceStolen(RED, BLUE, GLASS),
        ],
        [
            "The geese come: Orange loses 5 BRICK, 1 HEAT.",
            "Red moves the geese to tile 9 and steals GLASS from Blue.",
        ],
    ),
    (
        [
            TradeAnswered(RED, BLUE, HEAT, WIFI, True),
            TradeAnswered(RED, ORANGE, HEAT, WIFI, False),
            TradeAnswered(RED, YELLOW, HEAT, WIFI, False),
            TradeAnswered(RED, ORANGE, HEAT, BRICK, True),
        ],
        [
            "Red trades HEAT to Blue for WIFI; HEAT to Orange for BRICK.",
            "Orange and Yellow decline 2 trades.",
        ],
    ),
    ([TradeAnswered(RED, BLUE, HEAT, WIFI, False)], ["Blue declines 1 trade."]),
    (
        [
            RoadBuilt(RED, 3),
            RoadBuilt(RED, 4),
            ResidenceBuilt(RED, 7, 1),
            ResidenceBuilt(RED, 5, 2),
        ],
        ["Red builds roads on 3 and 4, a basement on vertex 7 and a house on vertex 5."],
    ),
    (
        [TileChanged(3, Tile(BRICK, 4, left=9)), TileChanged(3, Tile(BRICK, 4, WIFI, 8))],
        ["Tile 3 produces BRICK and WIFI, 8 left."],
    ),
]


@pytest.mark.parametrize(("events", "lines"), TURNS)
def test_a_turn_is_summed_up(events: Sequence[Event], lines: list[str]) -> None:
    assert summarize(events) == lines


@given(st.integers(40, 120))
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    events = [event for turn, _ in TURNS for event in turn]
    lines = summarize(events, width)
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == " ".join(summarize(events))


# Colours.


def test_names_and_marks_are_painted_and_nothing_else() -> None:
    text = "Builder Red's turn: |RB|--RR-- BRICK Bluebell BB 12"
    red, blue = INKS["Red"], INKS["Blue"]
    assert paint(text) == (
        f"Builder {red}Red\x1b[0m's turn: |{red}RB\x1b[0m|--{red}RR\x1b[0m-- BRICK Bluebell"
        f" {blue}BB\x1b[0m 12"
    )


@given(st.text())
def test_paint_only_adds_escape_codes(text: str) -> None:
    text = text.replace("\x1b", "")
    assert re.sub("\x1b\\[[0-9;]*m", "", paint(text)) == text


def test_every_builder_has_an_ink_of_their_own_on_every_terminal() -> None:
    for inks in (INKS, FEW_INKS):
        assert set(inks) == set(COLOURS)
        assert len(set(inks.values())) == len(COLOURS)
    assert inks_of("xterm-256color") is INKS
    assert inks_of("vt100") is FEW_INKS


# Hints.


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
@pytest.mark.parametrize("variant", ["standard", "rich"])
def test_help_fits_a_terminal_and_tells_how_to_resign(phase: Phase, variant: str) -> None:
    told = person_help(position(phase=phase, variant=variant))
    assert max(map(len, told.splitlines())) <= 80
    assert "resign [<bot>]" in told
    assert ("improve-tile" in told) == (
        variant == "rich" and phase in (Phase.BEGINNING, Phase.BUILDING)
    )


def test_help_names_no_loaded_dice_where_there_are_none() -> None:
    state = position(phase=Phase.BEGINNING)
    assert "load" in person_help(state).split()
    state.fair_only = True
    assert "load" not in person_help(state).split()


@pytest.mark.parametrize(
    ("line", "phase", "hint"),
    [
        ("rol", Phase.BEGINNING, "Did you mean `roll`?"),
        ("bord 3", Phase.STEALING, "Did you mean `board`?"),
        ("buld-road 3", Phase.BEGINNING, "`build-road`: only during a turn, after the roll."),
        ("roll", Phase.BUILDING, "`roll`: only at the beginning of a turn."),
        ("undo", Phase.BUILDING, ""),
        ("improve-til", Phase.BUILDING, "Did you mean `improve`?"),
    ],
)
def test_a_suggestion_is_a_word_of_the_game(line: str, phase: Phase, hint: str) -> None:
    assert suggestion(line, position(phase=phase)) == hint


def test_a_farewell_says_with_which_dice_it_goes_on() -> None:
    state = position(turn=ORANGE)
    assert "at the beginning of Orange's turn, with loaded dice." in farewell(state, "x.sv")
    state.fair_only = True
    told = farewell(state, "my x.sv", ["-fair"])
    assert "with fair dice." in told
    assert told.endswith("constructor -load 'my x.sv' -fair")
