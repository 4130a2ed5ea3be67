"""Screens at a table: the messages that each of them receives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tabletop import Plugin, Seat
from tabletop.display import CardTable, TextView
from tabletop.registry import load
from tabletop.table.presenter import NOT_NOW
from tests.tabletop.games import rps
from tests.tabletop.table.sittings import Person, at_game, table_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.slow
def test_a_seat_is_told_of_the_table_and_shown_the_state() -> None:
    opened = table_of(names=["Ada", "Bo", "Cy"], players=["human", "random", "random"])
    with Person(opened, 0) as ada:
        table = ada.until("table")
        state = ada.until("state")
    assert table["names"] == ["Ada", "Bo", "Cy"]
    assert table["players"] == ["human", "random", "random"]
    assert (table["your_seats"], table["spectator"], table["present"]) == ([0], False, [True] * 3)
    assert state["your_turn"] == [0]
    assert state["prompt"] == "Roll 3 dice"
    assert [choice["words"] for choice in state["choices"]] == ["roll"]
    assert state["svg"].startswith("<svg")
    assert 'data-action="roll"' in state["svg"], "what can be done can be clicked"
    assert state["over"] is None


@pytest.mark.slow
def test_only_options_that_somebody_has_set_are_told_at_the_end() -> None:
    opened = table_of("sorcery", players=["random"] * 2, options={"patience": 3})
    with Person(opened, None) as screen:
        over = (screen.until("state", lambda told: told["over"]))["over"]
    assert over["options"] == {"patience": 3}


def test_a_log_says_whose_each_line_is_and_where_a_turn_begins() -> None:
    opened = table_of("sorcery", names=["Ada", "Bo"], seed="old oak")
    with Person(opened, 0) as ada, Person(opened, 1):
        first = (ada.until("state"))["turn"][0]
        with Person(opened, first) as mover:
            mover.say(type="act", line="end")
            state = ada.at(1)
    lines = [it for told in ada.heard if told["type"] == "log" for it in told["lines"]]
    names, other = ("Ada", "Bo"), 1 - first
    turns = [(it["text"], it["seat"]) for it in lines if it["kind"] == "turn"]
    assert turns == [(f"{names[other]}'s turn.", other)]
    ended = next(it for it in lines if it["text"] == f"{names[first]} ends the turn.")
    begun = lines[lines.index(ended) + 1 :]
    assert (ended["seat"], ended["kind"]) == (first, "")
    assert begun[0]["kind"] == "turn"
    assert f"{names[other]} draws" in begun[2]["text"]
    assert all(it["seat"] == other for it in begun)
    assert state["log_line"] >= lines[-1]["number"]


@pytest.mark.slow
def test_a_whole_match_is_played_with_bots() -> None:
    opened = table_of(players=["human", "random", "random"], seed="old oak")
    with Person(opened, 0) as ada:
        state, acted = ada.until("state"), -1
        while state["over"] is None:
            if state["your_turn"] and state["ply"] > acted:
                acted = state["ply"]
                ada.say(type="act", line=state["choices"][0]["words"], id=1)
            state = ada.until("state")
    assert state["over"]["seed"] == "old oak"
    assert "tabletop play lcr" in state["over"]["command"]
    numbers = [
        line["number"] for told in ada.heard if told["type"] == "log" for line in told["lines"]
    ]
    assert numbers == sorted(set(numbers))


def test_what_one_does_the_others_see_at_once_and_each_their_own() -> None:
    opened = table_of("sorcery", names=["Ada", "Bo"], seed="old oak")
    with (
        Person(opened, 0) as ada,
        Person(opened, 1) as bo,
        Person(opened, None) as cy,
    ):
        states = [screen.until("state") for screen in (ada, bo, cy)]
        asked = next(seat for seat in (0, 1) if states[seat]["your_turn"])
        mover = (ada, bo)[asked]
        mover.say(type="act", line="end", id=7)
        for screen in (ada, bo, cy):
            assert (screen.until("state", lambda told: told["ply"] == 1))["ply"] == 1
        cy.say(type="act", line="end", id=8)
        refused = cy.until("refused")
        assert refused["id"] == 8
        assert "watch" in refused["message"]
        assert cy.last("state")["undo_refusal"] == "", "obvious to who only watches"


def test_two_screens_of_one_seat_are_shown_the_same() -> None:
    opened = table_of(seats=3)
    link = 0
    with Person(opened, link) as desk, Person(opened, link, picture="narrow") as phone:
        desk.until("state")
        phone.until("state")
        desk.say(type="act", line="roll")
        first, second = desk.at(1), phone.at(1)
        assert first["svg"] != second["svg"]
        assert first["choices"] == second["choices"]


def test_seats_and_questions_are_worded_as_the_game_does() -> None:
    names = ["Ada", "Bo", "Cy", "Di"]
    opened = table_of("constructor", names=names)
    with Person(opened, 0) as blue, Person(opened, 1) as red:
        table = blue.until("table")
        assert table["names"] == names
        assert table["seat_titles"] == ["Ada (Blue)", "Bo (Red)", "Cy (Orange)", "Di (Yellow)"]
        assert (blue.until("state"))["prompt"] == "Choose a vertex for a basement"
        assert (red.until("state"))["prompt"] == "Waiting for Ada"
        for screen in (blue, red):
            screen.say(type="why", part="next")
        assert "this cannot be used now" in (blue.until("why"))["message"]
        assert (red.until("why"))["message"] == "it is not your turn; wait for Ada"


def test_the_headline_of_a_card_table_is_the_question_to_the_player() -> None:
    with Person(at_game(load(str(EXAMPLES / "harbour.py")), ["human"] * 3), 0) as ada:
        state = ada.until("state")
        assert state["prompt"] != "Your turn"
        assert f"<title>{state['prompt']}" in state["svg"]


class Asking(TextView[Any]):
    """Asks a question."""

    def asked(self, view: Any, seat: Seat, names: Sequence[str]) -> str:
        return "Choose a sign"


def test_the_headline_names_all_players_who_choose_at_the_same_time() -> None:
    plugin = Plugin(rps.GAME, text=Asking(), picture=CardTable)
    with Person(at_game(plugin, ["human"] * 2), 0) as ada:
        svg = ada.until("state")["svg"]
        assert "<title>Choose a sign" not in svg


def test_a_part_without_a_ring_has_the_reason_of_the_action_that_it_would_play() -> None:
    with Person(table_of(names=["Ada", "Bo", "Cy"]), 1) as bo:
        bo.say(type="why", part="dice")
        assert (bo.until("why"))["message"] == "it is not your turn; wait for Ada"


@pytest.mark.parametrize(
    ("chosen", "part", "reason"),
    [
        (["e1"], "e3", "the king on e1 cannot go to e3"),
        (["d1"], "c1", "your own piece is on c1"),
        ([], "e5", "you have no piece on e5"),
        ([], "a1", NOT_NOW),  # the goals of a rook have different reasons
        (["b1"], "e6", NOT_NOW),  # no action goes from b1 to e6
    ],
)
def test_a_click_has_the_reason_that_all_actions_with_the_chosen_parts_have_in_common(
    chosen: list[str], part: str, reason: str
) -> None:
    with Person(at_game(load(str(EXAMPLES / "chess.py"))), 0) as white:
        white.say(type="why", part=part, chosen=chosen)
        assert white.until("why")["message"] == reason


@pytest.mark.slow
def test_dice_stay_in_the_picture_after_the_next_move() -> None:
    opened = table_of("constructor", players=["human", *["random"] * 3], options={"fair": False})
    with Person(opened, 0) as ada:

        def do(line: str) -> dict[str, Any]:
            ada.say(type="act", line=line, id=1)
            while not (state := ada.until("state"))["your_turn"]:
                pass
            return state

        while not (state := ada.until("state"))["your_turn"]:
            pass
        while state["choices"][0]["words"].isdecimal():
            state = do(state["choices"][0]["words"])
        for line in ("load", "roll", "7"):
            state = do(line)
        moved = do(state["choices"][0]["words"])
    assert "Blue chose 7" in state["svg"]
    assert "Blue chose 7" in moved["svg"]
