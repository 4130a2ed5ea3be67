"""Help, suggestions and farewell at a terminal."""

from __future__ import annotations

import re

import pytest
from tests.constructor.tables import ORANGE, position

from constructor import Phase
from constructor.program.help_texts import farewell, person_help, suggestion


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
@pytest.mark.parametrize("variant", ["standard", "rich"])
def test_help_fits_a_terminal_and_lists_resign(phase: Phase, variant: str) -> None:
    topics = person_help(position(phase=phase, variant=variant))
    told = "\n".join(topic.in_full(79) for topic in topics)
    assert topics[0].title == "Now"
    assert max(map(len, told.splitlines())) <= 80
    assert "resign [<bot>]" in told
    assert "A road: 1 HEAT, 1 WIFI." in told
    tower = "To a tower, 3 points: 3 BRICK, 2 ENERGY, 2 GLASS, 2 HEAT, 1 WIFI."
    assert tower in " ".join(told.split())
    assert re.search(r"^ *save <file> +Save the game in the document's format", told, re.MULTILINE)
    assert ("improve-tile" in told) == (variant == "rich")


def test_help_omits_loaded_dice_in_a_fair_game() -> None:
    state = position(phase=Phase.BEGINNING)
    assert "load" in dict(person_help(state)[0].rows)
    state.fair_only = True
    assert "load" not in dict(person_help(state)[0].rows)


@pytest.mark.parametrize(
    ("line", "phase", "hint"),
    [
        ("rol", Phase.BEGINNING, "Did you mean `roll`?"),
        ("bord 3", Phase.STEALING, "Did you mean `board`?"),
        ("buld-road 3", Phase.BEGINNING, "`build-road`: only during a turn, after the roll."),
        ("sav x.sv", Phase.SETUP, "Did you mean `save`?"),
        ("roll", Phase.BUILDING, "`roll`: only at the beginning of a turn."),
        ("undo", Phase.BUILDING, ""),
        ("improve-til", Phase.BUILDING, "Did you mean `improve`?"),
    ],
)
def test_misspelled_command_gets_a_suggestion(line: str, phase: Phase, hint: str) -> None:
    assert suggestion(line, position(phase=phase)) == hint


def test_farewell_names_the_dice_of_the_resumed_game() -> None:
    state = position(turn=ORANGE)
    assert "at the beginning of Orange's turn, with loaded dice." in farewell(state, "x.sv")
    state.fair_only = True
    told = farewell(state, "my x.sv", ["-fair"])
    assert "with fair dice." in told
    assert told.endswith("constructor -load 'my x.sv' -fair")
