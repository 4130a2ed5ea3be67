"""Exact messages (Constructor §2.7, §3.5, §3.6, §4)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.constructor.tables import BLUE, BRICK, GLASS, ORANGE, RED, WIFI, YELLOW, play, position

from constructor import (
    BasementChosen,
    DiceChosen,
    DiceRolled,
    GameWon,
    GeesePlaced,
    NothingGained,
    Phase,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    SetupEnded,
    Tile,
    TileChanged,
    Trade,
    TradeAnswered,
    TradeOffered,
    TurnBegan,
    VictimsFound,
)
from constructor.text.text_view import (
    ConstructorText,
    changed_tiles,
    describe,
    message,
    question,
    residences,
    status,
    statuses,
    turn_begins,
)
from tabletop import ActionPlayed, Event, Outcome

TEXT = ConstructorText()
UNNAMED = tuple(f"Player {number}" for number in range(1, 5))
NAMES = ("Ann", "Bo", "Cy", "Di")
OWNING = position(
    homes={10: (RED, 1), 15: (RED, 3), 27: (RED, 2)}, hands={RED: (1, 2, 3, 4, 5)}, turn=RED
)
RED_STATUS = "Red has 6 building points, 1 brick, 2 energy, 3 glass, 4 heat, and 5 WiFi."


def test_the_status_of_a_builder_is_one_line() -> None:
    assert status(OWNING, RED) == RED_STATUS


def test_statuses_are_in_seat_order() -> None:
    lines = statuses(OWNING).splitlines()
    assert [line.split()[0] for line in lines] == ["Blue", "Red", "Orange", "Yellow"]
    assert lines[RED] == RED_STATUS


def test_residences_are_listed_with_vertex_and_letter() -> None:
    assert residences(OWNING, RED) == "Red has built:\n10 B\n15 T\n27 H"
    assert residences(OWNING, BLUE) == "Blue has built:"


SAID: list[tuple[Event, str, str]] = [
    (
        ResourcesGained(BLUE, (0, 2, 0, 0, 1)),
        "Builder Blue gained:\n2 ENERGY\n1 WIFI",
        "Blue gets 2 energy, 1 WiFi.",
    ),
    (NothingGained(), "No builders gained resources.", "Nobody gets resources."),
    (
        ResourcesLost(ORANGE, (5, 0, 1, 0, 0)),
        "Builder Orange loses 6 resources to the geese. They lose:\n5 BRICK\n1 GLASS",
        "Orange loses 5 brick, 1 glass to the geese.",
    ),
    (TradeOffered(BLUE, RED, BRICK, WIFI), "Blue offers Red one BRICK for one WIFI.", ""),
    (
        VictimsFound(BLUE, (RED, YELLOW)),
        "Builder Blue can choose to steal from Red, Yellow.",
        "Blue can steal from Red or Yellow.",
    ),
    (
        VictimsFound(BLUE, ()),
        "Builder Blue has no builders to steal from.",
        "Blue can steal from nobody.",
    ),
    (
        ResourceStolen(BLUE, YELLOW, GLASS),
        "Builder Blue steals GLASS from builder Yellow.",
        "Blue steals 1 glass from Yellow.",
    ),
    (
        GameWon(RED, 10),
        "Builder Red wins with 10 building points!",
        "Red wins with 10 building points.",
    ),
]


@pytest.mark.parametrize(("event", "text", "log"), SAID)
def test_messages_have_the_wording_of_the_document_and_the_log_has_its_own(
    event: Event, text: str, log: str
) -> None:
    assert message(event) == text
    assert TEXT.event(event, UNNAMED) == log


def test_log_uses_the_names_of_players() -> None:
    names = ["Ada", "Player 2", "Bo", "Red"]  # Red plays Yellow
    assert TEXT.event(DiceRolled(BLUE, 9, (3, 6)), names) == "Ada (Blue) rolls 9 (3 + 6)."
    assert TEXT.heading(TurnBegan(BLUE), names) == (BLUE, "Ada (Blue)'s turn.")
    stolen = ResourceStolen(BLUE, YELLOW, GLASS)
    assert TEXT.event(stolen, names) == "Ada (Blue) steals 1 glass from Red (Yellow)."


def test_an_offer_and_its_answer_are_one_line_of_the_log() -> None:
    offer = BLUE, RED, BRICK, WIFI
    lines = [TEXT.event(it, UNNAMED) for it in (TradeOffered(*offer), TradeAnswered(*offer, False))]
    assert lines == ["", "Blue offers Red 1 brick for 1 WiFi: declined."]


QUESTIONS = [
    (Phase.CHOOSING_ROLL, "Input a roll between 2 and 12:"),
    (Phase.PLACING_GEESE, "Choose where to place the GEESE."),
    (Phase.STEALING, "Choose a builder to steal from."),
    (Phase.BEGINNING, ""),
    (Phase.BUILDING, ""),
    (Phase.OVER, ""),
]


@pytest.mark.parametrize(("phase", "text"), QUESTIONS)
def test_each_phase_has_its_question(phase: Phase, text: str) -> None:
    state = position(phase=phase)
    assert question(state) == text
    prompt = TEXT.prompt(state, BLUE, UNNAMED)
    assert prompt == (f"{text}\nBlue> " if text else "Blue> ")


def test_named_players_are_labelled_with_name_and_colour() -> None:
    state = position()
    assert TEXT.prompt(state, RED, ["Player 1", "Bo", "Player 3", "Player 4"]) == "Bo (Red)> "
    assert TEXT.position(state, NAMES).endswith("Ann (Blue), Bo (Red), Cy (Orange), Di (Yellow)")
    assert TEXT.outcome(Outcome.win(RED, 4), NAMES).startswith("Bo (Red) wins")


def test_the_setup_asks_the_next_builder() -> None:
    state = position(phase=Phase.SETUP)
    state.order = (YELLOW, ORANGE)
    assert question(state) == "Builder Yellow, where do you want to build a basement?"


def test_trade_question_addresses_the_other_builder() -> None:
    state = position(hands={BLUE: (1, 0, 0, 0, 0), RED: (0, 0, 0, 0, 1)})
    play(state, Trade(RED, BRICK, WIFI))
    assert question(state) == "Does Red accept this offer?"


def test_turn_starts_with_board_name_and_status() -> None:
    board, turn, own = turn_begins(OWNING).rsplit("\n", 2)
    assert board.count("\n") == 40
    assert (turn, own) == ("Builder Red's turn.", RED_STATUS)


# Additional texts for tables of the program `tabletop`.

DETAILS: list[tuple[Any, ...]] = [
    (BasementChosen(RED, 12), "Red builds a basement on vertex 12."),
    (TurnBegan(YELLOW), "Builder Yellow's turn.", "Yellow's turn."),
    (DiceChosen(BLUE, True), "Blue takes fair dice."),
    (DiceChosen(BLUE, False), "Blue takes loaded dice."),
    (DiceRolled(BLUE, 9, (3, 6)), "Blue rolls 9 (3 + 6)."),
    (DiceRolled(BLUE, 9), "Blue rolls 9.", "Blue chooses 9 with loaded dice."),
    (RoadBuilt(ORANGE, 71), "Orange builds a road on edge 71."),
    (ResidenceBuilt(BLUE, 3, 3), "Blue builds a tower on vertex 3."),
    (
        TileChanged(4, Tile(BRICK, 3, WIFI, 12)),
        "Tile 4 produces BRICK and WIFI, 12 left.",
        "Tile 4 produces brick and WiFi, 12 left.",
    ),
    (TileChanged(4, Tile(BRICK, 3)), "Tile 4 produces BRICK.", "Tile 4 produces brick."),
    (GeesePlaced(BLUE, 9), "Blue moves the geese to tile 9."),
]


@pytest.mark.parametrize(("event", "texts"), [(event, texts) for event, *texts in DETAILS])
def test_table_describes_all_events_but_the_program_only_those_of_the_document(
    event: Event, texts: list[str]
) -> None:
    assert [describe(event), TEXT.event(event, UNNAMED)] == [texts[0], texts[-1]]
    assert message(event) == ""


def test_end_of_setup_and_actions_have_no_text() -> None:
    assert message(SetupEnded()) == ""
    assert TEXT.event(SetupEnded(), NAMES) == ""
    assert TEXT.event(ActionPlayed(1, BLUE, "next"), NAMES) == ""


def test_position_contains_board_changed_tiles_and_statuses() -> None:
    state = position(variant="rich")
    assert changed_tiles(state) == ""
    state.tiles = (Tile(BRICK, 3, WIFI), *state.tiles[1:])
    lines = TEXT.position(state, UNNAMED).splitlines()
    assert len(lines) == 41 + 1 + 4
    assert lines[41] == "Tile 0 produces BRICK and WIFI."
    assert lines[42].startswith("Blue has 0 building points")
