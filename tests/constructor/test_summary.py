"""What a turn came to, in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.constructor.tables import BLUE, BRICK, GLASS, HEAT, ORANGE, RED, WIFI, YELLOW

from constructor import Tile
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
