"""The texts and commands of a game at a terminal, and the presentation of a program."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tabletop import (
    ActionPlayed,
    Command,
    Commands,
    ContractError,
    Event,
    Match,
    MatchEnded,
    RegistryError,
)
from tabletop.display import ConsoleText, News, Reading, Repeat, SavedFile, Shown
from tabletop.match import AnyMatch
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.terminal import Console, LocalConnection, LocalTable, Presentation
from tests.streams import Terminal
from tests.tabletop.cli.program import CLAIMS, DUEL, TICTACTOE, here
from tests.tabletop.terminal.playing import play
from tests.tabletop.told import tells


@dataclass(frozen=True, slots=True)
class Count:
    """`count`."""


@dataclass(frozen=True, slots=True)
class Corner:
    """`corner`."""


@dataclass(frozen=True, slots=True)
class Keep:
    """`keep`."""


class Counting(ConsoleText[Any]):
    """Texts with commands and sentences of their own."""

    commands = Commands(
        Command("count", Count, help="Count the actions."),
        Command("corners", Corner, help="Play on corners."),
        Command("keep", Keep, help="Write a file."),
    )

    @override
    def answer(self, command: Any, reading: Reading[Any]) -> str | Repeat | SavedFile:
        match command:
            case Corner():
                return Repeat("1", (ActionPlayed,), text="A corner.")
            case Keep():
                return SavedFile("kept", f"{len(reading.actions)} actions")
        return f"{len(reading.log)} events"

    @override
    def question(self, reading: Reading[Any]) -> Shown:
        return Shown("That was it." if reading.is_over else "")

    @override
    def news(self, reading: Reading[Any]) -> News:
        played = [it.event for it in reading.unread if isinstance(it.event, ActionPlayed)]
        return News(" ".join(f"({event.action})" for event in played))

    @override
    def refusal(self, line: str, error: Exception, reading: Reading[Any]) -> str:
        return f"No: {line}"


def played(
    *lines: str,
    texts: type[ConsoleText[Any]] = Counting,
    game: str = TICTACTOE,
    **presentation: Any,
) -> str:
    """Return the output for these lines."""
    plugin = replace(load(game), console=texts)
    match: AnyMatch = Match(plugin.game, seed="oak")
    out = io.StringIO()
    console = Console(io.StringIO("".join(f"{line}\n" for line in lines)), out, ends_lines=False)
    table = LocalTable(match, plugin, [HUMAN, HUMAN], console)
    LocalConnection(table, console, Presentation(**{"title": False, **presentation})).run()
    return out.getvalue()


def test_texts_replace_those_of_every_table() -> None:
    assert played("5", "count", "5", "4") == (
        "Player 1> (5)\nPlayer 2> 1 events\nPlayer 2> No: 5\nPlayer 2> (4)\nPlayer 1> "
        "Left after 2 actions\n"
    )


def test_the_end_of_a_match_is_a_question() -> None:
    assert played("1", "4", "2", "5", "3").endswith("Player 1> (3)\nThat was it.\n")


def test_a_command_can_write_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Saved in 'kept'.\n" in played("keep")
    assert (tmp_path / "kept").read_text("utf-8") == "9 actions"


def test_a_file_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    assert "No: keep\n" in played("keep")


class Repeating(Counting):
    """Texts with a command that declines every challenge."""

    until: tuple[type[Event], ...] = (ActionPlayed,)

    @override
    def answer(self, command: Any, reading: Reading[Any]) -> Repeat:
        return Repeat("pick rock", self.until, text="Always rock.")


class RepeatingForever(Repeating):
    until = (MatchEnded,)


def test_a_repeated_line_is_entered_at_once_and_until_an_event() -> None:
    shown = played("corners", "pick paper", "pick rock", game=DUEL, texts=Repeating)
    assert shown.startswith("Player 1> Always rock.\n")


def test_a_line_is_repeated_whenever_it_is_possible() -> None:
    shown = played("corners", *["pick paper"] * 9, game=DUEL, texts=RepeatingForever)
    assert shown.count("Player 1> ") == 1


def test_a_repeat_with_a_slash_is_a_command_of_every_table() -> None:
    class Resigning(Counting):
        @override
        def answer(self, command: Any, reading: Reading[Any]) -> Repeat:
            return Repeat("/bot random")

    assert "Player 1 is now played by the Random bot.\n" in played("count", texts=Resigning)


def test_news_can_stay_unread_until_a_later_action() -> None:
    class Pairs(Counting):
        @override
        def news(self, reading: Reading[Any]) -> News:
            if len(reading.unread) < 2:
                return News(unread=1)
            return super().news(reading)

    assert played("1", "2", texts=Pairs).startswith("Player 1> Player 2> (1) (2)\n")


def test_a_game_that_fails_to_describe_news_is_reported_and_play_continues(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Faulty(Counting):
        @override
        def news(self, reading: Reading[Any]) -> News:
            raise ZeroDivisionError

    assert "Left after 2 actions" in played("1", "2", texts=Faulty)
    assert capsys.readouterr().err.count("ZeroDivisionError") == 2


def test_the_commands_of_a_game_are_in_help() -> None:
    shown = played("help", texts=Simple)
    assert "\nMore commands of this game:\ncount  Count the actions.\n" in shown
    assert shown.index("count  ") < shown.index("undo [ACTIONS]")


class Simple(ConsoleText[Any]):
    """Texts with one command."""

    commands = Commands(Command("count", Count, help="Count the actions."))

    @override
    def answer(self, command: Any, reading: Reading[Any]) -> str:
        return f"{len(reading.log)} events"


@pytest.mark.parametrize("rows", [30, 14, 6])
def test_help_fits_the_screen(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", str(rows))
    monkeypatch.setenv("COLUMNS", "80")
    shown = at_terminal("help", game=DUEL)
    assert shown.count("\n") < rows
    assert ("help, rules,\nactions" in shown) == (rows < 24)
    assert shown.index("count") < shown.index("pick")
    assert ("pick SHAPE  Choose a shape." in shown) == (rows > 6)
    everything = at_terminal("help all", game=DUEL)
    for row in ("undo [ACTIONS]  ", "count  ", "pick SHAPE  "):
        assert row in everything
    assert everything.index("undo [ACTIONS]") < everything.index("pick SHAPE")


def at_terminal(line: str, game: str) -> str:
    """Return the answer to a line at a terminal."""
    plugin = replace(load(game), console=Simple)
    out = Terminal()
    console = Console(Terminal(f"{line}\n"), out)
    table = LocalTable(Match(plugin.game, seed="oak"), plugin, [HUMAN, HUMAN], console)
    LocalConnection(table, console).run()
    return out.getvalue().partition("> ")[2].partition("Player 1> ")[0]


def test_a_command_similar_to_an_unknown_word_is_suggested() -> None:
    assert "did you mean `count`?" in played("cuont", texts=Simple)


def test_a_slash_reaches_a_command_that_is_also_a_word_of_the_rules() -> None:
    class Shadowed(Simple):
        commands = Commands(Command("pick", Count, help="Count."))

    assert "0 events" in played("/pick", texts=Shadowed, game=DUEL)


def test_commands_without_answers_break_the_contract() -> None:
    class Idle(ConsoleText[Any]):
        commands = Commands(Command("count", Count))

    with pytest.raises(ContractError, match=r"Idle .* answer"):
        played("count", texts=Idle)


# The presentation of a program.


def test_a_program_can_stop_a_match_before_a_decision() -> None:
    def stop(connection: LocalConnection) -> str:
        return "Enough." if connection.match.ply > 1 else ""

    shown = played("1", "2", "3", stop=stop)
    assert shown.endswith("(2)\nEnough.\nLeft after 2 actions\n")


def test_a_program_can_print_its_own_first_and_last_texts() -> None:
    shown = played(
        "1",
        begin=lambda connection: connection.console.say("Let us count."),
        leave=lambda connection: connection.console.say("Bye."),
    )
    assert shown == "Let us count.\nPlayer 1> (1)\nPlayer 2> Bye.\n"


# The console texts of a plugin.

MODULE = """
from dataclasses import replace
from tabletop.registry import load
from tabletop.display import ConsoleText, Shown

class Shouting(ConsoleText):
    def question(self, reading):
        return Shown("WELL?")

PLUGIN = replace(load({game!r}), console={console})
"""


def module(tmp_path: Path, console: str) -> Path:
    path = tmp_path / "game.py"
    path.write_text(MODULE.format(game=TICTACTOE, console=console))
    return path


@pytest.mark.slow
def test_play_and_resume_use_the_texts_of_a_module(tmp_path: Path) -> None:
    game, record = module(tmp_path, "Shouting"), tmp_path / "match.jsonl"
    done = here("play", game, "--record", record, typed="5\n")
    assert "\nWELL?\n" in done.stdout
    assert "; continue with: tabletop resume" in done.stdout
    again = here("resume", record, "--game", game, typed="1\n")
    assert "\nWELL?\n" in again.stdout


def test_texts_can_be_imported_when_they_are_used() -> None:
    plugin = replace(load(TICTACTOE), console=f"{__name__}:Counting")
    assert type(plugin.make_console()) is Counting
    assert type(load(TICTACTOE).make_console()) is ConsoleText


@pytest.mark.parametrize(
    ("console", "why"),
    [
        ("7", "console ... 7 ... ConsoleText"),
        ("'nonsense'", "console ... 'nonsense' ... ConsoleText"),
        ("'nowhere:Shouting'", "console ... 'nowhere:Shouting' ... ModuleNotFoundError"),
        ("'tabletop:Game'", "console ... 'tabletop:Game' ... ConsoleText"),
    ],
)
def test_other_objects_are_refused_with_a_reason(console: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(RegistryError) as caught:
        load(str(module(tmp_path, console))).make_console()
    assert tells(str(caught.value), why)


# The default question.


@pytest.mark.parametrize("terminal", [False, True])
def test_a_long_list_is_a_few_lines_in_columns(
    monkeypatch: pytest.MonkeyPatch, *, terminal: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    shown = play(CLAIMS, terminal=terminal)[1]
    lines = [line for line in shown.splitlines() if "claim" in line]
    assert lines[0].startswith(" 1  claim a1   7  claim g1")
    assert len(lines) == 6
    assert max(map(len, lines)) < 80
    assert "... and 34 more (type `actions` for all)" in shown


def test_the_question_is_above_the_list() -> None:
    shown = play("lcr", players=(HUMAN,) * 3)[1].splitlines()
    at = shown.index("Roll 3 dice")
    assert shown[at + 1 : at + 3] == ["1  roll", "Player 1> "]


def test_actions_lists_the_actions_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "24")
    shown = play(CLAIMS, terminal=True)[1]
    screen = shown[shown.index(". . .") :].removesuffix("(end of input)\n").splitlines()
    assert len(screen) <= 24
    assert "... and 52 more (type\n`actions` for all)" in shown
    assert "64  claim h8" in play(CLAIMS, "actions", terminal=True)[1]


def test_a_number_that_is_not_on_the_screen_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "24")
    match, shown = play(CLAIMS, "60", terminal=True)
    assert match.ply == 0
    assert "the number 60: type its text,\nor `actions`" in shown
    assert play(CLAIMS, "actions", "60", terminal=True)[0].ply == 1
