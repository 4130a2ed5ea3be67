"""Locks that go with their program, and notes that say who has them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tabletop.host.locks import leave_note, lock_within, note_path, remove_note, unlock, who_has


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("what readers read")
    return tmp_path / "file"


@pytest.fixture
def both(path: Path) -> Iterator[list[int]]:
    """Two descriptors of the file; whoever closes one takes it out."""
    descriptors = [os.open(path, os.O_RDWR) for _ in range(2)]
    yield descriptors
    for descriptor in descriptors:
        os.close(descriptor)


def test_one_has_a_lock_until_it_is_unlocked_or_closed_and_others_read_meanwhile(
    both: list[int], path: Path
) -> None:
    one, other = both
    assert lock_within(one, 0)
    assert not lock_within(other, 0)
    assert path.read_text() == "what readers read"
    unlock(one)
    assert lock_within(other, 0)
    assert not lock_within(one, 0)
    os.close(both.pop())
    assert lock_within(one, 0)


@pytest.mark.slow
def test_nobody_waits_longer_than_they_said(both: list[int]) -> None:
    one, other = both
    assert lock_within(one, 0)
    began = monotonic()
    assert not lock_within(other, 0.2)
    assert 0.2 <= monotonic() - began < 60


def test_a_note_says_who_it_is(path: Path) -> None:
    note = leave_note(path)
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
    "text", ["", "my poems", "x (process y on z)", "x (process 1 on z)\n", "\xff", "[" * 999]
)
def test_a_note_that_says_nothing_is_that_of_another_program(text: str, path: Path) -> None:
    note_path(path).write_text(text, "latin-1")
    assert who_has(path) == "another program"


def test_what_a_forged_note_says_never_reaches_a_terminal_as_it_is(path: Path) -> None:
    note_path(path).write_text("\x1b]0;x\x07 (process 7 on \u202eoak)")
    said = who_has(path)
    assert said.isprintable()
    assert len(said) < 300
