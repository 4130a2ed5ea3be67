"""Summaries of bots' turns at a terminal, and answers to bots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.constructor.people import RICH_BOTS, Person, passive
from tests.constructor.tables import BLUE, BRICK, GLASS, HEAT, ORANGE, RED, WIFI, YELLOW

from constructor import (
    COLOURS,
    DiceRolled,
    GeesePlaced,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    Tile,
    TileChanged,
    TradeAnswered,
    VictimsFound,
)
from constructor.program.match_series import Program
from constructor.text.text_view import message
from constructor.text.turn_summaries import summarize
from tabletop import Event, Options
from tabletop.records import read
from tabletop.registry import load

pytestmark = pytest.mark.usefixtures("folder")


def numbered(game: int) -> Path:
    """Return the path of the record of a game."""
    return Path(f"{game}.jsonl")


def sit_down(person: Person, bots: dict[int, str]) -> str:
    """Play a game and return the whole output."""
    options: Options = {"load": RICH_BOTS, "fair": True}
    Program(load("constructor"), person, "a walk", options, bots, record=numbered).run()
    return person.shown.getvalue()


BOTS = {1: "builder", 2: "random", 3: "builder"}


def leaves_after(turns: int) -> Person:
    """Return a passive player who leaves after some turns."""
    left = iter(range(turns))

    def answer(shown: str) -> str | None:
        if "Builder Blue's turn." in shown and next(left, None) is None:
            return None
        return passive(shown)

    return Person(answer)


@pytest.mark.slow
def test_bot_turns_are_summarized_in_a_few_lines() -> None:
    person = leaves_after(12)
    shown = sit_down(person, BOTS)
    rounds = shown.split("Blue> next\n")[1:]
    assert len(rounds) == 12
    for round_ in rounds:
        bots, mine, _ = round_.partition("Builder Blue's turn.\n")
        _, *below = re.split(r"\|52\|--..--\|53\|", bots)  # the last line of the board
        told = [line for line in below[-1].splitlines() if line.startswith(COLOURS)]
        assert len(told) <= 3 * 6, told
        assert len(below) == 1, "the board is drawn for Blue alone"
        assert mine
    entries = read(Path("1.jsonl")).entries
    assert len(person.pauses) == sum(entry.do == "next" and entry.seat in BOTS for entry in entries)
    assert set(person.pauses) == {1.0}
    assert max(map(len, shown.partition("To resume the game:")[0].splitlines())) <= 80


@pytest.mark.slow
def test_board_summary_and_prompt_fit_a_small_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "24")
    rounds = sit_down(leaves_after(6), BOTS).split("Blue> next\n")[1:-1]
    assert len(rounds) > 3
    for round_ in rounds:
        *_, below = round_.partition("Blue> roll\n")[0].split("is the edge below it.\n")
        told, mine, _ = below.partition("Builder Blue's turn.\n")
        assert mine
        assert "Yellow rolls " in told, "the summary of the bots is below the board"
        assert ("Red rolls " in told) != ("Type `log` to see earlier actions" in told)
        assert 12 + below.count("\n") + 1 <= 24, "with the board it fills no more than the screen"


@pytest.mark.parametrize(("columns", "is_told"), [(40, True), (80, False)])
def test_narrow_terminal_gets_a_warning(
    columns: int, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = " ".join(sit_down(Person(lambda _: None), BOTS).split())
    assert (f"but your terminal has {columns}; make it wider." in shown) == is_told


def test_log_command_shows_events_omitted_from_summaries() -> None:
    def answer(shown: str) -> str | None:
        if shown.startswith("log\n"):
            return None
        return "log" if "Builder Blue's turn." in shown else passive(shown)

    shown = sit_down(Person(answer), BOTS)
    told = shown.rpartition("Blue> log\n")[2]
    assert "Builder Orange's turn.\n" in told
    assert "\nOrange rolls " in told
    assert "Builder Yellow's turn.\nYellow rolls " in told


def test_pause_is_configurable() -> None:
    options: Options = {"load": RICH_BOTS, "fair": True}
    person = Person(lambda shown: None if "Blue's turn" in shown else passive(shown))
    Program(load("constructor"), person, "a walk", options, BOTS, pause=0.25).run()
    assert person.pauses == [0.25] * 3


# Summaries.


TURNS: list[tuple[Sequence[Event], list[str]]] = [
    ([], []),
    ([VictimsFound(RED, (BLUE,))], []),
    (
        [DiceRolled(RED, 8, (3, 5)), ResourcesGained(BLUE, (1, 0, 0, 0, 2))],
        ["Red rolls 8 (3 + 5). Blue gains 1 BRICK, 2 WIFI."],
    ),
    (
        [
            ResourcesLost(ORANGE, (5, 0, 0, 1, 0)),
            GeesePlaced(RED, 9),
            ResourceStolen(RED, BLUE, GLASS),
        ],
        [
            "Orange loses 5 BRICK, 1 HEAT to the geese. Red moves the geese to tile 9. "
            + message(ResourceStolen(RED, BLUE, GLASS))
        ],
    ),
    (
        [
            TradeAnswered(RED, BLUE, HEAT, WIFI, True),
            TradeAnswered(RED, ORANGE, HEAT, WIFI, False),
            TradeAnswered(RED, YELLOW, HEAT, WIFI, False),
            ResidenceBuilt(RED, 5, 2),
        ],
        ["Red trades HEAT to Blue for WIFI. Red builds a house on vertex 5. 2 offers declined."],
    ),
    (
        [RoadBuilt(RED, 3), TileChanged(3, Tile(BRICK, 4, WIFI, 8))],
        ["Red builds a road on edge 3. Tile 3 produces BRICK and WIFI, 8 left."],
    ),
]


@pytest.mark.parametrize(("events", "lines"), TURNS)
def test_turn_is_summarized(events: Sequence[Event], lines: list[str]) -> None:
    assert summarize(events) == lines


@given(st.integers(40, 120))
def test_summary_lines_fit_the_terminal(width: int) -> None:
    events = [event for turn, _ in TURNS for event in turn]
    lines = summarize(events, width)
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == " ".join(summarize(events))
