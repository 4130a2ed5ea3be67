"""The file of a record: locks, lost files, and moving to another file."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.pages import unmeasured
from tests.tabletop.games import walk

from tabletop import Match, RecordError
from tabletop.errors import RecordInUse, RecordLost
from tabletop.host.paths import new_record_path, utc_now
from tabletop.records import Journal, read, replay

ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "records").mkdir()
    return tmp_path / "records" / "match.jsonl"


def unfinished_record(path: Path, plies: int = 3) -> None:
    """Return a record that can be resumed."""
    with Journal.create(path, match := Match(walk.GAME, seed=1)):
        for _ in range(plies):
            match.play("left")


# Locks.

HOLDER = """
import sys
from tabletop.records import Journal
from tabletop.records.file import read; from tabletop.records.replaying import replay
from tests.tabletop.games import walk
record = read(sys.argv[1])
match = replay(record, walk.GAME)
with Journal.resume(record, match):
    print("here", flush=True)
    for line in sys.stdin:
        match.play(line.strip())
        print("played", flush=True)
"""


def holder(path: Path) -> subprocess.Popen[str]:
    """Start another program, which has resumed the record and waits for actions."""
    program = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        env={**unmeasured(), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "here\n"
    return program


@pytest.mark.slow
def test_a_record_that_another_program_writes_is_not_resumed_and_its_writer_is_named(
    path: Path,
) -> None:
    unfinished_record(path)
    with holder(path) as program:
        record = read(path)
        match = replay(record, walk.GAME)
        who = rf".+ \(process {program.pid} on .+, since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\)"
        with pytest.raises(RecordInUse, match=rf"{who} \("):
            Journal.resume(record, match)
        assert program.stdin is not None
        print("right", file=program.stdin, flush=True)
        assert program.stdout is not None
        program.stdout.readline()
        assert read(path).plies == 4  # reading is allowed
        program.stdin.close()
    assert program.returncode == 0
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.slow
def test_a_link_does_not_bypass_the_lock_of_a_record(path: Path) -> None:
    unfinished_record(path)
    hard, soft = path.with_name("hard"), path.with_name("soft")
    hard.hardlink_to(path)
    soft.symlink_to(path)
    with Journal.resume(record := read(path), replay(record, walk.GAME)):
        for link in (hard, soft):
            record = read(link)
            with pytest.raises(RecordInUse):
                Journal.resume(record, replay(record, walk.GAME))


@pytest.mark.slow
def test_the_lock_of_a_killed_program_is_released(path: Path) -> None:
    unfinished_record(path)
    with holder(path) as program:
        program.kill()
    record = read(path)
    match = replay(record, walk.GAME)
    with Journal.resume(record, match):
        match.play("left")
    assert read(path).plies == 4
    assert list(path.parent.iterdir()) == [path], "the note of the killed program"


def test_a_line_completed_by_another_program_is_not_cut_off(path: Path) -> None:
    unfinished_record(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    record = read(path)
    path.write_bytes(whole[:-2] + b"\n")  # with the same length, and complete
    with pytest.raises(RecordError, match=r"\banother program\b"):
        Journal.resume(record, replay(record, walk.GAME))


def test_a_match_continues_on_a_drive_without_locks(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, how: int) -> None:  # simulate a network drive without locks
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match) as journal:
        assert not journal.locked
        match.play("left")
    assert read(path).plies == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["", "my poems", "x (process y on z)", "x (process 1 on z)\n", "\xff", "[" * 999]
)
def test_a_file_with_the_name_of_a_note_is_not_changed(text: str, path: Path) -> None:
    note = path.with_name("match.jsonl.lock")
    note.write_text(text, "latin-1")
    unfinished_record(path)
    assert note.read_text("latin-1") == text
    record = read(path)
    first, second = replay(record, walk.GAME), replay(record, walk.GAME)
    with Journal.resume(record, first), pytest.raises(RecordInUse, match="by another program"):
        Journal.resume(record, second)


# Lost files.


def delete(path: Path) -> None:
    path.unlink()


def delete_folder(path: Path) -> None:
    for file in path.parent.iterdir():
        file.unlink()
    path.parent.rmdir()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.jsonl"))


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("other"))


def replace(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


LOSSES: dict[Callable[[Path], None], str] = {
    delete: r"\bdeleted\b",
    delete_folder: r"\bdeleted\b",
    move: r"\bmoved\b",
    move_folder: r"\bmoved\b",
    replace: r"\breplaced\b",
}


@pytest.mark.parametrize("lose", LOSSES, ids=lambda it: it.__name__)
def test_a_lost_record_is_noticed_and_continues_in_another_file(
    lose: Callable[[Path], None], path: Path, tmp_path: Path
) -> None:
    match = Match(walk.GAME, seed=1)
    other = tmp_path / "other.jsonl"
    with Journal.create(path, match) as journal:
        match.play("left")
        match.play("right")
        match.undo()
        journal.seated(0, "random")
        lose(path)
        before = match.digest()
        deeds: list[Callable[[], object]] = [
            journal.check,
            lambda: match.play("left"),
            match.undo,
            lambda: journal.seated(0, "x"),
        ]
        for refused in deeds[:1] if lose in (move, move_folder) else deeds:
            with pytest.raises(RecordLost, match=LOSSES[lose]):
                refused()
        assert (match.digest(), match.ply) == (before, 1)
    with Journal.create(other, match):
        match.play("left")
    assert replay(read(other), walk.GAME).digest() == match.digest()


def test_a_moved_record_continues_at_its_new_place(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match):
        match.play("left")
        move(path)
        match.play("left")
    assert read(path.with_name("elsewhere.jsonl")).plies == 2


def test_a_removed_drive_refuses_every_line(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    journal = Journal.create(path, match)
    match.play("left")
    os.close(journal._file._descriptor)
    with pytest.raises(RecordLost, match=r"Bad file descriptor$"):
        match.play("right")
    assert match.ply == 1


def test_the_error_for_a_drive_that_does_not_respond_contains_the_systems_reason(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> os.stat_result:
        raise OSError(errno.EIO, "Input/output error")

    with Journal.create(path, Match(walk.GAME, seed=1)) as journal:
        with monkeypatch.context() as patched:
            patched.setattr(os, "stat", fail)
            with pytest.raises(RecordLost, match=r"Input/output error$"):
                journal.check()
        journal.check()


def test_changing_the_working_directory_does_not_lose_the_record(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(walk.GAME, seed=1)
    monkeypatch.chdir(path.parent)
    with Journal.create(path.name, match):
        monkeypatch.chdir(path.parent.parent)
        match.play("left")
    assert read(path).plies == 1


@pytest.mark.parametrize("broken", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_interrupted_copy_leaves_no_file(
    broken: BaseException,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, write = tmp_path / "copy.jsonl", os.write

    def half(descriptor: int, data: bytes) -> int:
        if len(data) < 100:
            raise broken
        return write(descriptor, data[: len(data) // 2])

    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match) as journal:
        match.play("left")
        whole = path.read_bytes()
        monkeypatch.setattr(os, "write", half)
        with pytest.raises((RecordError, KeyboardInterrupt)) as caught:
            journal.copy(other)
        monkeypatch.undo()
        assert not other.exists()
        assert not isinstance(caught.value, RecordLost), "the record itself is whole"
        match.play("right")
        assert (journal.path, path.read_bytes()[: len(whole)]) == (path, whole)
    assert replay(read(path), walk.GAME).digest() == match.digest()


@pytest.mark.parametrize("broken", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
def test_after_a_failed_copy_the_record_continues_at_its_end(
    broken: BaseException, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int, size: int) -> bytes:
        raise broken

    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match) as journal:
        match.play("left")
        monkeypatch.setattr(os, "read", fail)
        with pytest.raises((RecordError, KeyboardInterrupt)):
            journal.copy(tmp_path / "copy.jsonl")
        monkeypatch.undo()
        match.play("right")
    assert replay(read(path), walk.GAME).digest() == match.digest()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_the_user_can_read_a_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(path.parent))
    monkeypatch.setenv("XDG_STATE_HOME", str(path.parent / "state"))
    own = new_record_path("walk", utc_now())
    Journal.create(own, match := Match(walk.GAME, seed=1)).copy(path)
    assert match.ply == 0
    assert [it.stat().st_mode & 0o777 for it in (own, path)] == [0o600] * 2
    assert own.parent.stat().st_mode & 0o777 == 0o700
