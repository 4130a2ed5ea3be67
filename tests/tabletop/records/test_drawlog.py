"""Logs of every draw of a match."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import cards, race, rps, walk

from tabletop import ContractError, Match, Options, Random, RecordError, Streams
from tabletop.match import AnyMatch
from tabletop.records import DrawLog, Header, read_log
from tabletop.records.draw_log import LOG_FORMAT
from tabletop.rng import Draw
from tabletop.rules import AnyGame


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "draws.jsonl"


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def logged(path: Path, game: AnyGame = race.GAME, plies: int = 4) -> AnyMatch:
    """Return a match whose log is complete."""
    with DrawLog.create(path) as log:
        match = Match(
            game, seed="Old Oak", seats=2, players=[Random(1), Random(2)], on_draw=log.draw
        )
        log.follow(match)
        match.run(plies)
    return match


def test_a_log_starts_with_the_header_and_the_draws_of_the_setup(
    path: Path,
) -> None:
    match = Match(race.GAME, seed="Old Oak", seats=2)
    with DrawLog.create(path) as log:
        match = Match(race.GAME, seed="Old Oak", seats=["Ann", "Bo"], on_draw=log.draw)
        log.follow(match, Header.of(match, source="x.py", seed_origin="given"))
    header, *draws, setup = lines_of(path)
    assert len(header.pop("check")) == 16
    assert header == {
        "format": "tabletop-draws",
        "format_version": 1,
        "game": "race",
        "version": "1",
        "seed": "Old Oak",
        "seats": ["Ann", "Bo"],
        "source": "x.py",
        "players": ["human", "human"],
        "options": {"goal": 40, "start": "anywhere"},
        "created": "",
        "seed_origin": "given",
    }
    stream = Streams("Old Oak")["start"]
    assert draws == [
        {"stream": "start", "position": position, "bound": bound, "result": stream.below(bound)}
        for position, bound in enumerate([10, 10, 2])
    ]
    assert setup == {"ply": 0, "digest": match.digest()}


def test_the_draws_of_an_action_are_logged_before_it(path: Path) -> None:
    with DrawLog.create(path) as log:
        match = Match(walk.GAME, seed=1, on_draw=log.draw)
        log.follow(match)
        match.play("left")
        first = match.digest()
        match.play("wait")
        match.undo(1)
        match.redo()
    wind = Streams(1)["wind"]
    draws = [
        {"stream": "wind", "position": position, "bound": 7, "result": wind.below(7)}
        for position in range(2)
    ]
    assert lines_of(path)[2:] == [
        draws[0],
        {"ply": 1, "seat": 0, "do": "left", "digest": first},
        draws[1],
        {"ply": 2, "seat": 1, "do": "wait", "digest": match.digest()},
        {"ply": 1, "undo": 1, "digest": first},
        draws[1],
        {"ply": 2, "seat": 1, "do": "wait", "digest": match.digest()},
    ]


@given(
    game=st.sampled_from([cards.GAME, race.GAME, rps.GAME, walk.GAME]),
    moves=st.lists(st.integers(-5, 9), max_size=6),
)
def test_a_log_is_read_with_the_same_draws_and_actions(
    tmp_path_factory: pytest.TempPathFactory, game: AnyGame, moves: list[int]
) -> None:
    path = tmp_path_factory.mktemp("log") / "draws.jsonl"
    draws: list[Draw] = []
    with DrawLog.create(path) as log:

        def hear(draw: Draw) -> None:
            draws.append(draw)
            log.draw(draw)

        match = Match(game, seed=4, seats=2, players=[Random(1), Random(2)], on_draw=hear)
        log.follow(match)
        for count in moves:
            match.run(count) if count >= 0 else match.undo(min(-count, match.ply))
    header, steps = read_log(path)
    assert header == Header.of(match)
    assert [draw for step in steps for draw in step.draws or ()] == draws
    done: list[str] = []
    for step in steps[1:]:
        if step.do is not None:
            done.append(step.do)
        assert step.undo is None or step.undo > 0
        del done[len(done) - (step.undo or 0) :]
    assert done == [str(action) for action in match.actions]
    assert steps[-1].digest == match.digest()
    numbers = lines_of(path)
    for step in steps:
        assert [numbers[line - 1]["stream"] for line in step.lines] == [
            draw.stream for draw in step.draws or ()
        ]


def test_the_draws_of_a_failed_action_are_logged(path: Path) -> None:
    class Hanging(race.Race):
        def apply(self, state: race.Track, action: str, table: Any) -> None:
            table.rng["dice"].below(6)
            assert len(lines_of(path)) == 6, "the draw is on disk before the action is done"
            raise KeyError("lost")

    with DrawLog.create(path) as log:
        match = Match(Hanging(), seed=1, seats=2, on_draw=log.draw)
        log.follow(match)
        with pytest.raises(ContractError, match="lost"):
            match.play("run")
    _, steps = read_log(path)
    assert [(step.do, len(step.draws or ())) for step in steps] == [(None, 3), (None, 1)]


def test_draws_of_any_size_are_logged(path: Path) -> None:
    class Wide(walk.LongWalk):
        def setup(self, options: Options, seats: int, rng: Streams) -> walk.Path:
            rng["wide"].below(10**40)
            return walk.Path()

    logged(path, Wide(), plies=0)
    ((draw,),) = (step.draws or () for step in read_log(path)[1])
    assert draw == Draw("wide", 0, 10**40, Streams("Old Oak")["wide"].below(10**40))


def test_a_closed_log_stops_logging(path: Path) -> None:
    match = logged(path, walk.GAME)
    before = path.read_bytes()
    match.clone()
    with DrawLog.create(path.with_suffix(".other")) as log:
        other = Match(walk.GAME, seed=1, on_draw=log.draw)
        log.follow(other)
    log.close()
    other.play("left")
    assert path.read_bytes() == before
    assert len(lines_of(path.with_suffix(".other"))) == 2


def test_a_log_follows_one_match_before_its_first_action(path: Path) -> None:
    begun, fresh = Match(walk.GAME, seed=1), Match(walk.GAME, seed=1)
    begun.play("left")
    with DrawLog.create(path) as log:
        with pytest.raises(ValueError, match=r"\bonly one match\b"):
            log.follow(begun)
        log.follow(fresh)
        with pytest.raises(ValueError, match=r"\bonly one match\b"):
            log.follow(fresh)


def test_a_log_without_a_match_is_removed(path: Path) -> None:
    with pytest.raises(ValueError, match="2 players"), DrawLog.create(path) as log:
        Match(walk.GAME, seats=9, on_draw=log.draw)
    assert not path.exists()


def test_an_existing_file_is_not_overwritten(path: Path) -> None:
    path.write_text("my poems")
    with pytest.raises(RecordError, match=rf"^{re.escape(str(path))}: .*\balready\b"):
        DrawLog.create(path)
    with pytest.raises(RecordError, match=r"/nowhere/log: .*No such file"):
        DrawLog.create(path.parent / "nowhere" / "log")
    assert path.read_text() == "my poems"


def test_a_full_disk_stops_the_log_and_not_the_match() -> None:
    with Path("/dev/full").open("w", buffering=1) as full:
        log = DrawLog(Path("the log"), full)
        match = Match(walk.GAME, seed=1, on_draw=log.draw)
        log.follow(match)
        for _ in range(9):
            match.play("left")
        with pytest.raises(RecordError, match=r"^the log: .*No space .*\bincomplete$"):
            log.close()


def test_a_log_that_an_editor_has_saved_is_read(path: Path) -> None:
    logged(path, walk.GAME)
    steps = read_log(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n")
    assert read_log(path) == steps


def test_an_incomplete_last_line_is_ignored(path: Path) -> None:
    logged(path, walk.GAME)
    steps = read_log(path)[1]
    path.write_bytes(path.read_bytes()[:-5])
    cut = read_log(path)[1]
    assert cut[:-1] == steps[:-1]
    assert (cut[-1].do, cut[-1].draws) == (None, steps[-1].draws)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("{", "invalid JSON: Expecting property"),
        ("[" * 100_000, "invalid JSON: "),
        ("[1]", "neither a draw"),
        ('{"stream": "x"}', ": stream, position, bound, result"),
        ('{"dice": 1}', r"known fields: .*'bound'"),
        ('{"ply": "x"}', "Expected `int | null`, got `str`"),
    ],
)
def test_a_damaged_line_is_reported_with_its_number(path: Path, line: str, wrong: str) -> None:
    logged(path, walk.GAME, plies=0)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(RecordError, match="line 3 .*" + wrong.replace("|", r"\|")) as caught:
        read_log(path)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("first", "wrong"),
    [
        ("", ""),
        ('{"format": "tabletop-record", "format_version": 1}\n', f"not '{LOG_FORMAT}'"),
        ('{"format": "tabletop-draws", "format_version": 2}\n', "format 2 "),
    ],
)
def test_a_file_that_is_not_a_log_is_refused(path: Path, first: str, wrong: str) -> None:
    path.write_text(first)
    with pytest.raises(RecordError, match=f"draws.jsonl: line 1: .*{wrong}"):
        read_log(path)
    with pytest.raises(RecordError, match=r"Is a directory$"):
        read_log(path.parent)
