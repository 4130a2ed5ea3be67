"""Files are written atomically, in any place, and no temporary files remain."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.pages import unmeasured
from tests.program_runs import piped

from tabletop.host import (
    NotAFile,
    TextFileError,
    read_bytes,
    read_text,
    user_path,
    write_text,
)
from tabletop.host.paths import new_record_path, records_directory
from tabletop.host.user_files import make_folders


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An old file, alone in its directory."""
    place = tmp_path / "game.sv"
    place.write_text("old")
    return place


@pytest.mark.slow
def test_make_folders_creates_a_folder_of_any_depth(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"a" * 1500)
    (tmp_path / "file").touch()
    make_folders(deep)
    make_folders(deep)
    assert deep.is_dir()
    os.removedirs(deep)  # pytest cannot remove this many
    assert [it.name for it in tmp_path.iterdir()] == ["file"]


def test_the_record_of_a_game_with_any_name_is_in_the_folder_of_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    names = ("../../x", "/x", "a/b", "..", "x" * 300, "a\0b", "lcr")
    paths = [new_record_path(name, datetime.now(UTC)) for name in names]
    assert {path.resolve().parent for path in paths} == {records_directory().resolve()}
    for path in paths:
        path.touch()
    assert paths[-1].name.startswith("lcr-")


def test_the_old_contents_stay_if_the_new_text_cannot_be_written(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(UnicodeEncodeError):
        write_text(str(place), "new \udc80")
    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(str(place), "new")
    assert [(it.name, it.read_text()) for it in place.parent.iterdir()] == [("game.sv", "old")]


def test_temporary_files_of_killed_programs_are_removed_and_those_of_running_ones_are_kept(
    place: Path,
) -> None:
    left, now = place.with_name(".tabletop-0a.tmp"), place.with_name(".tabletop-1b.tmp")
    for file in (left, now):
        file.write_text("ha")
    os.utime(left, (0, 0))
    write_text(str(place), "new")
    assert sorted(it.name for it in place.parent.iterdir()) == [now.name, place.name]


def test_a_link_stays_a_link(place: Path) -> None:
    link = place.with_name("link.sv")
    link.symlink_to(place)
    write_text(str(link), "new")
    assert link.is_symlink()
    assert place.read_text() == "new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_text(os.devnull, "gone")
    assert not Path(os.devnull).is_file()


def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(str(tmp_path / "game.sv"), "text")
    finally:
        os.umask(before)
    assert (tmp_path / "game.sv").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("owner", [(os.getuid(), os.getgid()), (1, 1)])
def test_a_replaced_file_keeps_its_mode_and_if_permitted_its_owner(
    owner: tuple[int, int], place: Path
) -> None:
    if os.getuid() == 0:  # only root can change the owner of a file
        os.chown(place, *owner)
    for mode in (0o600, 0o664, 0o640):
        place.chmod(mode)
        before = place.stat()
        write_text(str(place), "new")
        after = place.stat()
        assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
        assert after.st_mode & 0o7777 == mode
    assert place.read_text() == "new"


@pytest.mark.slow
def test_a_write_protected_file_is_refused_and_unchanged() -> None:
    with tempfile.TemporaryDirectory() as folder:  # a directory that other users can enter
        command = [sys.executable, "-c", PROTECTED, folder]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=unmeasured()
        )
        assert done.stdout == "the file is write-protected\n", done.stderr
        left = [(it.name, it.read_text()) for it in Path(folder).iterdir()]
        assert left == [("game.sv", "old")]


PROTECTED = """
import os, sys
from pathlib import Path
from tabletop.host import write_text
folder = Path(sys.argv[1])
(folder / "game.sv").write_text("old")
(folder / "game.sv").chmod(0o444)
os.chdir(folder)
if os.getuid() == 0:
    folder.chmod(0o777)
    os.setuid(1)
try:
    write_text("game.sv", "new")
except PermissionError as error:
    print(error)
"""


def test_two_programs_that_save_at_once_do_not_mix_their_texts(place: Path) -> None:
    texts = [letter * 100_000 for letter in "abcdefgh"]
    with ThreadPoolExecutor() as others:
        list(others.map(lambda text: write_text(str(place), text), texts))
    assert place.read_text() in texts
    assert list(place.parent.iterdir()) == [place]


def test_a_file_name_may_have_the_maximum_length(tmp_path: Path) -> None:
    place = tmp_path / ("x" * 255)
    write_text(str(place), "text")
    assert place.read_text() == "text"


def test_a_tilde_is_the_home_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_path("~/a/b") == tmp_path / "a" / "b"
    assert user_path("a/~/b") == Path("a/~/b")
    write_text("~/game.sv", "text")
    assert (tmp_path / "game.sv").read_text() == "text"


def test_read_bytes_refuses_a_pipe_and_a_device_by_default(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for endless in (str(pipe), "/dev/zero"):
        with pytest.raises(NotAFile, match="it is a pipe or a device, and not a regular file"):
            read_bytes(endless, 100)


def test_text_is_read_from_a_pipe_to_its_end() -> None:
    with piped("\ufeffone\r\ntwo") as path:
        assert read_text(path, 100) == "one\ntwo"


def test_an_endless_device_is_too_long_for_a_text() -> None:
    with pytest.raises(TextFileError, match="more than 100 bytes"):
        read_text("/dev/zero", 100)
