"""People and bots at one keyboard who choose at the same time."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from tabletop import Plugin
from tabletop.records import HUMAN
from tests.tabletop.games import rps
from tests.tabletop.terminal.playing import play


class SecondHasNoChoice(rps.RockPaperScissors):
    """The second seat can only show a rock."""

    @override
    def legal_actions(self, state: rps.Round, seat: int) -> Sequence[rps.Show]:
        return [rps.Show(1, "rock")] if seat == 1 else super().legal_actions(state, seat)


def at(game: rps.RockPaperScissors) -> Plugin:
    return Plugin(game, levels={})


RPS = at(rps.GAME)


def test_bots_choose_without_waiting_for_people() -> None:
    match, shown = play("rps", players=(HUMAN, "random", HUMAN), plugin=RPS)
    assert (match.ply, match.to_act) == (1, (0, 2))
    assert shown.count("rounds") == 1, "the board is shown once, to who is asked first"


def test_people_are_asked_in_turn_and_each_is_shown_the_board_once() -> None:
    match, shown = play("rps", "rock", "nonsense", "paper", players=(HUMAN,) * 3, plugin=RPS)
    assert match.to_act == (2,)
    asked = [line[:8] for line in shown.splitlines() if line.startswith("Player") and "> " in line]
    assert asked == ["Player 1", "Player 2", "Player 2", "Player 3"]
    assert shown.count("rounds") == 3


def test_who_has_nothing_to_decide_is_asked_without_the_board() -> None:
    match, shown = play("rps", "rock", players=(HUMAN, HUMAN), plugin=at(SecondHasNoChoice()))
    assert match.to_act == (1,)
    assert shown.count("rounds") == 1
    assert shown.endswith("1  rock\nPlayer 2> \n(end of input)\n")
    _, shown = play("rps", "rock", "table", players=(HUMAN, HUMAN), plugin=at(SecondHasNoChoice()))
    assert shown.count("rounds") == 2, "it may ask for the board"


def test_undo_goes_back_to_the_last_action_of_a_person_past_bots_that_chose_before() -> None:
    match, _ = play("rps", "rock", "undo", players=(HUMAN, "random"), plugin=RPS)
    assert (match.ply, match.undone, match.to_act) == (1, 2, (0,))


def test_what_was_taken_back_can_be_played_again_though_bots_are_to_act() -> None:
    match, _ = play("rps", "rock", "undo 3", "redo", players=(HUMAN, "random"), plugin=RPS)
    assert match.undone < 3
    kept, _ = play("rps", "rock", players=(HUMAN, "random"), plugin=RPS)
    assert match.actions == kept.actions[: match.ply]


GUARDS = "tests/tabletop/games/guards.py"


def test_a_person_at_a_terminal_who_cannot_react_passes_at_once() -> None:
    match, _ = play(GUARDS, "take", "take", players=(HUMAN, "random", "random"))
    assert (match.state.turns, match.to_act) == (3, (0,))


def test_a_person_at_a_terminal_passes_until_the_end_of_the_turn() -> None:
    match, shown = play(GUARDS, "skip", players=("random", HUMAN, "random"))
    assert (match.state.turns, match.state.coins) == (1, [2, 0, 0])
    assert shown.count("2  stop") == 1


def test_each_of_several_people_at_a_terminal_passes_without_help() -> None:
    match, _ = play(GUARDS, "take", players=(HUMAN,) * 3)
    assert match.to_act == (1, 2)
    match, _ = play(GUARDS, "take", "skip", players=(HUMAN,) * 3)
    assert match.to_act == (2,)
