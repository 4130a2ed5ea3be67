"""A match and its record are alike, whatever breaks a run off."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import walk

from tabletop import Event, Match, Random
from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.records.file import read
from tabletop.records.journal import Journal
from tabletop.records.replay import replay


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def walking() -> AnyMatch:
    return Match(walk.GAME, seed=1, players=[Random(1), Random(2)])


def moves(path: Path) -> int:
    """How many actions stand in the file."""
    return sum(b'"do":' in line for line in path.read_bytes().splitlines())


def test_all_is_written_when_a_run_returns(path: Path) -> None:
    match = walking()
    with Journal.create(path, match):
        for plies in (1, 63, 65):
            match.run(plies)
            assert moves(path) == match.ply
    assert replay(read(path), walk.GAME).digest() == match.digest()


def test_what_an_observer_is_told_of_is_written(path: Path) -> None:
    match, seen = walking(), []

    def look(event: Event) -> None:
        seen.append((moves(path), match.ply))

    with Journal.create(path, match):
        match.observe(look)
        match.run(128)
    assert seen
    assert all(written == played for written, played in seen)


def test_moves_that_cannot_be_recorded_are_taken_back_to_what_is(path: Path) -> None:
    match = walking()
    with Journal.create(path, match) as journal:
        match.run(10)
        before = match.digest()
        path.unlink()
        with pytest.raises(RecordLost, match="this record has been deleted"):
            match.run(192)
        assert (match.ply, match.digest()) == (10, before)
        journal.move(path, match)
        match.run(192)
        assert moves(path) == match.ply
    assert replay(read(path), walk.GAME).digest() == match.digest()


def test_a_disk_that_fills_up_leaves_the_moves_that_are_recorded(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, write, room = walking(), os.write, [2]

    def fill_up(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        room[0] -= 1
        return write(descriptor, data)

    with Journal.create(path, match):
        monkeypatch.setattr(os, "write", fill_up)
        with pytest.raises(RecordLost, match="No space left"):
            match.run(320)
        monkeypatch.undo()
        assert match.ply == moves(path) == 2
        assert replay(read(path), walk.GAME).digest() == match.digest()
        match.run(100)
    assert replay(read(path), walk.GAME).digest() == match.digest()


@pytest.mark.parametrize(("fails", "left"), [("played", 84), ("rules", 83)])
def test_what_breaks_a_run_off_leaves_record_and_match_alike(
    fails: str, left: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = walking()
    calls = [0]

    def breaking(act: Callable[..., object]) -> Callable[..., object]:
        def acting(*arguments: object) -> object:
            done = act(*arguments)
            calls[0] += 1
            if calls[0] == 84:
                raise KeyboardInterrupt
            return done

        return acting

    with Journal.create(path, match):
        owner: Any = Journal if fails == "played" else type(walk.GAME)
        name = "played" if fails == "played" else "apply"
        monkeypatch.setattr(owner, name, breaking(getattr(owner, name)))
        with pytest.raises(KeyboardInterrupt):
            match.run(320)
        monkeypatch.undo()
        assert match.ply == moves(path) == left
        match.run(128)
    assert replay(read(path), walk.GAME).digest() == match.digest()


def test_what_was_undone_can_be_redone_when_the_record_is_lost(path: Path) -> None:
    match = walking()
    with Journal.create(path, match):
        match.run(10)
        match.undo(3)
        path.unlink()
        with pytest.raises(RecordLost):
            match.run(5)
        path.touch()
        match.set_recorder(None)
        match.redo(3)
        assert match.ply == 10
