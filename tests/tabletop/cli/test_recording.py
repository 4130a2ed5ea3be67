"""A record at a table: locked for others, and missed at the next move when it is gone."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tabletop.records.file import read
from tabletop.terminal.console import Console
from tests.tabletop.cli.program import TICTACTOE, WIN, at_terminal, here, records
from tests.terminals import left


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "999")  # paths of tests are long, and lines are not broken
    return tmp_path / "match.jsonl"


@pytest.mark.slow
def test_a_match_that_is_being_played_is_not_resumed(state: Path, tmp_path: Path) -> None:
    with at_terminal("play", TICTACTOE) as child:
        child.expect_exact("Player 1> ")
        child.sendline("1")
        child.expect_exact("Player 2> ")
        [record] = records(state)
        for words in ((), (record,)):
            done = here("resume", *words)
            assert done.returncode == 1
            assert done.stdout == ""
            assert done.stderr == (
                f"tabletop: {record}: this record is being written by another program;"
                " go on there, or end that first\n"
            )
        assert here("replay", record).returncode == 0
        child.sendline("quit")
        left(child)
    assert here("resume", record, typed="quit\n").returncode == 0
    assert records(state) == [record]


def test_the_program_says_where_files_cannot_be_locked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, how: int) -> None:  # as network drives do, which are not here
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    done = here("play", TICTACTOE, "--record", path, "--no-score", typed=WIN)
    assert done.returncode == 0
    assert done.stderr == (
        f"tabletop: {path}: files cannot be locked there: see to it that no other program resumes"
        " this match meanwhile\n"
    )


def test_every_command_knows_the_home_of_the_user(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(path.parent))
    path.with_name("game.py").write_text(Path(TICTACTOE).read_text())
    for words, typed, status in (
        (("play", "~/game.py", "--record=~/match.jsonl", "--log=~/match.draws"), "1\nquit\n", 0),
        (("resume", "~/match.jsonl", "--game=~/game.py"), "4\n2\n5\n3\n", 0),
        (("replay", "~/match.jsonl", "--game=~/game.py"), "", 0),
        (("diverge", "~/match.jsonl", "~/match.draws", "--game=~/game.py"), "", 1),
        (("scores", "import", "~/match.jsonl", "--game=~/game.py"), "", 0),
    ):
        done = here(*words, typed=typed)
        assert (done.returncode, done.stderr) == (status, ""), words
    assert read(path).ended


@pytest.mark.parametrize("line", ["1", "undo", "bot", "save copy", "quit", None])
def test_a_lost_record_ends_the_program_in_a_line(
    line: str | None, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here("play", TICTACTOE, "--record", path, typed="5\n")

    def read_and_lose(console: Console, prompt: str) -> str | None:
        path.unlink()
        return line

    monkeypatch.setattr(Console, "read", read_and_lose)
    done = here("resume", path, "--game", TICTACTOE)
    assert done.returncode == 1
    assert done.stderr == f"tabletop: {path}: this record has been deleted\n"
    assert "go on with" not in done.stdout
