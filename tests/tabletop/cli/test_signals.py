"""Ctrl-C, SIGTERM, SIGHUP and a closed terminal: every program ends, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pexpect
import pytest

from constructor.program.cli import main as constructor
from lcr.program.cli import main as lcr
from sorcery.program.cli import main as sorcery
from tabletop.cli import main as tabletop
from tabletop.records import read
from tests.forked import Main, start
from tests.signals import ENDING, default_signals, reset_signals
from tests.tabletop.cli.program import FAST, SLEEPER, SLOW, TICTACTOE, WIN, here, records
from tests.tabletop.told import tells
from tests.terminals import at_terminal

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_ignoring_signals")]


@contextmanager
def program(
    main: Main, *arguments: object, cwd: Path | None = None, ignores_signals: bool = False
) -> Iterator[subprocess.Popen[str]]:
    """Run a program without a terminal."""
    with start(main, *arguments, cwd=cwd, ignores_signals=ignores_signals) as child:
        try:
            yield child
        finally:
            child.kill()


def as_installed(name: str, *arguments: str) -> subprocess.Popen[str]:
    """Start an installed program in a new Python."""
    command = [str(Path(sys.executable).with_name(name)), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8")


def type_line(child: subprocess.Popen[str], line: str) -> None:
    assert child.stdin is not None
    child.stdin.write(f"{line}\n")
    child.stdin.flush()


def shown_up_to(child: subprocess.Popen[str], text: str) -> str:
    """Return the output of a program up to `text`."""
    shown, stream = "", child.stdout
    assert stream is not None
    while not shown.endswith(text):
        letter = stream.read(1)
        assert letter, f"it has ended: {shown}"
        shown += letter
    return shown


def ended(child: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end of a program. Return its exit code and the rest of its output."""
    streams: Sequence[IO[str] | None] = (child.stdout, child.stderr)
    status = child.wait(timeout=60)
    stdout, stderr = (stream.read() if stream else "" for stream in streams)
    assert "Traceback" not in stdout + stderr
    return status, stdout, stderr


def move(child: subprocess.Popen[str]) -> None:
    """Play the first action of a match, and wait for the result."""
    shown_up_to(child, "Player 1> ")
    type_line(child, "5")
    shown_up_to(child, "Player 2> ")


@pytest.mark.parametrize("number", ENDING[1:])
def test_a_signal_leaves_a_match_like_ctrl_c(number: signal.Signals, state: Path) -> None:
    with program(tabletop, "play", TICTACTOE) as child:
        move(child)
        child.send_signal(number)
        status, stdout, stderr = ended(child)
    assert (status, stderr) == (0, "")
    assert "Left after 1 action; continue with: tabletop resume" in stdout
    [path] = records(state)
    assert '{"played":' in path.read_text("utf-8").splitlines()[-1]
    assert read(path).plies == 1


def test_many_interrupts_lose_nothing(state: Path) -> None:
    with default_signals(), as_installed("tabletop", "play", TICTACTOE) as child:
        move(child)
        while child.poll() is None:
            child.send_signal(signal.SIGINT)
        status, stdout, stderr = ended(child)
    assert status in (0, -signal.SIGINT), "a signal may come while Python shuts down"
    assert "Left after 1 action" in stdout
    assert stderr == ""
    assert '{"played":' in records(state)[0].read_text("utf-8").splitlines()[-1]


def test_constructor_saves_its_game_on_a_signal(tmp_path: Path) -> None:
    with program(constructor, cwd=tmp_path) as child:
        shown_up_to(child, "> ")
        child.send_signal(signal.SIGHUP)
        status, _, stderr = ended(child)
    assert (status, stderr) == (0, "")
    assert (tmp_path / "backup.sv").read_text("utf-8").startswith("0\n0 0 0 0 0 r h\n")


@pytest.mark.parametrize(
    ("main", "asked", "end"),
    [
        (sorcery, "1, what is your name?\n", (0, "\nThe game is over; nobody wins.\n", "")),
        (lcr, "Number of players (3 to 11)? ", (130, "\n", "lcr: interrupted\n")),
    ],
)
def test_the_programs_of_the_games_report_an_interrupt(
    main: Main, asked: str, end: tuple[int, str, str]
) -> None:
    with program(main) as child:
        shown_up_to(child, asked)
        child.send_signal(signal.SIGINT)
        assert ended(child) == end


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("replay", "--verify", "RECORD"), "RECORD: interrupted ... verified"),
        (("replay", "RECORD"), "RECORD: interrupted ... 2 of 4 "),
        (("diverge", "RECORD", "RECORD"), "interrupted ... comparison"),
        (("scores", "import", "RECORD"), "interrupted: 0 of 1 "),
    ],
)
def test_an_interrupted_command_reports_that_it_has_no_result(
    words: Sequence[str], message: str, tmp_path: Path
) -> None:
    fast, game, record = tmp_path / "fast.py", tmp_path / "slow.py", tmp_path / "match.jsonl"
    fast.write_text(FAST)
    here("play", fast, "--record", record, typed="go\n" * 4)
    game.write_text(
        FAST.replace('print("it takes its time", flush=True)', "raise KeyboardInterrupt")
    )
    done = here(*(str(record) if word == "RECORD" else word for word in words), "--game", game)
    assert done.returncode == 130
    assert tells(done.stderr, f"tabletop: {message.replace('RECORD', str(record))}")
    assert done.stderr.count("\n") == 1


def test_an_interrupted_check_reports_its_progress(tmp_path: Path) -> None:
    game = tmp_path / "slow.py"
    game.write_text(SLOW)
    with program(tabletop, "check", game) as child:
        shown_up_to(child, "it takes its time\n")
        child.send_signal(signal.SIGTERM)
        status, _, stderr = ended(child)
    assert status == 130
    assert tells(stderr, "tabletop: slow: interrupted; ... no faults ... 0 of 20 ")
    assert stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("play", "GAME"), 0, ""),
        (("seed", "GAME"), 130, "tabletop: interrupted\n"),
    ],
)
def test_an_interrupt_during_an_import_ends_the_program(
    words: Sequence[str], status: int, message: str, tmp_path: Path
) -> None:
    game = tmp_path / "game.py"
    game.write_text(SLEEPER)
    with program(tabletop, *(str(game) if word == "GAME" else word for word in words)) as child:
        shown_up_to(child, "it loads\n")
        child.send_signal(signal.SIGTERM)
        assert ended(child) == (status, "", message)


def test_an_ignored_signal_stays_ignored() -> None:
    with program(tabletop, "play", TICTACTOE, "--no-record", ignores_signals=True) as child:
        for line in WIN.split()[:-1]:
            shown_up_to(child, "> ")
            child.send_signal(signal.SIGINT)
            child.send_signal(signal.SIGHUP)
            type_line(child, line)
        shown_up_to(child, "> ")
        child.send_signal(signal.SIGTERM)
        status, stdout, _ = ended(child)
    assert status == 0
    assert "Left after 4 actions" in stdout


def ignore_closing() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def close_terminal(child: pexpect.spawn[str]) -> int:
    """Close only the terminal, wait for the program, and return its exit code."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, child.child_fd)
    os.close(nowhere)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        process, status = os.waitpid(child.pid, os.WNOHANG)
        if process:
            child.ptyproc.terminated = True
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    raise AssertionError("it goes on without its terminal")


@pytest.mark.parametrize("nohup", [False, True])
def test_a_closed_terminal_closes_the_record(nohup: bool, state: Path) -> None:
    first = ignore_closing if nohup else reset_signals
    with at_terminal(tabletop, "play", TICTACTOE, first=first) as child:
        child.expect_exact("Player 1> ")
        child.sendline("5")
        child.expect_exact("Player 2> ")
        assert close_terminal(child) == 0
    [path] = records(state)
    assert '{"played":' in path.read_text("utf-8").splitlines()[-1]


@pytest.mark.parametrize(
    ("main", "words", "asked"),
    [
        (constructor, (), "> "),
        (tabletop, ("replay", "--step", "RECORD", "--game", TICTACTOE), "Enter for the next "),
    ],
)
def test_every_program_ends_with_its_terminal(
    main: Main, words: Sequence[str], asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--record", path, typed=WIN)
    with at_terminal(main, *(word.replace("RECORD", str(path)) for word in words)) as child:
        child.expect_exact(asked)
        assert close_terminal(child) == 0
    assert (tmp_path / "backup.sv").is_file() == (main is constructor)


def test_long_commands_end_with_their_terminal(tmp_path: Path) -> None:
    game = tmp_path / "game.py"
    game.write_text('from lcr import PLUGIN\n\nprint("it loads")\n')
    with at_terminal(tabletop, "check", game, "--matches", "100000") as child:
        child.expect_exact("it loads")
        time.sleep(1)  # on most machines it is at work by then, and not still on its way there
        assert close_terminal(child) == 130
