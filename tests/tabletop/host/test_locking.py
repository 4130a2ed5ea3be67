"""Locks that go with their program, and notes that say who has them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest
from tests.pages import unmeasured

from tabletop.host.locking import (
    leave_note,
    lock_within,
    note_path,
    read_note,
    remove_note,
    try_lock,
    unlock,
    who_has,
)

LOCKER = """
import os, sys
from tabletop.host.locking import try_lock
assert try_lock(os.open(sys.argv[1], os.O_RDWR))
print("locked", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("what readers read")
    return tmp_path / "file"


def test_one_has_a_lock_until_it_is_unlocked_or_closed(path: Path) -> None:
    one, other = (os.open(path, os.O_RDWR) for _ in range(2))
    assert try_lock(one)
    assert not try_lock(other)
    unlock(one)
    assert try_lock(other)
    assert not try_lock(one)
    os.close(other)
    assert try_lock(one)
    os.close(one)


def test_a_locked_file_can_be_read(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    assert try_lock(descriptor)
    assert path.read_text() == "what readers read"
    os.close(descriptor)


@pytest.mark.slow
def test_a_lock_ends_with_its_program(path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", LOCKER, str(path)],
        env=unmeasured(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with program:
        assert program.stdout is not None
        program.stdout.readline()
        descriptor = os.open(path, os.O_RDWR)
        assert not try_lock(descriptor)
        program.kill()
    assert try_lock(descriptor)
    os.close(descriptor)


def test_nobody_waits_longer_than_they_said(path: Path) -> None:
    one, other = (os.open(path, os.O_RDWR) for _ in range(2))
    assert lock_within(one, 0)
    began = monotonic()
    assert not lock_within(other, 0.2)
    assert 0.2 <= monotonic() - began < 60
    for descriptor in (one, other):
        os.close(descriptor)


def test_a_note_says_who_it_is(path: Path) -> None:
    note = leave_note(path)
    told = read_note(path)
    assert told is not None
    assert told[0].pid == os.getpid()
    assert f"(process {os.getpid()} on " in who_has(path)
    remove_note(path, note)
    assert not note_path(path).exists()
    assert who_has(path) == "another program"


def test_the_note_of_somebody_else_is_not_removed(path: Path) -> None:
    ours = leave_note(path)
    theirs = leave_note(path)  # once we had been killed, say
    keeper = note_path(path).read_text()
    remove_note(path, ours)
    if ours is not None and theirs is not None and ours.st_ino != theirs.st_ino:
        assert note_path(path).read_text() == keeper


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"pid": 1}',
        '{"program": "x", "pid": "y", "host": "z"}',
        "\xff",
        "[" * 999,
    ],
)
def test_a_note_that_says_nothing_is_that_of_another_program(text: str, path: Path) -> None:
    note_path(path).write_text(text, "latin-1")
    assert who_has(path) == "another program"


def test_what_a_forged_note_says_never_reaches_a_terminal_as_it_is(path: Path) -> None:
    forged = {"program": "\x1b]0;x\x07" + "y" * 999, "pid": 7, "host": "\u202eoak"}
    note_path(path).write_text(json.dumps(forged))
    said = who_has(path)
    assert said.isprintable()
    assert len(said) < 200
