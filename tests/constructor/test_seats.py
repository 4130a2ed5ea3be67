"""Bots as builders, from the start or after resigning (Constructor §6, questions 4 and 5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.constructor.programs import (
    BLUE_NEARLY,
    INVALID,
    OFFER,
    RICH,
    ROLL_QUESTION,
    TRADE_QUESTION,
    at_work,
    backup,
    lines,
    pieces,
    play,
    run,
    save,
)

from tabletop import Match
from tabletop.records import read
from tabletop.registry import load

PLAYS_ON = "The bot {} plays on for {}.\n"


def test_actions_of_bots_are_printed_as_if_typed(tmp_path: Path) -> None:
    shown = run(tmp_path, "-bot", "Red", "--bot=orange=Random", typed="0\n").stdout
    _, blue, red, orange, yellow = pieces(shown)
    assert blue == "Builder Red, where do you want to build a basement?\n"
    assert red.partition("\n")[0].isdecimal()
    assert orange.partition("\n")[2] == "Builder Yellow, where do you want to build a basement?\n"
    assert yellow == ""


def test_bots_answer_trade_offers(tmp_path: Path) -> None:
    shown = play(tmp_path, RICH, lines("roll", "12", "trade Red WIFI BRICK"), "-bot", "red=random")
    assert shown[3] == OFFER + TRADE_QUESTION
    assert shown[4] in ("yes\n", "no\n")
    assert len(shown) == 6


def test_bot_takes_over_after_resigning_in_the_setup(tmp_path: Path) -> None:
    shown = pieces(run(tmp_path, typed="0\nRESIGN\n").stdout)
    question = "Builder Red, where do you want to build a basement?\n"
    assert shown[1:3] == [question, PLAYS_ON.format("builder", "Red") + question]
    assert shown[3].partition("\n")[2] == question.replace("Red", "Orange")


def test_bot_takes_over_after_resigning_before_the_roll(tmp_path: Path) -> None:
    shown = play(tmp_path, RICH, "resign random\n")
    assert shown[1] == PLAYS_ON.format("random", "Blue")
    assert shown[2] in ("roll\n" + ROLL_QUESTION, "fair\n", "load\n")


@pytest.mark.parametrize(
    ("typed", "who", "question"),
    [
        (["roll"], "Blue", ROLL_QUESTION),
        (["roll", "7"], "Blue", "Choose where to place the GEESE.\n"),
        (["roll", "7", "2"], "Blue", "Choose a builder to steal from.\n"),
        (["roll", "12", "trade Red WIFI BRICK"], "Red", TRADE_QUESTION),
    ],
)
def test_builder_to_act_can_resign_at_any_question(
    typed: list[str], who: str, question: str, tmp_path: Path
) -> None:
    shown = play(tmp_path, RICH, lines(*typed, "resign"))
    assert shown[len(typed) + 1] == PLAYS_ON.format("builder", who) + question
    assert shown[len(typed) + 2] != ""


def test_resigning_affects_only_the_builder_to_act(tmp_path: Path) -> None:
    shown = play(tmp_path, RICH, lines("roll", "12", "trade Red WIFI BRICK", "resign", "status"))
    assert shown[4].startswith("The bot builder plays on for Red.")
    assert shown[6].startswith("Blue has 2 building points, ")


def test_resigning_to_an_unknown_bot_is_refused(tmp_path: Path) -> None:
    shown = at_work(tmp_path, "resign hal", "resign two words")
    assert shown[0].startswith(
        "constructor has no bot 'hal'; its bots: builder, easy, fair, hard, random"
    )
    assert shown[1] == INVALID


def test_resigning_after_the_game_is_refused(tmp_path: Path) -> None:
    again = "Would you like to play again?\n"
    shown = play(tmp_path, BLUE_NEARLY, lines("roll", "12", "improve 44", "resign"))
    assert shown[-3:] == ["Builder Blue wins with 10 building points!\n" + again, again, ""]


def test_resigned_player_plays_the_next_game(tmp_path: Path) -> None:
    typed = lines("roll", "12", "improve 44", "yes", "0", "resign")
    shown = play(tmp_path, BLUE_NEARLY, typed, "-bot", "Yellow")
    assert shown[-3].startswith("The bot builder plays on for Red.")


DRY = save(layout=" ".join(["5 7"] * 19), rest="")
"""A save whose tiles produce nothing."""


@pytest.mark.slow
def test_stuck_match_left_to_bots_ends(
    tmp_path: Path,
) -> None:
    three = ["-bot=red", "-bot=orange", "-bot=yellow"]
    shown = play(tmp_path, DRY, "resign\n", *three, "-record", "g.jsonl")
    assert shown[-1].endswith(
        "Nobody has built for 200 turns and only bots are playing, so the game ends here.\n"
    )
    assert not read(tmp_path / "g.jsonl").ended
    assert backup(tmp_path)[0] in "0123"


# Variants (§6, 6).


def test_a_tile_can_be_improved_in_a_rich_game(tmp_path: Path) -> None:
    setup = "0\n5\n17\n24\n51\n38\n36\n20\n"
    help_lines = "roll\n3\nhelp\nimprove-tile 0 WIFI\nimprove-tile 1 WIFI\nimprove-tile 0 GOLD\n"
    shown = pieces(run(tmp_path, "-variant", "rich", typed=setup + help_lines).stdout)
    assert "\nhelp\nimprove-tile <tile#> <resource>\n" in shown[11]
    assert shown[12:15] == [
        "You do not have enough resources.\n",
        "You cannot build here.\n",
        "There is no resource 'GOLD'; there are BRICK, ENERGY, GLASS, HEAT and WIFI.\n",
    ]


def test_board_and_saves_contain_changed_tiles(tmp_path: Path) -> None:
    variant = "variant living " + " ".join(["WIFI:0", *["-:20"] * 3, "-:-", *["-:20"] * 14])
    saved = RICH.replace("\n4\n", f"\n4\n{variant}\n")
    shown = at_work(tmp_path, "board", "improve-tile 6 HEAT", "board", saved=saved)
    told = (
        "|52|--71--|53|\nTile 0 produces BRICK and WIFI, 0 left.\nTile 1 produces ENERGY, 20 left."
    )
    assert told in shown[0]
    assert "Tile 6 produces GLASS and HEAT, 20 left.\n" in shown[2]
    assert backup(tmp_path)[7].split()[8] == "HEAT:20"


def test_standard_game_shows_no_changed_tiles(tmp_path: Path) -> None:
    assert at_work(tmp_path, "board")[0].endswith("|52|--71--|53|\n")


def test_players_without_names_are_called_by_their_colours() -> None:
    assert Match(load("constructor").game).names == ("Blue", "Red", "Orange", "Yellow")
