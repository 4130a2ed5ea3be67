"""The record of a match: written while it is played, read, replayed and resumed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import cards, race, rps, walk

from tabletop import ActionPlayed, Match, Outcome, Random, RecordError
from tabletop.errors import RecordLost, RecordMismatch, RecordVersionError
from tabletop.match import AnyMatch
from tabletop.records import (
    Header,
    Journal,
    Record,
    RecordFile,
    end_line,
    match_from_header,
    read,
    read_log,
    replay,
)
from tabletop.records.file import MOST_BYTES
from tabletop.rules import AnyGame


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def recorded(path: Path, plies: int = 6, game: AnyGame = race.GAME) -> AnyMatch:
    """Return a match that is recorded in `path`, with a closed journal."""
    match = Match(game, seed="Old Oak", seats=2, players=[Random(1), Random(2)])
    with Journal.create(path, match):
        match.run(plies)
    return match


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def test_a_record_starts_with_the_header_of_the_match(path: Path) -> None:
    match = Match(race.GAME, seed=" Old Oak ", seats=["Ann", "Bo"], options={"goal": 7})
    header = Header.of(match, source="x.py", players=["human", "random"], created="2024-02-01")
    header = replace(header, seed_origin="given")
    Journal.create(path, match, header).close()
    (first,) = lines_of(path)
    assert len(first.pop("check")) == 16
    assert first == {
        "format": "tabletop-record",
        "format_version": 1,
        "game": "race",
        "version": "1",
        "seed": "Old Oak",
        "seats": ["Ann", "Bo"],
        "source": "x.py",
        "players": ["human", "random"],
        "options": {"goal": 7, "start": "anywhere"},
        "created": "2024-02-01",
        "seed_origin": "given",
    }
    record = read(path)
    assert record.header == header
    assert (record.plies, record.ended, record.players) == (0, False, ("human", "random"))


def test_actions_undos_and_players_have_a_line_each(path: Path) -> None:
    match = Match(rps.GAME, seed=1, options={"rounds": 1})
    with Journal.create(path, match) as journal:
        digests = []
        for seat, hand in enumerate(("rock", "paper")):
            match.play(rps.Show(seat, hand))
            digests.append(match.digest())
        match.undo()
        digests.append(match.digest())
        journal.seated(1, "random")
        match.redo()
    ended = {"ranking": [[1], [0]], "reason": "all rounds played", "abandoned": False}
    end = {"end": {**ended, "points": [0, 1]}}
    entries = lines_of(path)[1:]
    assert len(entries[4].pop("check")) == 16
    assert entries == [
        {"seat": 0, "do": "rock", "digest": digests[0]},
        {"seat": 1, "do": "paper", "digest": digests[1]},
        end,
        {"undo": 1, "digest": digests[0]},
        {"seat": 1, "player": "random"},
        {"seat": 1, "do": "paper", "digest": digests[1]},
        end,
    ]
    record = read(path)
    assert record.ended
    assert record.plies == 2
    assert record.players == ("human", "random")
    assert record.entries[2].end == Outcome(((1,), (0,)), "all rounds played", points=(0, 1))
    assert [entry.line for entry in record.entries] == [2, 3, 4, 5, 6, 7, 8]


def test_a_record_replays_to_the_same_match(path: Path) -> None:
    games: list[AnyGame] = [cards.GAME, race.GAME, rps.GAME]
    for number, game in enumerate(games):
        file = path.with_suffix(f".{number}")
        match = recorded(file, 10**6, game)
        again = replay(read(file), game)
        assert again.digest() == match.digest()
        assert again.actions == match.actions
        assert again.outcome == match.outcome
        assert again.over


def test_a_replay_can_stop_after_a_number_of_actions(path: Path) -> None:
    match = recorded(path, 6)
    for plies in range(8):
        assert replay(read(path), race.GAME, until=plies).ply == min(plies, 6)
    match.undo(3)
    assert replay(read(path), race.GAME, until=3).digest() == match.digest()


def test_a_line_is_on_disk_before_its_action_is_shown(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    on_disk: list[int] = []
    with Journal.create(path, match):
        match.observe(lambda event: on_disk.append(read(path).plies), ActionPlayed)
        for _ in range(3):
            match.play("left")
    assert on_disk == [1, 2, 3]


def test_an_incomplete_last_line_is_dropped_and_cut_off(path: Path) -> None:
    match = recorded(path, 6)
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    record = read(path)
    assert record.dropped == len(whole[:-10]) - record.size
    assert record.dropped > 0
    resumed = replay(record, race.GAME)
    assert resumed.ply == 5
    with Journal.resume(record, resumed):
        resumed.play(match.actions[5])
    assert path.read_bytes() == whole


def test_an_existing_file_is_not_overwritten(path: Path) -> None:
    path.write_text("my poems")
    with pytest.raises(RecordError, match=rf"^{re.escape(str(path))}: .*\balready\b"):
        Journal.create(path, Match(walk.GAME, seed=1))
    assert path.read_text() == "my poems"


def test_a_file_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "match.jsonl"
    with pytest.raises(RecordError, match=r"match\.jsonl: .*No such file"):
        Journal.create(path, Match(walk.GAME, seed=1))


def test_a_deleted_record_cannot_be_resumed_or_read(path: Path) -> None:
    match = recorded(path)
    record = read(path)
    path.unlink()
    with pytest.raises(RecordError, match="No such file"):
        Journal.resume(record, match)
    with pytest.raises(RecordError, match=r"\bread: No such file"):
        read(path)
    with pytest.raises(RecordError, match=r"\bread: Is a directory$"):
        read(path.parent)


@pytest.mark.slow
@pytest.mark.parametrize("reader", [read, read_log])
def test_a_pipe_a_device_and_a_file_that_is_too_long_are_refused(
    reader: Callable[[Path], object], path: Path
) -> None:
    pipe = path.with_name("pipe.jsonl")
    os.mkfifo(pipe)
    for endless in (pipe, Path("/dev/zero")):
        with pytest.raises(RecordError, match=r"\ba pipe\b"):
            reader(endless)
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(RecordError, match=r"\b100,000,000 bytes\b"):
        reader(path)


def test_a_header_that_cannot_be_written_leaves_no_file(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    match.play("left")
    header = Header(game="another", version="1", seed="x", seats=("a", "b"))
    with pytest.raises(RecordError, match=r"'another'.*'longwalk'"):
        Journal.create(path, match, header)
    assert not path.exists()
    match.play("left")


def test_a_closed_journal_accepts_no_more_actions(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    journal = Journal.create(path, match)
    match.play("left")
    journal.close()
    journal.close()
    before = match.digest()
    with pytest.raises(RecordError, match=r"\bclosed$"):
        match.play("left")
    assert (match.digest(), match.ply) == (before, 1)


def test_leaving_the_with_block_detaches_the_journal_and_the_match_can_continue(
    path: Path,
) -> None:
    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match):
        match.play("left")
    assert match.recorder is None
    match.play("left")
    match.undo(2)
    assert read(path).plies == 1


def test_leaving_the_with_block_keeps_another_recorder(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match):
        other = Journal.create(path.with_suffix(".2"), match)
    assert match.recorder is other
    match.play("left")
    other.close()
    assert read(other.path).plies == 1


def test_a_line_written_by_another_program_is_noticed(path: Path) -> None:
    match = Match(walk.GAME, seed=1)
    with Journal.create(path, match) as journal:
        match.play("left")
        with path.open("ab") as file:
            file.write(b"!")
        before = match.digest()
        deeds: list[Callable[[], object]] = [
            lambda: match.play("left"),
            match.undo,
            lambda: journal.seated(0, "x"),
        ]
        for refused in deeds:
            with pytest.raises(RecordLost, match=r"\banother program\b"):
                refused()
        assert match.digest() == before


def test_a_record_that_has_grown_since_it_was_read_is_not_resumed(path: Path) -> None:
    recorded(path, 4)
    path.write_bytes(path.read_bytes() + b'{"half a li')
    record = read(path)
    path.write_bytes(path.read_bytes() + b"ne")
    grown = path.read_bytes()
    with pytest.raises(RecordError, match=f"^{re.escape(str(path))}: "):
        Journal.resume(record, replay(record, race.GAME))
    assert path.read_bytes() == grown


def journal_on(file: str | int, match: AnyMatch) -> Journal:
    """Return a journal of `match` that writes to something that is not a regular file."""
    descriptor = os.open(file, os.O_RDWR) if isinstance(file, str) else file
    opened = RecordFile(Path("the record"), descriptor, 0)
    journal = Journal(opened)
    match.set_recorder(journal)
    return journal


def test_a_device_without_space_refuses_every_line() -> None:
    match = Match(walk.GAME, seed=1)
    before = match.digest()
    with journal_on("/dev/full", match) as journal:
        for _ in range(2):
            with pytest.raises(RecordError, match=r"^the record: .*: No space left"):
                match.play("left")
        with pytest.raises(RecordError, match=r"^the record: .*: No space left"):
            journal.seated(0, "random")
    assert (match.digest(), match.ply) == (before, 0)


def test_rules_of_another_version_are_refused(path: Path) -> None:
    recorded(path)

    class Newer(race.Race):
        version = "2"

    with pytest.raises(
        RecordVersionError,
        match=r"\bversion 1 .*\brace\b.*\bversion 2\b",
    ) as caught:
        replay(read(path), Newer())
    assert caught.value.line == 1
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("header", "wrong"),
    [
        (Header("race", "1", "x", ()), "race .* 1 to 6 .* 0"),
        (Header("race", "1", "x", ("a",), options={"goal": 0}), "option goal: 0 "),
        (Header("race", "1", "x", ("a",), options={"pace": 1}), "race .*'pace'.*: goal, start"),
    ],
)
def test_an_impossible_header_is_refused(header: Header, wrong: str) -> None:
    with pytest.raises(RecordError, match=f"line 1: {wrong}") as caught:
        match_from_header(race.GAME, header)
    assert caught.value.line == 1


def test_a_match_that_the_rules_cannot_set_up_is_refused() -> None:
    class Unset(race.Race):
        def setup(self, options: Any, seats: int, rng: Any) -> race.Track:
            raise KeyError("track")

    wrong = r"line 1: .*\bset up: .*track"
    with pytest.raises(RecordError, match=wrong) as caught:
        match_from_header(Unset(), Header("race", "1", "x", ("a",)))
    assert caught.value.line == 1


class Careful(race.Race):
    """The same game without the action `run`."""

    def legal_actions(self, state: race.Track, seat: int) -> tuple[str, ...]:
        return ("walk",)


class Turned(race.Race):
    """The same game, but the first seat has two turns."""

    def to_act(self, state: race.Track) -> tuple[int, ...]:
        return (1 - state.turn,)


class Broken(race.Race):
    """The same game, but it raises an error."""

    def apply(self, state: race.Track, action: str, table: Any) -> None:
        raise KeyError("track")


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (Careful(), "action 1, 'run', .*: 'run' "),
        (Turned(), "action 1, 'run', .*: Player 2 "),
        (Broken(), "action 1, 'run', .*: race: run .* ply 1: "),
    ],
)
def test_a_replay_reports_the_first_action_that_is_refused_now(
    path: Path, game: race.Race, what: str
) -> None:
    match = Match(race.GAME, seed=1, seats=2)
    with Journal.create(path, match):
        match.play("run")
        match.play("walk")
    with pytest.raises(RecordMismatch, match=f"line 2: {what}") as caught:
        replay(read(path), game)
    assert caught.value.line == 2


def test_a_replay_reports_the_first_action_with_another_result(path: Path) -> None:
    class Windy(race.Race):
        def apply(self, state: race.Track, action: str, table: Any) -> None:
            super().apply(state, action, table)
            state.places[0] += action == "run"

    match = Match(race.GAME, seed=1, seats=2)
    with Journal.create(path, match):
        for action in ("walk", "walk", "run", "walk"):
            match.play(action)
    with pytest.raises(RecordMismatch, match=r"line 4: action 3, 'run', .*\bstate\b") as caught:
        replay(read(path), Windy())
    assert caught.value.line == 4


def test_a_replay_reports_an_action_that_belongs_to_another_seat_now(path: Path) -> None:
    match = Match(rps.GAME, seed=1)
    with Journal.create(path, match):
        match.play(rps.Show(1, "rock"))

    class Swapped(rps.RockPaperScissors):
        def parse(self, text: str, state: rps.Round, seat: int) -> rps.Show:
            return rps.Show(1 - seat, text)

    with pytest.raises(RecordMismatch, match=r"action 1, 'rock', .*\bPlayer 1's, .*\bPlayer 2's$"):
        replay(read(path), Swapped())


def test_another_ending_is_a_mismatch(path: Path) -> None:
    match = Match(rps.GAME, seed=1, options={"rounds": 1})
    with Journal.create(path, match):
        match.play(rps.Show(0, "rock"))
        match.play(rps.Show(1, "paper"))

    class Reversed(rps.RockPaperScissors):
        def outcome(self, state: rps.Round) -> Outcome | None:
            return None if state.rounds else Outcome.win(0, 2)

    with pytest.raises(RecordMismatch, match=r"line 4: .*\bended .*\bnow\b"):
        replay(read(path), Reversed())


# Points.


def ended(path: Path, **changes: object) -> Record:
    """Record a match to its end, and change fields of the line of its end. None removes a field."""
    recorded(path, 10**6, race.GAME)
    *lines, last = path.read_text().splitlines()
    end = {**json.loads(last)["end"], **changes}
    fields = {name: value for name, value in end.items() if value is not None}
    path.write_text("\n".join([*lines, json.dumps({"end": fields})]) + "\n")
    return read(path)


def test_the_end_line_contains_the_points_and_replays(path: Path) -> None:
    record = ended(path)
    end = record.entries[-1].end
    assert end is not None
    assert end.points
    assert replay(record, race.GAME).outcome == end


def test_points_that_differ_from_the_rules_are_a_mismatch(path: Path) -> None:
    record = ended(path, points=[1, 2])
    with pytest.raises(RecordMismatch, match=r": line \d+: .*, points 1, 2, .*, points \d+, \d+$"):
        replay(record, race.GAME)


@pytest.mark.parametrize("points", [[1], ["x", "y"], [1, False], 7])
def test_impossible_points_count_as_damage(path: Path, points: object) -> None:
    with pytest.raises(RecordError, match=r"line \d+ .*: (points|Expected)"):
        ended(path, points=points)


def test_the_end_line_of_a_game_without_points_has_none() -> None:
    assert set(end_line(Outcome.draw(2))) == {"end"}
    assert "points" not in str(end_line(Outcome.draw(2)))
