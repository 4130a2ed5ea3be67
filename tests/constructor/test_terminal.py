"""The program `constructor` at a real terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from tests.constructor.programs import (
    BLUE_NEARLY,
    LAST_LINE,
    RICH,
    backup,
)
from tests.terminals import spawn

from constructor.program.cli import main

pytestmark = [pytest.mark.usefixtures("_ignoring_signals"), pytest.mark.slow]


class Terminal:
    """The program at a terminal of 80 by 60, in a folder with the saves `g.sv` and `nearly.sv`."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        (folder / "g.sv").write_text(RICH)
        (folder / "nearly.sv").write_text(BLUE_NEARLY)
        settings = {"TERM": "dumb", **environment}
        self.program = spawn(main, *arguments, size=(60, 80), cwd=folder, environment=settings)

    def shows(self, text: str) -> str:
        """Wait until `text` is shown and return the output before it."""
        self.program.expect_exact(text)
        return str(self.program.before).replace("\r\n", "\n")

    def types(self, line: str, until: str = "Blue> ") -> str:
        """Type a line and return the output up to `until`."""
        self.program.sendline(line)
        self.shows(f"{line}\r\n")
        return self.shows(until)

    def end(self, key: str = "sendeof") -> tuple[str, int | None]:
        """End or interrupt the input and return the remaining output and the exit status."""
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


def test_answers_appear_after_their_prompts(rich: Terminal) -> None:
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
def test_leaving_shows_how_to_resume(leave: str, rich: Terminal, tmp_path: Path) -> None:
    for line in ("roll", "12", "trade Red WIFI BRICK"):
        rich.types(line, "> ")
    shown, status = rich.end(leave)
    assert shown.endswith(
        "The game will continue at the beginning of Blue's turn, with loaded dice.\n"
        "To resume the game: constructor -load backup.sv\n"
    )
    assert status == 0
    assert backup(tmp_path) == RICH.splitlines()


def test_an_interrupt_at_the_last_question_leaves(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "-load", "nearly.sv")
    terminal.types("roll", "12:\r\nBlue> ")
    terminal.types("12")
    terminal.types("improve 44", "Would you like to play again?\r\n> ")
    shown, status = terminal.end("sendintr")
    assert shown.endswith("The game is over and saved in backup.sv.\n")
    assert status == 0
