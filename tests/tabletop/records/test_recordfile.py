"""The file of a record: locked while it is written, missed when it is gone, moved when it must."""

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


def left_off(path: Path, plies: int = 3) -> None:
    """A record that can be gone on with."""
    with Journal.create(path, match := Match(walk.GAME, seed=1)):
        for _ in range(plies):
            match.play("left")


# Locked.

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
    """Another program, that has resumed the record and waits for moves."""
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
    left_off(path)
    with holder(path) as program:
        record = read(path)
        match = replay(record, walk.GAME)
        who = rf".+ \(process {program.pid} on .+, since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\)"
        with pytest.raises(RecordInUse, match=f"this record is being written by {who}; go on"):
            Journal.resume(record, match)
        assert program.stdin is not None
        print("right", file=program.stdin, flush=True)
        assert program.stdout is not None
        program.stdout.readline()
        assert read(path).plies == 4  # reading it is allowed
        program.stdin.close()
    assert program.returncode == 0
    assert [it.name for it in path.parent.iterdir()] == [path.name]


@pytest.mark.slow
def test_a_link_to_a_record_that_is_written_is_no_way_around(path: Path) -> None:
    left_off(path)
    hard, soft = path.with_name("hard"), path.with_name("soft")
    hard.hardlink_to(path)
    soft.symlink_to(path)
    with Journal.resume(record := read(path), replay(record, walk.GAME)):
        for link in (hard, soft):
            record = read(link)
            with pytest.raises(RecordInUse):
                Journal.resume(record, replay(record, walk.GAME))


@pytest.mark.slow
def test_the_lock_of_a_killed_program_does_not_hold(path: Path) -> None:
    left_off(path)
    with holder(path) as program:
        program.kill()
    record = read(path)
    match = replay(record, walk.GAME)
    with Journal.resume(record, match):
        match.play("left")
    assert read(path).plies == 4
    assert list(path.parent.iterdir()) == [path], "the note of the killed program"


def test_a_line_completed_by_another_program_is_not_cut_off(path: Path) -> None:
    left_off(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    record = read(path)
    path.write_bytes(whole[:-2] + b"\n")  # as long as it was, and complete
    with pytest.raises(RecordError, match="another program has written to this record"):
        Journal.resume(record, replay(record, walk.GAME))


def test_where_files_cannot_be_locked_the_match_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, how: int) -> None:  # as network drives do, which are not here
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match) as journal:
        assert not journal.locked
        match.play("left")
    assert read(path).plies == 1


@pytest.mark.parametrize(
    "text", ["", "my poems", "x (process y on z)", "x (process 1 on z)\n", "\xff", "[" * 999]
)
def test_a_file_that_happens_to_be_called_like_a_note_is_left_alone(text: str, path: Path) -> None:
    note = path.with_name("match.jsonl.lock")
    note.write_text(text, "latin-1")
    left_off(path)
    assert note.read_text("latin-1") == text
    record = read(path)
    first, second = replay(record, walk.GAME), replay(record, walk.GAME)
    with Journal.resume(record, first), pytest.raises(RecordInUse, match="by another program"):
        Journal.resume(record, second)


# Gone.


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
    delete: "this record has been deleted",
    delete_folder: "this record has been deleted",
    move: "this record or its folder has been moved",
    move_folder: "this record or its folder has been moved",
    replace: "this record has been replaced by another file",
}


@pytest.mark.parametrize("lose", LOSSES, ids=lambda it: it.__name__)
def test_a_record_that_is_gone_is_noticed_and_goes_on_in_another_file(
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


def test_a_record_that_was_moved_goes_on_where_it_is_now(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match):
        match.play("left")
        move(path)
        match.play("left")
    assert read(path.with_name("elsewhere.jsonl")).plies == 2


def test_a_drive_that_is_gone_refuses_every_line(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    journal = Journal.create(path, match)
    match.play("left")
    os.close(journal._file._descriptor)
    with pytest.raises(RecordLost, match=r"Bad file descriptor$"):
        match.play("right")
    assert match.ply == 1


def test_a_drive_that_no_longer_answers_is_told_as_the_system_tells_it(
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


def test_a_program_that_goes_to_another_folder_does_not_lose_its_record(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(walk.GAME, seed=1)
    monkeypatch.chdir(path.parent)
    with Journal.create(path.name, match):
        monkeypatch.chdir(path.parent.parent)
        match.play("left")
    assert read(path).plies == 1


@pytest.mark.parametrize("broken", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_copy_that_breaks_off_leaves_no_file(
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
def test_after_a_copy_that_could_not_be_read_the_record_goes_on_at_its_end(
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
def test_a_record_is_for_its_user_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(path.parent))
    monkeypatch.setenv("XDG_STATE_HOME", str(path.parent / "state"))
    own = new_record_path("walk", utc_now())
    Journal.create(own, match := Match(walk.GAME, seed=1)).copy(path)
    assert match.ply == 0
    assert [it.stat().st_mode & 0o777 for it in (own, path)] == [0o600] * 2
    assert own.parent.stat().st_mode & 0o777 == 0o700
