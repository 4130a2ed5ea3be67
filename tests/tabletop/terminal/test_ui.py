"""What a game, or a program, changes of how a terminal behaves."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typing_extensions import override

from tabletop import ActionPlayed, Command, Commands, ContractError, Event, Match, Plugin, Watcher
from tabletop.match import AnyMatch
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.session import Session
from tabletop.terminal import Console, TerminalClient, TerminalLoop, TerminalUI, UIMaker, load_ui
from tests.streams import Terminal
from tests.tabletop.cli.program import CLAIMS, DUEL, TICTACTOE, here
from tests.tabletop.terminal.playing import play
from tests.tabletop.told import tells


@dataclass(frozen=True, slots=True)
class Count:
    """`count`."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """`stop`."""


class Counting(TerminalUI):
    """A ui with words, a prompt and sentences of its own, which shows less."""

    commands = Commands(
        Command("count", Count, help="Count the actions."), Command("stop", GiveUp, help="Leave.")
    )

    @override
    def execute(self, request: object, seat: int) -> bool:
        if isinstance(request, GiveUp):
            return False
        self.client.say(f"{self.client.match.ply} so far")
        return True

    @override
    def opening(self) -> None:
        self.client.say("Let us count.")

    @override
    def asked(self, seat: int) -> None:
        """Nothing is shown."""

    @override
    def prompt(self, seat: int) -> str:
        return "? "

    @override
    def event(self, event: Event, reader: Watcher) -> str:
        return f"({event.action})" if isinstance(event, ActionPlayed) else ""

    @override
    def refused(self, line: str, error: Exception, seat: int) -> None:
        self.client.say(f"No: {line}")

    @override
    def ending(self) -> None:
        self.client.say("That was it.")

    @override
    def left(self) -> None:
        self.client.say("Bye.")


def played(*lines: str, ui: UIMaker = Counting, game: str = TICTACTOE) -> str:
    """What is shown for these lines, from the first one to the last."""
    plugin = load(game)
    match: AnyMatch = Match(plugin.game, seed="oak")
    out = io.StringIO()
    console = Console(io.StringIO("".join(f"{line}\n" for line in lines)), out, ends_lines=False)
    session = Session(match, plugin, [HUMAN, HUMAN])
    TerminalLoop(TerminalClient(session, console), ui).run()
    return out.getvalue()


def test_a_ui_says_everything_in_its_own_words() -> None:
    assert played("5", "count", "5", "1") == (
        "Let us count.\n? (5)\n? 1 so far\n? No: 5\n? (1)\n? Bye.\n"
    )
    assert played("1", "4", "2", "5", "3").endswith("? (3)\nThat was it.\n")
    assert played("5", "undo", "seed", "count").endswith("? ? oak\n? 0 so far\n? Bye.\n")
    assert played("stop", "5").endswith("? Bye.\n")


def test_help_tells_the_words_of_a_ui() -> None:
    told = played("help")
    assert "\nMore commands of this game:\ncount  Count the actions.\n" in told
    assert told.index("count  ") < told.index("undo [ACTIONS]")


@pytest.mark.parametrize("rows", [30, 14, 6])
def test_help_fits_a_screen_however_low(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", str(rows))
    monkeypatch.setenv("COLUMNS", "80")
    told = at_a_terminal("help", game=DUEL)
    assert told.count("\n") < rows
    assert ("help, rules,\nactions" in told) == (rows < 24)
    assert told.index("count") < told.index("pick")
    assert ("pick SHAPE  Choose a shape." in told) == (rows > 6)
    everything = at_a_terminal("help all", game=DUEL)
    for row in ("undo [ACTIONS]  ", "count  ", "pick SHAPE  "):
        assert row in everything
    assert everything.index("undo [ACTIONS]") < everything.index("pick SHAPE")


def at_a_terminal(line: str, game: str) -> str:
    """What a person at a terminal is shown for a line."""
    plugin = load(game)
    out = Terminal()
    session = Session(Match(plugin.game, seed="oak"), plugin, [HUMAN, HUMAN])
    ui = type("Plain", (Counting,), {"prompt": lambda self, seat: "> "})
    TerminalLoop(TerminalClient(session, Console(Terminal(f"{line}\n"), out)), ui).run()
    return out.getvalue().partition("> ")[2].partition("> ")[0]


def test_a_mistyped_word_of_a_ui_is_guessed() -> None:
    assert "did you mean `count`?" in played("cuont", ui=type("Plain", (Counting,), {}))


def test_a_slash_reaches_the_word_of_a_ui() -> None:
    class Shadowed(Counting):
        commands = Commands(Command("pick", Count, help="Count."))

    assert "? 0 so far" in played("/pick", ui=Shadowed, game=DUEL)


def test_a_ui_with_commands_that_serves_none_breaks_the_contract() -> None:
    class Idle(TerminalUI):
        commands = Commands(Command("count", Count))

    with pytest.raises(ContractError, match="Idle has commands, but does not override"):
        played("count", ui=Idle)


# The ui of a plugin.

MODULE = """
from dataclasses import replace
from tabletop.registry import load
from tabletop.terminal import TerminalUI

class Shouting(TerminalUI):
    def prompt(self, seat):
        return "WELL? "

PLUGIN = replace(load({game!r}), ui={ui})
"""


def module(tmp_path: Path, ui: str) -> Path:
    path = tmp_path / "game.py"
    path.write_text(MODULE.format(game=TICTACTOE, ui=ui))
    return path


def test_play_and_resume_use_the_ui_of_a_module(tmp_path: Path) -> None:
    game, record = module(tmp_path, "Shouting"), tmp_path / "match.jsonl"
    done = here("play", game, "--record", record, typed="5\n")
    assert "\nWELL? \n" in done.stdout
    assert "; continue with: tabletop resume" in done.stdout
    again = here("resume", record, "--game", game, typed="1\n")
    assert "\nWELL? \n" in again.stdout


def test_a_ui_is_imported_only_at_a_terminal() -> None:
    plugin = replace(load(TICTACTOE), ui="tabletop.terminal.ui:TerminalUI")
    assert type(load_ui(plugin)(screen(plugin))) is TerminalUI
    assert load_ui(load(TICTACTOE)) is TerminalUI


def screen(plugin: Plugin) -> TerminalClient:
    match: AnyMatch = Match(plugin.game)
    console = Console(io.StringIO(), io.StringIO())
    return TerminalClient(Session(match, plugin, [HUMAN, HUMAN]), console)


@pytest.mark.parametrize(
    ("ui", "why"),
    [
        ("7", "ui ... 7 ... TerminalUI"),
        ("'nonsense'", "ui ... 'nonsense' ... TerminalUI"),
        ("'nowhere:TerminalUI'", "ui ... 'nowhere:TerminalUI' ... ModuleNotFoundError"),
        ("'tabletop:TerminalUI'", "ui ... 'tabletop:TerminalUI' ... tabletop.terminal"),
    ],
)
def test_what_is_no_ui_is_refused_in_a_line(ui: str, why: str, tmp_path: Path) -> None:
    done = here("play", module(tmp_path, ui), "--no-record")
    assert done.returncode == 2
    assert tells(done.stderr, why)
    assert done.stderr.count("\n") == 1


def test_a_long_list_stands_in_columns_and_leaves_the_board_on_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    shown = play(CLAIMS, terminal=True)[1]
    screen = shown[shown.index(". . .") :].removesuffix("(end of input)\n").splitlines()
    assert len(screen) <= 24
    assert max(map(len, screen)) < 80
    assert " 1  claim a1  14  claim f2" in shown
    assert "64  claim h8" in shown


def test_where_columns_have_no_room_either_actions_has_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "24")
    shown = play(CLAIMS, terminal=True)[1]
    screen = shown[shown.index(". . .") :].removesuffix("(end of input)\n").splitlines()
    assert len(screen) <= 24
    assert "... and 38 more (type\n`actions` for all)" in shown
    assert "64  claim h8" in play(CLAIMS, "actions", terminal=True)[1]


def test_a_number_that_is_not_on_the_screen_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "24")
    match, shown = play(CLAIMS, "60", terminal=True)
    assert match.ply == 0
    assert "the number 60: type its text,\nor `actions`" in shown
    assert play(CLAIMS, "actions", "60", terminal=True)[0].ply == 1
