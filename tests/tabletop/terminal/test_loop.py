"""A session at a terminal: people and bots in a match, and the table commands."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace as changed_to
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tabletop import ALL, ActionPlayed, Event, Match, RegistryError, Watcher
from tabletop.display import TextView
from tabletop.display.text_view import SEED_TELLS
from tabletop.match import AnyMatch
from tabletop.records import HUMAN, Journal, read, replay
from tabletop.registry import load
from tabletop.terminal import Console, console, local_table
from tests.tabletop.cli.program import DUEL, TICTACTOE
from tests.tabletop.terminal.playing import PEOPLE, connection, play
from tests.tabletop.told import tells

DECK_BUILDER, HARBOUR = "examples/deck_builder.py", "examples/harbour.py"


def test_the_position_and_the_possible_actions_are_shown_before_a_prompt() -> None:
    _, shown = play(TICTACTOE)
    assert shown == (
        "\n. . .\n. . .\n. . .\npossible: 1 2 3 4 5 6 7 8 9\nPlayer 1> \n(end of input)\n"
    )


SAID: dict[str, tuple[str, list[str], str]] = {
    "an action by its number": (DUEL, ["2"], "1  pick rock\n2  pick paper\n3  pick scissors\n"),
    "nonsense": (TICTACTOE, ["castle"], "'castle' ... 1, 2"),
    "nonsense, and help": (TICTACTOE, ["castle"], "(`help` lists the commands)\nPlayer 1> "),
    "blank lines": (TICTACTOE, ["", "   "], "Player 1> \nPlayer 1> \nPlayer 1> \n(end of"),
    "a mistyped word": (TICTACTOE, ["undoo"], "(did you mean `undo`? `help` lists"),
    "a wrong second word": (TICTACTOE, ["undo x"], "word 2, 'x', ... [ACTIONS]"),
    "a wrong line of the game": (DUEL, ["table now"], "word 2, 'now', ... usage: t"),
    "a slash alone": (DUEL, ["/"], "line is empty"),
    "a slash and nonsense": (DUEL, ["/dance"], "unknown command 'dance'; possible: help"),
    "help with the game": (DUEL, ["help"], "pick SHAPE  Choose a shape."),
    "help with the table": (DUEL, ["help"], "undo [ACTIONS]"),
    "help without commands": (TICTACTOE, ["?"], "Type the number of an action, or its text."),
    "help with a card": (DECK_BUILDER, ["help STORM"], "\nstorm  2 cards. Each ... Costs 5.\n"),
    "help with a button": (HARBOUR, ["help tax"], "\ntax  Claim to be the reeve"),
    "help with a command": (TICTACTOE, ["help undo"], "\nundo [ACTIONS]  Undo"),
    "help with nonsense": (TICTACTOE, ["help castle"], "'castle' ... `help all`"),
    "rules": (TICTACTOE, ["rules", "1"], "# Tic-tac-toe"),
    "on after the rules": (TICTACTOE, ["rules", "1"], "Player 1: 1"),
    "no rules": (DUEL, ["/rules"], "duel ... rulebook"),
    "seed": (TICTACTOE, ["seed"], "Player 1> \noak\nPlayer 1> "),
    "undo": (TICTACTOE, ["5", "undo"], "1 action undone\n\n. . .\n. . .\n. . .\n"),
    "undo of nothing": (TICTACTOE, ["undo"], "no action to undo"),
    "redo of nothing": (TICTACTOE, ["redo"], "no undone action"),
    "undo of too much": (TICTACTOE, ["5", "undo 2"], "2 actions ... 1 "),
    "a bot's seat": (TICTACTOE, ["bot 3"], "seat 3; ... 1 to 2"),
    "a bot's seat 0": (TICTACTOE, ["bot random 0"], "word 3, '0', ... number from 1"),
    "a bot's name": (TICTACTOE, ["bot hal"], "tictactoe ... 'hal' ... easy, hard, "),
    "a person's seat": (TICTACTOE, ["human 3"], "seat 3; ... 1 to 2"),
    "a person without seat": (TICTACTOE, ["human"], "word 2, seat, ... usage: human SEAT"),
}


@pytest.mark.parametrize("case", SAID)
def test_a_line_is_answered(case: str) -> None:
    game, lines, said = SAID[case]
    match, shown = play(game, *lines)
    assert tells(shown, said)
    assert match.players == (None, None)


def test_the_end_shows_the_last_position_and_the_outcome() -> None:
    match, shown = play(TICTACTOE, "1", "4", "2", "5", "3")
    assert match.over
    last = "Player 1: 3\n\nx x x\no o .\n. . .\nPlayer 1 wins (three in a row).\n"
    assert shown.endswith(last)


def test_a_finished_session_returns_the_outcome_and_a_left_one_none() -> None:
    plugin = load(TICTACTOE)
    for lines, over in (("1\n4\n2\n5\n3\n", True), ("1\nquit\n", False)):
        match: AnyMatch = Match(plugin.game)
        terminal = Console(io.StringIO(lines), io.StringIO())
        outcome = connection(match, plugin, PEOPLE, terminal).run()
        assert (outcome is not None) == over == match.over


def test_a_word_of_the_game_comes_before_that_of_the_table_which_a_slash_reaches() -> None:
    match, shown = play(DUEL, "/table", "actions", "table")
    assert match.over
    assert shown.count("picks") == 3, "once more, and once at the end"
    assert shown.count("4  table") == 3
    assert shown.endswith("Abandoned (seat 1 flipped the table).\n")


def test_help_explains_a_command_that_is_also_a_button_once() -> None:
    for line in ("help", "help douse"):
        _, shown = play("examples/beacons.py", line, players=(HUMAN,) * 5)
        assert len(re.findall("^douse ", shown, re.MULTILINE)) == 1


def test_an_illegal_action_is_refused_with_its_reason() -> None:
    match, shown = play(DUEL, *["pick rock"] * 3)
    assert match.ply == 2
    assert "the rock has been shown twice\nPlayer 1> " in shown


def test_at_a_terminal_the_rules_are_laid_out_for_it() -> None:
    _, shown = play(TICTACTOE, "rules", terminal=True)
    assert "Tic-tac-toe\n===========\n" in shown


def test_undo_and_redo_go_back_and_forth_as_far_as_one_says() -> None:
    match, _ = play(TICTACTOE, "5", "1", "2", "undo 2")
    assert [str(action) for action in match.actions] == ["5"]
    match, _ = play(TICTACTOE, "5", "1", "2", "undo 3", "redo 2")
    assert [str(action) for action in match.actions] == ["5", "1"]


def test_undo_and_redo_take_the_bots_answer_with_them() -> None:
    players = (HUMAN, "random")
    before, _ = play(TICTACTOE, "5", players=players)
    match, shown = play(TICTACTOE, "5", "undo", players=players)
    assert match.ply == 0
    assert "2 actions undone" in shown
    match, _ = play(TICTACTOE, "5", "undo", "redo", players=players)
    assert match.actions == before.actions
    assert match.ply == 2


def test_undo_is_refused_when_only_bots_have_acted() -> None:
    match, shown = play(TICTACTOE, "undo", players=("random", HUMAN))
    assert match.ply == 1
    assert "no action to undo" in shown


def test_a_bot_takes_over_and_plays_to_the_end() -> None:
    match, shown = play(TICTACTOE, "5", "bot", "bot")
    assert match.over
    assert "Player 2 is now played by the Hard bot." in shown


@pytest.mark.parametrize("line", ["bot hard 2", "bot 2", "BOT Hard 2"])
def test_a_bot_takes_over_another_seat_and_a_person_takes_it_back(line: str) -> None:
    match, shown = play(TICTACTOE, line, "5")
    assert match.ply == 2
    assert "Player 2 is now played by the Hard bot." in shown
    match, shown = play(TICTACTOE, line, "human 2", "5")
    assert match.ply == 1
    assert "Player 2 is now played by a person." in shown
    assert match.players == (None, None)


def test_there_must_be_such_a_bot_at_the_start() -> None:
    with pytest.raises(RegistryError, match="'hal'"):
        play(TICTACTOE, players=(HUMAN, "hal"))


def test_a_takeover_stands_in_the_record(tmp_path: Path) -> None:
    plugin = load(TICTACTOE)
    match: AnyMatch = Match(plugin.game, seed="oak")
    terminal = Console(io.StringIO("5\nbot Random 1\n3\nundo\nhuman 1\n"), io.StringIO())
    with Journal.create(tmp_path / "match.jsonl", match) as journal:
        connection(match, plugin, PEOPLE, terminal, journal).run()
    record = read(tmp_path / "match.jsonl")
    assert [entry.player for entry in record.entries if entry.player] == ["random", HUMAN]
    assert record.players == PEOPLE
    assert replay(record, plugin.game).digest() == match.digest()


def test_a_secret_choice_of_a_bot_is_not_told() -> None:
    _, shown = play(DUEL, players=("random", HUMAN))
    assert shown.startswith("Player 1 has chosen.\n")
    assert "Player 1: " not in shown


def test_the_choice_that_completes_a_round_is_told() -> None:
    _, shown = play(DUEL, "pick paper", players=("stony", HUMAN))
    assert "Player 2: pick paper\nrevealed (shapes rock paper)\n" in shown


def test_a_game_with_words_of_its_own_says_what_it_likes() -> None:
    class Chatty(TextView[Any]):
        @override
        def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
            return "A hand moves." if isinstance(event, ActionPlayed) else ""

    plugin = changed_to(load(DUEL), text=Chatty())
    _, shown = play(DUEL, "1", plugin=plugin)
    assert "A hand moves.\n" in shown
    assert "has chosen" not in shown


def test_a_hand_is_not_shown_to_the_next_person() -> None:
    _, shown = play(DUEL, "pick paper", "", terminal=True)
    before, after = shown.split("\x1b[2J\x1b[3J\x1b[H")
    assert "picks   - -" not in after
    assert after.startswith("Player 2, it is your turn: press Enter. Player 1 has chosen.\n")
    assert "hidden" in after
    assert "hidden" not in before


def test_what_is_typed_where_only_enter_is_asked_for_is_said_to_do_nothing() -> None:
    match, shown = play(DUEL, "pick paper", "pick rock", "", terminal=True)
    assert match.ply == 1
    assert "'pick rock' is ignored. Press Enter.\n" in shown
    assert shown.count("Player 2, it is your turn") == 2


def test_who_is_asked_for_enter_can_leave() -> None:
    match, shown = play(DUEL, "pick paper", "quit", "", terminal=True)
    assert match.ply == 1
    assert shown.endswith("(end of input)\n")


def test_everybody_is_told_again_what_was_wiped_away() -> None:
    lines = ["pick paper", "", "pick rock", "pick paper", ""]
    _, shown = play(DUEL, *lines, terminal=True)
    told = shown.split("\x1b[2J\x1b[3J\x1b[H")[-1]
    assert "Player 2: pick rock\nrevealed (shapes paper rock)\nPlayer 1 has chosen.\n" in told


def test_nothing_is_wiped_where_nothing_is_hidden_or_nobody_looks_at_a_screen() -> None:
    _, shown = play(TICTACTOE, "5", "1", "2", terminal=True)
    assert "\x1b" not in shown
    assert "press Enter" not in shown
    assert "\x1b" not in play(DUEL, "pick paper")[1]


def test_input_that_ends_at_the_handover_ends_the_session() -> None:
    match, shown = play(DUEL, "pick paper", terminal=True)
    assert match.ply == 1
    assert shown.endswith("press Enter. \n(end of input)\n")


def test_typing_is_not_echoed_with_another_newline_at_a_terminal() -> None:
    _, shown = play(TICTACTOE, "5", terminal=True)
    assert "Player 1> Player 1: 5\n" in shown, "the terminal itself has shown the line"


def test_a_failing_text_view_is_reported_and_stops_nobody(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Stumbles(TextView[Any]):
        @override
        def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
            raise KeyError("no words")

    plugin = changed_to(load(TICTACTOE), text=Stumbles())
    match, _ = play(TICTACTOE, "5", plugin=plugin)
    assert match.ply == 1
    said = capsys.readouterr().err
    assert re.search(
        r"an observer failed: KeyError\('no words'\) in test_loop.py, line \d+\n", said
    )


def test_a_match_that_ends_without_an_outcome_ends_all_the_same() -> None:
    plugin = load(TICTACTOE)
    kind = type("Mute", (type(plugin.game),), {"outcome": lambda game, state: None})
    plugin = changed_to(plugin, game=kind())
    _, shown = play(TICTACTOE, "1", "4", "2", "5", "3", plugin=plugin)
    assert shown.endswith("Player 1: 3\n\nx x x\no o .\n. . .\n")


def test_people_are_warned_once_of_the_seed_where_several_have_secrets() -> None:
    _, shown = play(DUEL, "pick paper", "pick rock")
    assert shown.startswith(f"{SEED_TELLS}\n")
    assert shown.count(SEED_TELLS) == 1
    assert SEED_TELLS not in play(DUEL, "pick paper", players=("human", "random"))[1]
    assert SEED_TELLS not in play(TICTACTOE, "5", "1")[1]


def test_who_takes_a_seat_over_is_told_of_the_seed_then() -> None:
    _, shown = play(DUEL, "/human 2", "/human 2", players=("human", "random"))
    before, after = shown.split("is now played by a person.\n", 1)
    assert SEED_TELLS not in before
    assert after.startswith(f"{SEED_TELLS}\n")
    assert after.count(SEED_TELLS) == 1


class Unhurried(TextView[Any]):
    """Wants every action to be seen for an hour."""

    @override
    def pause(self, event: Event) -> float:
        return 3600 * isinstance(event, ActionPlayed)


@pytest.mark.parametrize(
    ("terminal", "players", "waits"),
    [(True, (HUMAN, "random"), True), (False, (HUMAN, "random"), False)],
    ids=["a person at a terminal", "a piped program"],
)
def test_a_bot_waits_as_long_as_a_game_wants_where_a_person_looks(
    terminal: bool, players: Sequence[str], waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept = [0.0]
    monkeypatch.setattr(console, "sleep", slept.append)
    monkeypatch.setattr(local_table, "monotonic", lambda: sum(slept))
    plugin = changed_to(load(TICTACTOE), text=Unhurried())
    play(TICTACTOE, "5", players=players, terminal=terminal, plugin=plugin)
    assert [it > 3000 for it in slept[1:]] == [True] * waits
