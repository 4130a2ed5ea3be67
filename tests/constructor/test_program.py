"""Dialogue of the program `constructor` with piped input."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.constructor.programs import (
    BLUE_NEARLY,
    CANNOT,
    INVALID,
    NOBODY_GAINS,
    PICTURE,
    RICH,
    ROLL_QUESTION,
    SETUP,
    at_work,
    backup,
    lines,
    pieces,
    play,
    run,
    save,
)

BLUE = "Builder Blue's turn.\nBlue has 2 building points, "
GEESE_QUESTION = "Choose where to place the GEESE.\n"


def settle(colour: str) -> str:
    return f"Builder {colour}, where do you want to build a basement?\n"


# Setup (4.1).


def test_the_board_is_shown_before_the_first_question(tmp_path: Path) -> None:
    picture = PICTURE.splitlines()
    picture[13] = picture[13][:25] + "GEESE" + picture[13][30:]  # on the PARK, tile 4
    assert run(tmp_path).stdout == lines(*picture) + settle("Blue") + "> "


def test_builders_choose_in_snake_order_and_blue_starts(tmp_path: Path) -> None:
    shown = pieces(run(tmp_path, typed=SETUP).stdout)
    order = ["Red", "Orange", "Yellow", "Yellow", "Orange", "Red", "Blue"]
    assert shown[1:8] == [settle(colour) for colour in order]
    assert shown[8].count(BLUE) == 1
    assert shown[8].count("|52|--71--|53|") == 1
    assert shown[8].endswith("0 brick, 0 energy, 0 glass, 0 heat, and 0 WiFi.\n")


def test_setup_asks_again_for_occupied_adjacent_or_unknown_vertices(tmp_path: Path) -> None:
    vertices = ["0", "1", "3", "54", "-1", "9" * 30]
    shown = pieces(run(tmp_path, typed=lines("0", "4", *vertices)).stdout)
    assert shown[3:-1] == [CANNOT + settle("Orange")] * len(vertices)


def test_setup_asks_again_if_the_answer_is_not_a_number(tmp_path: Path) -> None:
    answers = ["x", "5 6", "1.5", "board", "roll", "\N{FULLWIDTH DIGIT FIVE}"]
    shown = pieces(run(tmp_path, typed=lines(*answers)).stdout)
    assert shown[1:-1] == [INVALID + settle("Blue")] * len(answers)


def test_blank_lines_only_repeat_the_prompt(tmp_path: Path) -> None:
    shown = play(tmp_path, RICH, "\n  \n\t\nroll\n\n12\n\nnext\n")
    assert shown[1:5] == ["", "", "", ROLL_QUESTION]
    assert shown[5:8] == ["", NOBODY_GAINS, ""]


# The beginning of a turn (4.2).


def test_resumed_game_starts_with_board_turn_and_status(tmp_path: Path) -> None:
    shown = play(tmp_path, save(turn=2, orange="1 2 3 4 5 r h 17 T 38 B"), "")
    assert shown[0].startswith(" " * 20 + "|BB|-- 0--| 1|\n")
    assert shown[0].endswith(
        "|52|--71--|53|\nBuilder Orange's turn.\n"
        "Orange has 4 building points, 1 brick, 2 energy, 3 glass, 4 heat, and 5 WiFi.\n"
    )


def test_every_turn_starts_with_the_board_and_the_status_of_the_next_builder(
    tmp_path: Path,
) -> None:
    (begins,) = at_work(tmp_path, "next")
    assert begins.endswith(
        "|52|--71--|53|\nBuilder Red's turn.\n"
        "Red has 2 building points, 1 brick, 0 energy, 0 glass, 0 heat, and 0 WiFi.\n"
    )


def test_changing_dice_prints_nothing(tmp_path: Path) -> None:
    assert play(tmp_path, RICH, "fair\nload\nroll\n")[1:4] == ["", "", ROLL_QUESTION]


def test_fair_dice_need_no_total_and_belong_to_one_builder(tmp_path: Path) -> None:
    shown = play(tmp_path, save(), "fair\nroll\nnext\nroll\n", "-seed", "4")
    assert ROLL_QUESTION not in shown[2]
    assert shown[-2] == ROLL_QUESTION


def test_invalid_total_is_asked_for_again(tmp_path: Path) -> None:
    rolls = ["1", "13", "-7", "0", "six", "7 7", "7.0", "9" * 30]
    shown = play(tmp_path, RICH, lines("roll", *rolls, "12"))
    assert shown[2:-1] == ["Invalid roll.\n" + ROLL_QUESTION] * len(rolls) + [NOBODY_GAINS]


def test_commands_of_the_turn_are_invalid_before_the_roll(tmp_path: Path) -> None:
    words = ["next", "build-road 0", "improve 0", "trade Red BRICK WIFI", "save x", "yes", "7", "x"]
    shown = play(tmp_path, RICH, lines(*words))
    assert shown[1:-1] == [INVALID] * len(words)
    assert not (tmp_path / "x").exists()


def test_commands_before_the_roll_are_invalid_during_the_turn(tmp_path: Path) -> None:
    words = ["roll", "load", "fair", "yes", "12", "zzz", "next!", "build", "improve-tile 1 HEAT"]
    assert at_work(tmp_path, *words) == [INVALID] * len(words)


# Geese (3.6).

GEESE = save(
    blue="10 0 0 0 0 r h 0 B 20 B", red="0 0 0 0 3 r h 21 B 36 B", yellow="0 2 0 0 0 r h 32 B 51 B"
)


def test_wrong_tile_for_the_geese_is_explained_and_asked_for_again(tmp_path: Path) -> None:
    shown = play(tmp_path, GEESE, "roll\n7\n4\n19\n-1\nhere\n18\n")
    lost = "Builder Blue loses 5 resources to the geese. They lose:\n5 BRICK\n"
    assert shown[2:8] == [
        lost + GEESE_QUESTION,
        f"The geese are already on tile 4. Choose another tile.\n{GEESE_QUESTION}",
        f"There is no tile 19. Tiles are numbered from 0 to 18.\n{GEESE_QUESTION}",
        f"There is no tile -1. Tiles are numbered from 0 to 18.\n{GEESE_QUESTION}",
        f"'here' is not the number of a tile.\n{GEESE_QUESTION}",
        "Builder Blue has no builders to steal from.\n",
    ]


def test_wrong_victim_is_explained_and_asked_for_again(tmp_path: Path) -> None:
    question = "Choose a builder to steal from.\n"
    shown = play(tmp_path, GEESE, "roll\n7\n9\nOrange\nGreen\nred\n")
    assert shown[3:7] == [
        f"Builder Blue can choose to steal from Red, Yellow.\n{question}",
        f"You cannot steal from Orange. Choose one of: Red, Yellow.\n{question}",
        f"'Green' is not Blue, Red, Orange or Yellow.\n{question}",
        "Builder Blue steals WIFI from builder Red.\n",
    ]


# The end (4.4, 4.5).

AGAIN = "Would you like to play again?\n"
WON = "Builder Blue wins with 10 building points!\n"


def test_ten_points_win_immediately_and_no_leaves_the_program(tmp_path: Path) -> None:
    shown = play(tmp_path, BLUE_NEARLY, "roll\n12\nimprove 44\nperhaps\n\nNO\nstatus\n")
    assert shown[3:] == [WON + AGAIN, AGAIN, "", ""]
    assert not (tmp_path / "backup.sv").exists()


def test_yes_starts_a_new_game_on_the_same_tiles(tmp_path: Path) -> None:
    layout = " ".join(["4 12"] * 18 + ["5 7"])
    saved = save(blue="0 0 2 3 0 r h 0 T 20 T 49 H 44 B", layout=layout, rest="0\n")
    shown = play(tmp_path, saved, f"roll\n11\nimprove 44\nYes\n{SETUP}roll\n12\n")
    assert shown[4].endswith(settle("Blue"))
    assert "HEAT" not in shown[4]
    kept = backup(tmp_path)
    assert kept[5:] == [layout, "18"]
    assert kept[1] == "0 0 0 0 4 r h 0 B 20 B"


@pytest.mark.parametrize(("home", "points"), [("B", 10), ("H", 11)])
def test_resumed_game_with_a_winner_is_over_immediately(
    home: str, points: int, tmp_path: Path
) -> None:
    saved = save(blue=f"0 0 0 0 0 r h 0 T 20 T 51 T 44 {home}", yellow="0 0 0 0 0 r h 24 B")
    shown = play(tmp_path, saved, "no\n")
    assert shown == [f"Builder Blue wins with {points} building points!\n{AGAIN}", ""]


@pytest.mark.parametrize(
    "typed", ["", "0\n5\n", SETUP, f"{SETUP}roll\n", f"{SETUP}roll\n7\n", f"{SETUP}roll\n9\nnext"]
)
def test_end_of_input_saves_the_game_at_any_point(typed: str, tmp_path: Path) -> None:
    printed = run(tmp_path, typed=typed)
    assert (printed.stderr, printed.status) == ("", 0)
    assert printed.stdout.endswith("> ")
    assert "wins" not in printed.stdout
    kept = (tmp_path / "backup.sv").read_text("utf-8")
    assert run(tmp_path, "-load", "backup.sv").status == 0
    assert (tmp_path / "backup.sv").read_text("utf-8") == kept


def test_end_of_input_at_a_question_saves_the_game_before_the_answer(tmp_path: Path) -> None:
    at_work(tmp_path, "trade Red WIFI BRICK")
    assert backup(tmp_path) == RICH.splitlines()


def test_end_of_input_after_the_game_saves_the_final_state(tmp_path: Path) -> None:
    play(tmp_path, BLUE_NEARLY, "roll\n12\nimprove 44\n")
    assert backup(tmp_path)[1] == "0 0 0 0 0 r h 0 T 20 T 51 H 44 H"


def test_unwritable_backup_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "backup.sv").mkdir()
    printed = run(tmp_path)
    message = "constructor: backup.sv cannot be written: Is a directory\n"
    assert (printed.stderr, printed.status) == (message, 1)


def test_a_byte_order_mark_before_the_first_answer_is_ignored(tmp_path: Path) -> None:
    assert run(tmp_path, typed=f"\ufeff{SETUP}").stdout == run(tmp_path, typed=SETUP).stdout


def test_lines_that_are_not_valid_text_are_refused_and_the_game_continues(tmp_path: Path) -> None:
    typed = b"\xff\xfe\n\x00\n" + b"x" * 100_000 + b"\n0\n"
    shown = pieces(run(tmp_path, typed=typed).stdout)
    assert shown[1:] == [INVALID + settle("Blue")] * 3 + [settle("Red"), ""]


# With piped input, the program has only the commands and messages of the document.


WORDS = ["undo", "redo", "seed", "rules", "actions", "table", "bot", "human 1", "quit", "/log"]


def test_table_commands_are_invalid_with_piped_input(tmp_path: Path) -> None:
    assert at_work(tmp_path, *WORDS) == [INVALID] * len(WORDS)


def test_action_numbers_are_invalid_with_piped_input(tmp_path: Path) -> None:
    assert play(tmp_path, RICH, "1\nroll\n")[1:3] == [INVALID, ROLL_QUESTION]


@pytest.mark.parametrize("line", ["status", "help", "board"])
def test_questions_accept_only_answers_with_piped_input(line: str, tmp_path: Path) -> None:
    assert play(tmp_path, RICH, f"roll\n{line}\n")[2] == f"Invalid roll.\n{ROLL_QUESTION}"
