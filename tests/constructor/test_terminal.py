"""The program `constructor` at a terminal."""

from __future__ import annotations

from pathlib import Path

import pexpect
import pytest
from tests.constructor.programs import CONSTRUCTOR, PICTURE, RICH, backup
from tests.signals import heed_signals

pytestmark = pytest.mark.usefixtures("_ignoring_signals")


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pexpect.spawn[str]:
    """The program, started at a terminal with a saved game."""
    monkeypatch.setenv("TERM", "dumb")
    (tmp_path / "g.sv").write_text(RICH)
    command = [*CONSTRUCTOR[1:], "-load", "g.sv"]
    program = pexpect.spawn(
        CONSTRUCTOR[0],
        command,
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=30,
        preexec_fn=heed_signals,
    )
    program.expect_exact("and 5 WiFi.\r\n> ")
    return program


def finish(program: pexpect.spawn[str]) -> tuple[str, int | None]:
    """What is shown to the end, and the exit status."""
    program.expect(pexpect.EOF)
    program.close()
    return str(program.before), program.exitstatus


@pytest.mark.slow
def test_each_answer_stands_behind_its_prompt(terminal: pexpect.spawn[str]) -> None:
    for line, answer in [
        ("roll", "Input a roll between 2 and 12:\r\n> "),
        ("12", "No builders gained resources.\r\n> "),
        ("build-road 0", "> "),
        ("", "> "),
        ("trade red wifi brick", "Does Red accept this offer?\r\n> "),
        ("yes", "> "),
        ("zzz", "Invalid command.\r\n> "),
    ]:
        terminal.sendline(line)
        terminal.expect_exact(f"{line}\r\n")
        terminal.expect_exact(answer)
    terminal.sendline("board")
    terminal.expect_exact(PICTURE.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("leave", ["sendeof", "sendintr"])
@pytest.mark.parametrize("typed", [[], ["roll"], ["roll", "12", "trade Red WIFI BRICK"]])
def test_whoever_leaves_is_told_how_to_go_on(
    typed: list[str], leave: str, terminal: pexpect.spawn[str], tmp_path: Path
) -> None:
    for line in typed:
        terminal.sendline(line)
        terminal.expect_exact("\n> ")
    getattr(terminal, leave)()
    shown, status = finish(terminal)
    assert shown.endswith("\r\nTo go on with the game: constructor -load backup.sv\r\n")
    assert status == 0
    assert backup(tmp_path) == RICH.splitlines()
