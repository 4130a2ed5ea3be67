"""The commands `resign` and `draw` at a terminal."""

from __future__ import annotations

from tabletop.match import AnyMatch
from tabletop.records import HUMAN
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.terminal.playing import play


def outcome_text(match: AnyMatch) -> str:
    return "" if match.outcome is None else match.outcome.reason


def test_a_person_resigns_for_the_seat_to_act() -> None:
    match, shown = play(TICTACTOE, "5", "resign")
    assert match.lost == (1,)
    assert shown.rstrip().endswith("Player 1 wins (Player 2 resigned).")


def test_a_terminal_asks_before_a_person_resigns() -> None:
    for answer, is_over in (("no", False), ("yes", True)):
        match, shown = play(TICTACTOE, "5", "resign", answer, terminal=True)
        assert "Resign anyway? (yes or no)" in shown
        assert match.over == is_over


def test_people_at_one_keyboard_agree_to_a_draw_after_a_question() -> None:
    match, shown = play(TICTACTOE, "5", "/draw", "yes", terminal=True)
    assert "Draw anyway? (yes or no)" in shown
    assert outcome_text(match) == "by agreement"


def test_a_person_among_bots_cannot_agree_to_a_draw() -> None:
    match, shown = play(TICTACTOE, "draw", players=(HUMAN, "random"))
    assert not match.over
    assert "'draw'" in shown


def test_a_bot_plays_on_for_a_person_who_has_resigned() -> None:
    match, shown = play("lcr", "resign", players=(HUMAN, "random", "random"))
    assert match.over
    assert match.outcome is not None
    assert match.outcome.ranking[-1] == (0,)
    lines = shown.splitlines()
    new_player = "Player 1 is now played by the Random bot."
    assert lines.index("Player 1 resigned.") < lines.index(new_player), "the cause comes first"


def test_the_word_of_a_game_goes_first() -> None:
    match, shown = play("constructor", "resign random", players=(HUMAN,) * 4)
    assert match.lost == ()
    assert "played by the Random bot" in shown
