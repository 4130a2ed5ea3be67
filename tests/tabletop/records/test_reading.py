"""Checkpoints: a record is read from one of its last, and nothing of the match is different."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.tabletop.games import cards, walk
from tests.tabletop.long_walk import walked

from tabletop import Game, Match, Options, Outcome, Random, RecordError, Seat, Streams, Table
from tabletop.match import AnyMatch
from tabletop.records.entries import Entry
from tabletop.records.journal import CHECKPOINT_LINES, Journal
from tabletop.records.reading import UNDO_ROOM, Record, read, read_end
from tabletop.records.record import replay

quiet = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def checkpoints(record: Record) -> list[Entry]:
    return [entry for entry in record.entries if entry.checkpoint is not None]


def begun_at(record: Record) -> int | None:
    """How many actions stood where a record begins that was read from its end."""
    return None if record.start is None else record.start.checkpoint


def test_a_checkpoint_is_written_every_so_many_lines_and_holds_all_of_the_match(
    path: Path,
) -> None:
    match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)])
    with Journal.create(path, match) as journal:
        journal.seated(1, "random")
        match.run(CHECKPOINT_LINES - 1)
        then = match.clone()
        match.run(CHECKPOINT_LINES)
    first, second = checkpoints(read(path))
    assert (first.checkpoint, first.line) == (CHECKPOINT_LINES - 1, CHECKPOINT_LINES + 2)
    assert (second.checkpoint, second.line) == (2 * CHECKPOINT_LINES - 1, 2 * first.line - 1)
    assert first.state == {"steps": then.state.steps, "place": then.state.place}
    assert first.streams == then.streams()
    assert first.players == ("human", "random")
    assert first.digest == then.digest()


def test_a_short_match_has_no_checkpoint_and_is_read_whole(path: Path) -> None:
    walked(path, CHECKPOINT_LINES - 1)
    assert checkpoints(read(path)) == []
    assert read_end(path) == read(path)


def test_what_checkpoints_cost_does_not_grow_with_the_match(path: Path) -> None:
    walked(path, 5 * CHECKPOINT_LINES)
    sizes = [len(line) for line in path.read_bytes().splitlines() if b'"checkpoint"' in line]
    assert len(sizes) == 5
    assert max(sizes) < min(sizes) + 20


def test_the_end_of_a_record_begins_at_a_checkpoint_with_room_for_undoing(path: Path) -> None:
    for beyond, begun in ((UNDO_ROOM - 1, 1), (UNDO_ROOM, 2)):
        file = path.with_suffix(f".{beyond}")
        match = walked(file, 2 * CHECKPOINT_LINES + beyond)
        record = read_end(file)
        assert begun_at(record) == begun * CHECKPOINT_LINES
        assert record.plies == match.ply
        again = replay(record, walk.GAME)
        again.undo(UNDO_ROOM)
        match.undo(UNDO_ROOM)
        assert again.digest() == match.digest()


def test_a_long_match_is_resumed_without_reading_what_lies_before_the_checkpoint(
    path: Path,
) -> None:
    match = walked(path, 2 * CHECKPOINT_LINES + UNDO_ROOM)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[5] = b"no line of a record\n"
    path.write_bytes(b"".join(lines))
    again = replay(read_end(path), walk.GAME)
    assert (again.ply, again.digest()) == (match.ply, match.digest())
    again.undo(UNDO_ROOM)
    with pytest.raises(RecordError, match="line 6 is damaged"):
        again.undo(1)
    assert again.ply == 2 * CHECKPOINT_LINES
    again.play("left")


def test_actions_before_a_checkpoint_are_there_when_they_are_asked_for(path: Path) -> None:
    match = walked(path, 2 * CHECKPOINT_LINES + 500)
    record = read_end(path)
    assert record.start is not None
    assert replay(record, walk.GAME).actions == match.actions
    for count in (501, CHECKPOINT_LINES + 777, match.ply):
        again, twin = replay(record, walk.GAME), match.clone()
        again.undo(count)
        twin.undo(count)
        assert (again.ply, again.digest()) == (twin.ply, twin.digest())
        again.redo(count)
        assert again.digest() == match.digest()
        assert again.actions == match.actions


def test_a_record_that_begins_at_a_checkpoint_replays_up_to_before_it(path: Path) -> None:
    walked(path, CHECKPOINT_LINES + 500)
    early = replay(read_end(path), walk.GAME, until=17)
    assert early.ply == 17
    assert early.digest() == replay(read(path), walk.GAME, until=17).digest()


def play_and_undo(match: AnyMatch, steps: Sequence[int]) -> None:
    """Play so many actions, or take them back where the number is negative."""
    for count in steps:
        if count >= 0:
            match.run(count)
        else:
            match.undo(min(-count, match.ply))


@quiet
@given(
    steps=st.lists(st.integers(-700, 900), min_size=1, max_size=7),
    later=st.lists(st.integers(-900, 300), max_size=3),
)
def test_whatever_is_taken_back_a_match_goes_on_as_if_it_had_never_stopped(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int], later: list[int]
) -> None:
    path = tmp_path_factory.mktemp("undone") / "match.jsonl"
    match = Match(walk.GAME, seed=3, players=[Random(1), Random(2)])
    with Journal.create(path, match):
        play_and_undo(match, steps)
    match.set_recorder(None)
    again = replay(read_end(path), walk.GAME)
    assert (again.ply, again.digest()) == (match.ply, match.digest())
    chances = [(Random(5), Random(6)) for _ in range(2)]
    for one, players in zip((match, again), chances, strict=True):
        for seat, player in enumerate(players):
            one.set_player(seat, player)
    with Journal.resume(read_end(path), again):
        play_and_undo(again, later)
    play_and_undo(match, later)
    assert again.digest() == match.digest()
    for reader in (read, read_end):
        whole = replay(reader(path), walk.GAME)
        assert whole.digest() == match.digest()
        assert whole.actions == match.actions


def test_a_record_is_the_same_whether_it_was_written_in_one_go_or_in_many(path: Path) -> None:
    match = walked(path, 3 * CHECKPOINT_LINES)
    other = path.with_suffix(".parts")
    Journal.create(other, Match(walk.GAME, seed="Old Oak")).close()
    for end in range(0, match.ply + 1, 500):
        part = replay(read_end(other), walk.GAME)
        with Journal.resume(read_end(other), part):
            for action in match.actions[part.ply : end]:
                part.play(action)
    assert other.read_bytes() == path.read_bytes()


def test_who_plays_and_for_how_long_is_known_from_a_checkpoint_on(path: Path) -> None:
    moments = iter([100.0, 107.25, 400.0, 402.5])
    match = Match(walk.GAME, seed=1, players=[Random(1), Random(2)])
    with Journal.create(path, match, clock=lambda: next(moments)) as journal:
        journal.seated(0, "random")
        match.run(100)
    record = read_end(path)
    assert (record.seconds, record.ended) == (7.25, False)
    with Journal.resume(record, match):
        match.run(2 * CHECKPOINT_LINES)
    record = read_end(path)
    assert record.start is not None
    assert (record.seconds, record.players) == (7.25, ("random", "human"))
    assert replay(record, walk.GAME).ply == 2 * CHECKPOINT_LINES + 100
    with Journal.resume(record, match, clock=lambda: next(moments)):
        pass
    assert (read(path).seconds, read_end(path).seconds) == (9.75, 9.75)


def test_the_time_a_match_took_stands_behind_its_end(path: Path) -> None:
    match = Match(cards.GAME, seed=1, players=[Random(1), Random(2)])
    ticks = iter(range(10))
    with Journal.create(path, match, clock=lambda: float(next(ticks))):
        match.run()
    record = read(path)
    assert record.ended
    assert (record.seconds, record.entries[-1].played) == (1.0, 1.0)
    assert replay(record, cards.GAME).over


def test_without_a_clock_nothing_is_said_of_time(path: Path) -> None:
    walked(path, CHECKPOINT_LINES + 1)
    assert b"played" not in path.read_bytes()
    assert read(path).seconds == 0


@dataclass(slots=True)
class Count:
    """A state that JSON does not give back: what it holds is not what it says it holds."""

    number: int

    def clone(self) -> Count:
        return Count(self.number)


class Counting(Game[Count, str]):
    """Counts, in halves."""

    name = "counting"

    def setup(self, options: Options, seats: int, rng: Streams) -> Count:
        return Count(0)

    def to_act(self, state: Count) -> Sequence[Seat]:
        return (0,)

    def legal_actions(self, state: Count, seat: Seat) -> Sequence[str]:
        return ("go",)

    def apply(self, state: Count, action: str, table: Table) -> None:
        half: Any = 0.5
        state.number += half

    def outcome(self, state: Count) -> Outcome | None:
        return None


def test_a_state_that_json_does_not_give_back_has_no_checkpoints(path: Path) -> None:
    match = Match(Counting(), seed=1, players=[Random(1), Random(2)])
    with Journal.create(path, match):
        match.run(CHECKPOINT_LINES - 1)
        match.run(2)
    assert match.state.number == (CHECKPOINT_LINES + 1) / 2
    assert checkpoints(read(path)) == []
    assert replay(read_end(path), Counting()).digest() == match.digest()


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_checkpoint_that_was_not_written_to_its_end_is_dropped(path: Path, cut: int) -> None:
    match = walked(path, 2 * CHECKPOINT_LINES)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    record = read_end(path)
    assert begun_at(record) == CHECKPOINT_LINES
    assert record.dropped > 0
    again = replay(record, walk.GAME)
    assert again.digest() == match.digest()
    with Journal.resume(record, again):
        again.play("left")
    assert [it.checkpoint for it in checkpoints(read(path))] == [1000, 2001]


def test_records_of_the_first_format_are_read_as_before(path: Path) -> None:
    header = {
        "format": "tabletop-record",
        "format_version": 1,
        "game": "longwalk",
        "version": "1",
        "seed": "x",
        "seats": ["Ann", "Bo"],
    }
    path.write_text(f'{json.dumps(header)}\n{{"seat": 0, "do": "left"}}\n')
    assert replay(read_end(path), walk.GAME).ply == 1
    assert read(path).header.seed_origin == ""
