"""The program `constructor` at a real terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from tests.constructor.programs import (
    BLUE_NEARLY,
    CONSTRUCTOR,
    LAST_LINE,
    RICH,
    backup,
    save,
)
from tests.terminals import spawn

pytestmark = [pytest.mark.usefixtures("_ignoring_signals"), pytest.mark.slow]

SETTLE = "Builder {0}, where do you want to build a basement?\r\n{0}> "


class Terminal:
    """The program at a terminal of 80 x 60, in a folder with the saves `g.sv` and `won.sv`."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        (folder / "g.sv").write_text(RICH)
        (folder / "nearly.sv").write_text(BLUE_NEARLY)
        settings = {"TERM": "dumb", **environment}
        self.program = spawn(
            *CONSTRUCTOR, *arguments, size=(60, 80), cwd=folder, environment=settings
        )

    def shows(self, text: str) -> str:
        """Wait until `text` is shown; what is shown before it."""
        self.program.expect_exact(text)
        return str(self.program.before).replace("\r\n", "\n")

    def types(self, line: str, until: str = "Blue> ") -> str:
        """Type a line; what is shown for it, up to `until`."""
        self.program.sendline(line)
        self.shows(f"{line}\r\n")
        return self.shows(until)

    def end(self, key: str = "sendeof") -> tuple[str, int | None]:
        """What is shown when input ends, or is interrupted, and the exit status."""
        getattr(self.program, key)()
        self.program.expect(pexpect.EOF)
        self.program.close()
        return str(self.program.before).replace("\r\n", "\n"), self.program.exitstatus


@pytest.fixture
def rich(tmp_path: Path) -> Iterator[Terminal]:
    """The saved game `RICH`, at its first prompt."""
    terminal = Terminal(tmp_path, "-load", "g.sv")
    terminal.shows("and 5 WiFi.\r\nBlue> ")
    yield terminal
    terminal.program.close()


def test_each_answer_stands_behind_its_prompt(rich: Terminal) -> None:
    for line, answer in [
        ("roll", "Input a roll between 2 and 12:\r\nBlue> "),
        ("12", "No builders gained resources.\r\nBlue> "),
        ("build-road 0", "Blue builds a road on edge 0.\r\nBlue> "),
        ("", "Blue> "),
        ("trade red wifi brick", "Does Red accept this offer?\r\nRed> "),
        ("yes", "Red accepts.\r\nBlue> "),
        ("zzz", "Invalid command.\r\nBlue> "),
        ("save x.sv", "Saved in 'x.sv'.\r\nBlue> "),
    ]:
        rich.types(line, answer)
    rich.types("board", LAST_LINE)


@pytest.mark.parametrize("leave", ["sendeof", "sendintr"])
@pytest.mark.parametrize("typed", [[], ["roll"], ["roll", "12", "trade Red WIFI BRICK"]])
def test_whoever_leaves_is_told_how_to_go_on(
    typed: list[str], leave: str, rich: Terminal, tmp_path: Path
) -> None:
    for line in typed:
        rich.types(line, "> ")
    shown, status = rich.end(leave)
    assert shown.endswith(
        "It goes on at the beginning of Blue's turn, with loaded dice.\n"
        "To go on with the game: constructor -load backup.sv\n"
    )
    assert status == 0
    assert backup(tmp_path) == RICH.splitlines()


def test_a_game_is_recorded_and_goes_on_where_it_was_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    terminal = Terminal(tmp_path, "-load", "g.sv", "-bot", "red", "-pause", "0")
    terminal.shows("Blue> ")
    terminal.types("roll", "12:\r\nBlue> ")
    terminal.types("12")
    shown, status = terminal.end()
    assert "Left after 2 actions; go on with: tabletop resume\nThe record:" in shown
    assert status == 0
    (record,) = tmp_path.glob("state/tabletop/records/constructor-*.jsonl")
    for words in ([], [str(record)]):
        terminal = Terminal(tmp_path, "-resume", *words)
        terminal.shows("Constructor, seed: constructor; 2 actions so far\r\n")
        terminal.shows("Blue> ")
        assert terminal.types("undo").startswith("1 action taken back\n")
        assert terminal.types("redo") == "No builders gained resources.\n"
        terminal.end()


def test_no_record_is_written_where_none_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    terminal = Terminal(tmp_path, "-load", "g.sv", "-no-record")
    terminal.shows("Blue> ")
    said = "there is nothing to save: this match is not recorded (see -record FILE)\n"
    assert terminal.types("save") == said
    shown, _ = terminal.end()
    assert "Left after" not in shown
    assert not list(tmp_path.rglob("*.jsonl"))


def test_an_interrupt_at_the_last_question_leaves(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-load", "nearly.sv")
    terminal.types("roll", "12:\r\nBlue> ")
    terminal.types("12")
    terminal.types("improve 44", "Would you like to play again?\r\n> ")
    shown, status = terminal.end("sendintr")
    assert shown.endswith("The game is over; it is kept in backup.sv.\n")
    assert status == 0


# What can be asked for at every question.


def test_board_status_residences_log_and_help_answer_at_every_question(rich: Terminal) -> None:
    questions = [
        ("roll", "Input a roll between 2 and 12:\r\nBlue> ", "<roll>"),
        ("7", "Choose where to place the GEESE.\r\nBlue> ", "<tile#>"),
        ("2", "Choose a builder to steal from.\r\nBlue> ", "<colour>"),
        ("red", "Blue> ", "build-road <edge#>"),
    ]
    for line, asked, answer in questions:
        rich.types(line, asked)
        assert LAST_LINE in rich.types("board")
        assert "Yellow has 2 building points" in rich.types("status")
        assert "Blue has built:\n0 B\n20 B" in rich.types("residences")
        assert "Nobody else has done anything yet." in rich.types("log")
        told = rich.types("help").partition("\nBlue> ")[0]
        assert f"\n{answer} " in told.partition("\nNow:")[2]
        assert told.count("\n") <= 58, "it fits a screen of 60 lines"
        assert "resign" in told


def test_who_is_offered_a_trade_asks_for_their_own_residences(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-load", "g.sv")
    terminal.types("roll", "12:\r\nBlue> ")
    terminal.types("12")
    terminal.types("trade red wifi brick", "Red> ")
    assert "Red has built:\n5 B\n36 B" in terminal.types("residences", "Red> ")
    assert "no to all" in terminal.types("help", "Red> ")
    assert "possible: yes, no, no to all." in " ".join(terminal.types("perhaps", "Red> ").split())
    assert "Did you mean `no to all`?" in terminal.types("no to al", "Red> ")
    terminal.types("no", "Red declines.\r\nBlue> ")
    terminal.program.close()


# The setup.


def test_the_board_is_drawn_again_in_the_setup_and_what_was_chosen_is_said(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-bot", "red")
    terminal.shows(SETTLE.format("Blue"))
    drawn = terminal.types("0", SETTLE.format("Orange"))
    assert drawn.startswith("Blue builds a basement on vertex 0.\n")
    below = drawn.partition(f"{LAST_LINE}\n")[2]
    assert below.startswith("Red builds a basement on vertex "), "nearest to the prompt"
    assert "|BB|-- 0--| 1|" in drawn
    assert LAST_LINE in terminal.types("board", SETTLE.format("Orange"))
    assert terminal.types("0", "Builder") == "You cannot build here.\n"
    terminal.program.close()


BROKEN = save(blue="0 0 0 0 0 r h 0 B", red="0 0 0 0 0 r h 5 B 36 B")
"""Seven basements have been chosen, and Blue has still one to choose."""


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Terminal]:
    """A setup that was broken off, at the question whether it is to go on."""
    (tmp_path / "broken.sv").write_text(BROKEN)
    terminal = Terminal(tmp_path, "-load", "broken.sv", "-log", "events", "-bot", "yellow")
    terminal.shows("7 of 8 basements have been chosen.\r\nDo you want to go on with it?\r\n> ")
    yield terminal
    terminal.program.close()


def test_a_setup_that_was_broken_off_goes_on_when_a_person_says_so(
    broken: Terminal, tmp_path: Path
) -> None:
    assert LAST_LINE in broken.types("yes", SETTLE.format("Blue"))
    assert "Blue builds a basement on vertex 20." in broken.types("20", "Builder Blue's turn.\r\n")
    broken.shows("Blue> ")  # a key that ends input is lost on a program that does not read yet
    broken.end()
    assert backup(tmp_path) == save().splitlines()
    assert "7 of 8" not in (tmp_path / "events").read_text()


def test_a_setup_that_was_broken_off_is_a_game_when_a_person_says_no(broken: Terminal) -> None:
    assert broken.types("no", "Builder Blue's turn.\r\n").count(LAST_LINE) == 1


def test_who_leaves_the_setup_is_told_what_becomes_of_it(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-bot", "red=random", "-fair", "-seed", "old oak")
    terminal.shows(SETTLE.format("Blue"))
    terminal.types("0", SETTLE.format("Orange"))
    shown, status = terminal.end()
    assert shown.endswith(
        "6 basements still to be chosen. At a terminal you will be asked whether to\n"
        "choose them; elsewhere the game goes on without them, at the beginning of Blue's\n"
        "turn.\n"
        "To go on with the setup:\nconstructor -load backup.sv -fair -seed 'old oak'"
        " -bot Red=random\n"
    )
    assert status == 0


# The end.


def test_the_final_board_is_shown(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-load", "nearly.sv")
    terminal.types("roll", "12:\r\nBlue> ")
    terminal.types("12")
    shown = terminal.types("improve 44", "Would you like to play again?\r\n> ")
    assert shown.startswith("Blue builds a house on vertex 44.\n")
    assert "|BH|" in shown
    assert LAST_LINE in shown
    said, _, sheet = shown.partition("Builder Blue wins with 10 building points!\n")
    assert said.endswith(" WiFi.\n")
    assert sheet.startswith("\nScore sheet\n")
    assert "  again    tabletop play constructor --" in sheet
    assert terminal.end()[0].endswith("The game is over; it is kept in backup.sv.\n")


# Colours.


@pytest.mark.parametrize("told", [{"NO_COLOR": "1", "TERM": "xterm-256color"}, {"TERM": "dumb"}])
def test_nobody_who_wants_no_colours_gets_any(told: dict[str, str], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-load", "g.sv", **told)
    assert "|BB|" in terminal.shows("Builder Blue's turn.")
    terminal.program.close()


# Variants.


def test_what_a_tile_has_become_is_said_and_stands_under_the_board(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-variant", "scarce")
    for vertex in (0, 5, 17, 24, 51, 38, 36, 20):
        terminal.types(str(vertex), "> ")
    terminal.types("roll", "12:\r\nBlue> ")
    gained = terminal.types("3")
    assert gained == "Builder Blue gained:\n1 BRICK\nTile 0 produces BRICK, 19 left.\n"
    begun = terminal.types("next", "Red> ")
    assert f"{LAST_LINE}\nTile 0 produces BRICK, 19 left.\nBuilder Red's turn.\n" in begun
    terminal.program.close()
