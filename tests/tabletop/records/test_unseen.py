"""Lines of moves that nobody has seen yet are written together; of all others each at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import walk

from tabletop import BlindPlayer, Event, Match, Player, Random
from tabletop.errors import RecordLost
from tabletop.match import AnyMatch
from tabletop.records.journal import CHECKPOINT_LINES, MOST_WAITING, Journal
from tabletop.records.reading import read
from tabletop.records.record import replay
from tabletop.registry import installed, load


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def walking() -> AnyMatch:
    return Match(walk.GAME, seed=1, players=[Random(1), Random(2)])


def moves(path: Path) -> int:
    """How many actions stand in the file."""
    return sum(b'"do":' in line for line in path.read_bytes().splitlines())


@pytest.mark.parametrize("name", installed())
@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_a_record_is_the_same_in_whatever_steps_its_match_is_run(
    name: str, step: int, tmp_path: Path
) -> None:
    texts = []
    for place, plies in (("watched", 10_000), ("unseen", step)):
        match = Match(load(name).game, seed=4)
        for seat in range(match.seats):
            match.set_player(seat, Random(seat))
        if place == "watched":
            match.observe(lambda event: None)
        with Journal.create(tmp_path / place, match):
            while not match.over:
                match.run(plies)
        texts.append((tmp_path / place).read_bytes())
    assert texts[0] == texts[1]


def test_all_is_written_when_a_run_returns(path: Path) -> None:
    match = walking()
    with Journal.create(path, match):
        for plies in (1, MOST_WAITING - 1, MOST_WAITING + 1, 3 * CHECKPOINT_LINES):
            match.run(plies)
            assert moves(path) == match.ply
    assert replay(read(path), walk.GAME).digest() == match.digest()


def test_what_an_observer_is_told_of_is_written(path: Path) -> None:
    match, seen = walking(), []

    def look(event: Event) -> None:
        seen.append((moves(path), match.ply))

    with Journal.create(path, match):
        match.observe(look)
        match.run(2 * MOST_WAITING)
    assert seen
    assert all(written == played for written, played in seen)


class Inviting(BlindPlayer):
    """A blind player with whose fifth choice somebody begins to watch."""

    def __init__(self, invite: Callable[[], object]) -> None:
        self.invite, self.left, self.pick = invite, 5, self.first

    def first(self, number: int) -> int:
        self.left -= 1
        if self.left == 0:
            self.invite()
        return 0


def test_what_waits_is_written_before_somebody_begins_to_watch(path: Path) -> None:
    match, seen = walking(), []

    def look(event: Event) -> None:
        seen.append((moves(path), match.ply))

    match.set_player(0, Inviting(lambda: match.observe(look)))
    with Journal.create(path, match):
        match.run(2 * MOST_WAITING)
    assert seen[0] == (9, 9)
    assert all(written == played for written, played in seen)


class Looking(Player[Any, Any]):
    """A bot that could show anybody what it sees."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.match: AnyMatch | None = None
        self.seen: list[tuple[int, int]] = []

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        if self.match is not None:
            self.seen.append((moves(self.path), self.match.ply))
        return legal[0]


def test_what_a_bot_looks_at_is_written(path: Path) -> None:
    bot = Looking(path)
    bot.match = match = Match(walk.GAME, seed=1, players=[Random(1), bot])
    with Journal.create(path, match):
        match.run(2 * MOST_WAITING)
    assert bot.seen
    assert all(written == played for written, played in bot.seen)


def test_moves_that_cannot_be_recorded_are_taken_back_to_what_is(path: Path) -> None:
    match = walking()
    with Journal.create(path, match) as journal:
        match.run(10)
        before = match.digest()
        path.unlink()
        with pytest.raises(RecordLost, match="this record has been deleted"):
            match.run(3 * MOST_WAITING)
        assert (match.ply, match.digest()) == (10, before)
        journal.move(path, match)
        match.run(3 * MOST_WAITING)
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
            match.run(5 * MOST_WAITING)
        monkeypatch.undo()
        assert match.ply == moves(path) == 2 * MOST_WAITING
        assert replay(read(path), walk.GAME).digest() == match.digest()
        match.run(CHECKPOINT_LINES)
    assert replay(read(path), walk.GAME).digest() == match.digest()


@pytest.mark.parametrize("fails", ["played", "rules"])
def test_what_breaks_a_run_off_leaves_record_and_match_alike(
    fails: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = walking()
    calls = [0]

    def breaking(act: Callable[..., object]) -> Callable[..., object]:
        def acting(*arguments: object) -> object:
            done = act(*arguments)
            calls[0] += 1
            if calls[0] == MOST_WAITING + 20:
                raise KeyboardInterrupt
            return done

        return acting

    with Journal.create(path, match):
        owner: Any = Journal if fails == "played" else type(walk.GAME)
        name = "played" if fails == "played" else "apply"
        monkeypatch.setattr(owner, name, breaking(getattr(owner, name)))
        with pytest.raises(KeyboardInterrupt):
            match.run(5 * MOST_WAITING)
        monkeypatch.undo()
        assert match.ply == moves(path) == MOST_WAITING + 19
        match.run(2 * MOST_WAITING)
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
