"""Texts of LCR: the course's lines and the view for terminals."""

from __future__ import annotations

from tests.lcr.programs import NAMES, course_lines

from lcr import GAME, PLUGIN, ROLL, LcrState
from lcr.text import CourseLines
from tabletop import ActionPlayed, ActionsUndone, Match

TEXT = PLUGIN.text
PEOPLE = ("Ann", "Bob", "Zoë Lang")


def test_course_lines_report_every_turn_and_the_winner() -> None:
    match = Match(GAME, seed=1, seats=list(NAMES[:7]), options={"course-seed": 65535})
    lines: list[str] = []
    match.observe(CourseLines(NAMES, lines.append))
    while not match.over:
        match.play(ROLL)
    assert "".join(lines) == course_lines(7, 65535)


def test_position_shows_chips_pot_and_the_next_player() -> None:
    assert TEXT.position(LcrState([1, 0, 11], pot=2, seat=2), PEOPLE).splitlines() == [
        "  Ann       1 o",
        "  Bob       0",
        "> Zoë Lang 11 ooooooooooo",
        "  the pot   2 oo",
    ]


def test_position_shows_no_next_player_after_the_game() -> None:
    lines = TEXT.position(LcrState([0, 4, 0], pot=5, seat=None), PEOPLE).splitlines()
    assert [line[0] for line in lines] == [" "] * 4


def test_turn_text_describes_every_die_and_its_chip() -> None:
    match = Match(GAME, seed="x", seats=PEOPLE, options={"course-seed": 784})
    lines: list[str] = []
    match.observe(lambda event: lines.append(TEXT.event(event, match.names)))
    match.play(ROLL)
    match.play(ROLL)
    assert list(filter(None, lines)) == [
        "Ann rolls.",
        "Right: 1 chip to Zoë Lang.",
        "Center: 1 chip to the pot.",
        "Right: 1 chip to Zoë Lang.",
        "Ann ends with 0 chips.",
        "Bob rolls.",
        "Center: 1 chip to the pot.",
        "Left: 1 chip to Zoë Lang.",
        "Center: 1 chip to the pot.",
        "Bob ends with 0 chips.",
        "Zoë Lang wins (nobody else has chips).",
    ]


def test_dot_keeps_the_chip_and_one_chip_is_singular() -> None:
    match = Match(GAME, seed="x", seats=PEOPLE, options={"course-seed": 42})
    lines: list[str] = []
    match.observe(lambda event: lines.append(TEXT.event(event, match.names)))
    while not match.over:
        match.play(ROLL)
    assert "Dot: keeps it." in lines
    assert any(line.endswith(" ends with 1 chip.") for line in lines)


def test_undo_is_announced() -> None:
    assert TEXT.event(ActionsUndone(2, 0), PEOPLE) == "2 actions undone"
    assert TEXT.event(ActionPlayed(1, 1, ROLL), PEOPLE) == "Bob rolls."
