"""Commands of the program `constructor` during a turn (Constructor §4.3, §4.5)."""

from __future__ import annotations

from pathlib import Path

from tests.constructor.programs import (
    CANNOT,
    INVALID,
    NOBODY_GAINS,
    OFFER,
    RICH,
    ROLL_QUESTION,
    TRADE_QUESTION,
    at_work,
    backup,
    lines,
    play,
    save,
)

HELP = (
    "Valid commands:\nboard\nstatus\nresidences\nbuild-road <edge#>\nbuild-res <housing#>\n"
    "improve <housing#>\ntrade <colour> <give> <take>\nnext\nsave <file>\nhelp\n"
)


# During the turn (4.3).


def test_status_shows_all_builders_and_residences_only_the_active_builder(tmp_path: Path) -> None:
    saved = save(turn=1, red="0 1 0 0 0 r 3 h 36 T 5 H", yellow="0 0 0 0 0 r h")
    status = (
        "Blue has 2 building points, 0 brick, 0 energy, 0 glass, 0 heat, and 0 WiFi.\n"
        "Red has 5 building points, 0 brick, 1 energy, 0 glass, 0 heat, and 0 WiFi.\n"
        "Orange has 2 building points, 0 brick, 0 energy, 0 glass, 0 heat, and 0 WiFi.\n"
        "Yellow has 0 building points, 0 brick, 0 energy, 0 glass, 0 heat, and 0 WiFi.\n"
    )
    before, *_ = play(tmp_path, saved, "")
    board = before.partition("Builder")[0]
    asked = "status\nresidences\nboard\n"
    told = [status, "Red has built:\n36 T\n5 H\n", board]
    shown = play(tmp_path, saved, f"{asked}roll\n12\n{asked}")
    assert shown[1:4] == told
    assert shown[6:9] == told


def test_help_before_the_roll_lists_the_commands_of_that_phase(tmp_path: Path) -> None:
    commands = ["load", "fair", "roll", "board", "status", "residences", "help"]
    assert play(tmp_path, RICH, "help\n")[1] == lines("Valid commands:", *commands)
    commands.remove("load")
    assert play(tmp_path, RICH, "help\n", "-fair")[1] == lines("Valid commands:", *commands)


def test_help_lists_only_valid_commands(tmp_path: Path) -> None:
    listed = play(tmp_path, RICH, "help\n")[1].splitlines()[1:]
    for command in listed:
        assert play(tmp_path, RICH, f"{command}\n")[1] != INVALID


def test_after_the_roll_help_lists_the_commands_of_the_document(tmp_path: Path) -> None:
    assert at_work(tmp_path, "help") == [HELP]


def test_building_costs_resources_and_prints_nothing(tmp_path: Path) -> None:
    *silent, status = at_work(
        tmp_path, "build-road 1", "build-road 6", "build-res 8", "improve 0", "status"
    )
    assert silent == [""] * 4
    assert status.startswith("Blue has 4 building points, 4 brick, 4 energy, 2 glass, 0 heat,")
    assert backup(tmp_path)[1] == "4 4 2 0 2 r 1 6 h 0 H 20 B 8 B"


def test_white_space_and_letter_case_do_not_matter(tmp_path: Path) -> None:
    shown = play(tmp_path, RICH, "  ROLL \n +12\n\tBuild-Road   0\r\nTRADE red wifi Brick\n YES\n")
    assert shown[1:6] == [ROLL_QUESTION, NOBODY_GAINS, "", OFFER + TRADE_QUESTION, ""]
    assert backup(tmp_path)[1] == "6 5 5 4 3 r 0 h 0 B 20 B"


def test_wrong_place_is_reported_before_missing_resources(tmp_path: Path) -> None:
    words = ["build-road 71", "build-res 4", "improve 5", "improve 54", "build-road -1"]
    words.append(f"build-road {'9' * 40}")
    assert at_work(tmp_path, *words) == [CANNOT] * len(words)
    assert at_work(tmp_path, *words, saved=save()) == [CANNOT] * len(words)


def test_building_without_enough_resources_is_refused(tmp_path: Path) -> None:
    words = ["build-road 0", "improve 0", "trade Red HEAT BRICK"]
    shown = at_work(tmp_path, *words, saved=save())
    assert shown == ["You do not have enough resources.\n"] * len(words)


def test_command_with_wrong_arguments_is_invalid(tmp_path: Path) -> None:
    typed = [
        "build-road",
        "Build-Road x",
        "build-res 1 2",
        "improve 1.5",
        "trade",
        "trade Green BRICK",
        "trade Red BRICK WIFI HEAT",
        "save",
        "next turn",
        "board 3",
        "help me",
        "resign a b",
    ]
    assert at_work(tmp_path, *typed) == [INVALID] * len(typed)


def test_roll_with_an_extra_argument_does_not_roll(tmp_path: Path) -> None:
    assert play(tmp_path, RICH, "roll 7\n")[1] == INVALID


# Trades (3.5.4).


def test_impossible_trade_is_refused_without_asking_the_other_builder(tmp_path: Path) -> None:
    reasons = [
        (
            "trade Green BRICK WIFI",
            "There is no builder 'Green'; there are Blue, Red, Orange and Yellow.",
        ),
        (
            "trade Red GOLD WIFI",
            "There is no resource 'GOLD'; there are BRICK, ENERGY, GLASS, HEAT and WIFI.",
        ),
        (
            "trade Red BRICK PARK",
            "There is no resource 'PARK'; there are BRICK, ENERGY, GLASS, HEAT and WIFI.",
        ),
        ("trade Blue BRICK WIFI", "You cannot trade with yourself."),
        ("trade Red BRICK WIFI", "Red has no WIFI to give."),
    ]
    shown = at_work(tmp_path, *(line for line, _ in reasons))
    assert shown == [f"{why}\n" for _, why in reasons]
    assert backup(tmp_path) == RICH.splitlines()


def test_trade_question_repeats_until_yes_or_no(tmp_path: Path) -> None:
    shown = at_work(tmp_path, "trade Red WIFI BRICK", "perhaps", "", "next", "No", "status")
    assert shown[:5] == [OFFER + TRADE_QUESTION, TRADE_QUESTION, "", TRADE_QUESTION, ""]
    assert backup(tmp_path) == RICH.splitlines()
